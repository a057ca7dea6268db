// Checks that every heuristic must pass, for all pairs of cells, with step_cost() and a std::set only.
#pragma once
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/grid/grid_graph.h"
#include "terrane/grid/octile.h"
#include "terrane/search/best_first.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane::test {

// In the profile's units; kInfiniteCost if there is no path.
inline std::vector<Cost> distances_from(const Ground& ground, Cell from) {
    const GridLayout& layout = ground.grid().layout();
    std::vector<Cost> best(layout.id_limit(), kInfiniteCost);
    if (!ground.costs().passable(ground.grid().at(from))) return best;
    std::set<std::pair<Cost, CellId>> open{{best[layout.id(from)] = 0, layout.id(from)}};
    while (!open.empty()) {
        const auto [g, id] = *open.begin();
        open.erase(open.begin());
        const Cell c = layout.cell(id);
        for (const Cell m : kMoves) {
            const Cell to{c.x + m.x, c.y + m.y};
            const Cost step = ground.step_cost(c, to);
            if (step == kInfiniteCost || g + step / ground.costs().divisor >= best[layout.id(to)]) continue;
            open.erase({best[layout.id(to)], layout.id(to)});
            open.insert({best[layout.id(to)] = g + step / ground.costs().divisor, layout.id(to)});
        }
    }
    return best;
}

// Admissible, consistent, and zero at the goal.
template <class H>
void expect_consistent(const H& h, const Ground& ground, Cell goal) {
    const GridLayout& layout = ground.grid().layout();
    const std::vector<Cost> truth = distances_from(ground, goal);
    ASSERT_EQ(Cost{h(layout.id(goal))}, 0u);
    for (int32_t y = 0; y < ground.grid().height(); ++y) {
        for (int32_t x = 0; x < ground.grid().width(); ++x) {
            const Cost here = h(layout.id({x, y}));
            if (ground.costs().passable(ground.grid().at(Cell{x, y}))) {
                ASSERT_LE(here, truth[layout.id({x, y})]) << x << "," << y;
            }
            for (const Cell m : kMoves) {
                const Cost step = ground.step_cost({x, y}, {x + m.x, y + m.y});
                if (step == kInfiniteCost) continue;
                ASSERT_LE(here, Cost{h(layout.id({x + m.x, y + m.y}))} + step / ground.costs().divisor) << x << "," << y;
            }
        }
    }
}

// With every passable cell as a goal (every `stride`th of them).
template <class Heuristic>
void expect_admissible(const Heuristic& heuristic, const Ground& ground, int32_t stride = 1) {
    int32_t count = 0;
    for (int32_t y = 0; y < ground.grid().height(); ++y) {
        for (int32_t x = 0; x < ground.grid().width(); ++x) {
            if (!ground.costs().passable(ground.grid().at(Cell{x, y})) || count++ % stride != 0) continue;
            const auto wide = heuristic.template to<uint64_t>({x, y}, ground);
            ASSERT_TRUE(wide.has_value());
            ASSERT_NO_FATAL_FAILURE(expect_consistent(*wide, ground, {x, y})) << "goal " << x << "," << y;
        }
    }
}

// A random edit: costlier, cheaper, obstacles added, obstacles removed, or anything.
inline EditResult random_edit(Rng& rng, RandomWorld& world) {
    const GridSnapshot before = world.grid.snapshot();
    const uint32_t kind = rng.below(5);
    std::vector<CellEdit> edits;
    for (uint32_t n = 1 + rng.below(kind == 4 ? 30 : 8); n > 0; --n) {
        const Cell cell = random_cell(rng, before);
        const uint32_t old_cost = world.costs.cost[before.at(cell)];
        const auto terrain = static_cast<Terrain>(rng.below(8));
        const uint32_t cost = world.costs.cost[terrain];
        const bool costlier = cost == 0 || (old_cost != 0 && cost >= old_cost), cheaper = cost != 0 && (old_cost == 0 || cost <= old_cost);
        if ((kind == 0 && costlier) || (kind == 1 && cheaper) || (kind == 2 && cost == 0) || (kind == 3 && old_cost == 0) || kind == 4) {
            edits.push_back({cell, terrain});
        }
    }
    if (rng.chance(1, 6)) {
        const Cell c = random_cell(rng, before);
        const Rect rect{c, {rng.between(1, 9), rng.between(1, 9)}};
        return world.grid.fill(rect, static_cast<Terrain>(rng.below(8)));
    }
    return world.grid.apply(edits);
}

struct Answer {
    Status status = Status::kUnreachable;
    Cost cost = 0;
    uint64_t expansions = 0;
};

// A* with any heuristic, directly on the kernel.
template <class V, class H>
Answer search_with(const H& h, const Ground& ground, Cell start, Cell goal) {
    PagedLabels<CellId, V, Move> labels;
    BucketQueue<CellId, V> queue;
    labels.reset(ground.grid().layout().id_limit());
    queue.reset(10);
    BestFirst search(GridGraph<V>(ground), h, OneGoal<CellId>{ground.grid().layout().id(goal)}, labels, queue);
    search.start(ground.grid().layout().id(start), 0, kNoMove);
    const Status status = search.run();
    return {status, search.reached() ? Cost{search.goal_cost()} : 0, search.expansions()};
}

}  // namespace terrane::test
