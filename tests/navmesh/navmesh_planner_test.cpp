#include "terrane/navmesh/navmesh_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>

#include "navmesh/dense_oracle.h"
#include "navmesh/detour_baseline.h"
#include "navmesh/mesh_queries.h"

namespace terrane::test {
namespace {

TEST(NavmeshFilter, ConvertsFromAndToDetour) {
    dtQueryFilter detour;
    detour.setAreaCost(3, 2.5F);
    detour.setAreaCost(4, FLT_MAX);
    detour.setAreaCost(5, 0);
    detour.setAreaCost(6, std::numeric_limits<float>::quiet_NaN());
    detour.setAreaCost(7, 650);
    detour.setIncludeFlags(6);
    detour.setExcludeFlags(4);
    const NavmeshFilter filter = to_navmesh_filter(detour);
    EXPECT_EQ(filter.cost(0), 1);
    EXPECT_EQ(filter.cost(3), 2.5);
    EXPECT_EQ(filter.cost(7), 650);
    for (uint8_t area = 4; area <= 6; ++area) EXPECT_FALSE(filter.passes(area, 2));
    EXPECT_TRUE(filter.passes(3, 2));
    EXPECT_FALSE(filter.passes(3, 1));
    EXPECT_FALSE(filter.passes(3, 6));

    dtQueryFilter back;
    to_detour_filter(filter, back);
    EXPECT_EQ(back.getAreaCost(3), 2.5F);
    EXPECT_EQ(back.getAreaCost(4), FLT_MAX);
    EXPECT_EQ(back.getIncludeFlags(), 6);
    EXPECT_EQ(back.getExcludeFlags(), 4);
    const NavmeshFilter again = to_navmesh_filter(back);
    EXPECT_EQ(again.costs.cost, filter.costs.cost);
}

TEST(NavmeshMethods, AreFoundByName) {
    for (const NavmeshMethodFactory* method : navmesh_methods())
        EXPECT_TRUE(find_navmesh_method(method->info.example)) << method->info.example;
    EXPECT_EQ(find_navmesh_method("dta+portals").value(), NavmeshMethod{});
    EXPECT_EQ(find_navmesh_method("dta").value(), kDta);
    for (const NavmeshMethod method : kMethods) EXPECT_EQ(find_navmesh_method(method.name()).value(), method);
}

TEST(NavmeshMethods, UnknownNamesAreRefusedWithTheValidOnes) {
    const auto refusal = [](const char* name) { return find_navmesh_method(name).error(); };
    for (const char* name : {"", "astar", "DTA", "dta+", "dta+trim", "dta+Portals"}) {
        EXPECT_EQ(refusal(name).code, ErrorCode::kUnknownName) << name;
        EXPECT_NE(refusal(name).reason.find("portals"), std::string::npos) << name;
    }
    for (const char* name : {"dta:16", "dta/nbs", "dta+portals:2", "dta+portals+portals"}) {
        EXPECT_EQ(refusal(name).code, ErrorCode::kBadValue) << name;
        EXPECT_NE(refusal(name).reason.find("portals"), std::string::npos) << name;
    }
    EXPECT_EQ(refusal("astar").reason, "method 'astar': unknown name; expected one of: dta[+portals]");
}

TEST(NavmeshPlanner, SamePolygonIsAStraightLine) {
    DrawnMesh drawn = DrawnMesh::draw("3", 4);
    for (const NavmeshMethod method : kMethods) {
        const NavmeshPath path = find(drawn, {2, 0, 2}, {5, 0, 6}, digit_filter(), method);
        ASSERT_EQ(path.status, Status::kFound);
        EXPECT_EQ(path.points, (std::vector<Vec3>{{2, 0, 2}, {5, 0, 6}}));
        EXPECT_EQ(path.corridor, (std::vector{drawn.polygon(0, 0)}));
        EXPECT_DOUBLE_EQ(path.length, 5);
        EXPECT_DOUBLE_EQ(path.cost, 15);
    }
}

TEST(NavmeshPlanner, SameStartAndGoalIsOnePoint) {
    DrawnMesh drawn = DrawnMesh::draw("..", 1);
    for (const NavmeshMethod method : kMethods) {
        const NavmeshPath path = find(drawn, {2, 0, 2}, {2, 0, 2}, digit_filter(), method);
        EXPECT_EQ(path.status, Status::kFound);
        EXPECT_EQ(path.points, (std::vector<Vec3>{{2, 0, 2}}));
        EXPECT_EQ(path.cost, 0);
    }
}

TEST(NavmeshPlanner, OpenTerrainIsCrossedInAStraightLine) {
    DrawnMesh drawn(40, 40, 4);
    for (int i = 0; i < 1600; ++i) drawn.cell(i % 40, i / 40).area = 1;
    drawn.add_all();
    const NavmeshPath path = find(drawn, {3, 0, 4}, {391, 0, 213}, digit_filter());
    ASSERT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.points.size(), 2u);
    EXPECT_NEAR(path.cost, std::hypot(388, 209), 1e-6);
}

TEST(NavmeshPlanner, LargePolygonsHaveManyNeighboursPerSide) {
    DrawnMesh drawn(12, 8, 4);
    drawn.merge_tiles();
    for (int i = 0; i < 96; ++i) drawn.cell(i % 12, i / 12).area = 1;
    drawn.cell(5, 1).area = 0;  // the middle tile is not merged
    drawn.add_all();
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.polygon_count(), 5u + 15u);
    EXPECT_EQ(regions.region_count(), 6u);
    NavmeshPlanner planner(regions);
    for (const NavmeshMethod method : kMethods) {
        const NavmeshPath path = planner.find({2, 0, 4}, {118, 0, 4}, digit_filter(), with(method));
        ASSERT_EQ(path.status, Status::kFound);
        EXPECT_TRUE(cell_cost(drawn, digit_filter(), path.points, 0.1).legal);
        EXPECT_GE(path.cost, 116);
    }
    EXPECT_NEAR(planner.find({2, 0, 4}, {118, 0, 4}, digit_filter()).cost, 116, 1e-4);
    EXPECT_NEAR(planner.find({2, 0, 38}, {118, 0, 38}, digit_filter()).cost, 116, 1e-4);
}

