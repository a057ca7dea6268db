#include "terrane/mapgen/navmesh_level.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/checksum.h"
#include "navmesh/polygon_oracle.h"
#include "terrane/navmesh/navmesh_obstacles.h"

namespace terrane::test {
namespace {

constexpr float kYardMiddle = 2, kBedMiddle = 11, kFarMiddle = 23;  // distances from the open side

struct Built {
    GeneratedLevel level;
    LevelOptions options;
    Navmesh navmesh;
    NavmeshAbstraction regions;

    explicit Built(const LevelOptions& o)
        : level(generate_level(o).value()),
          options(o),
          navmesh(build_navmesh(level.mesh, {}, level.areas).value()),
          regions(navmesh.mesh()) {}

    float side() const { return kLevelRoom * static_cast<float>(options.rooms); }
    Vec3 yard(float x) const { return {x, 0, side() + kYardMiddle}; }
    Vec3 room(int i, int j, int storey) const {
        return {kLevelRoom * (static_cast<float>(i) + 0.5f), kLevelStorey * static_cast<float>(storey),
                kLevelRoom * (static_cast<float>(j) + 0.5f)};
    }
    NavmeshFilter without(std::initializer_list<const char*> areas) const {
        NavmeshFilter filter;
        for (const char* area : areas) filter.costs.cost[*navmesh.areas().find(area)] = 0;
        return filter;
    }
    NavmeshPath find(Vec3 from, Vec3 to, const NavmeshFilter& filter) const {
        return NavmeshPlanner(regions).find(from, to, filter, {.extents = {2, 1, 2}});
    }
    bool enters(const NavmeshPath& path, const char* area) const {
        return std::ranges::any_of(
            path.corridor, [&](NavmeshPolygon p) { return regions.region(regions.region_of(p)).area == *navmesh.areas().find(area); });
    }
};

uint64_t hash(const GeneratedLevel& level) {
    uint64_t sum = 0;
    for (const Vec3& v : level.mesh.vertices) {
        for (const float f : {v.x, v.y, v.z}) sum = detail::mix_word(sum, static_cast<uint64_t>(std::llround(double{f} * 10)));
    }
    for (const Terrain area : level.mesh.areas) sum = detail::mix_word(sum, area);
    for (const OffMeshLink& link : level.areas.links)
        sum = detail::mix_word(sum, static_cast<uint64_t>(std::llround(double{link.to.x} * 10)));
    return sum;
}

TEST(NavmeshLevel, GoldenLevel) { EXPECT_EQ(hash(generate_level({5, 4, 7}).value()), 6434961431897112328u); }

TEST(NavmeshLevel, DependsOnTheSeedOnly) {
    const GeneratedLevel a = generate_level({4, 3, 1}).value(), b = generate_level({4, 3, 1}).value(),
                         c = generate_level({4, 3, 2}).value();
    EXPECT_EQ(a.mesh, b.mesh);
    EXPECT_EQ(a.areas, b.areas);
    EXPECT_FALSE(a.mesh == c.mesh);
    EXPECT_EQ(a.areas.links.size(), 4u);
    EXPECT_EQ(a.areas.volumes.size(), 1u);
    EXPECT_EQ(count_degenerate(a.mesh), 0u);
}

TEST(NavmeshLevel, RefusesInvalidOptions) {
    for (const LevelOptions& bad : {LevelOptions{1, 3, 1}, {17, 3, 1}, {4, 0, 1}, {4, 9, 1}, {-4, 3, 1}}) {
        EXPECT_EQ(generate_level(bad).error().code, ErrorCode::kBadValue);
    }
    EXPECT_TRUE(generate_level({2, 8, 1}));
    EXPECT_TRUE(generate_level({16, 1, 1}));
}

// Checks paths between the yard and the rooms of all storeys, in both directions, without jumps and ladders.
void expect_all_reached(const Built& b, const NavmeshAbstraction& regions) {
    const NavmeshFilter filter = b.without({"jump", "ladder"});
    NavmeshPlanner planner(regions);
    for (int storey = 0; storey < b.options.storeys; ++storey) {
        int gaps = 0;
        for (int n = 0; n < b.options.rooms * b.options.rooms; ++n) {
            const Vec3 room = b.room(n % b.options.rooms, n / b.options.rooms, storey);
            const NavmeshFindOptions near{.extents = {3, 1, 3}};
            const NavmeshPath there = planner.find(b.yard(5), room, filter, near), back = planner.find(room, b.yard(5), filter, near);
            EXPECT_EQ(there.status, back.status);
            if (there.status == Status::kFound) continue;
            ++gaps;
            EXPECT_EQ(there.status, Status::kOutsideMap) << "seed " << b.options.seed << ", room " << n << " of storey " << storey;
        }
        EXPECT_LE(gaps, storey == 0 ? 0 : 2);
    }
}

TEST(NavmeshLevel, EveryRoomOfEveryStoreyIsReachable) {
    for (const LevelOptions& options : {LevelOptions{2, 4, 1}, {3, 3, 2}, {4, 3, 3}, {6, 2, 4}}) {
        const Built b(options);
        expect_all_reached(b, b.regions);
    }
}

TEST(NavmeshLevel, EveryRoomIsReachableInATileCacheToo) {
    const Built b({4, 3, 5});
    const NavmeshObstacles level = build_navmesh_with_obstacles(b.level.mesh, {}, b.level.areas).value();
    expect_all_reached(b, NavmeshAbstraction(level.navmesh().mesh()));
}

TEST(NavmeshLevel, JumpsLeadDownAndNotBack) {
    const Built b({4, 3, 1});
    int jumps = 0;
    for (const OffMeshLink& link : b.level.areas.links) {
        if (link.two_way) continue;
        ++jumps;
        const NavmeshFilter filter = b.without({"ladder"});
        const NavmeshPath down = b.find(link.from, link.to, filter), up = b.find(link.to, link.from, filter);
        ASSERT_EQ(down.status, Status::kFound);
        ASSERT_EQ(up.status, Status::kFound);
        EXPECT_TRUE(b.enters(down, "jump"));
        EXPECT_FALSE(b.enters(up, "jump"));
        EXPECT_GT(up.length, down.length + 10) << "by the ramps";
        EXPECT_EQ(b.find(link.from, link.to, b.without({"ladder", "jump"})).status, Status::kFound);
    }
    EXPECT_EQ(jumps, 2);
}

TEST(NavmeshLevel, LaddersAreBidirectional) {
    const Built b({4, 3, 1});
    int ladders = 0;
    for (const OffMeshLink& link : b.level.areas.links) {
        if (!link.two_way) continue;
        ++ladders;
        const NavmeshFilter filter = b.without({"jump"});
        EXPECT_TRUE(b.enters(b.find(link.from, link.to, filter), "ladder"));
        EXPECT_TRUE(b.enters(b.find(link.to, link.from, filter), "ladder"));
    }
    EXPECT_EQ(ladders, 2);
}

TEST(NavmeshLevel, PathsLeadOverTheBridgeAndUnderIt) {
    const Built b({4, 1, 2});
    const AreaVolume& bridge = b.level.areas.volumes.at(0);
    const auto x = static_cast<float>((bridge.outline[0].x + bridge.outline[1].x) / 2);
    NavmeshFilter dry;
    dry.costs.cost[*b.navmesh.areas().find("river")] *= 9;
    const NavmeshPath over = b.find(b.yard(x + 3), {x - 3, 0, b.side() + kFarMiddle}, dry);
    ASSERT_EQ(over.status, Status::kFound);
    EXPECT_TRUE(b.enters(over, "bridge"));
    EXPECT_FALSE(b.enters(over, "river"));
    for (const Vec3& p : over.points) EXPECT_GT(p.y, -0.6f);

    const float z = b.side() + kBedMiddle;
    const NavmeshPath under = b.find({x - 4, -3, z}, {x + 4, -3, z}, {});
    ASSERT_EQ(under.status, Status::kFound);
    EXPECT_NEAR(under.length, 8, 0.1) << "straight on";
    EXPECT_FALSE(b.enters(under, "bridge"));
    for (const Vec3& p : under.points) EXPECT_LT(p.y, -2.0f);

    const NavmeshPath out = b.find({x, -3, z}, {x, 0, z}, {});
    ASSERT_EQ(out.status, Status::kFound);
    EXPECT_GT(out.length, 15) << "from under the bridge onto it, by the bank";
}

TEST(NavmeshLevel, PathsAreNearTheBestOfADenseOracle) {
    const Built b({2, 3, 3});
    NavmeshFilter filter;
    filter.costs = Profile::preset("person")->compile(b.navmesh.areas()).value();
    const PolygonOracle oracle(b.navmesh.mesh(), filter, 0.2);
    Rng rng(5);
    double ratios = 0;
    int count = 0;
    for (int i = 0; i < 30; ++i) {
        std::array<Vec3, 2> ends{};
        for (Vec3& end : ends) {
            const int32_t x = rng.between(10, 190);
            const int32_t z = rng.between(10, 470);
            end = {static_cast<float>(x) / 10, z > 200 ? 0 : kLevelStorey * static_cast<float>(rng.below(3)), static_cast<float>(z) / 10};
        }
        const NavmeshPath path = b.find(ends[0], ends[1], filter);
        if (path.status != Status::kFound) continue;
        const OracleAnswer best = oracle.solve(path);
        ASSERT_TRUE(best.reachable);
        EXPECT_GE(path.cost, best.lower - 1e-3);
        EXPECT_LE(path.cost, 1.4 * best.upper + 1e-3);
        ratios += path.cost / best.upper;
        ++count;
    }
    EXPECT_GT(count, 15);
    EXPECT_LT(ratios / count, 1.08);
}

}  // namespace
}  // namespace terrane::test
