// Requests by priority under one budget: order and content of the answers, and expansions per frame.
#include "terrane/world/request_queue.h"

#include <gtest/gtest.h>

#include <map>

#include "support/allocations.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

FindOptions by_method(std::string_view method) {
    FindOptions options;
    options.method = find_method(method).value();
    return options;
}

// Maps of many terrains, some of them blocked for the creature.
struct Fields {
    explicit Fields(int32_t side = 128) : world(make(side)) {}
    static TerrainGrid make(int32_t side) {
        VoronoiOptions fields;
        fields.width = fields.height = side;
        fields.terrains = 16;
        return generate_voronoi(fields).value();
    }
    Path answer(Cell start, Cell goal, const FindOptions& options) const {
        Path path;
        Planner(world).find(start, goal, costs, options, path);
        return path;
    }
    // Two cells connected by a path of more than 60 cells.
    std::pair<Cell, Cell> far_apart(Rng& rng) const {
        for (;;) {
            const Cell start = random_cell(rng, world.grid()), goal = random_cell(rng, world.grid());
            if (answer(start, goal, by_method("dta:16")).cells.size() > 60) return {start, goal};
        }
    }

    World world;
    CostTable costs = Profile::preset("deer")->compile(Catalogue::standard()).value();
};

void run_until_done(RequestQueue& queue, RequestId id, uint64_t budget) {
    while (!queue.done(id)) queue.run(budget);
}

TEST(RequestQueue, AnswersAsAPlannerDoes) {
    const Fields fields;
    Rng rng(71);
    RequestQueue queue(fields.world);
    for (const uint64_t budget : {1u, 13u, 1000000u}) {
        std::vector<std::pair<RequestId, Path>> expected;
        for (const char* method : {"dta:16", "dta:16+trim+smooth", "dta:16/nbs", "astar", "dta:8", "wastar:3"}) {
            for (int i = 0; i < 4; ++i) {
                const Cell start = random_cell(rng, fields.world.grid()), goal = random_cell(rng, fields.world.grid());
                FindOptions options = by_method(method);
                options.nearest = i == 3;
                const RequestId id = queue.add(start, goal, fields.costs, options, rng.between(-2, 2));
                expected.emplace_back(id, fields.answer(start, goal, options));
            }
        }
        EXPECT_EQ(queue.waiting(), expected.size());
        while (queue.waiting() > 0) ASSERT_LE(queue.run(budget), budget);
        for (const auto& [id, path] : expected) {
            ASSERT_TRUE(queue.done(id));
            EXPECT_EQ(queue.status(id), path.status);
            Path taken;
            ASSERT_TRUE(queue.take(id, taken));
            EXPECT_EQ(hash_of(taken), hash_of(path));
            EXPECT_EQ(taken.version, path.version);
        }
    }
}

TEST(RequestQueue, TheMostUrgentComesFirstThenTheOldest) {
    const Fields fields;
    Rng rng(72);
    const auto [start, goal] = fields.far_apart(rng);
    RequestQueue queue(fields.world);
    const auto add = [&](int32_t priority) { return queue.add(start, goal, fields.costs, by_method("dta:16"), priority); };
    const RequestId low = add(-1), first = add(0), second = add(0), urgent = add(7), third = add(0);
    std::vector<RequestId> order;
    while (queue.waiting() > 0) {
        queue.run(1);
        for (const RequestId id : {low, first, second, urgent, third}) {
            if (queue.done(id) && std::find(order.begin(), order.end(), id) == order.end()) order.push_back(id);
        }
    }
    EXPECT_EQ(order, (std::vector<RequestId>{urgent, first, second, third, low}));
}