TEST(NavmeshPlanner, PullsTheStringAroundCorners) {
    DrawnMesh drawn = DrawnMesh::draw(R"(.....
                                         .###.
                                         .###.
                                         .....)",
                                      2);
    for (const NavmeshMethod method : kMethods) {
        const NavmeshPath path = find(drawn, drawn.centre(0, 1), drawn.centre(4, 1), digit_filter(), method);
        ASSERT_EQ(path.status, Status::kFound);
        EXPECT_EQ(path.points, (std::vector<Vec3>{{5, 0, 15}, {10, 0, 10}, {40, 0, 10}, {45, 0, 15}}));
        EXPECT_NEAR(path.length, 30 + 2 * std::sqrt(50), 1e-9);
    }
}

TEST(NavmeshPlanner, TakesTheRoadAroundTheSwamp) {
    DrawnMesh drawn = DrawnMesh::draw(R"(1111111
                                         1999991
                                         1999991
                                         1999991
                                         1999991)",
                                      3);
    const NavmeshPath slow = find(drawn, drawn.centre(0, 4), drawn.centre(6, 4), digit_filter());
    ASSERT_EQ(slow.status, Status::kFound);
    EXPECT_LT(slow.cost, 140);
    NavmeshFilter frog = digit_filter();
    frog.costs.cost[9] = 1;
    const NavmeshPath straight = find(drawn, drawn.centre(0, 4), drawn.centre(6, 4), frog);
    EXPECT_NEAR(straight.cost, 60, 1e-6);
}

TEST(NavmeshPlanner, PathsBendBySnellsLawAtAreaBorders) {
    // A single crossing by Snell's law, compared with a scan of the border.
    DrawnMesh drawn = DrawnMesh::draw(R"(111
                                         111
                                         333
                                         333)",
                                      4);
    const Vec3 a{2, 0, 2}, b{28, 0, 38};
    double best = std::numeric_limits<double>::max();
    for (int i = 0; i <= 30000; ++i) {
        const double x = i / 1000.0;
        best = std::min(best, std::hypot(x - 2, 18) + 3 * std::hypot(28 - x, 18));
    }
    const NavmeshPath refracted = find(drawn, a, b, digit_filter()), funnel = find(drawn, a, b, digit_filter(), kDta);
    EXPECT_NEAR(refracted.cost, best, best * 1e-3);
    EXPECT_GT(funnel.cost, refracted.cost * 1.001);
}

