// LRU cache of refined segments.
//
// A refinement depends only on its two cells, its rules and the cells of its window (refiner.h). The key of an entry is the cells, the
// rules and the window's rectangle. The entry also has a stamp: the map version that last changed a tile that the window overlaps. If
// the current map gives the same stamp, no such tile has changed between the two maps, so the window's cells and the result are
// the same. Hence a query's result never depends on the content of the cache.
//
// Versions are comparable only within one world, so a cache serves one world at a time. It identifies the world by the id of its grid,
// which is unique in the process. A call with another world clears the cache.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grid_search/refiner.h"

namespace terrane {

// The result of a refinement, as the Refiner would report it.
struct CachedRefinement {
    Status status = Status::kFound;  // or kUnreachable
    Cost cost = 0;                   // only if found
    uint64_t expansions = 0;         // of the original search
};

// Evicts the least recently used entries when full. One thread at a time: use one per thread, like the Refiner.
// An entry of up to 70 steps takes about 100 bytes; every further 70 steps take as much again.
class RefinementCache {
public:
    // The first put() allocates all of `max_bytes`; later at most 8 bytes per step of the longest refinement are added. Below 100 KB
    // the cache stores nothing.
    explicit RefinementCache(size_t max_bytes = size_t{16} << 20);
    ~RefinementCache();
    RefinementCache(RefinementCache&&) noexcept;
    RefinementCache& operator=(RefinementCache&&) noexcept;

    // Looks up the current segment of `refiner`. On a hit, appends its cells to `out` as Refiner::append_to() would.
    std::optional<CachedRefinement> find(const Refiner& refiner, std::vector<Cell>& out);

    // Stores the result of `refiner`: the path, or kUnreachable. Ignores segments that are unfinished or were rejected.
    void put(const Refiner& refiner);

    void clear();

    size_t size() const;  // entries
    size_t bytes() const;
    size_t max_bytes() const;
    uint64_t hits() const;  // of find(); clear() does not reset the counters
    uint64_t misses() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
