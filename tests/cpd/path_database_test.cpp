#include "terrane/cpd/path_database.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "cpd/path_database_data.h"
#include "support/oracle.h"
#include "support/scene.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

constexpr std::array<PathEncoding, 3> kAllEncodings = {PathEncoding::kFast, PathEncoding::kWalk, PathEncoding::kSmall};
constexpr std::array<PathOrder, 2> kOrders = {PathOrder::kDepthFirst, PathOrder::kHilbert};

PathDatabaseOptions with(PathEncoding encoding, PathOrder order = PathOrder::kChoose) {
    PathDatabaseOptions options;
    options.encoding = encoding;
    options.order = order;
    return options;
}

bool passable(const GridSnapshot& grid, const CostTable& costs) {
    for (const Terrain t : grid.cells()) {
        if (costs.passable(t)) return true;
    }
    return false;
}

// Checks all pairs of cells against brute force: there is a move exactly if there is a path, and it is the first of an optimal path.
void expect_exact(const PathDatabase& database) {
    const GridSnapshot& grid = database.grid();
    const GridLayout& layout = grid.layout();
    const oracle::Map map = test::to_oracle(grid, database.ground().costs());
    const auto index = [&](Cell c) { return static_cast<size_t>(c.y * grid.width() + c.x); };
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            const Cell goal{x, y};
            const CellId to = layout.id(goal);
            const std::vector<double> far = oracle::distances(map, x, y, test::to_oracle(database.ground().movement()));
            const PathDatabase::Towards towards = database.towards(to);
            for (int32_t i = 0; i < grid.width() * grid.height(); ++i) {
                const Cell at{i % grid.width(), i / grid.width()};
                const bool none = far[index(at)] == oracle::kFar || at == goal || !database.covers(to);
                const Move move = towards(layout.id(at));
                ASSERT_EQ(move, database.first_move(layout.id(at), to));
                ASSERT_EQ(move == kNoMove, none) << at.x << "," << at.y << " to " << x << "," << y;
                if (none) continue;
                const Cell next{at.x + kMoves[move].x, at.y + kMoves[move].y};
                const Cost step = Ground(grid, database.ground().costs(), database.ground().movement()).step_cost(at, next);
                ASSERT_NE(step, kInfiniteCost);
                ASSERT_NEAR(to_real(step) + far[index(next)], far[index(at)], 1e-5 * (1 + far[index(at)]));
            }
        }
    }
}

void expect_same(const PathDatabase& a, const PathDatabase& b) {
    EXPECT_EQ(detail::path_image(a), detail::path_image(b));
    EXPECT_EQ(a.order(), b.order());
}

test::RandomWorld some_world(uint64_t seed, int32_t side) {
    Rng rng(seed);
    for (;;) {
        test::RandomWorld world = test::random_world(rng, side);
        const GridSnapshot grid = world.grid.snapshot();
        if (grid.width() > side / 2 && grid.height() > side / 2 && passable(grid, world.costs)) return world;
    }
}

TEST(PathDatabase, EveryMoveOfEveryEncodingIsOptimal) {
    Rng rng(1);
    for (int i = 0; i < 70; ++i) {
        const test::RandomWorld world = test::random_world(rng, 18);
        if (!passable(world.grid.snapshot(), world.costs)) continue;
        for (const PathEncoding encoding : kAllEncodings) {
            const auto database = build_path_database({world.grid.snapshot(), world.costs, world.movement},
                                                      with(encoding, kOrders[static_cast<size_t>(i) % kOrders.size()]));
            ASSERT_TRUE(database);
            EXPECT_EQ(database->encoding(), encoding);
            expect_exact(*database);
        }
    }
}

