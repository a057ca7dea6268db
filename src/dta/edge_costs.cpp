#include "terrane/dta/edge_costs.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "dta/region_graph.h"
#include "grid_search/refiner.h"

namespace terrane {

using detail::EdgeCostPage;
using detail::kSectorPage;
using detail::kSectorPageShift;
using detail::SectorRecord;

namespace {

// Sectors in a rectangle of them, the last ones included.
struct SectorBlock {
    uint32_t left, top, right, bottom;

    template <class Visit>
    void for_each(const TerrainRegions& regions, Visit&& visit) const {
        for (uint32_t y = top; y <= bottom; ++y) {
            for (uint32_t x = left; x <= right; ++x) visit(y * regions.sectors_x() + x);
        }
    }
};

SectorBlock around(const TerrainRegions& regions, uint32_t sector) {
    const uint32_t columns = regions.sectors_x(), x = sector % columns, y = sector / columns;
    return {x - std::min(x, 1u), y - std::min(y, 1u), std::min(x + 1, columns - 1), std::min(y + 1, regions.sectors_y() - 1)};
}

SectorBlock spanned_by(const TerrainRegions& regions, uint32_t a, uint32_t b) {
    const uint32_t columns = regions.sectors_x();
    return {std::min(a % columns, b % columns), std::min(a, b) / columns, std::max(a % columns, b % columns), std::max(a, b) / columns};
}

void sort_once_each(std::vector<uint32_t>& sectors) {
    std::sort(sectors.begin(), sectors.end());
    sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
}

std::vector<uint32_t> every_sector(const TerrainRegions& regions) {
    std::vector<uint32_t> sectors(regions.sectors());
    std::iota(sectors.begin(), sectors.end(), 0u);
    return sectors;
}

std::vector<uint32_t> with_neighbours(const TerrainRegions& regions, const std::vector<uint32_t>& sectors) {
    std::vector<uint32_t> all;
    all.reserve(sectors.size() * 9);
    for (const uint32_t sector : sectors) around(regions, sector).for_each(regions, [&](uint32_t near) { all.push_back(near); });
    sort_once_each(all);
    return all;
}

// The sectors with a cell that an edit changed, ascending.
std::vector<uint32_t> changed_sectors(const TerrainRegions& regions, const EditResult& edit) {
    std::vector<uint32_t> sectors;
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
        const uint32_t sector = regions.sector_at(edit.after.layout().cell(id));
        if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
    });
    sort_once_each(sectors);
    return sectors;
}

// An edge's index in its sector's list. There is such an edge.
uint32_t index_of(const SectorRecord& record, uint32_t from, uint32_t side, uint32_t to) {
    const std::span<const RegionEdge> edges = record.edges_of(from);
    const auto found = std::lower_bound(edges.begin(), edges.end(), RegionEdge::to(side, to, false),
                                        [](RegionEdge a, RegionEdge b) { return a.bits < b.bits; });
    return static_cast<uint32_t>(&*found - record.edges());
}

std::shared_ptr<const EdgeCostPage> make_page(const std::array<uint32_t, kSectorPage + 1>& first, std::vector<uint64_t> values) {
    auto page = std::make_shared<EdgeCostPage>();
    page->first = first;
    constexpr uint64_t kLimit = std::numeric_limits<uint32_t>::max();
    if (std::any_of(values.begin(), values.end(), [](uint64_t v) { return v >= kLimit && v != ExactEdgeCosts::kNoWay; })) {
        page->wide = std::move(values);
    } else {
        page->narrow.reserve(values.size());
        for (const uint64_t v : values) page->narrow.push_back(static_cast<uint32_t>(std::min(v, kLimit)));
    }
    return page;
}

}  // namespace

