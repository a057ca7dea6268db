// The method regions:N through the planner: legal paths wherever there is one, the same answer for any slicing, thread and history.
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "regions/portal_route.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

constexpr const char* kMethods[] = {"regions:4", "regions:16", "regions:32"};

World world_of(const GridSnapshot& grid) { return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue())); }

FindOptions by(std::string_view method, Movement movement = Movement::kEightNoCornerCutting) {
    FindOptions options;
    options.method = find_method(method).value();
    options.movement = movement;
    return options;
}

// The next cell at random that the profile may enter.
Cell passable(Rng& rng, const GridSnapshot& grid, const CostTable& costs) {
    for (;;) {
        const Cell c = test::random_cell(rng, grid);
        if (costs.passable(grid.at(c))) return c;
    }
}

struct Island {
    explicit Island(int32_t side, uint64_t seed = 4) : world(generate_island({.width = side, .height = side, .seed = seed}).value()) {}
    World world;
    CostTable costs = Profile::preset("deer")->compile(world.grid().catalogue()).value();
};

TEST(Regions, FindAPathIfAndOnlyIfThereIsOne) {
    Rng rng(71);
    int found = 0, none = 0;
    for (int i = 0; i < 80; ++i) {
        const test::RandomWorld random = test::random_world(rng, i % 2 == 0 ? 150 : 60);
        const GridSnapshot grid = random.grid.snapshot();
        const World world = world_of(grid);
        Planner planner(world);
        Path path, sliced;
        for (int q = 0; q < 6; ++q) {
            const Cell start = test::random_cell(rng, grid), goal = test::random_cell(rng, grid);
            const auto truth = oracle::distances(test::to_oracle(grid, random.costs), start.x, start.y, test::to_oracle(random.movement));
            const double optimal = truth[static_cast<size_t>(goal.y * grid.width() + goal.x)];
            for (const char* method : kMethods) {
                SCOPED_TRACE(testing::Message() << "world " << i << " query " << q << " " << method);
                planner.find(start, goal, random.costs, by(method, random.movement), path);
                ASSERT_EQ(path.status == Status::kFound, optimal != oracle::kFar);
                (path ? found : none) += 1;
                if (!path) continue;
                ASSERT_EQ(path.cost, path_cost({grid, random.costs, random.movement}, path.cells));
                ASSERT_EQ(path.cells.front(), start);
                ASSERT_EQ(path.cells.back(), goal);
                ASSERT_GE(to_real(path.cost), optimal * (1 - 1e-6));
                ASSERT_LE(to_real(path.cost), path.bound * optimal * (1 + 1e-6) + 1e-9);
            }
        }
    }
    EXPECT_GT(found, 400);
    EXPECT_GT(none, 200);
}

// A portal route has the cost of its portals exactly: walking its waypoints costs no more.
TEST(Regions, ARouteCostsWhatItsPortalsDo) {
    Rng rng(72);
    PortalRoute route;
    std::vector<Cell> waypoints;
    GridSearch search;
    int checked = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld random = test::random_world(rng);
        const GridSnapshot grid = random.grid.snapshot();
        const Ground ground(grid, random.costs, random.movement);
        const detail::RegionPortals portals(grid, 16, random.movement);
        const Cell start = test::random_cell(rng, grid), goal = test::random_cell(rng, grid);
        search.begin(ground, start, goal);
        const Status status = search.run();
        if (status != Status::kFound) continue;
        Path path;
        search.path(path);
        route.begin(portals, ground, start, goal);
        ASSERT_EQ(route.run(), Status::kFound);
        ASSERT_GE(route.cost(), path.cost);
        route.waypoints(waypoints);
        Cost sum = 0;
        Cell at = start;
        for (const Cell next : waypoints) {
            search.begin(ground, at, next);
            ASSERT_EQ(search.run(), Status::kFound);
            search.path(path);
            sum += path.cost;
            at = next;
        }
        ASSERT_EQ(at, goal);
        ASSERT_LE(sum, route.cost() + waypoints.size() * random.costs.divisor * 65535 * 4);  // lengths are rounded up
        ++checked;
    }
    EXPECT_GT(checked, 25);
}