TEST(NavmeshPlanner, OptimisedCrossingPointsStayInTheDoor) {
    // The straight path passes through the door; optimising only the crossing at the swamp would move it off the door.
    DrawnMesh drawn = DrawnMesh::draw(R"(1111111
                                         1111111
                                         ###1###
                                         1111111
                                         9999999
                                         9999999)",
                                      4);
    const Vec3 a{25, 0, 5}, b{50, 0, 55};
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    NavmeshFindOptions options;
    options.crossings = true;
    const NavmeshPath path = planner.find(a, b, digit_filter(), options);
    ASSERT_EQ(path.status, Status::kFound);
    float right = 0;
    for (const Vec3 p : path.points) {
        if (p.z < 20 || p.z > 30) continue;
        EXPECT_GE(p.x, 30);
        right = std::max(right, p.x);
    }
    EXPECT_EQ(right, 40);
    const OracleAnswer best = DenseOracle(drawn, digit_filter(), 20).solve(a, b);
    EXPECT_GE(path.cost, best.lower);
    EXPECT_LE(path.cost, best.upper * 1.003);
}

TEST(NavmeshPlanner, CrossesTheBridgeOrWalksBelow) {
    // Terrain from west to east passes below a bridge from north to south.
    DrawnMesh drawn(5, 5, 1, 2);
    for (int i = 0; i < 5; ++i) {
        drawn.cell(i, 2, 0).area = 1;
        drawn.cell(2, i, 1) = {1, 1, 20};
    }
    drawn.add_all();
    const NavmeshPath below = find(drawn, drawn.centre(0, 2), drawn.centre(4, 2), {});
    ASSERT_EQ(below.status, Status::kFound);
    EXPECT_NEAR(below.length, 40, 1e-9);
    const NavmeshPath above = find(drawn, drawn.centre(2, 0, 1), drawn.centre(2, 4, 1), {});
    ASSERT_EQ(above.status, Status::kFound);
    EXPECT_EQ(above.points.front().y, 20);
    EXPECT_EQ(find(drawn, drawn.centre(0, 2), drawn.centre(2, 4, 1), {}).status, Status::kUnreachable);
}

TEST(NavmeshPlanner, ClimbsStairsBetweenTiles) {
    DrawnMesh drawn(6, 1, 1);
    for (int x = 0; x < 6; ++x) drawn.cell(x, 0) = {1, 1, static_cast<uint16_t>(x < 3 ? x : x + 5)};
    drawn.add_all();
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(2, 0), {}).status, Status::kFound);
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(5, 0), {}).status, Status::kUnreachable);  // too high a step
}

TEST(NavmeshPlanner, JumpsOneWayOrBoth) {
    for (const bool both : {false, true}) {
        DrawnMesh drawn(5, 1, 2);
        for (int x = 0; x < 5; ++x) drawn.cell(x, 0).area = x == 2 ? 0 : 1;
        drawn.connections() = {{drawn.centre(1, 0), drawn.centre(3, 0), both, 2, 1}};
        drawn.add_all();
        for (const NavmeshMethod method : kMethods) {
            const NavmeshPath there = find(drawn, drawn.centre(0, 0), drawn.centre(4, 0), digit_filter(), method);
            ASSERT_EQ(there.status, Status::kFound);
            EXPECT_EQ(there.points, (std::vector{drawn.centre(0, 0), drawn.centre(1, 0), drawn.centre(3, 0), drawn.centre(4, 0)}));
            EXPECT_NEAR(there.cost, 10 + 2 * 20 + 10, 1e-6);
            const NavmeshPath back = find(drawn, drawn.centre(4, 0), drawn.centre(0, 0), digit_filter(), method);
            EXPECT_EQ(back.status, both ? Status::kFound : Status::kUnreachable);
            if (both) {
                EXPECT_NEAR(back.cost, there.cost, 1e-6);
            }
        }
    }
}

