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

// A rectangle of sectors; right and bottom are inclusive.
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

void sort_unique(std::vector<uint32_t>& sectors) {
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
    sort_unique(all);
    return all;
}

// The sectors with a changed cell, ascending.
std::vector<uint32_t> changed_sectors(const TerrainRegions& regions, const EditResult& edit) {
    std::vector<uint32_t> sectors;
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
        const uint32_t sector = regions.sector_at(edit.after.layout().cell(id));
        if (sectors.empty() || sectors.back() != sector) sectors.push_back(sector);
    });
    sort_unique(sectors);
    return sectors;
}

// The index of an existing edge in its sector's list.
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
    if (std::any_of(values.begin(), values.end(), [](uint64_t v) { return v >= kLimit && v != ExactEdgeCosts::kNoPath; })) {
        page->wide = std::move(values);
    } else {
        page->narrow.reserve(values.size());
        for (const uint64_t v : values) page->narrow.push_back(static_cast<uint32_t>(std::min(v, kLimit)));
    }
    return page;
}

}  // namespace

// Builds a version. Searches an edge if a sector of its rectangle changed; copies all other costs from the previous version.
class ExactEdgeCosts::Builder {
public:
    // `changed` is ascending; it contains every sector if there is no previous version.
    Builder(ExactEdgeCosts& result, const ExactEdgeCosts* before, const std::vector<uint32_t>& changed)
        : result_(result),
          regions_(result.regions_),
          before_(before),
          is_changed_(regions_.sectors()),
          diagonals_(result.uses_diagonals()) {
        const bool diagonals_before = before != nullptr ? before->uses_diagonals() : diagonals_;
        diagonals_enabled_ = diagonals_ && !diagonals_before;
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
        for (Refiner& refiner : refiners) refiner.begin(result_.ground_);
        parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) { find_costs(task, refiners[worker]); });
        parallel_for(threads, tasks, [&](uint32_t task, uint32_t /*worker*/) { mirror_costs(task); });
        result_.searches_ = std::accumulate(searches_.begin(), searches_.end(), uint64_t{0});
        for (uint32_t p = 0; p < result_.pages_.size(); ++p) rebuild_page(p);
    }

private:
    struct Edge {
        uint32_t from_sector, from, to_sector, to, side;
        bool diagonal_only;
        // Whether this is the direction that is searched; the reverse edge copies its cost.
        bool is_canonical() const { return std::pair(from_sector, from) < std::pair(to_sector, to); }
    };

    const SectorRecord& record(uint32_t sector) const { return regions_.data().record(sector); }

    // Calls visit(edge, cost) for every edge of a sector, with a reference to its cost.
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
               result_.ground_.costs().passable(record(edge.from_sector).regions()[edge.from].terrain) &&
               result_.ground_.costs().passable(record(edge.to_sector).regions()[edge.to].terrain);
    }
    // Whether the cost may differ from the previous version's.
    bool touched(const Edge& edge) const {
        bool any = diagonals_enabled_ && edge.diagonal_only;
        spanned_by(regions_, edge.from_sector, edge.to_sector).for_each(regions_, [&](uint32_t sector) {
            any = any || is_changed_[sector];
        });
        return any;
    }

    void find_costs(uint32_t task, Refiner& refiner) {
        for_each_edge(task, [&](const Edge& edge, uint64_t& cost) {
            if (!usable(edge)) {
                cost = kNoPath;
            } else if (!touched(edge)) {
                cost = cost_before(edge);
            } else if (edge.is_canonical()) {
                cost = search(edge, refiner);
                ++searches_[task];
            }
        });
    }

    // Neither sector changed, so the regions keep their numbers; the edge's index may differ.
    uint64_t cost_before(const Edge& edge) const {
        const SectorRecord& old = before_->regions_.data().record(edge.from_sector);
        return before_->cost(edge.from_sector, index_of(old, edge.from, edge.side, edge.to));
    }

    uint64_t search(const Edge& edge, Refiner& refiner) const {
        refiner.begin_segment(record(edge.from_sector).regions()[edge.from].representative(),
                              record(edge.to_sector).regions()[edge.to].representative(),
                              hull(regions_.sector_rect(edge.from_sector), regions_.sector_rect(edge.to_sector)));
        return refiner.run() == Status::kFound ? refiner.cost() / result_.ground_.costs().divisor : kNoPath;
    }

    // Copies the cost of the reverse edge. Its sector is in sectors_, because a changed sector is adjacent to both ends of the edge.
    void mirror_costs(uint32_t task) {
        for_each_edge(task, [&](const Edge& edge, uint64_t& cost) {
            if (edge.is_canonical() || !usable(edge) || !touched(edge)) return;
            cost = cost_of(edge.to_sector, index_of(record(edge.to_sector), edge.to, 8 - edge.side, edge.from));
        });
    }

    // The cost of an edge of a sector in sectors_.
    uint64_t cost_of(uint32_t sector, uint32_t edge) const {
        const auto task = std::lower_bound(sectors_.begin(), sectors_.end(), sector) - sectors_.begin();
        return costs_[first_[static_cast<size_t>(task)] + edge];
    }

    void rebuild_page(uint32_t p) {
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
        result_.pages_[p] = make_page(first, std::move(costs));
    }

    ExactEdgeCosts& result_;
    const TerrainRegions& regions_;
    const ExactEdgeCosts* before_;
    std::vector<bool> is_changed_;     // by sector
    bool diagonals_;                   // whether diagonal-only edges are used
    bool diagonals_enabled_;           // used now, but not in the previous version
    std::vector<uint32_t> sectors_;    // sectors whose costs may change, ascending: one task each
    std::vector<size_t> first_ = {0};  // by task: first index in `costs_`
    std::vector<uint64_t> costs_;
    std::vector<uint64_t> searches_;  // by task
};

ExactEdgeCosts ExactEdgeCosts::build(const TerrainRegions& regions, const Ground& ground, uint32_t threads) {
    ExactEdgeCosts result(regions, ground);
    result.pages_.resize((regions.sectors() + kSectorPage - 1) >> kSectorPageShift);
    Builder(result, nullptr, every_sector(regions)).run(threads);
    return result;
}

std::optional<ExactEdgeCosts> ExactEdgeCosts::updated(const TerrainRegions& after, const EditResult& edit, uint32_t threads) const {
    const bool follows = &edit.before.data() == &regions_.grid().data() && &edit.after.data() == &after.grid().data();
    if (!follows || after.sector() != regions_.sector()) return std::nullopt;
    ExactEdgeCosts result(after, ground_.on(after.grid()));
    result.pages_ = pages_;
    Builder(result, this, changed_sectors(after, edit)).run(threads);
    return result;
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