TEST(PathDatabase, IsExactWhereABlockHasPartsThatAreFarApart) {
    const test::Scene s = test::scene(R"(.#...#...#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         .#.#.#.#.#.
                                         ...#...#...)");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    for (const PathEncoding encoding : kAllEncodings) {
        for (const PathOrder order : kOrders) {
            expect_exact(build_path_database({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, with(encoding, order)).value());
        }
    }
}

TEST(PathDatabase, ReturnsNoMoveWhereThereIsNoPath) {
    const test::Scene s = test::scene(R"(..#..
                                         ..#..
                                         ###..
                                         .....)");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const GridLayout& layout = s.grid.snapshot().layout();
    for (const PathEncoding encoding : kAllEncodings) {
        const PathDatabase database =
            build_path_database({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, with(encoding)).value();
        EXPECT_EQ(database.nodes(), 15u);
        EXPECT_EQ(database.first_move(layout.id({0, 0}), layout.id({3, 0})), kNoMove);  // another component
        EXPECT_EQ(database.first_move(layout.id({0, 0}), layout.id({0, 0})), kNoMove);
        EXPECT_EQ(database.first_move(layout.id({2, 0}), layout.id({0, 0})), kNoMove);  // from a blocked cell
        EXPECT_EQ(database.first_move(layout.id({0, 0}), layout.id({2, 0})), kNoMove);  // to a blocked cell
        EXPECT_EQ(database.first_move(layout.id({0, 0}), layout.id({1, 1})), 5);
        EXPECT_FALSE(database.covers(layout.id({2, 0})));
        expect_exact(database);
    }
}

TEST(PathDatabase, OneCell) {
    const TerrainGrid grid(1, 1, Terrain{0});
    const CostTable costs = Profile("plain").compile(grid.snapshot().catalogue()).value();
    for (const PathEncoding encoding : kAllEncodings) {
        const PathDatabase database =
            build_path_database({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, with(encoding)).value();
        EXPECT_EQ(database.nodes(), 1u);
        EXPECT_EQ(database.targets(), 1u);
        EXPECT_EQ(database.first_move(0, 0), kNoMove);
        EXPECT_GT(database.bytes(), 0u);
    }
}

TEST(PathDatabase, RefusesAMapWithoutAPassableCell) {
    const TerrainGrid grid(5, 4, Terrain{0});
    const CostTable costs = Profile("none").otherwise_blocked().compile(grid.snapshot().catalogue()).value();
    EXPECT_EQ(build_path_database({grid.snapshot(), costs, Movement::kEightNoCornerCutting}).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(build_path_database({GridSnapshot(), costs, Movement::kEightNoCornerCutting}).error().code, ErrorCode::kBadValue);
}

TEST(PathDatabase, TargetsMayBeRestricted) {
    const test::RandomWorld world = some_world(3, 24);
    const GridSnapshot grid = world.grid.snapshot();
    for (const PathEncoding encoding : kAllEncodings) {
        PathDatabaseOptions options = with(encoding);
        options.targets = PathTargets::rect({{2, 3}, {7, 37}});
        options.targets.cells.push_back({2, 3});     // duplicate
        options.targets.cells.push_back({-1, 500});  // outside the map
        const PathDatabase database = build_path_database({grid, world.costs, world.movement}, options).value();
        uint32_t covered = 0;
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                const bool inside = x >= 2 && x < 9 && y >= 3 && world.costs.passable(grid.at(Cell{x, y}));
                EXPECT_EQ(database.covers(grid.layout().id({x, y})), inside);
                if (inside) ++covered;
            }
        }
        EXPECT_EQ(database.targets(), covered);
        expect_exact(database);
        const PathDatabase again = detail::path_database_from_image({grid, world.costs, world.movement}, encoding, database.order(),
                                                                    detail::path_targets(database), detail::path_image(database), {})
                                       .value();
        expect_exact(again);
    }
}

TEST(PathDatabase, NoTargetAtAll) {
    const test::RandomWorld world = some_world(4, 12);
    PathDatabaseOptions options;
    options.targets = PathTargets::these({});
    const PathDatabase database = build_path_database({world.grid.snapshot(), world.costs, world.movement}, options).value();
    EXPECT_EQ(database.targets(), 0u);
    expect_exact(database);
}

TEST(PathDatabase, IsTheSameForAnyNumberOfThreadsAndSlices) {
    const test::RandomWorld world = some_world(5, 60);
    for (const PathEncoding encoding : kAllEncodings) {
        PathDatabaseOptions options = with(encoding);
        const PathDatabase whole = build_path_database({world.grid.snapshot(), world.costs, world.movement}, options).value();
        options.threads = 4;
        expect_same(whole, build_path_database({world.grid.snapshot(), world.costs, world.movement}, options).value());
        PathDatabaseBuilder builder(PathDatabasePlan::make({world.grid.snapshot(), world.costs, world.movement}, options).value());
        const auto plan = PathDatabasePlan::make({world.grid.snapshot(), world.costs, world.movement}, options).value();
        const auto chunks = static_cast<double>(plan.chunks());
        for (double done = 1; !builder.run(1); ++done) EXPECT_DOUBLE_EQ(builder.progress(), done / chunks);  // chunk by chunk
        EXPECT_EQ(builder.progress(), 1);
        PathDatabaseBuilder fast(plan);
        ASSERT_GT(chunks, 2);
        EXPECT_FALSE(fast.run(plan.rows(0) + 1));
        EXPECT_DOUBLE_EQ(fast.progress(), 2 / chunks);
        EXPECT_TRUE(fast.run(UINT64_MAX));
        expect_same(whole, fast.take().value());
        expect_same(whole, builder.take().value());
    }
}

TEST(PathDatabase, ChunksMayBeMadeInAnyOrder) {
    const test::RandomWorld world = some_world(6, 40);
    const PathDatabasePlan plan = PathDatabasePlan::make({world.grid.snapshot(), world.costs, world.movement}, {}).value();
    std::vector<std::string> chunks(plan.chunks());
    PathDatabasePlan::Scratch scratch;
    uint64_t rows = 0;
    for (uint32_t c = plan.chunks(); c-- > 0;) {
        chunks[c] = plan.make_chunk(c, scratch);
        rows += plan.rows(c);
    }
    EXPECT_EQ(rows, plan.estimate().nodes);
    expect_same(plan.assemble(chunks).value(), build_path_database({world.grid.snapshot(), world.costs, world.movement}).value());
    chunks[0] += "abc";
    EXPECT_EQ(plan.assemble(chunks).error().code, ErrorCode::kBadValue);
    chunks.pop_back();
    EXPECT_EQ(plan.assemble(chunks).error().code, ErrorCode::kBadValue);
}

TEST(PathDatabase, FingerprintsTellPlansApart) {
    test::RandomWorld world = some_world(7, 20);
    const auto fingerprint = [&](const CostTable& costs, Movement movement, const PathDatabaseOptions& options) {
        return PathDatabasePlan::make({world.grid.snapshot(), costs, movement}, options).value().fingerprint();
    };
    PathDatabaseOptions options = with(PathEncoding::kWalk, PathOrder::kHilbert);
    const uint64_t first = fingerprint(world.costs, Movement::kEightNoCornerCutting, options);
    options.threads = 3;
    options.max_bytes /= 2;
    EXPECT_EQ(fingerprint(world.costs, Movement::kEightNoCornerCutting, options), first);
    EXPECT_NE(fingerprint(world.costs, Movement::kFour, options), first);
    EXPECT_NE(fingerprint(world.costs, Movement::kEightNoCornerCutting, with(PathEncoding::kSmall, PathOrder::kHilbert)), first);
    EXPECT_NE(fingerprint(world.costs, Movement::kEightNoCornerCutting, with(PathEncoding::kWalk, PathOrder::kDepthFirst)), first);
    options.targets = PathTargets::rect({{0, 0}, {4, 4}});
    const uint64_t fewer = fingerprint(world.costs, Movement::kEightNoCornerCutting, options);
    EXPECT_NE(fewer, first);
    options.targets = PathTargets::rect({{0, 0}, {4, 12}});
    EXPECT_NE(fingerprint(world.costs, Movement::kEightNoCornerCutting, options), fewer);
    options.targets = PathTargets::rect({{0, 0}, {1000, 1000}});  // the same cells as everywhere(), but another option
    EXPECT_NE(fingerprint(world.costs, Movement::kEightNoCornerCutting, options), first);
    CostTable costlier = world.costs;
    for (uint32_t& cost : costlier.cost) cost += cost > 0 ? 1 : 0;
    EXPECT_NE(fingerprint(costlier, Movement::kEightNoCornerCutting, with(PathEncoding::kWalk, PathOrder::kHilbert)), first);
}

TEST(PathDatabase, RefusesDatabasesAboveMaxBytes) {
    const test::RandomWorld world = some_world(8, 50);
    PathDatabaseOptions options;
    const PathDatabase fits = build_path_database({world.grid.snapshot(), world.costs, world.movement}, options).value();
    const size_t bytes = detail::path_image(fits).size();
    options.max_bytes = bytes;
    EXPECT_TRUE(build_path_database({world.grid.snapshot(), world.costs, world.movement}, options));
    options.max_bytes = bytes - 1;  // built, then refused
    EXPECT_EQ(build_path_database({world.grid.snapshot(), world.costs, world.movement}, options).error().code, ErrorCode::kTooLarge);
    options.max_bytes = bytes / 10;  // refused by the estimate
    EXPECT_EQ(PathDatabasePlan::make({world.grid.snapshot(), world.costs, world.movement}, options).error().code, ErrorCode::kTooLarge);
}

TEST(PathDatabase, TheCallerMayStopABuild) {
    const test::RandomWorld world = some_world(9, 50);
    PathDatabaseOptions options;
    options.threads = 3;
    int calls = 0;
    double last = 0;
    const auto stop = [&](double done) {
        EXPECT_GT(done, last);
        last = done;
        return ++calls < 3;
    };
    EXPECT_EQ(build_path_database({world.grid.snapshot(), world.costs, world.movement}, options, stop).error().code, ErrorCode::kCancelled);
    EXPECT_EQ(calls, 3);
}

TEST(PathDatabase, EstimatesAreNearTheTruth) {
    const auto check = [](const GridSnapshot& grid, PathEncoding encoding) {
        const CostTable costs = Profile::preset("walker")->compile(grid.catalogue()).value();
        const PathDatabasePlan plan = PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, with(encoding)).value();
        const PathDatabase database = build_path_database({grid, costs, Movement::kEightNoCornerCutting}, with(encoding)).value();
        const auto bytes = static_cast<double>(detail::path_image(database).size());
        EXPECT_NEAR(static_cast<double>(plan.estimate().bytes), bytes, 0.4 * bytes);
        EXPECT_EQ(plan.estimate().nodes, database.nodes());
        EXPECT_EQ(plan.estimate().expansions, uint64_t{database.nodes()} * database.nodes());  // one connected component
    };
    for (const PathEncoding encoding : {PathEncoding::kWalk, PathEncoding::kSmall}) {
        check(generate_rooms({.width = 48, .height = 48})->snapshot(), encoding);
        check(generate_random({.width = 40, .height = 40})->snapshot(), encoding);
    }
}

// The i-th of `of` evenly spaced chunks, as a plan samples them.
uint32_t sampled_chunk(const PathDatabasePlan& plan, uint32_t i, uint32_t of) { return (2 * i + 1) * plan.chunks() / (2 * of); }
// Number of chunks that a plan samples: one in 16, but at least 16 if there are as many.
uint32_t samples(const PathDatabasePlan& plan) { return std::min(plan.chunks(), std::max(16u, plan.chunks() / 16)); }

uint64_t bytes_of_samples(const PathDatabasePlan& plan, uint32_t count) {
    PathDatabasePlan::Scratch scratch;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count; ++i) bytes += plan.make_chunk(sampled_chunk(plan, i, count), scratch).size();
    return bytes;
}

