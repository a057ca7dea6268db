// Overlays through the planner: prepared or not, every quality level, proven bounds, edits.
#include <gtest/gtest.h>

#include <limits>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/overlay/prepared_overlay.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

Method method(std::string_view name) { return find_method(name).value(); }

FindOptions with_fallback(FindOptions options) {
    options.fallback = true;
    return options;
}

FindOptions overlay_options(std::string_view name, Movement movement = Movement::kEightNoCornerCutting) {
    FindOptions options;
    options.method = method(name);
    options.movement = movement;
    return options;
}

PrepareOptions prepare_options(std::string_view name, uint32_t lower_bounds = 0, Movement movement = Movement::kEightNoCornerCutting) {
    PrepareOptions options;
    options.method = method(std::string(name) + (lower_bounds > 0 ? "+lower_bounds:" + std::to_string(lower_bounds) : ""));
    options.movement = movement;
    return options;
}

struct Island {
    World world{generate_island({.width = 256, .height = 256, .seed = 3}).value()};
    CostTable costs = Profile::preset("deer")->compile(world.grid().catalogue()).value();

    Cell passable(Rng& rng) const {
        for (;;) {
            const Cell c = test::random_cell(rng, world.grid());
            if (costs.passable(world.grid().at(c))) return c;
        }
    }
};

TEST(OverlayQuery, EachQualityLevelIsAtLeastAsGoodAndItsBoundHolds) {
    Rng rng(31);
    int found = 0, none = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld random = test::random_world(rng, 150);
        const CostTable& costs = random.costs;
        const GridSnapshot grid = random.grid.snapshot();
        World world(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue()));
        const uint32_t lower_bounds = rng.below(3) * 4;
        ASSERT_TRUE(world.prepare(costs, prepare_options("overlay:2", lower_bounds, random.movement)));
        Planner planner(world);
        for (int q = 0; q < 8; ++q) {
            SCOPED_TRACE(testing::Message() << "world " << i << " query " << q);
            const Cell start = test::random_cell(rng, grid);
            const Cell goal = test::random_cell(rng, grid);
            Path best, path;
            planner.find(start, goal, costs, overlay_options("astar", random.movement), best);
            Cost last = kInfiniteCost;
            for (const char* name : {"overlay:2+portals", "overlay:2", "overlay:2+smooth", "overlay:2+optimal"}) {
                planner.find(start, goal, costs, overlay_options(name, random.movement), path);
                ASSERT_EQ(path.status, best.status) << name;
                if (!best) continue;
                ASSERT_EQ(path.cost, path_cost({grid, costs, random.movement}, path.cells)) << name;
                ASSERT_LE(best.cost, path.cost) << name;
                ASSERT_LE(path.cost, last) << name;
                ASSERT_LE(static_cast<double>(path.cost), path.bound * static_cast<double>(best.cost) * 1.000001 + 1) << name;
                last = path.cost;
            }
            (best ? found : none) += 1;
            if (best) {
                ASSERT_EQ(last, best.cost);
                ASSERT_EQ(path.bound, 1);
            }
        }
    }
    EXPECT_GT(found, 100);
    EXPECT_GT(none, 50);
}

TEST(OverlayQuery, ProvesTheBoundThatIsAskedFor) {
    Island island;
    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:2", 8)));
    Planner planner(island.world);
    Rng rng(32);
    int climbed = 0;
    for (int q = 0; q < 40; ++q) {
        const Cell start = island.passable(rng), goal = island.passable(rng);
        Path plain, proven, cut;
        FindOptions options = overlay_options("overlay:2");
        planner.find(start, goal, island.costs, options, plain);
        if (!plain) continue;
        options.bound = 1.03;
        planner.find(start, goal, island.costs, options, proven);
        ASSERT_LE(proven.bound, 1.03);
        ASSERT_LE(proven.cost, plain.cost);
        if (plain.bound <= 1.03) continue;
        ++climbed;
        // If the budget is too small: the best path so far, with the bound proven for it.
        options.bound = 1;
        options.max_expansions = plain.expansions + 1;
        planner.find(start, goal, island.costs, options, cut);
        ASSERT_EQ(cut.status, Status::kFound);
        ASSERT_LE(cut.cost, plain.cost);
        ASSERT_GE(cut.bound, 1);
    }
    EXPECT_GT(climbed, 3);
}