TEST(RequestQueue, AMoreUrgentRequestPausesAnotherAndNoWorkIsLost) {
    const Fields fields;
    Rng rng(73);
    const auto [start, goal] = fields.far_apart(rng);
    const uint64_t needed = fields.answer(start, goal, by_method("dta:16")).expansions;
    RequestQueue queue(fields.world);
    const RequestId slow = queue.add(start, goal, fields.costs, by_method("dta:16"), 0);
    EXPECT_EQ(queue.run(needed / 2), needed / 2);
    uint64_t spent = needed / 2;
    const RequestId urgent = queue.add(goal, start, fields.costs, by_method("dta:16"), 1);
    while (!queue.done(urgent)) {
        ASSERT_FALSE(queue.done(slow));
        queue.run(5);
    }
    EXPECT_EQ(queue.status(slow), Status::kBudgetSpent);
    while (!queue.done(slow)) spent += queue.run(1);
    EXPECT_EQ(queue.status(slow), Status::kFound);
    EXPECT_NEAR(static_cast<double>(spent), static_cast<double>(needed), 5);  // the last frame of the other also ran some of the first
}

// More and more urgent requests, more than can be paused: the least urgent restart, and all are answered.
TEST(RequestQueue, WhenTooManyArePausedTheLeastUrgentBeginsAgain) {
    Fields fields;
    Rng rng(74);
    const auto [start, goal] = fields.far_apart(rng);
    RequestQueueOptions options;
    options.searches = 2;
    RequestQueue queue(fields.world, options);
    const FindOptions by_regions = by_method("dta:16");
    const uint64_t half = fields.answer(start, goal, by_regions).expansions * 3 / 4;
    const RequestId lowest = queue.add(start, goal, fields.costs, by_regions, 0);
    queue.run(half);
    EXPECT_FALSE(queue.ready(lowest).empty());
    const RequestId middle = queue.add(start, goal, fields.costs, by_regions, 1);
    queue.run(half);
    EXPECT_FALSE(queue.ready(lowest).empty());
    static_cast<void>(fields.world.set({0, 0}, Terrain{3}));
    const RequestId urgent = queue.add(start, goal, fields.costs, by_regions, 2);
    queue.run(half);
    EXPECT_TRUE(queue.ready(lowest).empty());
    EXPECT_FALSE(queue.ready(middle).empty());
    run_until_done(queue, lowest, 1000);
    Path path;
    ASSERT_TRUE(queue.take(middle, path));
    EXPECT_EQ(path.version, 0u);
    ASSERT_TRUE(queue.take(urgent, path));
    EXPECT_EQ(path.version, 1u);
    ASSERT_TRUE(queue.take(lowest, path));
    EXPECT_EQ(path.version, 1u);  // it restarted
    EXPECT_EQ(hash_of(path), hash_of(fields.answer(start, goal, by_regions)));
}

TEST(RequestQueue, ARequestIsAnsweredForTheVersionAtWhichItBegan) {
    Fields fields;
    Rng rng(75);
    RequestQueue queue(fields.world);
    for (int i = 0; i < 20; ++i) {
        const auto [start, goal] = fields.far_apart(rng);
        const GridSnapshot before = fields.world.grid();
        const RequestId begun = queue.add(start, goal, fields.costs, by_method("dta:16"));
        const RequestId waits = queue.add(start, goal, fields.costs, by_method("dta:16"));
        queue.run(3);
        const auto cells = fields.answer(start, goal, by_method("dta:16")).cells;
        static_cast<void>(fields.world.set(cells[cells.size() / 2], "lava"));
        run_until_done(queue, waits, 50);
        Path path;
        ASSERT_TRUE(queue.take(begun, path));
        EXPECT_EQ(path.version, before.version());
        EXPECT_EQ(path.cost, path_cost({before, fields.costs, Movement::kEightNoCornerCutting}, path.cells));
        EXPECT_FALSE(path.still_valid(fields.world));
        ASSERT_TRUE(queue.take(waits, path));
        EXPECT_EQ(path.version, fields.world.grid().version());
        EXPECT_TRUE(path.still_valid(fields.world));
    }
}

TEST(RequestQueue, TheFirstMoveIsReadyWhileTheRestIsSearchedFor) {
    const Fields fields;
    Rng rng(76);
    const auto [start, goal] = fields.far_apart(rng);
    RequestQueue queue(fields.world);
    const RequestId id = queue.add(start, goal, fields.costs, by_method("dta:16"));
    EXPECT_TRUE(queue.ready(id).empty());
    std::vector<Cell> walked;
    bool early = false;
    while (!queue.done(id)) {
        queue.run(1);
        const auto ready = queue.ready(id);
        ASSERT_GE(ready.size(), walked.size());
        ASSERT_TRUE(std::equal(walked.begin(), walked.end(), ready.begin()));
        walked.assign(ready.begin(), ready.end());
        early = early || (!queue.done(id) && walked.size() > 1);
    }
    EXPECT_TRUE(early);
    Path path;
    ASSERT_TRUE(queue.take(id, path));
    EXPECT_EQ(path.cells, walked);
}