// Disconnected rooms of 7x7 cells with scattered obstacles: many blocks and short searches.
TerrainGrid rooms_of_7x7(int32_t side) {
    TerrainGrid grid(side, side, Terrain{5});
    Rng rng(9);
    for (int32_t y = 0; y < side; ++y) {
        for (int32_t x = 0; x < side; ++x) {
            if (x % 8 == 7 || y % 8 == 7 || rng.chance(1 + x / 20, 12)) grid.set({x, y}, Terrain{0});
        }
    }
    return grid;
}

TEST(PathDatabase, EstimatesAreMadeOfOneChunkInSixteen) {
    for (const int32_t side : {20, 32, 40, 136, 150}) {  // 9, 16, 25, 289 and 361 chunks
        const GridSnapshot grid = rooms_of_7x7(side).snapshot();
        const CostTable costs = Profile::preset("walker")->compile(grid.catalogue()).value();
        const PathDatabasePlan plan =
            PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, with(PathEncoding::kSmall)).value();
        uint64_t rows = 0;
        for (uint32_t i = 0; i < samples(plan); ++i) rows += plan.rows(sampled_chunk(plan, i, samples(plan)));
        const uint64_t bytes = bytes_of_samples(plan, samples(plan));
        EXPECT_EQ(plan.estimate().bytes, 4 + bytes * plan.estimate().nodes / rows + 4 * uint64_t{plan.chunks()}) << side;
        PathDatabaseOptions options = with(PathEncoding::kSmall);
        options.max_bytes = plan.estimate().bytes / 2;
        EXPECT_TRUE(PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, options)) << side;
        --options.max_bytes;
        EXPECT_FALSE(PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, options)) << side;
        if (plan.chunks() > 16) continue;
        const PathDatabase database =
            build_path_database({grid, costs, Movement::kEightNoCornerCutting}, with(PathEncoding::kSmall)).value();
        EXPECT_EQ(plan.estimate().bytes, detail::path_image(database).size()) << "all chunks were sampled";
    }
}

