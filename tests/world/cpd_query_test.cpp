// Path databases through the planner: within the bound while the map changes, rebuilt for a new map, installed from outside.
#include <gtest/gtest.h>

#include <array>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/prepared_cpd.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

constexpr std::array kMethods = {"cpd", "cpd:1.1", "cpd/nosp", "cpd/focal", "cpd/branching", "cpd:1/branching"};

FindOptions options_for(const char* name, Movement movement = Movement::kEightNoCornerCutting) {
    FindOptions options;
    options.method = find_method(name).value();
    options.movement = movement;
    return options;
}

PrepareOptions prepare_options(Movement movement = Movement::kEightNoCornerCutting) {
    PrepareOptions options;
    options.method = find_method("cpd").value();
    options.movement = movement;
    return options;
}

World copy_of(const GridSnapshot& grid) { return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue())); }

// Fills a few rectangles with any terrain of the catalogue: blocked, costlier or cheaper.
void change(World& world, Rng& rng) {
    const auto terrains = static_cast<uint32_t>(world.grid().catalogue().size());
    for (int i = 0; i < 3; ++i) {
        const Cell at = test::random_cell(rng, world.grid());
        const auto width = static_cast<int32_t>(1 + rng.below(6));
        const auto height = static_cast<int32_t>(1 + rng.below(6));
        world.fill({at, {width, height}}, static_cast<Terrain>(rng.below(terrains)));
    }
}

TEST(CpdQuery, StaysWithinItsBoundWhileTheMapChanges) {
    Rng rng(71);
    int found = 0, none = 0, costlier = 0;
    for (int i = 0; i < 40; ++i) {
        const test::RandomWorld random = test::random_world(rng, 40);
        World world = copy_of(random.grid.snapshot());
        const auto prepared = world.prepare(random.costs, prepare_options(random.movement));
        if (!prepared) continue;  // nothing is passable
        Planner planner(world);
        for (int edit = 0; edit < 4; ++edit) {
            for (int q = 0; q < 5; ++q) {
                const Cell start = test::random_cell(rng, world.grid());
                const Cell goal = test::random_cell(rng, world.grid());
                Path best, path;
                planner.find(start, goal, random.costs, options_for("astar", random.movement), best);
                (best ? found : none) += 1;
                for (const char* name : kMethods) {
                    SCOPED_TRACE(testing::Message() << "world " << i << " edit " << edit << " query " << q << " " << name);
                    const FindOptions options = options_for(name, random.movement);
                    planner.find(start, goal, random.costs, options, path);
                    ASSERT_EQ(path.status, best.status);
                    if (!best) continue;
                    ASSERT_EQ(path.cells.front(), start);
                    ASSERT_EQ(path.cells.back(), goal);
                    ASSERT_EQ(path.cost, path_cost({world.grid(), random.costs, random.movement}, path.cells));
                    ASSERT_GE(path.cost, best.cost);
                    const Weight promised = cpd_search_options(options.method)->bound;
                    ASSERT_LE(path.cost * promised.denominator, best.cost * promised.numerator);
                    ASSERT_LE(static_cast<double>(path.cost), path.bound * static_cast<double>(best.cost) * 1.000001);
                    ASSERT_LE(path.bound, promised.value() + 1e-9);
                    if (path.cost > best.cost) ++costlier;
                }
            }
            change(world, rng);
        }
    }
    EXPECT_GT(found, 200);
    EXPECT_GT(none, 50);
    EXPECT_GT(costlier, 5) << "the bounds were never used";
}

// A world of rooms, with its costs.
struct Rooms {
    World world{generate_rooms({.width = 60, .height = 60, .seed = 4, .room = 9}).value()};
    CostTable costs = Profile::preset("walker")->compile(world.grid().catalogue()).value();

    Cell passable(Rng& rng) const {
        for (;;) {
            const Cell c = test::random_cell(rng, world.grid());
            if (costs.passable(world.grid().at(c))) return c;
        }
    }
};

TEST(CpdQuery, IsNotAnsweredWithoutADatabase) {
    Rooms rooms;
    Path path;
    Planner(rooms.world).find({1, 1}, {1, 1}, rooms.costs, options_for("cpd"), path);
    EXPECT_EQ(path.status, Status::kNotPrepared);
    ASSERT_TRUE(rooms.world.prepare(rooms.costs, prepare_options()));
    Rng rng(1);
    const Cell start = rooms.passable(rng);
    Planner planner(rooms.world);
    planner.find(start, start, rooms.costs, options_for("cpd"), path);
    EXPECT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.cells, std::vector<Cell>{start});
    EXPECT_EQ(path.bound, 1);
    planner.find(start, {60, 60}, rooms.costs, options_for("cpd"), path);
    EXPECT_EQ(path.status, Status::kOutsideMap);
    EXPECT_TRUE(rooms.world.discard(find_method("cpd").value(), rooms.costs));
    planner.find(start, start, rooms.costs, options_for("cpd"), path);
    EXPECT_EQ(path.status, Status::kNotPrepared);
}

