// Structures that are repaired after edits and must then equal a rebuild, and the list of all kinds of structures.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "cpd/perturbation.h"
#include "overlay/level_cells.h"
#include "regions/region_portals.h"
#include "selftest/structures.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/dta/edge_costs.h"
#include "terrane/hpa/entrance_graph.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/pra/cliques.h"
#include "terrane/terrain_regions/connected_components.h"
#include "terrane/world/planner.h"

namespace terrane::selftest {

namespace {

// Any type with updated() and operator==.
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
    options.optimise_centres = choice % 8 < 4 && (choice & 128) != 0;  // only small sectors: it is slow
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

// Connected components. Their ids may differ from a rebuild, the partition may not.
class Components final : public Structure {
public:
    Components(const Ground& ground, uint32_t choice)
        : regions_(TerrainRegions::build(ground.grid(), {kSectors[choice], true})),
          now_(ConnectedComponents::build(regions_, PassableSet::of(ground.costs(), ground.movement()))) {}
    void update(const EditResult& edit) override {
        RepairReport report;
        regions_ = regions_.updated(edit, &report).value();
        const auto next = now_.updated(regions_, edit, report);
        now_ = next ? *next : ConnectedComponents::build(regions_, now_.set());
    }
    bool is_as_new() const override {
        const ConnectedComponents fresh = ConnectedComponents::build(regions_, now_.set());
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
    ConnectedComponents now_;
};

// Everything except the stored first-move tables: they are those that had room when the overlay was built.
class Overlay final : public Structure {
public:
    Overlay(const Ground& ground, uint32_t choice)
        : grid_(ground.grid()),
          costs_(ground.costs()),
          movement_(ground.movement()),
          options_{.portals_per_side = 1 + choice % 3, .landmarks = choice < 3 ? 0u : 8u, .levels_from = choice < 6 ? 17u : 1u},
          now_(PortalOverlay::build(ground, options_)) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override {
        const PortalOverlay fresh = PortalOverlay::build({grid_, costs_, movement_}, options_);
        const detail::OverlayData &now = now_.data(), &same = fresh.data();
        return same_tables(now, same) && same_potentials(now, same) && same_levels(now, same);
    }

private:
    static bool same_tables(const detail::OverlayData& a, const detail::OverlayData& b) {
        if (a.shift != b.shift || a.portals != b.portals) return false;
        for (uint32_t s = 0; s < a.segment_count(); ++s) {
            if (a.segments[s]->portals != b.segments[s]->portals) return false;
        }
        for (uint32_t c = 0; c < a.cluster_count(); ++c) {
            if (a.clusters.size() > 0 && a.clusters[c]->uniform_cost != b.clusters[c]->uniform_cost) return false;
            if (a.tables[c].ends != b.tables[c].ends) return false;
            const size_t coarse = size_t{a.table(c).count()} * a.options.landmarks;
            if (!std::equal(a.table(c).keys(), a.table(c).keys() + a.table(c).word_count(), b.table(c).keys()) ||
                !std::equal(a.table(c).coarse(), a.table(c).coarse() + coarse, b.table(c).coarse()))
                return false;
        }
        return true;
    }
    static bool same_levels(const detail::OverlayData& a, const detail::OverlayData& b) {
        if (a.levels == nullptr || b.levels == nullptr) return a.levels == b.levels;
        const detail::Levels &x = *a.levels, &y = *b.levels;
        for (uint32_t level = 0; level < detail::kLevels; ++level) {
            for (uint32_t c = 0; c < x.cells[level].size(); ++c) {
                const detail::LevelCell &one = x.cell(level, c), &two = y.cell(level, c);
                if (one.keys != two.keys || one.field != two.field || one.too_long != two.too_long) return false;
            }
        }
        for (uint32_t s = 0; s < x.top->segment_count(); ++s) {
            if (*x.kept[s] != *y.kept[s]) return false;
        }
        return x.too_long == y.too_long && same_tables(*x.top, *y.top) && same_potentials(*x.top, *y.top);
    }
    static bool same_potentials(const detail::OverlayData& a, const detail::OverlayData& b) {
        if (a.options.landmarks != b.options.landmarks || a.crowded_cells != b.crowded_cells) return false;
        if (a.landmark_clusters != b.landmark_clusters || a.potential_widths != b.potential_widths || a.coarse_shift != b.coarse_shift)
            return false;
        for (uint32_t s = 0; s < a.segment_count(); ++s) {
            const size_t count = a.segments[s]->portals.size() * a.options.landmarks;
            if (!std::equal(a.potentials[s].get(), a.potentials[s].get() + count, b.potentials[s].get())) return false;
        }
        return true;
    }