TEST(PathDatabase, EstimatesCountReachableNodesOnly) {
    const test::Scene s = test::scene(R"(111#11
                                         111#11
                                         111###)");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const PathDatabasePlan plan = PathDatabasePlan::make({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {}).value();
    EXPECT_EQ(plan.estimate().nodes, 13u);
    EXPECT_EQ(plan.estimate().targets, 13u);
    EXPECT_EQ(plan.estimate().expansions, 9u * 9 + 4u * 4);
}

// kChoose compares a quarter of the sampled chunks; depth-first wins only if it is strictly smaller.
TEST(PathDatabase, TheOrderIsThatOfTheSmallerSamples) {
    std::array<int, 2> chosen{};
    for (uint64_t seed = 1; seed <= 12; ++seed) {
        const int32_t side = 9 + 5 * static_cast<int32_t>(seed);
        const auto made = seed % 2 == 0 ? generate_maze({.width = side, .height = side, .seed = seed, .corridor = 1})
                                        : generate_random({.width = side, .height = side, .seed = seed, .density = 20});
        const GridSnapshot grid = made->snapshot();
        const CostTable costs = Profile::preset("walker")->compile(grid.catalogue()).value();
        const auto plan = [&](PathOrder order) {
            return PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, with(PathEncoding::kWalk, order)).value();
        };
        const PathDatabasePlan hilbert = plan(PathOrder::kHilbert), depth_first = plan(PathOrder::kDepthFirst);
        const uint32_t count = (samples(hilbert) + 3) / 4;
        const bool smaller = bytes_of_samples(depth_first, count) < bytes_of_samples(hilbert, count);
        EXPECT_EQ(plan(PathOrder::kChoose).fingerprint(), (smaller ? depth_first : hilbert).fingerprint()) << "seed " << seed;
        ++chosen[smaller ? 0 : 1];
    }
    EXPECT_GT(chosen[0], 1);
    EXPECT_GT(chosen[1], 1);
}

