// What heuristics that keep a few numbers for every cell have in common: the table, what it is valid for, and the bound
// towards one goal. Used through landmarks.h and embedding.h.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "terrane/base/attributes.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/octile.h"
#include "terrane/grid/profile.h"
#include "terrane/search/graph.h"

namespace terrane {

namespace detail {

// `lanes` numbers for every cell, those of a cell side by side, in pages of one tile. Copies share pages; an edit
// (CellTableEdit) copies those it writes to, so that others may read the table meanwhile.
template <class E>
class CellTable {
public:
    // All 0.
    CellTable(const GridLayout& layout, uint32_t lanes);

    uint32_t lanes() const { return lanes_; }
    // Only for ids of cells inside.
    const E* row(CellId id) const { return pages_[id / kTileCells].get() + size_t{id % kTileCells} * lanes_; }
    // Only while nobody else has this table or a copy of it.
    E* row(CellId id) { return pages_[id / kTileCells].get() + size_t{id % kTileCells} * lanes_; }

    size_t bytes() const;

private:
    template <class>
    friend class CellTableEdit;
    using Page = std::shared_ptr<E[]>;
    Page make_page() const;

    uint32_t lanes_;
    std::vector<Page> pages_;  // by tile number; null where no tile is
};

// A new version of a table.
template <class E>
class CellTableEdit {
public:
    explicit CellTableEdit(const CellTable<E>& table) : table_(table), own_(table.pages_.size()) {}

    E at(CellId id, uint32_t lane) const { return std::as_const(table_).row(id)[lane]; }
    void set(CellId id, uint32_t lane, E value) {
        if (!own_[id / kTileCells]) own_page(id / kTileCells);
        table_.row(id)[lane] = value;
    }
    CellTable<E> take() && { return std::move(table_); }

private:
    void own_page(uint32_t tile);

    CellTable<E> table_;
    std::vector<bool> own_;
};

extern template class CellTable<uint32_t>;
extern template class CellTable<uint64_t>;
extern template class CellTableEdit<uint32_t>;
extern template class CellTableEdit<uint64_t>;

template <class E>
TERRANE_INLINE inline E difference(E a, E b) {
    return a > b ? a - b : b - a;
}

// How rows compare: the greatest difference of a lane, or all of them added up. In blocks, which g++ -O2 makes vectors of:
// 6.5 ns instead of 21 for 8 lanes, 25 instead of 100 for 32.
struct GreatestDifference {
    static constexpr uint32_t kBlock = 8;

    template <class E>
    TERRANE_INLINE static uint64_t between(const E* a, const E* b, uint32_t lanes) {
        E greatest = 0;
        uint32_t i = 0;
        for (; i + kBlock <= lanes; i += kBlock) {
            for (uint32_t j = i; j < i + kBlock; ++j) greatest = std::max(greatest, difference(a[j], b[j]));
        }
        for (; i < lanes; ++i) greatest = std::max(greatest, difference(a[i], b[i]));
        return greatest;
    }
};
struct SumOfDifferences {
    template <class E>
    TERRANE_INLINE static uint64_t between(const E* a, const E* b, uint32_t lanes) {
        uint64_t sum = 0;
        for (uint32_t i = 0; i < lanes; ++i) sum += difference(a[i], b[i]);
        return sum;
    }
};

}  // namespace detail

// A lower bound on the cost from any cell to one goal, in the profile's own units: the better of the octile distance and
// what the table says. A Heuristic for the kernel. A few words, cheap to copy; the heuristic that made it (or a copy of
// that) must outlive it. Values that `V` cannot hold are cut off at its greatest, which keeps the bound consistent.
template <class V, class Metric>
class TERRANE_EXPERIMENTAL TableBound {
public:
    template <class E>
    TableBound(const OctileHeuristic<GridLayout, V>& octile, const detail::CellTable<E>& table, CellId goal) : octile_(octile) {
        narrow(table, goal);
    }

    TERRANE_INLINE V operator()(CellId node) const {
        const uint64_t far = narrow_ != nullptr ? Metric::between(narrow_->row(node), narrow_goal_, narrow_->lanes())
                                                : Metric::between(wide_->row(node), wide_goal_, wide_->lanes());
        return std::max(octile_(node), static_cast<V>(std::min<uint64_t>(far, std::numeric_limits<V>::max())));
    }

private:
    void narrow(const detail::CellTable<uint32_t>& table, CellId goal) {
        narrow_ = &table;
        narrow_goal_ = table.row(goal);
    }
    void narrow(const detail::CellTable<uint64_t>& table, CellId goal) {
        wide_ = &table;
        wide_goal_ = table.row(goal);
    }

    OctileHeuristic<GridLayout, V> octile_;
    const detail::CellTable<uint32_t>* narrow_ = nullptr;  // this or `wide_`
    const uint32_t* narrow_goal_ = nullptr;
    const detail::CellTable<uint64_t>* wide_ = nullptr;
    const uint64_t* wide_goal_ = nullptr;
};

namespace detail {

// What a table was made for: one version of one map (held, so that it is known again by its address), under one
// profile and movement rule.
struct TableOwner {
    Ground ground;
    uint32_t cheapest = 0;  // of the terrain on that map, for the octile part
    uint64_t edits = 0;     // taken in since the table was built
    // One of the two: 32 bits where all distances fit.
    std::shared_ptr<const CellTable<uint32_t>> narrow;
    std::shared_ptr<const CellTable<uint64_t>> wide;

    explicit TableOwner(const Ground& made_for);

    void keep(CellTable<uint32_t> table) { narrow = std::make_shared<const CellTable<uint32_t>>(std::move(table)); }
    void keep(CellTable<uint64_t> table) { wide = std::make_shared<const CellTable<uint64_t>>(std::move(table)); }

    // In the profile's own units: the common divisor of its costs does not matter.
    bool valid_for(const Ground& asked) const {
        return &ground.grid().root() == &asked.grid().root() && &ground.rule() == &asked.rule() &&
               ground.costs().cost == asked.costs().cost;
    }
    size_t bytes() const { return sizeof(*this) + (narrow ? narrow->bytes() : wide->bytes()); }

    // The same tables for the map as it is after the edit. Only where no cell got cheaper.
    std::shared_ptr<TableOwner> moved_to(const GridSnapshot& after) const;

    template <class Metric, class V>
    std::optional<TableBound<V, Metric>> bound(Cell goal, const Ground& asked) const {
        if (!valid_for(asked) || !ground.layout().contains(goal)) return std::nullopt;
        const OctileHeuristic<GridLayout, V> octile(ground.layout(), goal, cheapest, ground.rule());
        const CellId id = ground.layout().id(goal);
        return narrow ? TableBound<V, Metric>(octile, *narrow, id) : TableBound<V, Metric>(octile, *wide, id);
    }
};

// The cells that an edit made cheaper for a profile, or passable, ascending. Other changed cells got dearer, or
// blocked, or stay as they were.
std::vector<CellId> cheaper_cells(const EditResult& edit, const CostTable& costs);

}  // namespace detail

}  // namespace terrane