// Makes a version. An edge is searched anew where a sector of its rectangle changed; the others' costs are those of the version before.
class ExactEdgeCosts::Builder {
public:
    // `changed` is ascending; every sector where there is no version before.
    Builder(ExactEdgeCosts& made, const ExactEdgeCosts* before, const std::vector<uint32_t>& changed)
        : made_(made), regions_(made.regions_), before_(before), is_changed_(regions_.sectors()), diagonals_(made.uses_diagonals()) {
        const bool diagonals_before = before != nullptr ? before->uses_diagonals() : diagonals_;
        diagonals_came_ = diagonals_ && !diagonals_before;
        for (const uint32_t sector : changed) is_changed_[sector] = true;
        sectors_ = diagonals_ == diagonals_before ? with_neighbours(regions_, changed) : every_sector(regions_);
        first_.reserve(sectors_.size() + 1);
        for (const uint32_t sector : sectors_) first_.push_back(first_.back() + record(sector).edge_count);
        costs_.resize(first_.back());
        searches_.resize(sectors_.size());
    }

    void run(uint32_t threads) {
        const auto tasks = static_cast<uint32_t>(sectors_.size());
        std::vector<Refiner> refiners(workers_for(threads, tasks));
        for (Refiner& refiner : refiners) refiner.begin(made_.ground_);
        parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) { find_costs(task, refiners[worker]); });
        parallel_for(threads, tasks, [&](uint32_t task, uint32_t /*worker*/) { mirror_costs(task); });
        made_.searches_ = std::accumulate(searches_.begin(), searches_.end(), uint64_t{0});
        for (uint32_t p = 0; p < made_.pages_.size(); ++p) renew_page(p);
    }

private:
    struct Edge {
        uint32_t from_sector, from, to_sector, to, side;
        bool diagonal_only;
        // Of the two ways of an edge, the one that is searched.
        bool leads() const { return std::pair(from_sector, from) < std::pair(to_sector, to); }
    };

    const SectorRecord& record(uint32_t sector) const { return regions_.root().record(sector); }

    // Calls visit(edge, cost) for every edge of a sector, with the place of its cost.
    template <class Visit>
    void for_each_edge(uint32_t task, Visit&& visit) {
        const uint32_t sector = sectors_[task];
        size_t i = first_[task];
        for (uint32_t from = 0; from < record(sector).region_count; ++from) {
            for (const RegionEdge e : record(sector).edges_of(from)) {
                visit(Edge{sector, from, regions_.neighbour(sector, e.side()), e.number(), e.side(), e.diagonal_only()}, costs_[i++]);
            }
        }
    }

    bool usable(const Edge& edge) const {
        return (diagonals_ || !edge.diagonal_only) &&
               made_.ground_.costs().passable(record(edge.from_sector).regions()[edge.from].terrain) &&
               made_.ground_.costs().passable(record(edge.to_sector).regions()[edge.to].terrain);
    }
    // Whether the cost may be another than before.
    bool touched(const Edge& edge) const {
        bool any = diagonals_came_ && edge.diagonal_only;
        spanned_by(regions_, edge.from_sector, edge.to_sector).for_each(regions_, [&](uint32_t sector) {
            any = any || is_changed_[sector];
        });
        return any;
    }

    void find_costs(uint32_t task, Refiner& refiner) {
        for_each_edge(task, [&](const Edge& edge, uint64_t& cost) {
            if (!usable(edge)) {
                cost = kNoWay;
            } else if (!touched(edge)) {
                cost = cost_before(edge);
            } else if (edge.leads()) {
                cost = search(edge, refiner);
                ++searches_[task];
            }
        });
    }

    // Neither sector changed, so the regions have their numbers still; the edge may have moved along the list.
    uint64_t cost_before(const Edge& edge) const {
        const SectorRecord& old = before_->regions_.root().record(edge.from_sector);
        return before_->cost(edge.from_sector, index_of(old, edge.from, edge.side, edge.to));
    }

    uint64_t search(const Edge& edge, Refiner& refiner) const {
        refiner.aim(record(edge.from_sector).regions()[edge.from].representative(),
                    record(edge.to_sector).regions()[edge.to].representative(),
                    hull(regions_.sector_rect(edge.from_sector), regions_.sector_rect(edge.to_sector)));
        return refiner.run() == Status::kFound ? refiner.cost() / made_.ground_.costs().divisor : kNoWay;
    }

    // What was found the other way. The sector there is one of ours: what touches an edge is around both its ends.
    void mirror_costs(uint32_t task) {
        for_each_edge(task, [&](const Edge& edge, uint64_t& cost) {
            if (edge.leads() || !usable(edge) || !touched(edge)) return;
            cost = cost_of(edge.to_sector, index_of(record(edge.to_sector), edge.to, 8 - edge.side, edge.from));
        });
    }

    // Of one of our sectors.
    uint64_t cost_of(uint32_t sector, uint32_t edge) const {
        const auto task = std::lower_bound(sectors_.begin(), sectors_.end(), sector) - sectors_.begin();
        return costs_[first_[static_cast<size_t>(task)] + edge];
    }

    void renew_page(uint32_t p) {
        const uint32_t begin = p << kSectorPageShift, end = std::min(begin + kSectorPage, regions_.sectors());
        auto task = static_cast<size_t>(std::lower_bound(sectors_.begin(), sectors_.end(), begin) - sectors_.begin());
        if (task == sectors_.size() || sectors_[task] >= end) return;
        std::array<uint32_t, kSectorPage + 1> first{};
        for (uint32_t s = begin; s < end; ++s) first[s - begin + 1] = first[s - begin] + record(s).edge_count;
        std::vector<uint64_t> costs;
        costs.reserve(first[end - begin]);
        for (uint32_t s = begin; s < end; ++s) {
            const bool ours = task < sectors_.size() && sectors_[task] == s;
            const size_t from = ours ? first_[task++] : 0;
            for (uint32_t e = 0; e < record(s).edge_count; ++e) costs.push_back(ours ? costs_[from + e] : before_->cost(s, e));
        }
        made_.pages_[p] = make_page(first, std::move(costs));
    }

    ExactEdgeCosts& made_;
    const TerrainRegions& regions_;
    const ExactEdgeCosts* before_;
    std::vector<bool> is_changed_;     // by sector
    bool diagonals_;                   // whether edges at corners are used
    bool diagonals_came_;              // and were not before
    std::vector<uint32_t> sectors_;    // whose costs may change, ascending: a task each
    std::vector<size_t> first_ = {0};  // by task, in `costs_`
    std::vector<uint64_t> costs_;
    std::vector<uint64_t> searches_;  // by task
};