TEST(RequestQueue, EveryOutcomeIsAnAnswer) {
    const Fields fields;
    const GridSnapshot grid = fields.world.grid();
    Rng rng(77);
    const auto [start, goal] = fields.far_apart(rng);
    Cell wall;
    while (fields.costs.passable(grid.at(wall))) wall = random_cell(rng, grid);
    RequestQueue queue(fields.world);
    std::map<RequestId, Status> expected;
    const auto add = [&](Cell from, Cell to, const FindOptions& options, Status status) {
        expected[queue.add(from, to, fields.costs, options)] = status;
    };
    FindOptions few = by_method("dta:16"), none = few;
    few.max_expansions = 10;
    none.max_expansions = 0;
    add(start, goal, by_method("dta:16"), Status::kFound);
    add(start, start, by_method("dta:16"), Status::kFound);
    add(wall, goal, by_method("dta:16"), Status::kBlockedStart);
    add(start, wall, by_method("dta:16"), Status::kBlockedGoal);
    add(start, {-1, 0}, by_method("dta:16"), Status::kOutsideMap);
    add(start, goal, by_method("dta:32"), Status::kNotPrepared);
    add(start, goal, few, Status::kBudgetSpent);
    add(start, goal, none, Status::kBudgetSpent);
    while (queue.waiting() > 0) ASSERT_LE(queue.run(3), 3u);
    for (const auto& [id, status] : expected) {
        EXPECT_TRUE(queue.done(id));
        EXPECT_EQ(queue.status(id), status);
        Path path;
        ASSERT_TRUE(queue.take(id, path));
        EXPECT_EQ(path.status, status);
    }
}

// They take time without expansions: each counts as one.
TEST(RequestQueueDeathTest, RefusesUnknownIdsNoSearchesAndABoundBelowOne) {
    const World world(TerrainGrid(8, 8, Terrain{6}));
    RequestQueue queue(world);
    EXPECT_DEATH(static_cast<void>(queue.status(17)), "contract broken");
    RequestQueueOptions none;
    none.searches = 0;
    EXPECT_DEATH(RequestQueue(world, none), "contract broken");
    FindOptions options;
    options.bound = 0.5;
    EXPECT_DEATH(queue.add({0, 0}, {1, 1}, Profile().compile(world.grid().catalogue()).value(), options), "contract broken");
}

TEST(RequestQueue, RequestsThatExpandNothingCountAsOne) {
    const Fields fields;
    RequestQueue queue(fields.world);
    for (int i = 0; i < 10; ++i) static_cast<void>(queue.add({-1, 0}, {0, 0}, fields.costs, by_method("dta:16")));
    EXPECT_EQ(queue.run(0), 0u);
    EXPECT_EQ(queue.waiting(), 10u);
    EXPECT_EQ(queue.run(4), 4u);
    EXPECT_EQ(queue.waiting(), 6u);
    EXPECT_EQ(queue.run(100), 6u);
    EXPECT_EQ(queue.run(100), 0u);
}

