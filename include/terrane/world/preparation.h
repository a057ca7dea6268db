// Prepares a method for a profile: builds the tables that the method needs, at once or in slices. The World owns the result, and every
// edit updates it.
//
//   world.prepare(costs);                                   // on a loading screen
//
//   Preparation preparation(world.snapshot(), costs);       // while the game runs: in slices, or on another thread
//   while (!preparation.run(20000)) next_frame();
//   world.install(std::move(preparation));                  // applies the edits since
//
// Until then, queries for the method end with kNotPrepared, unless FindOptions::fallback allows another method to answer. Tables of
// minimal_memory and pra serve all profiles with the same blocked set; all others serve one profile.
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
    Method method = {};  // one that prepares() something; empty: overlay:3
    Movement movement = Movement::kEightNoCornerCutting;
    uint32_t threads = 1;  // 0: all cores; the result is the same for any number
    // Limit of the tables in bytes; a result that needs more is refused. 0: the method's own limit. An overlay first leaves out
    // first-move tables, and its lower bounds do not count. Of a path database only the rows count.
    size_t max_bytes = 0;
};

// One thread at a time; the world may be edited meanwhile.
class Preparation {
public:
    // Prepares for the version of the snapshot, with its world's allocator. A method that prepares nothing breaks the contract.
    Preparation(const WorldSnapshot& world, const CostTable& costs, const PrepareOptions& options = {});
    ~Preparation();
    Preparation(Preparation&&) noexcept;
    Preparation& operator=(Preparation&&) noexcept;

    // Works for about `budget` portal expansions (about 0.2 us each). Returns true when finished. Overlays and path databases are sliced,
    // the latter by chunks of rows; lower bounds are one last step, and the tables of other methods are one step. On allocation failure
    // it returns true and frees its memory, and World::install() fails with kNoMemory.
    bool run(uint64_t budget = kUnlimited);
    double progress() const;  // 0 to 1, without the lower bounds

private:
    friend class World;
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
