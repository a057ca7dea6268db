#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/abstraction/region_components.h"
#include "navmesh/mesh_queries.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::test {
namespace {

TEST(NavmeshReachability, ReportsWhyThereIsNoPath) {
    DrawnMesh drawn = DrawnMesh::draw("1#2#1", 2);
    const NavmeshFilter all = digit_filter();
    NavmeshFilter no_two = all;
    no_two.costs.cost[2] = 0;
    for (const NavmeshMethod method : kMethods) {
        EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(4, 0), all, method).status, Status::kUnreachable);
        EXPECT_EQ(find(drawn, drawn.centre(2, 0), drawn.centre(4, 0), no_two, method).status, Status::kBlockedStart);
        EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(2, 0), no_two, method).status, Status::kBlockedGoal);
        EXPECT_EQ(find(drawn, drawn.centre(0, 0), {25, 90, 5}, all, method).status, Status::kOutsideMap);
        EXPECT_EQ(find(drawn, {-400, 0, 5}, drawn.centre(0, 0), all, method).status, Status::kOutsideMap);
        const float nan = std::numeric_limits<float>::quiet_NaN();
        EXPECT_EQ(find(drawn, {nan, 0, 5}, drawn.centre(0, 0), all, method).status, Status::kOutsideMap);
        EXPECT_TRUE(find(drawn, {-400, 0, 5}, drawn.centre(0, 0), all, method).points.empty());
    }
    DrawnMesh empty(4, 4, 2);
    EXPECT_EQ(find(empty, {1, 0, 1}, {2, 0, 2}, all).status, Status::kOutsideMap);
}

TEST(NavmeshReachability, FlagsBlockToo) {
    DrawnMesh drawn(3, 1, 1);
    for (int x = 0; x < 3; ++x) drawn.cell(x, 0) = {1, static_cast<uint16_t>(x == 1 ? 3 : 1), 0};
    drawn.add_all();
    NavmeshFilter filter;
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(2, 0), filter).status, Status::kFound);
    filter.exclude_flags = 2;
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(2, 0), filter).status, Status::kUnreachable);
    filter = {};
    filter.include_flags = 2;
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(2, 0), filter).status, Status::kBlockedStart);
}

TEST(NavmeshReachability, PolygonsWithoutFlagsBlockAllAgents) {
    DrawnMesh drawn(4, 1, 2);
    for (int x = 0; x < 4; ++x) drawn.cell(x, 0) = {1, static_cast<uint16_t>(x == 3 ? 0 : 1), 0};
    drawn.add_all();
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), drawn.centre(3, 0), {}).status, Status::kBlockedGoal);
    EXPECT_EQ(find(drawn, drawn.centre(3, 0), drawn.centre(0, 0), {}).status, Status::kBlockedStart);
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), {35, 9, 5}, {}).status, Status::kOutsideMap);  // far above it
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), {45, 0, 5}, {}).status, Status::kOutsideMap);
    EXPECT_EQ(find(drawn, drawn.centre(0, 0), {31, 0, 5}, {}).points.back(), (Vec3{30, 0, 5}));  // snaps to the adjacent polygon with flags
}

TEST(NavmeshReachability, AnEndBesideABlockedPolygonSnapsToAPassableOne) {
    DrawnMesh drawn = DrawnMesh::draw("12", 2);
    NavmeshFilter filter = digit_filter();
    filter.costs.cost[2] = 0;
    const NavmeshPath path = find(drawn, {1, 0, 5}, {11, 0, 5}, filter);
    ASSERT_EQ(path.status, Status::kFound);
    EXPECT_EQ(path.points.back(), (Vec3{10, 0, 5}));
}

TEST(NavmeshReachability, ReachesWhatAFloodFillReaches) {
    int unreachable = 0;
    for (uint64_t seed = 1; seed <= 30; ++seed) {
        DrawnMesh drawn = random_mesh(seed, 20, 4 + static_cast<int>(seed % 3), 3, 3, 2);
        NavmeshFilter filter = digit_filter();
        filter.costs.cost[3] = 0;
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner planner(regions);
        Rng rng(seed);
        for (int i = 0; i < 20; ++i) {
            const Query q = random_query(drawn, filter, rng);
            const bool connected =
                flood(drawn, filter, q.x, q.y)[static_cast<size_t>(q.v) * static_cast<size_t>(drawn.width()) + static_cast<size_t>(q.u)];
            unreachable += connected ? 0 : 1;
            for (const NavmeshMethod method : kMethods) {
                const NavmeshPath path = planner.find(drawn.centre(q.x, q.y), drawn.centre(q.u, q.v), filter, with(method));
                EXPECT_EQ(path.status, connected ? Status::kFound : Status::kUnreachable) << "seed " << seed << " query " << i;
            }
        }
    }
    EXPECT_GT(unreachable, 50);
}

// Each tile is a region, 40 x 20 of them; a wall at x = 40 leaves 400 on either side.
DrawnMesh walled() {
    DrawnMesh drawn(80, 40, 2);
    for (int i = 0; i < 3200; ++i) drawn.cell(i % 80, i / 80).area = i % 80 == 40 ? 0 : 1;
    return drawn;
}