    GridSnapshot grid_;
    CostTable costs_;
    Movement movement_;
    OverlayOptions options_;
    PortalOverlay now_;
};

// The portals of the default method, all of them found before each edit.
class Portals final : public Structure {
public:
    Portals(const Ground& ground, uint32_t choice) : now_(ground.grid(), kSides[choice], ground.movement()) {}
    void update(const EditResult& edit) override {
        find_all(now_);
        now_ = detail::RegionPortals(now_, edit);
    }
    bool is_as_new() const override {
        const detail::RegionPortals fresh(now_.grid(), now_.side(), now_.movement());
        for (uint32_t s = 0; s < fresh.sectors(); ++s) {
            if (!(now_.at(s, builder_) == fresh.at(s, builder_))) return false;
        }
        return true;
    }
    static constexpr std::array<uint32_t, 4> kSides{4, 8, 16, 32};

private:
    void find_all(const detail::RegionPortals& portals) const {
        for (uint32_t s = 0; s < portals.sectors(); ++s) portals.at(s, builder_);
    }
    mutable detail::SectorPortalsBuilder builder_;
    detail::RegionPortals now_;
};

// What a path database stores about a changed map; must equal a rebuild.
class ChangedSince final : public Structure {
public:
    ChangedSince(const Ground& ground, uint32_t) {
        PathDatabaseOptions options;
        options.targets = PathTargets::these({{0, 0}});  // rows are irrelevant here
        const auto database = build_path_database(ground, options);
        if (!database) return;  // no passable cell
        database_ = *database;
        now_.emplace(*database_, ground.grid());
    }
    void update(const EditResult& edit) override {
        if (now_) now_ = now_->updated(edit);
    }
    bool is_as_new() const override {
        if (!now_) return true;
        const Perturbation fresh(*database_, now_->now());
        const detail::PerturbationData &a = now_->data(), &b = fresh.data();
        const auto same_group = [](const detail::EndpointGroup& x, const detail::EndpointGroup& y) {
            return x.rect == y.rect && x.first == y.first && x.count == y.count;
        };
        const auto same_edge = [](const detail::CheapenedEdge& x, const detail::CheapenedEdge& y) {
            return x.a == y.a && x.b == y.b && x.cost == y.cost;
        };
        return a.now.grid().version() == b.now.grid().version() && a.min_cost == b.min_cost && a.max_cost == b.max_cost &&
               a.changed.words() == b.changed.words() && a.beside_change.words() == b.beside_change.words() && a.ranks == b.ranks &&
               a.areas == b.areas && a.area_count == b.area_count && a.changed_cells == b.changed_cells && a.any_cheaper == b.any_cheaper &&
               a.cheapened_endpoints == b.cheapened_endpoints && std::ranges::equal(a.endpoint_groups, b.endpoint_groups, same_group) &&
               std::ranges::equal(a.cheapened_edges, b.cheapened_edges, same_edge);
    }

private:
    std::optional<PathDatabase> database_;
    std::optional<Perturbation> now_;
};

constexpr std::array<const char*, 12> kAnswerMethods = {
    "astar",     "dta:16",    "dta:16+cache+trim+smooth", "dta:16/nbs", "dta:16/wastar:1.5/wastar:1.5", "minimal_memory:16", "hpa:16", "pra:inf", "pra:4",
    "regions:4", "regions:16", "overlay:2"};

// Paths in an edited world must equal those in a new one.
class Answers final : public Structure {
public:
    Answers(const Ground& ground, uint32_t choice) : costs_(ground.costs()), world_(copy_of(ground.grid())), planner_(world_) {
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
        {"exact edge costs", kSectors.size(), make<EdgeCosts>},
        {"connected components", kSectors.size(), make<Components>},
        {"region portals", Portals::kSides.size(), make<Portals>},
        {"overlay", 9, make<Overlay>},
        {"changes since a path database", 1, make<ChangedSince>},
        {"query answers", kAnswerMethods.size(), make<Answers>},
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