TEST(OverlayQuery, WithoutPreparationTheDefaultAnswersWhereThatIsAllowed) {
    Island island;
    Planner planner(island.world);
    Rng rng(33);
    const Cell start = island.passable(rng), goal = island.passable(rng);
    Path regions, path;
    planner.find(start, goal, island.costs, overlay_options("regions:16"), regions);
    planner.find(start, goal, island.costs, overlay_options("overlay:2"), path);
    EXPECT_EQ(path.status, Status::kNotPrepared);
    EXPECT_EQ(path.method, "overlay:2");
    planner.find(start, goal, island.costs, with_fallback(overlay_options("overlay:2")), path);
    EXPECT_EQ(path.method, "regions:16");
    EXPECT_EQ(path.cells, regions.cells);
    for (const char* name : {"minimal_memory:16", "hpa:16", "pra:4", "cpd", "dta:32", "dta:16+exact", "astar+landmarks:8"}) {
        planner.find(start, goal, island.costs, overlay_options(name), path);
        EXPECT_EQ(path.status, Status::kNotPrepared) << name;
        planner.find(start, goal, island.costs, with_fallback(overlay_options(name)), path);
        EXPECT_EQ(path.method, "regions:16") << name;
        EXPECT_EQ(path.cells, regions.cells) << name;
    }

    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:3")));
    planner.find(start, goal, island.costs, with_fallback(overlay_options("overlay:2")), path);
    EXPECT_EQ(planner.method().name(), "regions:16");
    planner.find(start, goal, island.costs, {}, path);
    EXPECT_EQ(planner.method().name(), "overlay:3");
    planner.find(start, goal, island.costs, with_fallback(overlay_options("overlay:3", Movement::kFour)), path);
    EXPECT_EQ(planner.method().name(), "regions:16");

    EXPECT_FALSE(island.world.discard(method("overlay:2"), island.costs));
    EXPECT_TRUE(island.world.discard(method("overlay:3+smooth"), island.costs));
    planner.find(start, goal, island.costs, {}, path);
    EXPECT_EQ(planner.method().name(), "regions:16");
}

TEST(OverlayQuery, WithoutPreparationWeightedAStarHonoursTheBound) {
    const Island island;
    Planner planner(island.world);
    Rng rng(5);
    for (int q = 0; q < 30; ++q) {
        const Cell start = island.passable(rng), goal = island.passable(rng);
        Path best, path;
        planner.find(start, goal, island.costs, overlay_options("astar"), best);
        for (const double bound : {1.0, 1.009, 1.01 - 1e-9, 1.05, 1.5, 1000.0}) {
            for (const FindOptions& with :
                 {FindOptions{}, with_fallback(overlay_options("overlay:2")), with_fallback(overlay_options("overlay:4+smooth"))}) {
                FindOptions options = with;
                options.bound = bound;
                planner.find(start, goal, island.costs, options, path);
                ASSERT_EQ(path.status, best.status);
                EXPECT_EQ(planner.method().name(), bound < 1.01    ? "astar"
                                                   : bound == 1.05 ? "wastar:1.05"
                                                   : bound == 1.5  ? "wastar:1.5"
                                                                   : "wastar:100");
                if (!best) continue;
                ASSERT_LE(path.bound, bound);
                ASSERT_LE(static_cast<double>(path.cost), bound * static_cast<double>(best.cost));
            }
        }
    }
}

TEST(OverlayQuery, ABoundThatTheMethodCannotProveIsRefused) {
    Island island;
    for (const char* name : {"minimal_memory:16", "hpa:16", "pra:4"})
        ASSERT_TRUE(island.world.prepare(island.costs, prepare_options(name)));
    Planner planner(island.world);
    Rng rng(6);
    const Cell start = island.passable(rng), goal = island.passable(rng);
    Path path;
    const auto status = [&](const char* name, double bound) {
        FindOptions options = overlay_options(name);
        options.bound = bound;
        planner.find(start, goal, island.costs, options, path);
        return path.status;
    };
    for (const char* name : {"dta:16", "dta:16+smooth", "minimal_memory:16", "hpa:16", "pra:4", "greedy", "wastar:1.5", "focal:1.5"}) {
        ASSERT_NE(status(name, 0), Status::kUnsupportedBound) << name;
        ASSERT_EQ(status(name, 1.2), Status::kUnsupportedBound) << name;
        EXPECT_TRUE(path.cells.empty());
        EXPECT_EQ(path.expansions, 0u);
    }
    const Status found = status("astar", 0);
    for (const char* name : {"astar", "nbs", "dijkstra", "wastar:1.2", "focal:1.1"}) {
        EXPECT_EQ(status(name, 1.2), found) << name;
        EXPECT_LE(path.bound, 1.2);
    }
}