TEST(NavmeshPlanner, ReportsStaleAfterAnUnreportedChange) {
    DrawnMesh drawn = DrawnMesh::draw("........", 2);
    NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    const Vec3 a = drawn.centre(0, 0), b = drawn.centre(7, 0);
    EXPECT_EQ(planner.find(a, b).status, Status::kFound);
    drawn.remove_tile(2, 0, 0);
    EXPECT_EQ(planner.find(a, b).status, Status::kStale);
    regions.tile_changed(2, 0, 0);
    EXPECT_EQ(planner.find(a, b).status, Status::kUnreachable);
    drawn.add_tile(2, 0, 0);
    EXPECT_EQ(planner.find(a, b).status, Status::kStale);
    regions.tile_changed(2, 0, 0);
    EXPECT_EQ(planner.find(a, b).status, Status::kFound);

    // Changed areas and flags are detected where the search reads them.
    drawn.mesh().setPolyArea(drawn.polygon(4, 0), 5);
    EXPECT_EQ(planner.find(a, b).status, Status::kStale);
    regions.tile_changed(drawn.mesh().getTileRefAt(2, 0, 0));
    EXPECT_EQ(planner.find(a, b).status, Status::kFound);
    drawn.mesh().setPolyFlags(drawn.polygon(7, 0), 8);
    EXPECT_EQ(planner.find(a, b).status, Status::kStale);
}

TEST(NavmeshPlanner, ASliceAfterAChangeIsStale) {
    DrawnMesh drawn = random_mesh(3, 24, 4, 3, 12);
    NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    planner.begin(drawn.centre(0, 0), drawn.centre(23, 23), digit_filter());
    ASSERT_EQ(planner.run(3), Status::kBudgetSpent);
    drawn.remove_tile(3, 3, 0);
    EXPECT_EQ(planner.run(3), Status::kStale);
    regions.tile_changed(3, 3, 0);
    EXPECT_EQ(planner.run(), Status::kStale);
}

TEST(NavmeshPlanner, BudgetsCountExpansions) {
    DrawnMesh drawn = random_mesh(5, 24, 4, 3, 12);
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    NavmeshFindOptions options;
    options.max_expansions = 10;
    const NavmeshPath path = planner.find(drawn.centre(0, 0), drawn.centre(23, 23), digit_filter(), options);
    EXPECT_EQ(path.status, Status::kBudgetSpent);
    EXPECT_EQ(path.expansions, 10u);
    EXPECT_TRUE(path.points.empty());
    EXPECT_EQ(planner.run(), Status::kBudgetSpent);
    EXPECT_EQ(planner.expansions(), 10u);
}

TEST(NavmeshPlanner, PathsAreLegalAndHaveTheReportedCost) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        const bool merged = seed % 2 == 0;
        DrawnMesh drawn = random_mesh(seed, 20, merged ? 4 : 5, 9, merged ? 40 : 5, 0, merged);
        const NavmeshFilter filter = digit_filter();
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner planner(regions);
        Rng rng(seed);
        for (int i = 0; i < 20; ++i) {
            const Query q = random_query(drawn, filter, rng);
            for (const NavmeshMethod method : kMethods) {
                const NavmeshPath path = planner.find(drawn.centre(q.x, q.y), drawn.centre(q.u, q.v), filter, with(method));
                if (!path) continue;
                const CellCost measured = cell_cost(drawn, filter, path.points, merged ? 0.1 : 1e-3);
                EXPECT_TRUE(measured.legal) << "seed " << seed << " query " << i;
                EXPECT_GE(path.cost, measured.low * (1 - 1e-4) - (merged ? 1 : 0.02)) << "seed " << seed << " query " << i;
                EXPECT_LE(path.cost, measured.high * (1 + 1e-4) + (merged ? 1 : 0.02)) << "seed " << seed << " query " << i;
                EXPECT_NEAR(path.length, length_of(path.points), 0.01);
                EXPECT_EQ(path.points.front(), drawn.centre(q.x, q.y));
                EXPECT_EQ(path.points.back(), drawn.centre(q.u, q.v));
                EXPECT_EQ(path.corridor.front(), drawn.polygon(q.x, q.y));
                EXPECT_EQ(path.corridor.back(), drawn.polygon(q.u, q.v));
            }
        }
    }
}