TEST(CpdQuery, TheCallersBoundReplacesTheMethods) {
    Rooms rooms;
    ASSERT_TRUE(rooms.world.prepare(rooms.costs, prepare_options()));
    rooms.world.fill({{20, 0}, {4, 50}}, *rooms.world.grid().catalogue().find("wall"));
    Rng rng(2);
    Planner planner(rooms.world);
    Path best, path;
    for (int q = 0; q < 40; ++q) {
        const Cell start = rooms.passable(rng);
        const Cell goal = rooms.passable(rng);
        planner.find(start, goal, rooms.costs, options_for("astar"), best);
        for (const char* name : kMethods) {
            FindOptions options = options_for(name);
            options.bound = 1;
            planner.find(start, goal, rooms.costs, options, path);
            ASSERT_EQ(path.status, best.status) << name;
            ASSERT_EQ(path.cost, best.cost) << name;
        }
    }
}

// The database is rebuilt for the current map, in slices, while queries and edits continue.
TEST(CpdQuery, ADatabaseIsMovedToTheNewMap) {
    Rooms rooms;
    World& world = rooms.world;
    ASSERT_TRUE(world.prepare(rooms.costs, prepare_options()));
    const Terrain wall = *world.grid().catalogue().find("wall");
    world.fill({{10, 10}, {30, 10}}, wall);
    Planner planner(world);
    Rng rng(3);
    Path best, path;
    Preparation preparation(world.snapshot(), rooms.costs, prepare_options());
    int slices = 0;
    while (!preparation.run(1)) {
        ++slices;
        if (slices % 8 != 0) continue;
        if (slices == 16) world.fill({{45, 30}, {5, 20}}, wall);  // after the version that is being prepared
        const Cell start = rooms.passable(rng);
        const Cell goal = rooms.passable(rng);
        planner.find(start, goal, rooms.costs, options_for("astar"), best);
        planner.find(start, goal, rooms.costs, options_for("cpd:1/branching"), path);
        ASSERT_EQ(path.status, best.status);
        ASSERT_EQ(path.cost, best.cost);
    }
    EXPECT_GT(slices, 16);
    EXPECT_EQ(preparation.progress(), 1);
    const uint64_t before = world.snapshot().all_prepared()[0]->as<PreparedCpd>()->perturbation.changed_cells();
    ASSERT_TRUE(world.install(std::move(preparation)));
    ASSERT_EQ(world.snapshot().all_prepared().size(), 1u);
    EXPECT_LT(world.snapshot().all_prepared()[0]->as<PreparedCpd>()->perturbation.changed_cells(), before);
    for (int q = 0; q < 40; ++q) {
        const Cell start = rooms.passable(rng);
        const Cell goal = rooms.passable(rng);
        planner.find(start, goal, rooms.costs, options_for("astar"), best);
        planner.find(start, goal, rooms.costs, options_for("cpd:1/focal"), path);
        ASSERT_EQ(path.status, best.status);
        ASSERT_EQ(path.cost, best.cost);
    }
}

TEST(CpdQuery, ADatabaseMayBeInstalled) {
    Rooms rooms;
    const auto database = build_path_database({rooms.world.grid(), rooms.costs, Movement::kEightNoCornerCutting});
    ASSERT_TRUE(database);
    const Ground ground(rooms.world.grid(), rooms.costs, Movement::kEightNoCornerCutting);
    ASSERT_TRUE(rooms.world.install(prepared_path_database(*database, ground).value()));
    EXPECT_EQ(rooms.world.snapshot().all_prepared()[0]->as<PreparedCpd>()->perturbation.changed_cells(), 0u);
    const auto refused = prepared_path_database(*database, {rooms.world.grid(), rooms.costs, Movement::kFour});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadValue);
    Rooms others;
    EXPECT_EQ(others.world.install(prepared_path_database(*database, ground).value()).error().reason,
              "the data is for another world; prepare it for this one");
}

TEST(CpdQuery, TooLargeADatabaseIsRefused) {
    Rooms rooms;
    PrepareOptions options = prepare_options();
    options.max_bytes = 1000;
    const auto refused = rooms.world.prepare(rooms.costs, options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
    EXPECT_TRUE(rooms.world.snapshot().all_prepared().empty());
}

TEST(CpdQuery, IsTheSameInSlicesAndAllocatesNothingWhenWarm) {
    Rooms rooms;
    ASSERT_TRUE(rooms.world.prepare(rooms.costs, prepare_options()));
    rooms.world.fill({{25, 5}, {5, 50}}, *rooms.world.grid().catalogue().find("wall"));
    Planner whole(rooms.world), sliced(rooms.world);
    for (const char* name : kMethods) {
        Rng rng(5);
        const FindOptions options = options_for(name);
        Path one, two;
        for (int round = 0; round < 2; ++round) {
            for (int q = 0; q < 30; ++q) {
                const Cell start = rooms.passable(rng);
                const Cell goal = rooms.passable(rng);
                whole.find(start, goal, rooms.costs, options, one);
                sliced.begin(start, goal, rooms.costs, options);
                while (sliced.run(3) == Status::kBudgetSpent) {
                }
                sliced.path(two);
                ASSERT_EQ(one.status, two.status);
                ASSERT_EQ(one.cells, two.cells);
                ASSERT_EQ(one.expansions, two.expansions);
            }
        }
        Rng again(5);
        const Cell start = rooms.passable(again);
        const Cell goal = rooms.passable(again);
        whole.find(start, goal, rooms.costs, options, one);
        const uint64_t before = test::allocations();
        whole.find(start, goal, rooms.costs, options, one);
        EXPECT_EQ(test::allocations(), before) << name;
    }
}

}  // namespace
}  // namespace terrane