ExactEdgeCosts ExactEdgeCosts::build(const TerrainRegions& regions, const Ground& ground, uint32_t threads) {
    ExactEdgeCosts made(regions, ground);
    made.pages_.resize((regions.sectors() + kSectorPage - 1) >> kSectorPageShift);
    Builder(made, nullptr, every_sector(regions)).run(threads);
    return made;
}

std::optional<ExactEdgeCosts> ExactEdgeCosts::updated(const TerrainRegions& after, const EditResult& edit, uint32_t threads) const {
    const bool follows = &edit.before.root() == &regions_.grid().root() && &edit.after.root() == &after.grid().root();
    if (!follows || after.sector() != regions_.sector()) return std::nullopt;
    ExactEdgeCosts made(after, ground_.on(after.grid()));
    made.pages_ = pages_;
    Builder(made, this, changed_sectors(after, edit)).run(threads);
    return made;
}

bool ExactEdgeCosts::uses_diagonals() const { return uses_diagonal_edges(ground_); }

size_t ExactEdgeCosts::bytes() const {
    size_t sum = sizeof(*this) + pages_.capacity() * sizeof(pages_[0]);
    for (const auto& page : pages_) sum += page->bytes();
    return sum;
}

bool operator==(const ExactEdgeCosts& a, const ExactEdgeCosts& b) {
    return std::equal(a.pages_.begin(), a.pages_.end(), b.pages_.begin(), b.pages_.end(),
                      [](const auto& page, const auto& other) { return page == other || *page == *other; });
}

}  // namespace terrane
