// What a world keeps for one profile, so that a method is fast for it, or there at all: made once, kept through edits.
//
//   world.prepare(costs);                                   // at a loading screen
//
//   Preparation preparation(world.grid(), costs);           // while the game runs: in slices, or on another thread
//   while (!preparation.run(20000)) next_frame();
//   world.keep(std::move(preparation));                     // with the edits since
//
// Until then, and for all other profiles, queries for an overlay are answered by way of the terrain regions; those for mm, hpa, pra and
// cpd are not (kNotPrepared). What mm and pra prepare serves all profiles that the same terrain is blocked for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/cpd/path_database.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"
#include "terrane/grid_search/method.h"

namespace terrane {

struct PrepareOptions {
    Method method;  // one that has something to prepare (prepares); one without a name: overlay:2
    Movement movement = Movement::kEight;
    uint32_t threads = 1;  // 0: as many as the machine has; the result is the same for any number

    // For overlays.
    uint32_t landmarks = 32;    // 0..64, a multiple of 8
    uint32_t certificates = 0;  // landmarks with exact costs, to prove bounds by: 0..kMaxCertificateLandmarks
    size_t max_bytes = 0;       // of the overlay: see OverlayOptions; of the path database: 0 is what PathDatabaseOptions has

    // For cpd. A path database is not changed by edits: queries search where the map differs from the one it was built for, and take the
    // longer the more it does. Another Preparation and World::keep() move it to the map as it is then.
    PathEncoding encoding = PathEncoding::kWalk;
    const PathDatabase* database = nullptr;  // to use that one instead of building it: for this profile and rule, a map of this size
};

// Whether a method has something to prepare.
bool prepares(const Method& method);

// Makes a PreparedMethod. Belongs to one thread at a time; the world may be edited meanwhile.
class Preparation {
public:
    // For a map as it is now, in the same memory. A method that prepares nothing is a broken contract.
    Preparation(const GridSnapshot& grid, const CostTable& costs, const PrepareOptions& options = {});
    ~Preparation();
    Preparation(Preparation&&) noexcept;
    Preparation& operator=(Preparation&&) noexcept;

    // Works on, for about `budget` portals expanded (about 0.2 us each); true when all is done. Only overlays and path databases are
    // sliced, the latter by chunks of rows: certificates are one last step, and so is all that other methods prepare. Where memory runs
    // out, it is done, all that it had is given back, and World::keep() refuses it (kNoMemory).
    bool run(uint64_t budget = kUnlimited);
    double progress() const;  // of 1; without certificates

private:
    friend class World;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
