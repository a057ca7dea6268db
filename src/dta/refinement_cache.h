// Refinements that were found before, so that they need not be searched again.
//
// A refinement is a function of its two cells, its rules and the cells of its window, and of nothing else (refiner.h). An entry is
// kept by the first two and the window's rectangle, and carries a stamp: the version of the map that last changed a tile in which the
// window has a part. Where the map at hand has the same stamp, neither map has changed any of those tiles since that version; so
// their cells are the same, and so is the answer. What a query gets never depends on what is in the cache.
//
// Version numbers mean something in one world only, so a cache serves one at a time. A world is known by the id of
// its grid, which no other grid of the process has, before or after. Asked about another world, the cache discards what it holds.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "grid_search/refiner.h"

namespace terrane {

// What the refiner would have said.
struct CachedRefinement {
    Status status = Status::kFound;  // or kUnreachable
    Cost cost = 0;                   // only when found
    uint64_t expansions = 0;         // that the search took
};

// When it is full, what was used least recently goes. Not safe for threads: each has its own, as it has its own refiner.
// An entry of up to 70 steps costs about 100 bytes; 70 more cost as much again.
class RefinementCache {
public:
    // Memory is taken with the first put(): all of `max_bytes`, and later no more than 8 bytes for each step of the longest refinement
    // seen. With less than 100 KB nothing is kept.
    explicit RefinementCache(size_t max_bytes = size_t{16} << 20);
    ~RefinementCache();
    RefinementCache(RefinementCache&&) noexcept;
    RefinementCache& operator=(RefinementCache&&) noexcept;

    // What is known of the segment that `refiner` is aimed at; appends its cells to `out` as append_to() would.
    std::optional<CachedRefinement> find(const Refiner& refiner, std::vector<Cell>& out);

    // Keeps what `refiner` found, or that there is no way. Ignored while it is not done, and where it refused the segment.
    void put(const Refiner& refiner);

    void clear();

    size_t size() const;  // entries
    size_t bytes() const;
    size_t max_bytes() const;
    uint64_t hits() const;  // of find(); clear() does not set them back
    uint64_t misses() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
