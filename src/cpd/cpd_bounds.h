// Lower and upper bounds on the cost to one cell of a changed map, from following the first moves of a path database.
// Base map: the map that the database was built for. Current map: the map of the query.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpd/perturbation.h"
#include "cpd/stamped_pages.h"

namespace terrane::detail {

// The database's path from a cell to the goal.
struct PathBound {
    uint64_t base = kInfinite<uint64_t>;  // its cost on the base map: a lower bound unless edges got cheaper; kInfinite: no path
    uint64_t now = kInfinite<uint64_t>;   // its cost on the current map: an upper bound; kInfinite: blocked
    CellId successor = kNoCell;           // CPD successor: the last cell before the first step whose cost changed; the goal if none did
    uint32_t area = kNoChange;            // changed area that the step after `successor` enters; kNoChange if there is none
    uint32_t stamp = 0;
    Move move = kNoMove;  // first move
};

// Caches the bounds to one goal: each cell's first move is looked up once per goal. One thread at a time.
class PathBounds {
public:
    // `database` and `grid` must outlive all calls until the next begin().
    void begin(const PathDatabase& database, const ChangedGrid& grid, CellId goal);

    const PathBound& operator()(CellId cell) {
        const PathBound* known = bounds_.find(cell);
        return known != nullptr ? *known : walk(cell);
    }

    uint64_t lookups() const { return lookups_; }
    size_t bytes() const { return bounds_.bytes() + trail_.capacity() * sizeof(CellId); }

private:
    const PathBound& walk(CellId cell);
    const PathBound& step_back(CellId cell, const PathBound& next);

    const ChangedGrid* grid_ = nullptr;
    PathDatabase::Towards towards_;
    StampedPages<PathBound> bounds_;
    std::vector<CellId> trail_;
    uint64_t lookups_ = 0;
};

// For string pulling: the current cost of the database's path from a cell to a shoot node. Caches one shoot node at a time, so group the
// calls by shoot node.
class PullCosts {
public:
    void begin(const PathDatabase& database, const ChangedGrid& grid);

    // Returns kInfinite if the path is blocked or does not exist.
    uint64_t operator()(CellId from, CellId shoot);

    // Returns the first move of that path. Precondition: the path exists.
    Move move(CellId from, CellId shoot);

    uint64_t lookups() const { return lookups_; }
    size_t bytes() const { return costs_.bytes() + trail_.capacity() * sizeof(Step); }

private:
    struct Entry {
        uint64_t cost = kInfinite<uint64_t>;
        uint32_t stamp = 0;
        Move move = kNoMove;
    };
    struct Step {
        CellId from;
        uint64_t cost;
    };
    void set_shoot_node(CellId shoot);

    const PathDatabase* database_ = nullptr;
    const ChangedGrid* grid_ = nullptr;
    CellId shoot_ = kNoCell;
    bool covered_ = false;
    PathDatabase::Towards towards_;
    StampedPages<Entry> costs_;
    std::vector<Step> trail_;
    uint64_t lookups_ = 0;
};

}  // namespace terrane::detail
