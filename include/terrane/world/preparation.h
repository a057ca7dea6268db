// Prepares a method for a profile: builds the tables that the method needs, in slices or at once. The World owns the result, and every edit
// updates it.
//
//   world.prepare(costs);                                   // at a loading screen
//
//   Preparation preparation(world.snapshot(), costs);       // while the game runs: in slices, or on another thread
//   while (!preparation.run(20000)) next_frame();
//   world.keep(std::move(preparation));                     // with the edits since
//
// Until then, queries for the method end with kNotPrepared, unless FindOptions::fallback allows another method to answer. Tables of mm and
// pra serve all profiles with the same blocked set; all others serve one profile.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"
#include "terrane/search/best_first.h"
#include "terrane/world/methods.h"

namespace terrane {

class WorldSnapshot;

struct PrepareOptions {
    Method method = {};  // one that prepares() something; none: overlay:2
    Movement movement = Movement::kEight;
    uint32_t threads = 1;  // 0: as many as the machine has; the result is the same for any number
    // Of the tables: a result that needs more is refused. An overlay first leaves out what it can recompute, and certificates are not
    // counted; of a path database the rows are. 0: the method's own limit.
    size_t max_bytes = 0;
};

// One thread at a time; the world may be edited meanwhile.
class Preparation {
public:
    // For the world as it is in the snapshot, in the same memory. A method that prepares nothing is a broken contract.
    Preparation(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options = {});
    ~Preparation();
    Preparation(Preparation&&) noexcept;
    Preparation& operator=(Preparation&&) noexcept;

    // Works for about `budget` portals expanded (about 0.2 us each); true when all is done. Overlays and path databases are sliced, the
    // latter by chunks of rows. Certificates are one last step, and the tables of other methods are one step. On allocation failure it is
    // done, returns its memory, and World::keep() refuses it (kNoMemory).
    bool run(uint64_t budget = kUnlimited);
    double progress() const;  // 0 to 1, without the certificates

private:
    friend class World;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
