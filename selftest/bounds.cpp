// Lower bounds that are repaired while the map is edited. A repaired bound may differ from that of a rebuild, but must stay admissible.
#include "dta/region_graph.h"
#include "selftest/structures.h"
#include "terrane/dta/region_heuristics.h"
#include "terrane/grid_search/fastmap.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/grid_search/landmarks.h"
#include "terrane/grid_search/lower_bound_table.h"

namespace terrane::selftest {

namespace {

// Returns a different goal for each version.
Cell goal_on(const GridSnapshot& grid) {
    Rng rng(grid.version());
    return any_cell(rng, grid);
}

// Whether bound(cell) is at most the optimal cost from every cell to the goal.
template <class Bound>
bool is_admissible(const Ground& ground, Cell goal, Bound&& bound) {
    GridSearch search;
    search.begin_flood(ground, goal);
    search.run();
    for (int32_t y = 0; y < ground.grid().height(); ++y) {
        for (int32_t x = 0; x < ground.grid().width(); ++x) {
            const Cost cost = search.cost_to({x, y});
            if (cost != kInfiniteCost && bound(Cell{x, y}) > cost) return false;
        }
    }
    return true;
}

// Landmarks and FastMap. A table that cannot be repaired after an edit is rebuilt.
template <class T>
class Table final : public Structure {
public:
    Table(const Ground& ground, uint32_t choice)
        : grid_(ground.grid()), costs_(ground.costs()), movement_(ground.movement()), choice_(choice), now_(build()) {}
    void update(const EditResult& edit) override {
        grid_ = edit.after;
        const auto next = now_.updated(edit);
        now_ = next ? *next : build();
    }
    bool is_as_new() const override {
        const Cell goal = goal_on(grid_);
        const auto bound = now_.template to<uint64_t>(goal, {grid_, costs_, movement_});
        return bound &&
               is_admissible({grid_, costs_, movement_}, goal, [&](Cell c) { return (*bound)(grid_.layout().id(c)) * costs_.divisor; });
    }

private:
    T build() const { return T::build({grid_, costs_, movement_}, {1 + choice_}); }

    GridSnapshot grid_;
    CostTable costs_;
    Movement movement_;
    uint32_t choice_;
    T now_;
};

// Must depend only on the base map and on the current map, not on the edits in between.
class LowerBoundTables final : public Structure {
public:
    LowerBoundTables(const Ground& ground, uint32_t choice)
        : first_grid_(ground.grid()),
          grid_(ground.grid()),
          costs_(ground.costs()),
          movement_(ground.movement()),
          first_(LowerBoundTable::build(ground, {1 + choice})),
          now_(first_) {}
    void update(const EditResult& edit) override {
        now_ = now_.updated(edit).value();
        grid_ = edit.after;
    }
    bool is_as_new() const override {
        const LowerBoundTable other = first_.updated(edit_between(first_grid_, grid_)).value();
        const Cell goal = goal_on(grid_);
        uint32_t number = 0;
        bool same = true;
        const bool holds = is_admissible({grid_, costs_, movement_}, goal, [&](Cell c) -> Cost {
            if (mix64(grid_.version() + ++number) % 8 != 0) return 0;  // samples cells: a bound is slow
            const Cost bound = now_.lower_bound(c, goal);
            same = same && bound == other.lower_bound(c, goal);
            return bound;
        });
        return holds && same;
    }

private:
    GridSnapshot first_grid_, grid_;
    CostTable costs_;
    Movement movement_;
    LowerBoundTable first_, now_;
};

// Checks that the heuristic is consistent on the region graph; with h(goal) = 0 it is then admissible.
class RegionLandmarks final : public Structure {
public:
    RegionLandmarks(const Ground& ground, uint32_t choice)
        : costs_(ground.costs()),
          movement_(ground.movement()),
          regions_(TerrainRegions::build(ground.grid(), {kSectors[choice], true})),
          now_(RegionHeuristic::landmarks(regions_, ground)) {}
    void update(const EditResult& edit) override {
        regions_ = regions_.updated(edit).value();
        now_ = now_.updated(regions_).value();
    }
    bool is_as_new() const override {
        RegionHeuristicScratch scratch;
        const RegionId goal = regions_.region_of(goal_on(regions_.grid()));
        const auto bound = now_.bound_to(goal, regions_, {regions_.grid(), costs_, movement_}, scratch);
        if (!bound || (*bound)(goal) != 0) return false;
        const RegionGraph graph(regions_, {regions_.grid(), costs_, movement_});
        bool all = true;
        for (uint32_t s = 0; s < regions_.sectors(); ++s) {
            for (uint32_t n = 0; n < regions_.regions_in(s); ++n) {
                const RegionId id = regions_.id(s, n);
                if (!costs_.passable(regions_.region(id).terrain)) continue;
                graph.expand(id, PlainLabel<RegionGraph>{0, kNoRegion},
                             [&](RegionId to, uint64_t cost, RegionId) { all = all && (*bound)(id) <= cost + (*bound)(to); });
            }
        }
        return all;
    }

private:
    CostTable costs_;
    Movement movement_;
    TerrainRegions regions_;
    RegionHeuristic now_;
};

}  // namespace

std::vector<StructureKind> bound_kinds() {
    return {
        {"landmarks", 4, make<Table<DifferentialHeuristic>>},
        {"fastmap", 4, make<Table<FastMapHeuristic>>},
        {"lower-bound tables", 8, make<LowerBoundTables>},
        {"region landmarks", kSectors.size(), make<RegionLandmarks>},
    };
}

}  // namespace terrane::selftest