TEST(NavmeshPlanner, NoPathCostsLessThanTheBoundOfADenseOracle) {
    double ours = 0, paper = 0, oracle = 0, detour = 0;
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        DrawnMesh drawn = random_mesh(seed, 12, 4, 6, 6);
        const NavmeshFilter filter = digit_filter();
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner planner(regions);
        DetourBaseline baseline(drawn.mesh());
        DenseOracle dense(drawn, filter, 10);
        Rng rng(seed);
        for (int i = 0; i < 4; ++i) {
            const Query q = random_query(drawn, filter, rng);
            const Vec3 a = drawn.centre(q.x, q.y), b = drawn.centre(q.u, q.v);
            const OracleAnswer truth = dense.solve(a, b);
            const NavmeshPath portals = planner.find(a, b, filter), dta = planner.find(a, b, filter, with(kDta));
            ASSERT_EQ(portals.status == Status::kFound, truth.reachable);
            if (!truth.reachable) continue;
            EXPECT_GE(portals.cost, truth.lower - 1e-3);
            EXPECT_GE(dta.cost, truth.lower - 1e-3);
            ours += portals.cost;
            paper += dta.cost;
            oracle += truth.upper;
            detour += baseline.find(a, b, filter).cost;
        }
    }
    // Total cost, not per path: 1.02, 1.18 and 1.05 times the oracle's when this was written.
    EXPECT_LT(ours, detour);
    EXPECT_LT(ours, paper);
    EXPECT_LT(oracle, ours);
}

TEST(NavmeshPlanner, SlicesGiveWhatOneRunGives) {
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        DrawnMesh drawn = random_mesh(seed, 24, 4, 5, 6, 2);
        const NavmeshFilter filter = digit_filter();
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner whole(regions), sliced(regions);
        Rng rng(seed);
        for (int i = 0; i < 10; ++i) {
            const Query q = random_query(drawn, filter, rng);
            for (const NavmeshMethod method : kMethods) {
                const NavmeshPath path = whole.find(drawn.centre(q.x, q.y), drawn.centre(q.u, q.v), filter, with(method));
                sliced.begin(drawn.centre(q.x, q.y), drawn.centre(q.u, q.v), filter, with(method));
                uint64_t spent = 0;
                while (sliced.run(1 + spent % 7) == Status::kBudgetSpent) {
                    ASSERT_LE(sliced.expansions(), spent + 1 + spent % 7);
                    spent = sliced.expansions();
                }
                NavmeshPath other;
                sliced.path(other);
                EXPECT_EQ(other.status, path.status);
                EXPECT_EQ(other.points, path.points);
                EXPECT_EQ(other.corridor, path.corridor);
                EXPECT_EQ(other.cost, path.cost);
                EXPECT_EQ(other.expansions, path.expansions);
                EXPECT_EQ(other.expansions_first, path.expansions_first);
                if (path) {
                    EXPECT_EQ(sliced.first_segment().front(), path.points.front());
                }
            }
        }
    }
}

TEST(NavmeshPlanner, CrossingsAddPointsButNoCost) {
    DrawnMesh drawn = random_mesh(4, 20, 4, 5, 0);
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    NavmeshFindOptions options;
    const NavmeshPath bends = planner.find(drawn.centre(0, 0), drawn.centre(19, 19), digit_filter(), options);
    options.crossings = true;
    const NavmeshPath all = planner.find(drawn.centre(0, 0), drawn.centre(19, 19), digit_filter(), options);
    ASSERT_EQ(all.status, Status::kFound);
    EXPECT_GT(all.points.size(), bends.points.size());
    EXPECT_LE(all.points.size(), all.corridor.size() + 1);
    EXPECT_EQ(all.cost, bends.cost);
    EXPECT_NEAR(length_of(all.points), length_of(bends.points), 1e-3);
}

TEST(NavmeshPlanner, GoldenPaths) {
    uint64_t h = 0;
    const auto add = [&](double v) { h = mix64(h ^ static_cast<uint64_t>(std::llround(v * 64))); };
    for (uint64_t seed = 1; seed <= 10; ++seed) {
        DrawnMesh drawn = random_mesh(seed, 24, 4, 6, seed % 2 == 0 ? 7 : 60, 2, true);
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner planner(regions);
        Rng rng(seed);
        for (int i = 0; i < 10; ++i) {
            const Query q = random_query(drawn, digit_filter(), rng);
            for (const NavmeshMethod method : kMethods) {
                const NavmeshPath path = planner.find(drawn.centre(q.x, q.y), drawn.centre(q.u, q.v), digit_filter(), with(method));
                add(static_cast<double>(path.status));
                add(path.cost);
                add(static_cast<double>(path.expansions));
                for (const NavmeshPolygon p : path.corridor) h = mix64(h ^ p);
                for (const Vec3 p : path.points) {
                    add(p.x);
                    add(p.y);
                    add(p.z);
                }
            }
        }
    }
    EXPECT_EQ(h, 14254274981211707472u);
}

}  // namespace
}  // namespace terrane::test
