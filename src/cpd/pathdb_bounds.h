// What a path database tells of a map that has changed since: bounds on the cost to one cell, by following its moves.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpd/perturbation.h"
#include "cpd/stamped_pages.h"

namespace terrane::detail {

// Of the database's path from a cell to the goal.
struct PathBound {
    uint64_t base = kInfinite<uint64_t>;  // its cost on the map that the database was built for; kInfinite: there is no path
    uint64_t now = kInfinite<uint64_t>;   // what it costs now; kInfinite: it is blocked
    CellId stop = kNoCell;                // the last cell before its first step that costs another; the goal where all are as they were
    uint32_t area = kNoChange;            // the area that the step after `stop` runs into; kNoChange where there is none
    uint32_t stamp = 0;
    Move move = kNoMove;  // the first one
};

// To one goal at a time. A cell's first move is looked up once for each goal.
class PathBounds {
public:
    // `database` and `grid` must outlive the use.
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

// What the database's path from a cell to a shoot node costs now: for string pulling. Good for a few shoot nodes that are asked for in
// turn: what is known of one is forgotten at the next.
class PullCosts {
public:
    void begin(const PathDatabase& database, const ChangedGrid& grid);

    // kInfinite where that path is blocked, or there is none.
    uint64_t operator()(CellId from, CellId shoot);

    // The first move of that path. Only for cells that have one.
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
    void aim(CellId shoot);

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