TEST(PathDatabase, AMazeIsOrderedDepthFirstAndScatteredObstaclesByHilbert) {
    const auto order = [](const GridSnapshot& grid, PathEncoding encoding = PathEncoding::kWalk) {
        const CostTable costs = Profile::preset("walker")->compile(grid.catalogue()).value();
        return build_path_database({grid, costs, Movement::kEightNoCornerCutting}, with(encoding))->order();
    };
    EXPECT_EQ(order(generate_maze({.width = 65, .height = 65, .seed = 1, .corridor = 1})->snapshot()), PathOrder::kDepthFirst);
    EXPECT_EQ(order(generate_random({.width = 64, .height = 64, .seed = 1, .density = 10})->snapshot()), PathOrder::kHilbert);
    EXPECT_EQ(order(generate_maze({.width = 65, .height = 65})->snapshot(), PathEncoding::kFast), PathOrder::kHilbert);  // does not try
}

TEST(PathDatabase, GoldenBytes) {
    const test::Scene s = test::scene(R"(1111#11111
                                         1331#15551
                                         1331#11151
                                         1111111111
                                         ####1##11#
                                         1111111111
                                         1#11119911
                                         1#11119911
                                         1111111111)");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const auto hash = [&](PathEncoding encoding, PathOrder order) {
        uint64_t h = 0;
        const PathDatabase database =
            build_path_database({s.grid.snapshot(), costs, Movement::kEightNoCornerCutting}, with(encoding, order)).value();
        for (const char c : detail::path_image(database)) h = mix64(h ^ static_cast<uint8_t>(c));
        return h;
    };
    EXPECT_EQ(hash(PathEncoding::kFast, PathOrder::kHilbert), 11524923170345762499u);
    EXPECT_EQ(hash(PathEncoding::kWalk, PathOrder::kHilbert), 11524923170345762499u);
    EXPECT_EQ(hash(PathEncoding::kWalk, PathOrder::kDepthFirst), 4474744749741582674u);
    EXPECT_EQ(hash(PathEncoding::kSmall, PathOrder::kHilbert), 6032098944567355917u);
}

TEST(PathDatabaseDeathTest, RequiresCellsOfTheMap) {
    const TerrainGrid grid(8, 8, Terrain{6});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    const PathDatabase database = build_path_database({grid.snapshot(), costs, Movement::kEightNoCornerCutting}).value();
    const CellId limit = grid.snapshot().layout().id_limit();
    EXPECT_DEATH(static_cast<void>(database.covers(limit)), "contract broken: target");
    EXPECT_DEATH(static_cast<void>(database.first_move(0, kNoCell)), "contract broken: from");
    EXPECT_DEATH(static_cast<void>(database.towards(limit)), "contract broken: target");
}

}  // namespace
}  // namespace terrane
