// What repairs itself when the map is edited and then is what a new one is; and the list of all kinds of structures.
#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "overlay/portal_graph.h"
#include "cpd/perturbation.h"
#include "selftest/structures.h"
#include "terrane/pra/cliques.h"
#include "terrane/dta/edge_costs.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/world/planner.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/terrain_regions/reachability.h"

namespace terrane::selftest {

namespace {

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

std::unique_ptr<Structure> regions(const Ground& ground, uint32_t choice) {
    const RegionOptions options = {kSectors[choice / 2], choice % 2 == 0};
    return comparable(ground.grid(), [options](const GridSnapshot& g) { return TerrainRegions::build(g, options); });
}

std::unique_ptr<Structure> minimal_memory(const Ground& ground, uint32_t choice) {
    MinimalMemoryOptions options;
    options.sector = kSectors[choice % 8];
    options.record_bits = (choice & 8) != 0 ? 16 : 32;
    options.skip_defaults = (choice & 16) == 0;
    options.edges_once = (choice & 32) != 0;
    options.labels = (choice & 64) != 0;
    options.optimise_centres = choice % 8 < 4 && (choice & 128) != 0;  // small sectors: it is slow
    const PassableSet set = PassableSet::of(ground.costs(), ground.movement());
    return comparable(ground.grid(), [=](const GridSnapshot& g) { return MinimalMemory::build(g, set, ground.movement(), options); });
}

std::unique_ptr<Structure> cliques(const Ground& ground, uint32_t choice) {
    const PassableSet set = PassableSet::of(ground.costs(), ground.movement());
    const CliqueOptions options = {static_cast<CliqueRule>(choice)};
    return comparable(ground.grid(), [=](const GridSnapshot& g) { return Cliques::build(g, set, ground.movement(), options); });
}

std::unique_ptr<Structure> entrances(const Ground& ground, uint32_t choice) {
    const EntranceOptions options = {kSectors[choice]};
    return comparable(ground.grid(), [=](const GridSnapshot& g) { return EntranceGraph::build(ground.on(g), options); });
}

class EdgeCosts final : public Structure {
public:
    EdgeCosts(const Ground& ground, uint32_t choice)
        : costs_(ground.costs()),
          movement_(ground.movement()),
          regions_(TerrainRegions::build(ground.grid(), {kSectors[choice], true})),
          now_(ExactEdgeCosts::build(regions_, ground)) {}
    void update(const EditResult& edit) override {
        regions_ = regions_.updated(edit).value();
        now_ = now_.updated(regions_, edit).value();
    }
    bool is_as_new() const override { return now_ == ExactEdgeCosts::build(regions_, {regions_.grid(), costs_, movement_}); }

private:
    CostTable costs_;
    Movement movement_;
    TerrainRegions regions_;
    ExactEdgeCosts now_;
};

// What can be reached from where: numbers may differ, the parts may not.
class Parts final : public Structure {
public:
    Parts(const Ground& ground, uint32_t choice)
        : regions_(TerrainRegions::build(ground.grid(), {kSectors[choice], true})),
          now_(Components::build(regions_, PassableSet::of(ground.costs(), ground.movement()))) {}
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
    Overlay(const Ground& ground, uint32_t choice)
        : grid_(ground.grid()),
          costs_(ground.costs()),
          movement_(ground.movement()),
          options_{.slots = 1 + choice % 3, .landmarks = choice < 3 ? 0u : 8u},
          now_(PortalOverlay::build(ground, options_)) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override {
        const PortalOverlay fresh = PortalOverlay::build({grid_, costs_, movement_}, options_);
        return same_tables(now_.root(), fresh.root()) && is_feasible(now_.root());
    }

private:
    static bool same_tables(const detail::OverlayRoot& a, const detail::OverlayRoot& b) {
        if (a.shift != b.shift || a.portals != b.portals) return false;
        for (uint32_t s = 0; s < a.segment_count(); ++s) {
            if (a.segments[s]->portals != b.segments[s]->portals) return false;
        }
        for (uint32_t w = 0; w < a.window_count(); ++w) {
            if (a.windows[w]->uniform_cost != b.windows[w]->uniform_cost || a.tables[w].ends != b.tables[w].ends) return false;
            if (std::memcmp(a.tables[w].numbers.get(), b.tables[w].numbers.get(), a.table(w).bytes(0)) != 0) return false;
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

// What a path database knows of a map that has changed since: equal to a new one.
class ChangedSince final : public Structure {
public:
    ChangedSince(const Ground& ground, uint32_t) {
        PathDatabaseOptions options;
        options.targets = PathTargets::these({{0, 0}});  // rows play no part here
        const auto database = build_path_database(ground, options);
        if (!database) return;  // nothing is passable
        database_ = *database;
        now_.emplace(*database_, ground.grid());
    }
    void update(const EditResult& edit) override {
        if (now_) now_ = now_->updated(edit);
    }
    bool is_as_new() const override {
        if (!now_) return true;
        const Perturbation fresh(*database_, now_->now());
        const detail::PerturbationRoot &a = now_->root(), &b = fresh.root();
        const auto same_block = [](const detail::OpenedBlock& x, const detail::OpenedBlock& y) {
            return x.rect == y.rect && x.first == y.first && x.count == y.count;
        };
        const auto same_step = [](const detail::OpenedStep& x, const detail::OpenedStep& y) {
            return x.a == y.a && x.b == y.b && x.cost == y.cost;
        };
        return a.now.grid().version() == b.now.grid().version() && a.cheapest == b.cheapest && a.dearest == b.dearest &&
               a.changed.words() == b.changed.words() && a.beside.words() == b.beside.words() && a.ranks == b.ranks && a.areas == b.areas &&
               a.area_count == b.area_count && a.changed_cells == b.changed_cells && a.any_cheaper == b.any_cheaper &&
               a.opened == b.opened && std::ranges::equal(a.blocks, b.blocks, same_block) &&
               std::ranges::equal(a.opened_steps, b.opened_steps, same_step);
    }

private:
    std::optional<PathDatabase> database_;
    std::optional<Perturbation> now_;
};

constexpr std::array<const char*, 9> kAnswerMethods = {
    "astar", "dta:16", "dta:16+cache+trim+smooth", "dta:16/nbs", "dta:16/wastar:1.5/wastar:1.5", "mm:16", "hpa:16", "pra:inf", "pra:4"};

// Paths, in a world that was edited: the same as in a new one.
class Answers final : public Structure {
public:
    Answers(const Ground& ground, uint32_t choice)
        : costs_(ground.costs()), world_(copy_of(ground.grid())), planner_(world_) {
        options_.method = find_method(kAnswerMethods[choice]).value();
        options_.movement = ground.movement();
        prepare(world_);
    }
    void update(const EditResult& edit) override { follow(world_, edit); }
    bool is_as_new() const override {
        World fresh = copy_of(world_.grid());
        prepare(fresh);
        Planner other(fresh);
        Rng rng(world_.grid().version());
        Path a, b;
        for (int i = 0; i < 4; ++i) {
            const Cell start = any_cell(rng, fresh.grid()), goal = any_cell(rng, fresh.grid());
            planner_.find(start, goal, costs_, options_, a);
            other.find(start, goal, costs_, options_, b);
            if (a.status != b.status || a.cells != b.cells || a.cost != b.cost) return false;
        }
        return true;
    }

private:
    void prepare(World& world) const {
        PrepareOptions options;
        options.method = options_.method;
        options.movement = options_.movement;
        if (prepares(options.method)) world.prepare(costs_, options).value();
    }

    CostTable costs_;
    World world_;
    mutable Planner planner_;
    FindOptions options_;
};

}  // namespace

std::vector<StructureKind> exact_kinds() {
    return {
        {"regions", 2 * kSectors.size(), regions},
        {"minimal memory", 256, minimal_memory},
        {"cliques", 2, cliques},
        {"entrances", kSectors.size() - 1, entrances},
        {"edge costs", kSectors.size(), make<EdgeCosts>},
        {"reachability", kSectors.size(), make<Parts>},
        {"overlay", 6, make<Overlay>},
        {"path database", 1, make<ChangedSince>},
        {"answers", kAnswerMethods.size(), make<Answers>},
    };
}

std::span<const StructureKind> structure_kinds() {
    static const std::vector<StructureKind> kinds = [] {
        std::vector<StructureKind> all = exact_kinds();
        const auto append = [&](std::vector<StructureKind> more) { std::ranges::move(more, std::back_inserter(all)); };
        append(bound_kinds());
        append(crowd_kinds());
#ifdef TERRANE_HAS_NAVMESH
        append(navmesh_kinds());
#endif
        return all;
    }();
    return kinds;
}

}  // namespace terrane::selftest