TEST(Regions, SlicedQueriesGiveTheSameAnswer) {
    const Island island(256);
    Planner planner(island.world);
    Rng rng(73);
    for (int q = 0; q < 40; ++q) {
        const Cell start = passable(rng, island.world.grid(), island.costs), goal = passable(rng, island.world.grid(), island.costs);
        Path whole;
        planner.find(start, goal, island.costs, by("regions:16"), whole);
        planner.begin(start, goal, island.costs, by("regions:16"));
        const uint64_t slice = 1 + rng.below(200);
        size_t ready = 0;
        while (planner.run(slice) == Status::kBudgetSpent) {
            ASSERT_GE(planner.ready().size(), ready);
            ready = planner.ready().size();
        }
        Path sliced;
        planner.path(sliced);
        ASSERT_EQ(test::hash_of(sliced), test::hash_of(whole));
        ASSERT_EQ(sliced.expansions_first, whole.expansions_first);
    }
}

TEST(Regions, NearEndsHaveOptimalPaths) {
    const Island island(256);
    Planner planner(island.world);
    Rng rng(74);
    Path path, best;
    for (int q = 0; q < 200; ++q) {
        const Cell start = passable(rng, island.world.grid(), island.costs);
        const Cell goal{start.x + rng.between(-20, 20), start.y + rng.between(-20, 20)};
        planner.find(start, goal, island.costs, by("astar"), best);
        planner.find(start, goal, island.costs, by("regions:16"), path);
        ASSERT_EQ(path.status, best.status);
        if (best && best.expansions < 8000) {
            ASSERT_EQ(path.cost, best.cost);
            ASSERT_EQ(path.bound, 1);
        }
    }
}

// The worst ratio of the default is measured by `terrane bench distances`; here it must not regress on a generated map.
TEST(Regions, PathsAreWithinATenthOfTheOptimum) {
    const Island island(512, 8);
    Planner planner(island.world);
    Rng rng(75);
    Path path, best;
    for (int q = 0; q < 60; ++q) {
        const Cell start = passable(rng, island.world.grid(), island.costs), goal = passable(rng, island.world.grid(), island.costs);
        planner.find(start, goal, island.costs, by("astar"), best);
        planner.find(start, goal, island.costs, by("regions:16"), path);
        ASSERT_EQ(path.status, best.status);
        ASSERT_LE(static_cast<double>(path.cost), 1.1 * static_cast<double>(best.cost));
    }
}

// After edits, portals equal those of a new world, and so do answers, whatever was asked before.
TEST(Regions, EditsEqualRebuilds) {
    Rng rng(76);
    detail::SectorPortalsBuilder builder;
    for (int i = 0; i < 30; ++i) {
        const test::RandomWorld random = test::random_world(rng, 120);
        World world = world_of(random.grid.snapshot());
        Planner planner(world);
        std::optional<detail::RegionPortals> portals(std::in_place, world.grid(), 16, random.movement);
        Path repaired, rebuilt;
        for (int edit = 0; edit < 8; ++edit) {
            for (uint32_t s = 0; s < portals->sectors(); ++s) portals->at(s, builder);
            const Cell corner = test::random_cell(rng, world.grid());
            const int32_t side = rng.between(1, 12);
            const auto terrain = static_cast<Terrain>(rng.below(8));
            const WorldEdit done = world.fill(intersection(Rect(corner, {side, side}), world.grid().layout().rect()), terrain);
            if (done.grid.cells_changed == 0) continue;
            portals.emplace(detail::RegionPortals(*portals, done.grid));
            const detail::RegionPortals fresh_portals(world.grid(), 16, random.movement);
            for (uint32_t s = 0; s < portals->sectors(); ++s)
                ASSERT_TRUE(portals->at(s, builder) == fresh_portals.at(s, builder)) << "world " << i << " edit " << edit;
            const World fresh = world_of(world.grid());
            Planner other(fresh);
            for (int q = 0; q < 3; ++q) {
                const Cell start = test::random_cell(rng, world.grid()), goal = test::random_cell(rng, world.grid());
                planner.find(start, goal, random.costs, by("regions:16", random.movement), repaired);
                other.find(start, goal, random.costs, by("regions:16", random.movement), rebuilt);
                ASSERT_EQ(repaired.cells, rebuilt.cells) << "world " << i << " edit " << edit;
                ASSERT_EQ(repaired.expansions, rebuilt.expansions) << "world " << i << " edit " << edit;
                ASSERT_EQ(test::hash_of(repaired), test::hash_of(rebuilt)) << "world " << i << " edit " << edit;
            }
        }
    }
}