TEST(NavmeshReachability, AnUnreachableGoalIsDetectedBeforeTheSearchIsExhausted) {
    DrawnMesh drawn = walled();
    drawn.add_all();
    NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    const Vec3 a = drawn.centre(0, 0), b = drawn.centre(79, 39);
    for (const NavmeshMethod method : kMethods) {
        for (int again = 0; again < 2; ++again) {
            const NavmeshPath path = planner.find(a, b, digit_filter(), with(method));
            EXPECT_EQ(path.status, Status::kUnreachable);
            EXPECT_EQ(path.expansions, 256u);  // of 400
        }
        planner.begin(a, b, digit_filter(), with(method));
        while (planner.run(7) == Status::kBudgetSpent) {
        }
        EXPECT_EQ(planner.status(), Status::kUnreachable);
        EXPECT_EQ(planner.expansions(), 256u);
    }
    const auto redraw = [&](uint8_t area) {
        drawn.remove_tile(20, 7, 0);
        drawn.cell(40, 14).area = area;
        drawn.add_tile(20, 7, 0);
        regions.tile_changed(20, 7, 0);
    };
    redraw(1);
    EXPECT_EQ(planner.find(a, b, digit_filter()).status, Status::kFound);
    redraw(0);
    EXPECT_EQ(planner.find(a, b, digit_filter()).status, Status::kUnreachable);
}

TEST(NavmeshReachability, AOneWayJumpCannotBeTakenBack) {
    DrawnMesh drawn = walled();
    drawn.connections() = {{drawn.centre(39, 20), drawn.centre(41, 20), false, 1, 1}};
    drawn.add_all();
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    const Vec3 a = drawn.centre(0, 0), b = drawn.centre(79, 39);
    EXPECT_EQ(planner.find(a, b, digit_filter()).status, Status::kFound);
    const NavmeshPath back = planner.find(b, a, digit_filter());
    EXPECT_EQ(back.status, Status::kUnreachable);
    EXPECT_EQ(back.expansions, 400u);
}

TEST(NavmeshReachability, FindsThePathToTheNearestReachablePointOnRequest) {
    DrawnMesh drawn = DrawnMesh::draw(R"(11111#1
                                         11111#1
                                         112####)",
                                      2);
    NavmeshFilter filter = digit_filter();
    const NavmeshAbstraction regions(drawn.mesh());
    NavmeshPlanner planner(regions);
    for (const NavmeshMethod method : kMethods) {
        NavmeshFindOptions options = with(method);
        options.nearest = true;
        const NavmeshPath there = planner.find(drawn.centre(0, 0), drawn.centre(6, 0), filter, options);
        EXPECT_EQ(there.status, Status::kPartial);
        EXPECT_EQ(there.points.back(), (Vec3{50, 0, 5}));
        EXPECT_NEAR(there.cost, 45, 1e-6);
        EXPECT_EQ(planner.find(drawn.centre(0, 0), drawn.centre(4, 0), filter, options).status, Status::kFound);

        filter.costs.cost[2] = 0;  // a blocked goal
        const NavmeshPath beside = planner.find(drawn.centre(0, 0), drawn.centre(2, 2), filter, options);
        EXPECT_EQ(beside.status, Status::kPartial);
        EXPECT_TRUE(beside.points.back() == (Vec3{25, 0, 20}) || beside.points.back() == (Vec3{20, 0, 25}));
        filter.costs.cost[2] = 2;
    }
}

// Compares with the distance to the nearest reachable cell, by brute force.
TEST(NavmeshReachability, NoReachablePointIsNearerThanAPartialPathsEnd) {
    int partial = 0;
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        DrawnMesh drawn = random_mesh(seed, 16, 4, 2, 3);
        const NavmeshAbstraction regions(drawn.mesh());
        NavmeshPlanner planner(regions);
        Rng rng(seed);
        for (int i = 0; i < 10; ++i) {
            const Query q = random_query(drawn, digit_filter(), rng);
            const std::vector<bool> reachable = flood(drawn, digit_filter(), q.x, q.y);
            const Vec3 goal = drawn.centre(q.u, q.v);
            double least = std::numeric_limits<double>::max();
            for (int c = 0; c < 256; ++c) {
                if (!reachable[static_cast<size_t>(c)]) continue;
                const double x = std::max(0.0, std::abs(drawn.centre(c % 16, c / 16).x - goal.x) - kCell / 2.0);
                const double z = std::max(0.0, std::abs(drawn.centre(c % 16, c / 16).z - goal.z) - kCell / 2.0);
                least = std::min(least, std::sqrt(x * x + z * z));
            }
            for (const NavmeshMethod method : kMethods) {
                NavmeshFindOptions options = with(method);
                options.nearest = true;
                const NavmeshPath path = planner.find(drawn.centre(q.x, q.y), goal, digit_filter(), options);
                ASSERT_EQ(path.status, least > 0 ? Status::kPartial : Status::kFound);
                EXPECT_NEAR(length_of({path.points.back(), goal}), least, 1e-4);
                partial += least > 0 ? 1 : 0;
            }
        }
    }
    EXPECT_GT(partial, 50);
}

