// Everything that repairs itself when the map is edited, each with the test of whether it is as good as new.
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "abstraction/portal_graph.h"
#include "selftest/edit_case.h"
#include "terrane/cliques.h"
#include "terrane/edge_costs.h"
#include "terrane/entrance_graph.h"
#include "terrane/grid_search.h"
#include "terrane/landmarks.h"
#include "terrane/minimal_memory.h"
#include "terrane/planner.h"
#include "terrane/portal_overlay.h"
#include "terrane/reachability.h"

namespace terrane::selftest {

namespace {

constexpr std::array<uint32_t, 9> kSectors = {4, 5, 7, 8, 16, 32, 64, 128, kWholeMap};

// One that can be built, updated, and compared.
template <class T, class Build>
class Comparable final : public Structure {
public:
    Comparable(const GridSnapshot& grid, Build build) : build_(std::move(build)), grid_(grid), now_(build_(grid)) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override { return now_ == build_(grid_); }

private:
    Build build_;
    GridSnapshot grid_;
    T now_;
};
template <class Build>
std::unique_ptr<Structure> comparable(const GridSnapshot& grid, Build build) {
    return std::make_unique<Comparable<decltype(build(grid)), Build>>(grid, std::move(build));
}

std::unique_ptr<Structure> regions(const GridSnapshot& grid, const CostTable&, Movement, uint32_t choice) {
    const RegionOptions options = {kSectors[choice / 2], choice % 2 == 0};
    return comparable(grid, [options](const GridSnapshot& g) { return TerrainRegions::build(g, options); });
}

std::unique_ptr<Structure> minimal_memory(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice) {
    MinimalMemoryOptions options;
    options.sector = kSectors[choice % 8];
    options.record_bits = (choice & 8) != 0 ? 16 : 32;
    options.skip_defaults = (choice & 16) == 0;
    options.edges_once = (choice & 32) != 0;
    options.labels = (choice & 64) != 0;
    options.optimise_centres = choice % 8 < 4 && (choice & 128) != 0;  // small sectors: it is slow
    const PassableSet set = PassableSet::of(costs, movement);
    return comparable(grid, [=](const GridSnapshot& g) { return MinimalMemory::build(g, set, movement, options); });
}

std::unique_ptr<Structure> cliques(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice) {
    const PassableSet set = PassableSet::of(costs, movement);
    const CliqueOptions options = {static_cast<CliqueRule>(choice)};
    return comparable(grid, [=](const GridSnapshot& g) { return Cliques::build(g, set, movement, options); });
}

std::unique_ptr<Structure> entrances(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice) {
    const EntranceOptions options = {kSectors[choice]};
    return comparable(grid, [=](const GridSnapshot& g) { return EntranceGraph::build(g, costs, movement, options); });
}

class EdgeCosts final : public Structure {
public:
    EdgeCosts(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice)
        : costs_(costs),
          movement_(movement),
          regions_(TerrainRegions::build(grid, {kSectors[choice], true})),
          now_(ExactEdgeCosts::build(regions_, costs, movement)) {}
    void update(const EditResult& edit) override {
        regions_ = regions_.updated(edit).value();
        now_ = now_.updated(regions_, edit).value();
    }
    bool is_as_new() const override { return now_ == ExactEdgeCosts::build(regions_, costs_, movement_); }

private:
    CostTable costs_;
    Movement movement_;
    TerrainRegions regions_;
    ExactEdgeCosts now_;
};

// What can be reached from where: numbers may differ, the parts may not.
class Parts final : public Structure {
public:
    Parts(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice)
        : regions_(TerrainRegions::build(grid, {kSectors[choice], true})),
          now_(Components::build(regions_, PassableSet::of(costs, movement))) {}
    void update(const EditResult& edit) override {
        RepairReport report;
        regions_ = regions_.updated(edit, &report).value();
        const auto next = now_.updated(regions_, edit, report);
        now_ = next ? *next : Components::build(regions_, now_.set());
    }
    bool is_as_new() const override {
        const Components fresh = Components::build(regions_, now_.set());
        std::map<ComponentId, ComponentId> there, back;
        if (fresh.count() != now_.count()) return false;
        for (uint32_t s = 0; s < regions_.sectors(); ++s) {
            for (uint32_t n = 0; n < regions_.regions_in(s); ++n) {
                const RegionId id = regions_.id(s, n);
                const ComponentId a = now_.component_of(id), b = fresh.component_of(id);
                if (there.try_emplace(a, b).first->second != b || back.try_emplace(b, a).first->second != a) return false;
            }
        }
        return true;
    }

private:
    TerrainRegions regions_;
    Components now_;
};

// Tables are those of a new one. Landmarks need not be, but no potential may differ from another by more than the way between them.
class Overlay final : public Structure {
public:
    Overlay(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice)
        : grid_(grid),
          costs_(costs),
          movement_(movement),
          options_{.slots = 1 + choice % 3, .landmarks = choice < 3 ? 0u : 8u},
          now_(PortalOverlay::build(grid, costs, movement, options_)) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override {
        const PortalOverlay fresh = PortalOverlay::build(grid_, costs_, movement_, options_);
        return same_tables(now_.root(), fresh.root()) && is_feasible(now_.root());
    }

private:
    static bool same_tables(const detail::OverlayRoot& a, const detail::OverlayRoot& b) {
        if (a.shift != b.shift || a.portals != b.portals) return false;
        for (uint32_t s = 0; s < a.segment_count(); ++s) {
            if (a.segments[s]->portals != b.segments[s]->portals) return false;
        }
        for (uint32_t w = 0; w < a.window_count(); ++w) {
            if (a.windows[w]->uniform_cost != b.windows[w]->uniform_cost || a.table(w).bytes() != b.table(w).bytes()) return false;
            if (std::memcmp(a.tables[w].get(), b.tables[w].get(), a.table(w).bytes()) != 0) return false;
        }
        return true;
    }
    static bool is_feasible(const detail::OverlayRoot& root) {
        bool all = true;
        for (uint32_t w = 0; w < root.window_count(); ++w) {
            const detail::PortalTable table = root.table(w);
            detail::PortalGraph::for_each_portal(root, w, [&](PortalId a, uint32_t i) {
                detail::PortalGraph::for_each_portal(root, w, [&](PortalId b, uint32_t j) {
                    const int64_t way = table.row(i)[j];
                    if (way == detail::kNoWay) return;
                    for (uint32_t l = 0; l < root.options.landmarks; ++l) all = all && root.potential(a)[l] <= root.potential(b)[l] + way;
                });
            });
        }
        return all;
    }