// Threads fill in the portals of one map together.
TEST(Regions, ThreadsShareTheirPortals) {
    const Island island(256);
    std::vector<std::pair<Cell, Cell>> queries;
    Rng rng(77);
    const GridSnapshot grid = island.world.grid();
    for (int q = 0; q < 24; ++q) queries.emplace_back(passable(rng, grid, island.costs), passable(rng, grid, island.costs));
    const auto ask = [&](const World& world) {
        Planner planner(world);
        Path path;
        std::vector<uint64_t> hashes;
        for (const auto& [start, goal] : queries) {
            planner.find(start, goal, island.costs, by("regions:16"), path);
            hashes.push_back(test::hash_of(path));
        }
        return hashes;
    };
    std::vector<std::vector<uint64_t>> answers(4);
    {
        std::vector<std::jthread> threads;
        for (auto& own : answers) threads.emplace_back([&] { own = ask(island.world); });
    }
    const std::vector<uint64_t> expected = ask(world_of(grid));
    for (const auto& own : answers) EXPECT_EQ(own, expected);
}

TEST(Regions, ThreadsQueryTheirVersionWhileAnotherEdits) {
    Island island(128);
    std::vector<std::jthread> threads;
    for (uint64_t t = 0; t < 3; ++t) {
        threads.emplace_back([&island, t] {
            Planner planner(island.world);
            Rng rng(80 + t);
            Path path;
            for (int q = 0; q < 40; ++q) {
                const GridSnapshot now = island.world.grid();
                planner.find(test::random_cell(rng, now), test::random_cell(rng, now), island.costs, by("regions:16"), path);
                if (!path) continue;
                const Ground ground(planner.snapshot().grid(), island.costs, Movement::kEightNoCornerCutting);
                EXPECT_EQ(path.cost, path_cost(ground, path.cells));
            }
        });
    }
    Rng rng(79);
    for (int edit = 0; edit < 200; ++edit) {
        const Cell c = test::random_cell(rng, island.world.grid());
        island.world.set(c, static_cast<Terrain>(edit % 4));
    }
}

uint64_t golden(const char* method, Movement movement) {
    Rng rng(98);
    Path path;
    uint64_t h = 0;
    const auto ask = [&](const GridSnapshot& grid, const CostTable& costs, int queries) {
        const World world = world_of(grid);
        Planner planner(world);
        for (int q = 0; q < queries; ++q) {
            const Cell start = test::random_cell(rng, grid);
            planner.find(start, test::random_cell(rng, grid), costs, by(method, movement), path);
            h = test::hash_of(path, h);
        }
    };
    for (int i = 0; i < 40; ++i) {
        const test::RandomWorld random = test::random_world(rng, 150);
        ask(random.grid.snapshot(), random.costs, 2);
    }
    const GridSnapshot island = generate_island({.width = 256, .height = 256}).value().snapshot();
    for (const Profile& profile : Profile::presets()) ask(island, profile.compile(island.catalogue()).value(), 5);
    return h;
}

TEST(RegionsGolden, NoCornerCutting) { EXPECT_EQ(golden("regions:16", Movement::kEightNoCornerCutting), 11031829695470064719u); }
TEST(RegionsGolden, CuttingCorners) { EXPECT_EQ(golden("regions:16", Movement::kEightCutCorners), 16358464052702836979u); }
TEST(RegionsGolden, FourConnected) { EXPECT_EQ(golden("regions:16", Movement::kFour), 15912685677740771033u); }
TEST(RegionsGolden, SmallSectors) { EXPECT_EQ(golden("regions:8", Movement::kEightNoCornerCutting), 5488012589165875292u); }

}  // namespace
}  // namespace terrane