TEST(OverlayQuery, WhereDefaultSearchIsOptimalItAnswersWithinAnyBound) {
    const World world(generate_island({.width = 64, .height = 64, .seed = 3}).value(), {.sectors = {}});
    Planner planner(world);
    FindOptions options;
    options.bound = 1.5;
    static_cast<void>(planner.find({20, 30}, {40, 33}, *Profile::preset("deer"), options));
    EXPECT_EQ(planner.method().name(), "astar");
}

TEST(PlannerDeathTest, ABoundBelowOneOrNotFiniteBreaksTheContract) {
    const Island island;
    Planner planner(island.world);
    for (const double bound : {0.5, -1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        FindOptions options;
        options.bound = bound;
        Path path;
        EXPECT_DEATH(planner.find({1, 1}, {2, 2}, island.costs, options, path), "contract broken") << bound;
    }
}

TEST(OverlayQuery, InSlicesIsTheSame) {
    Island island;
    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:2", 8)));
    Planner planner(island.world);
    Rng rng(34);
    for (const char* name : {"overlay:2", "overlay:2+smooth", "overlay:2+optimal"}) {
        const FindOptions options = overlay_options(name);
        for (int q = 0; q < 10; ++q) {
            const Cell start = island.passable(rng), goal = island.passable(rng);
            Path whole, sliced;
            planner.find(start, goal, island.costs, options, whole);
            planner.begin(start, goal, island.costs, options);
            std::vector<Cell> ready;
            while (planner.run(7) == Status::kBudgetSpent) {
                ASSERT_GE(planner.ready().size(), ready.size());
                ready.assign(planner.ready().begin(), planner.ready().end());
            }
            planner.path(sliced);
            ASSERT_EQ(whole.status, sliced.status);
            ASSERT_EQ(whole.cells, sliced.cells) << name;
            ASSERT_EQ(whole.expansions, sliced.expansions) << name;
            ASSERT_LE(ready.size(), sliced.cells.size());
            ASSERT_TRUE(std::equal(ready.begin(), ready.end(), sliced.cells.begin())) << name;
        }
    }
}

TEST(OverlayQuery, StaysCorrectThroughEdits) {
    Island island;
    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:2", 8)));
    Planner kept(island.world);
    Rng rng(35);
    for (int e = 0; e < 60; ++e) {
        const Cell c = test::random_cell(rng, island.world.grid());
        const auto terrain = static_cast<Terrain>(rng.below(static_cast<uint32_t>(island.world.grid().catalogue().size())));
        island.world.fill({c, {rng.between(1, 60), rng.between(1, 60)}}, terrain);
        const Cell start = island.passable(rng), goal = island.passable(rng);
        Path path, again, best;
        kept.find(start, goal, island.costs, overlay_options("overlay:2"), path);
        ASSERT_EQ(kept.method().name(), "overlay:2");
        kept.find(start, goal, island.costs, overlay_options("astar"), best);
        ASSERT_EQ(path.status, best.status);
        if (!best) continue;
        ASSERT_EQ(path.cost, path_cost({island.world.grid(), island.costs, Movement::kEightNoCornerCutting}, path.cells));
        ASSERT_LE(static_cast<double>(path.cost), path.bound * static_cast<double>(best.cost) * 1.000001 + 1);
        Planner(island.world).find(start, goal, island.costs, overlay_options("overlay:2"), again);
        ASSERT_EQ(path.cells, again.cells);
    }
}

TEST(Preparation, InSlicesWhileTheWorldChanges) {
    Island island;
    Preparation preparation(island.world.snapshot(), island.costs, prepare_options("overlay:2"));
    Rng rng(36);
    int slices = 0;
    double progress = 0;
    while (!preparation.run(2000)) {
        ++slices;
        EXPECT_GE(preparation.progress(), progress);
        progress = preparation.progress();
        const Cell c = test::random_cell(rng, island.world.grid());
        island.world.fill({c, {9, 9}}, Terrain{1});
    }
    EXPECT_GT(slices, 5);
    EXPECT_EQ(preparation.progress(), 1);
    ASSERT_TRUE(island.world.install(std::move(preparation)));
    Planner planner(island.world);
    for (int q = 0; q < 20; ++q) {
        const Cell start = island.passable(rng), goal = island.passable(rng);
        Path path, best;
        planner.find(start, goal, island.costs, {}, path);
        ASSERT_EQ(planner.method().name(), "overlay:2");
        planner.find(start, goal, island.costs, overlay_options("astar"), best);
        ASSERT_EQ(path.status, best.status);
        if (best) {
            ASSERT_EQ(path.cost, path_cost({island.world.grid(), island.costs, Movement::kEightNoCornerCutting}, path.cells));
        }
    }
}

TEST(Preparation, IsBoundedInBytes) {
    Island island;
    PrepareOptions options = prepare_options("overlay:2");
    ASSERT_TRUE(island.world.prepare(island.costs, options));
    const PortalOverlay all = island.world.snapshot()
                                  .prepared(options.method, {island.world.grid(), island.costs, Movement::kEightNoCornerCutting})
                                  ->as<PreparedOverlay>()
                                  ->overlay;
    const size_t tables = all.table_bytes();
    EXPECT_GT(all.bytes(), tables);

    Planner planner(island.world);
    Rng rng(37);
    const Cell start = island.passable(rng), goal = island.passable(rng);
    Path with, without;
    planner.find(start, goal, island.costs, overlay_options("overlay:2"), with);
    options.max_bytes = tables;  // no first-move table is stored: the same answers, a little slower
    ASSERT_TRUE(island.world.prepare(island.costs, options));
    EXPECT_LE(
        island.world.snapshot().prepared(options.method, {island.world.grid(), island.costs, Movement::kEightNoCornerCutting})->bytes(),
        tables);
    planner.find(start, goal, island.costs, overlay_options("overlay:2"), without);
    EXPECT_EQ(with.cells, without.cells);

    options.max_bytes = tables - 1;
    const auto refused = island.world.prepare(island.costs, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
    EXPECT_EQ(island.world.snapshot().all_prepared().size(), 1U);  // the existing data stays
}

TEST(OverlayQuery, AllocatesNothingAfterWarmUp) {
    Island island;
    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:2", 8)));
    Planner planner(island.world);
    Path path;
    const auto run_all = [&] {
        Rng rng(38);
        std::string allocating;
        for (const char* name : {"overlay:2", "overlay:2+smooth", "overlay:2+optimal"}) {
            const FindOptions options = overlay_options(name);
            const uint64_t before = test::allocations();
            for (int q = 0; q < 10; ++q) {
                const Cell start = island.passable(rng), goal = island.passable(rng);
                planner.find(start, goal, island.costs, options, path);
            }
            if (test::allocations() != before) allocating += name;
        }
        return allocating;
    };
    run_all();
    EXPECT_EQ(run_all(), "");
}

TEST(OverlayQuery, Golden) {
    Island island;
    ASSERT_TRUE(island.world.prepare(island.costs, prepare_options("overlay:2", 8)));
    Planner planner(island.world);
    uint64_t hash = 0;
    const auto add = [&](uint64_t value) { hash = mix64(hash ^ value); };
    Rng rng(39);
    for (int q = 0; q < 60; ++q) {
        const Cell start = island.passable(rng), goal = island.passable(rng);
        for (const char* name : {"overlay:2+portals", "overlay:2", "overlay:2+smooth"}) {
            Path path;
            planner.find(start, goal, island.costs, overlay_options(name), path);
            add(path.cost);
            add(path.expansions);
            for (const Cell c : path.cells) add(static_cast<uint64_t>(c.y) << 32 | static_cast<uint32_t>(c.x));
        }
        if (q % 10 == 9) {
            const Cell c = island.passable(rng);
            island.world.fill({c, {20, 12}}, Terrain{2});
        }
    }
    EXPECT_EQ(hash, 11421649766138567809U) << hash;
}

}  // namespace
}  // namespace terrane