TEST(RequestQueue, TakenAndCancelledRequestsAreRemoved) {
    const Fields fields;
    Rng rng(78);
    const auto [start, goal] = fields.far_apart(rng);
    RequestQueue queue(fields.world);
    const auto add = [&] { return queue.add(start, goal, fields.costs, by_method("dta:16")); };
    Path path;
    const RequestId first = add(), second = add(), third = add();
    queue.run(5);
    EXPECT_FALSE(queue.take(first, path));
    EXPECT_TRUE(queue.cancel(first));  // while it is searched for
    EXPECT_TRUE(queue.cancel(third));  // while it waits
    EXPECT_FALSE(queue.cancel(third));
    EXPECT_EQ(queue.waiting(), 1u);
    const RequestId fourth = add();
    EXPECT_NE(fourth, third);
    run_until_done(queue, fourth, 1000);
    EXPECT_TRUE(queue.done(second));
    EXPECT_TRUE(queue.cancel(second));  // when it is answered
    EXPECT_FALSE(queue.take(second, path));
    EXPECT_TRUE(queue.take(fourth, path));
    EXPECT_FALSE(queue.take(fourth, path));
    for (const RequestId id : {RequestId{0}, first, second, third, fourth, fourth + 1}) {
        EXPECT_FALSE(queue.done(id));
        EXPECT_TRUE(queue.ready(id).empty());
        EXPECT_FALSE(queue.cancel(id));
    }
    EXPECT_GT(queue.bytes(), 0u);
}

// Random adds, runs, cancels and edits. Whatever the budgets, all are answered, and correctly for their version.
TEST(RequestQueue, RandomCallsAreAnsweredCorrectly) {
    Rng rng(79);
    for (int round = 0; round < 10; ++round) {
        Fields fields(80);
        RequestQueueOptions options;
        options.searches = 1 + rng.below(4);
        RequestQueue queue(fields.world, options);
        std::map<RequestId, std::pair<Cell, Cell>> asked;
        std::map<GridVersion, GridSnapshot> versions;
        int answered = 0;
        for (int step = 0; step < 300 || queue.waiting() > 0; ++step) {
            versions.emplace(fields.world.grid().version(), fields.world.grid());
            if (step < 300 && rng.chance(1, 2)) {
                const Cell start = random_cell(rng, fields.world.grid()), goal = random_cell(rng, fields.world.grid());
                FindOptions find = by_method(rng.chance(1, 2) ? "dta:16+trim" : "dta:16/nbs");
                find.nearest = rng.chance(1, 2);
                asked[queue.add(start, goal, fields.costs, find, rng.between(0, 3))] = {start, goal};
            }
            if (rng.chance(1, 8)) {
                static_cast<void>(fields.world.set(random_cell(rng, fields.world.grid()), static_cast<Terrain>(rng.below(19))));
                versions.emplace(fields.world.grid().version(), fields.world.grid());
            }
            const uint64_t budget = rng.below(400);
            ASSERT_LE(queue.run(budget), budget);
            for (auto it = asked.begin(); it != asked.end();) {
                Path path;
                const bool gone = rng.chance(1, 50) ? queue.cancel(it->first) : queue.take(it->first, path);
                if (!gone) {
                    ++it;
                    continue;
                }
                if (!path.cells.empty()) {
                    ++answered;
                    ASSERT_EQ(path.cells.front(), it->second.first);
                    ASSERT_EQ(path.cost, path_cost({versions.at(path.version), fields.costs, Movement::kEightNoCornerCutting}, path.cells));
                }
                it = asked.erase(it);
            }
        }
        EXPECT_TRUE(asked.empty());
        EXPECT_GT(answered, 30);
    }
}

TEST(RequestQueueGolden, TheSameCallsGiveTheSameAnswers) {
    Rng rng(80);
    Fields fields;
    RequestQueueOptions options;
    options.searches = 3;
    RequestQueue queue(fields.world, options);
    std::vector<RequestId> asked;
    Path path;
    uint64_t h = 0;
    for (int frame = 0; frame < 400; ++frame) {
        if (frame < 200) {
            const Cell start = random_cell(rng, fields.world.grid()), goal = random_cell(rng, fields.world.grid());
            asked.push_back(queue.add(start, goal, fields.costs, by_method("dta:16+trim+smooth"), rng.between(0, 2)));
            const Cell edited = random_cell(rng, fields.world.grid());
            static_cast<void>(fields.world.set(edited, static_cast<Terrain>(rng.below(19))));
        }
        h = mix64(h ^ queue.run(600));
        std::erase_if(asked, [&](RequestId id) {
            if (!queue.take(id, path)) return false;
            h = mix64(hash_of(path, h) ^ path.version);
            return true;
        });
    }
    EXPECT_EQ(queue.waiting(), 0u);
    EXPECT_EQ(h, 0xa39368bf6a1e8da5u);
}