    GridSnapshot grid_;
    CostTable costs_;
    Movement movement_;
    OverlayOptions options_;
    PortalOverlay now_;
};

// No bound is above the cost of the cheapest way.
class Landmarks final : public Structure {
public:
    Landmarks(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice)
        : grid_(grid), costs_(costs), movement_(movement), now_(DifferentialHeuristic::build(grid, costs, movement, {1 + choice, 1})) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override {
        const GridLayout& layout = grid_.layout();
        const auto spread = static_cast<int32_t>(mix64(grid_.version()) % layout.cells());
        const Cell goal = {spread % layout.width, spread / layout.width};
        const auto bound = now_.to<uint64_t>(goal, grid_, costs_, movement_);
        if (!bound) return false;
        GridSearch search;
        SearchOptions options;
        options.movement = movement_;
        search.begin_flood(grid_, costs_, goal, kInfiniteCost, options);
        search.run();
        for (int32_t y = 0; y < layout.height; ++y) {
            for (int32_t x = 0; x < layout.width; ++x) {
                const Cost cost = search.cost_to({x, y});
                if (cost != kInfiniteCost && (*bound)(layout.id({x, y})) * costs_.divisor > cost) return false;
            }
        }
        return true;
    }

private:
    GridSnapshot grid_;
    CostTable costs_;
    Movement movement_;
    DifferentialHeuristic now_;
};

// Paths, by methods that need nothing prepared: the same in the world that was edited as in a new one.
class Answers final : public Structure {
public:
    Answers(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice)
        : costs_(costs), world_(copy_of(grid)), planner_(world_) {
        constexpr std::array<const char*, 5> kMethods = {"astar", "dta:16", "dta:16+cache+trim+smooth", "dta:16/nbs",
                                                         "dta:16/wastar:1.5/wastar:1.5"};
        options_.method = find_method(kMethods[choice]).value();
        options_.movement = movement;
    }
    void update(const EditResult& edit) override {
        Edit cells;
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain after) { cells.push_back({edit.after.layout().cell(id), after}); });
        world_.apply(cells);
    }
    bool is_as_new() const override {
        const World fresh(copy_of(world_.grid()));
        Planner other(fresh);
        Rng rng(world_.grid().version());
        const auto any = [&] { return Cell{rng.between(0, fresh.grid().width() - 1), rng.between(0, fresh.grid().height() - 1)}; };
        Path a, b;
        for (int i = 0; i < 4; ++i) {
            const Cell start = any(), goal = any();
            planner_.find(start, goal, costs_, options_, a);
            other.find(start, goal, costs_, options_, b);
            if (a.status != b.status || a.cells != b.cells || a.cost != b.cost) return false;
        }
        return true;
    }

private:
    static World copy_of(const GridSnapshot& grid) {
        return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue()));
    }

    CostTable costs_;
    World world_;
    mutable Planner planner_;
    FindOptions options_;
};

template <class T>
std::unique_ptr<Structure> make(const GridSnapshot& grid, const CostTable& costs, Movement movement, uint32_t choice) {
    return std::make_unique<T>(grid, costs, movement, choice);
}

}  // namespace

std::span<const StructureKind> structure_kinds() {
    static const std::array<StructureKind, 9> kinds = {{
        {"regions", 2 * kSectors.size(), regions},
        {"minimal memory", 256, minimal_memory},
        {"cliques", 2, cliques},
        {"entrances", kSectors.size() - 1, entrances},
        {"edge costs", kSectors.size(), make<EdgeCosts>},
        {"reachability", kSectors.size(), make<Parts>},
        {"overlay", 6, make<Overlay>},
        {"landmarks", 4, make<Landmarks>},
        {"answers", 5, make<Answers>},
    }};
    return kinds;
}

}  // namespace terrane::selftest