// Flood fill over polygons; `undirected` also follows links backwards.
class PolygonFlood {
public:
    PolygonFlood(const NavmeshAbstraction& regions, const NavmeshFilter& filter) : regions_(regions), view_(regions.mesh()) {
        successors_.resize(regions.id_limit());
        predecessors_.resize(regions.id_limit());
        for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
            for (uint32_t i = 0; i < regions.tile(slot).labels.size(); ++i) add(view_.number(slot, i), filter);
        }
    }
    // Returns for each region whether it is reachable.
    std::vector<bool> reachable(NavmeshRegionId from, bool undirected) const {
        std::vector<bool> seen(regions_.id_limit()), in(regions_.id_limit());
        std::vector<PolygonNumber> open;
        const auto visit = [&](PolygonNumber p) {
            if (seen[p]) return;
            seen[p] = in[regions_.tile(view_.slot(p)).labels[view_.index(p)]] = true;
            open.push_back(p);
        };
        visit(view_.number(regions_.polygon_of(from)));
        while (!open.empty()) {
            const PolygonNumber p = open.back();
            open.pop_back();
            for (const PolygonNumber to : successors_[p]) visit(to);
            for (const PolygonNumber to : predecessors_[p]) {
                if (undirected) visit(to);
            }
        }
        return in;
    }

private:
    bool passes(PolygonNumber p, const NavmeshFilter& filter) const {
        return filter.passes(view_.polygon(p).getArea(), view_.polygon(p).flags);
    }
    void add(PolygonNumber p, const NavmeshFilter& filter) {
        if (!passes(p, filter)) return;
        view_.for_each_link(p, [&](uint32_t, const dtLink& link) {
            const PolygonNumber to = view_.number(link.ref);
            if (!passes(to, filter) || !view_.is_traversable(p, link)) return;
            successors_[p].push_back(to);
            predecessors_[to].push_back(p);
        });
    }

    const NavmeshAbstraction& regions_;
    MeshView view_;
    std::vector<std::vector<PolygonNumber>> successors_, predecessors_;
};

std::vector<NavmeshRegionId> passable(const NavmeshAbstraction& regions, const QueryCosts& costs) {
    std::vector<NavmeshRegionId> all;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t i = 0; i < regions.regions_in(slot).size(); ++i) {
            if (costs.of(regions.region(regions.id(slot, i))) > 0) all.push_back(regions.id(slot, i));
        }
    }
    return all;
}

// Compares components with flood fills for several filters. Returns the number of pairs that the components reject.
int compare(const NavmeshAbstraction& regions, RegionComponents& components, Rng& rng) {
    int refused = 0;
    for (uint32_t without = 1; without <= 3; ++without) {
        NavmeshFilter filter = digit_filter();
        filter.costs.cost[without] = 0;
        const QueryCosts costs = query_costs(filter, regions);
        const std::vector<NavmeshRegionId> all = passable(regions, costs);
        if (all.empty()) continue;
        const PolygonFlood flood(regions, filter);
        const NavmeshRegionId from = all[rng.below(static_cast<uint32_t>(all.size()))];
        const std::vector<bool> weak = flood.reachable(from, true), strict = flood.reachable(from, false);
        for (const NavmeshRegionId to : all) {
            const bool may = components.may_reach(regions, costs, from, to);
            EXPECT_EQ(may, weak[to]);
            EXPECT_TRUE(may || !strict[to]);
            refused += may ? 0 : 1;
        }
    }
    return refused;
}

TEST(NavmeshReachability, ComponentsFollowAllChangesAndNeverRejectAPath) {
    int refused = 0;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        DrawnMesh drawn(16, 16, 4);
        Rng rng(seed);
        const auto random_cell = [&] { return static_cast<int>(rng.below(16)); };
        for (int i = 0; i < 256; ++i) drawn.cell(i % 16, i / 16).area = static_cast<uint8_t>(rng.below(4));
        for (int i = 0; i < 6; ++i) {
            const int x = random_cell(), y = random_cell(), u = std::min(x + 2, 15);
            drawn.connections().push_back({drawn.centre(x, y), drawn.centre(u, y), i % 2 == 0, 1, 1});
        }
        drawn.add_all();
        NavmeshAbstraction regions(drawn.mesh());
        RegionComponents components;
        for (int change = 0; change < 30; ++change) {
            refused += compare(regions, components, rng);
            const int x = random_cell() / 4, y = random_cell() / 4;
            drawn.remove_tile(x, y, 0);
            for (int i = 0; i < 16; ++i) drawn.cell(x * 4 + i % 4, y * 4 + i / 4).area = static_cast<uint8_t>(rng.below(4));
            if (change % 3 != 0) drawn.add_tile(x, y, 0);
            regions.tile_changed(x, y, 0);
            if (!regions.is_current()) regions.tile_changed(x, y, 0);
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", change " << change;
        }
    }
    EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace terrane::test