TEST(RequestQueue, NoAllocationsAfterWarmUp) {
    const Fields fields;
    RequestQueueOptions options;
    options.searches = 3;
    RequestQueue queue(fields.world, options);
    std::vector<RequestId> asked(100);
    Path path;
    const FindOptions find = by_method("dta:16+trim+smooth");
    const auto play = [&] {
        Rng rng(81);
        std::fill(asked.begin(), asked.end(), 0);
        for (size_t frame = 0; frame < asked.size() || queue.waiting() > 0; ++frame) {
            const Cell start = random_cell(rng, fields.world.grid()), goal = random_cell(rng, fields.world.grid());
            if (frame < asked.size()) asked[frame] = queue.add(start, goal, fields.costs, find, rng.between(0, 5));
            queue.run(200);
            if (frame % 7 == 0) queue.cancel(asked[rng.below(100)]);
            for (const RequestId id : asked) queue.take(id, path);
        }
    };
    for (int i = 0; i < 5; ++i) play();
    const uint64_t before = allocations();
    for (int i = 0; i < 5; ++i) play();
    EXPECT_EQ(allocations(), before);
}

TEST(RequestQueue, KnowsItsRequests) {
    const Fields fields;
    Rng rng(82);
    RequestQueue queue(fields.world);
    const auto [start, goal] = fields.far_apart(rng);
    const RequestId first = queue.add(start, goal, fields.costs, by_method("dta:16"));
    const RequestId second = queue.add(start, goal, fields.costs, by_method("dta:16"));
    EXPECT_EQ(queue.size(), 2u);
    EXPECT_EQ(queue.first_segment(first), 0u);
    queue.run(kUnlimited);
    Planner planner(fields.world);
    planner.begin(start, goal, fields.costs, by_method("dta:16"));
    while (planner.run() == Status::kBudgetSpent) {
    }
    EXPECT_EQ(queue.first_segment(first), planner.first_segment());
    EXPECT_TRUE(queue.cancel(first));
    EXPECT_EQ(queue.size(), 1u);
    EXPECT_FALSE(queue.knows(first));
    EXPECT_TRUE(queue.knows(second));
    EXPECT_FALSE(queue.knows(0));
    EXPECT_EQ(queue.first_segment(first), 0u);
}

// add() and take() change nothing; run() answers the request with kOutOfMemory. The others are answered as without the failure.
TEST(RequestQueue, AnAllocationFailureLosesNoRequest) {
    if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure aborts this program";
    const Fields fields;
    Rng rng(83);
    const auto [start, goal] = fields.far_apart(rng);
    const FindOptions options = by_method("dta:16");
    const Cell from = start, to = goal;  // for the lambdas
    const Path expected = fields.answer(start, goal, options);
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        RequestQueue queue(fields.world);
        std::vector<RequestId> ids;
        for (int32_t i = 0; i < 10; ++i) {
            RequestId id = 0;
            const auto add = [&] { id = queue.add(from, to, fields.costs, options, i % 2); };
            if (!failure.in(add)) {
                ASSERT_EQ(queue.size(), static_cast<size_t>(i));
                add();
            }
            ids.push_back(id);
            ASSERT_TRUE(failure.in([&] { queue.run(2); }));
        }
        while (queue.waiting() > 0) ASSERT_TRUE(failure.in([&] { queue.run(50); }));
        int lost = 0;
        for (const RequestId id : ids) {
            Path path;
            path.version = 77;
            if (!failure.in([&] { queue.take(id, path); })) {
                ASSERT_EQ(path.version, 77u);
                ASSERT_TRUE(queue.take(id, path));
            }
            lost += path.status == Status::kOutOfMemory ? 1 : 0;
            ASSERT_TRUE(path.status == Status::kOutOfMemory || hash_of(path) == hash_of(expected));
        }
        ASSERT_LE(lost, failure.met() ? 10 : 0);
        ASSERT_EQ(queue.size(), 0u);
    });
    EXPECT_GT(count, 30u);
}

}  // namespace
}  // namespace terrane::test
