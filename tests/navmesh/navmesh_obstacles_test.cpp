#include "terrane/navmesh/navmesh_obstacles.h"

#include <gtest/gtest.h>
#include <recastnavigation/DetourNavMesh.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "navmesh/building/layer_rle.h"
#include "navmesh/scenes.h"
#include "terrane/base/plane.h"
#include "terrane/base/rng.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

NavmeshPath find(const NavmeshAbstraction& regions, Vec3 from, Vec3 to) { return NavmeshPlanner(regions).find(from, to); }

NavmeshObstacles build(const TriangleMesh& mesh, const NavmeshAreas& areas = {}) {
    return build_navmesh_with_obstacles(mesh, {}, areas).value();
}

// Returns the distance of a path from a point in the xz plane.
double clearance(const NavmeshPath& path, Point p) {
    double nearest = std::numeric_limits<double>::max();
    for (size_t i = 1; i < path.points.size(); ++i) {
        const Point a{path.points[i - 1].x, path.points[i - 1].z}, b{path.points[i].x, path.points[i].z};
        const Segment leg{a, b};
        const double t = nearest_place(leg, p);
        nearest = std::min(nearest, length(a + t * (b - a) - p));
    }
    return nearest;
}

TEST(LayerRle, UnpacksWhatItPacked) {
    Rng rng(3);
    for (size_t size = 0; size < 700; ++size) {
        std::vector<uint8_t> bytes(size);
        const uint32_t letters = 1 + rng.below(4);
        for (uint8_t& b : bytes) b = static_cast<uint8_t>(rng.below(letters));
        if (size % 7 == 0) std::iota(bytes.begin(), bytes.end(), uint8_t{0});
        std::vector<uint8_t> packed(detail::packed_limit(size)), out(size);
        const auto length = detail::pack(bytes, packed);
        ASSERT_TRUE(length) << size;
        packed.resize(*length);
        ASSERT_EQ(detail::unpack(packed, out), size);
        ASSERT_EQ(out, bytes);
    }
}

TEST(LayerRle, NeverReadsOrWritesPastTheEnd) {
    std::vector<uint8_t> bytes(400);
    std::iota(bytes.begin(), bytes.begin() + 200, uint8_t{0});
    std::vector<uint8_t> packed(detail::packed_limit(bytes.size())), out(bytes.size());
    packed.resize(*detail::pack(bytes, packed));
    for (size_t room = 0; room < packed.size(); ++room) EXPECT_FALSE(detail::pack(bytes, std::span(packed).first(room)));
    packed.resize(*detail::pack(bytes, packed));
    for (size_t room = 0; room < out.size(); ++room) EXPECT_FALSE(detail::unpack(packed, std::span(out).first(room)));
    for (size_t cut = 0; cut < packed.size(); ++cut) EXPECT_NE(detail::unpack(std::span(packed).first(cut), out), out.size());
}

TEST(NavmeshObstacles, WithoutObstaclesTheMeshCoversWhatThePlainBuilderCovers) {
    NavmeshAreas areas;
    areas.volumes = {{{{4, 4}, {12, 4}, {12, 12}, {4, 12}}, -1, 2, "road"}, {{{4, 20}, {9, 20}, {9, 28}, {4, 28}}, -1, 2, "blocked"}};
    areas.flags.assign(areas.catalogue.size(), 1);
    areas.flags[*areas.catalogue.find("road")] = 6;
    areas.links = {{{12, 0, 5}, {23, 0, 5}, 0.8f, false, "bridge"}};
    const Navmesh plain = build_navmesh(bridge_level(), {}, areas).value();
    const NavmeshObstacles level = build(bridge_level(), areas);
    const NavmeshAbstraction a(plain.mesh()), b(level.navmesh().mesh());
    EXPECT_EQ(level.navmesh().areas(), plain.areas());
    EXPECT_GT(b.region_count(), 0u);
    EXPECT_TRUE(b.is_current());
    for (uint32_t area = 0; area < kMaxNavmeshAreas; ++area)
        EXPECT_EQ(a.regions_with_area(area) > 0, b.regions_with_area(area) > 0) << area;
    for (uint32_t slot = 0; slot < b.slots(); ++slot) {
        for (const NavmeshRegion& r : b.regions_in(slot)) EXPECT_EQ(r.flags, r.area == *areas.catalogue.find("road") ? 6 : 1);
    }
    for (const Vec3 to : {Vec3{31, 0, 25}, {18, -4, 5}, {6, 0, 24}, {8, 0, 8}}) {
        for (const auto& [from, goal] : {std::pair(Vec3{5, 0, 15}, to), std::pair(to, Vec3{5, 0, 15})}) {
            const NavmeshPath expected = find(a, from, goal), found = find(b, from, goal);
            EXPECT_EQ(found.status, expected.status);
            EXPECT_NEAR(found.length, expected.length, 0.05 * expected.length);
        }
    }
    EXPECT_GT(level.bytes(), 0u);
    EXPECT_TRUE(level.is_up_to_date());
}

TEST(NavmeshObstacles, PathsAvoidThemAndTheyLeaveNothingBehind) {
    NavmeshObstacles level = build(flat_level());
    NavmeshAbstraction regions(level.navmesh().mesh());
    const std::string before = format_navmesh(level.navmesh());
    const NavmeshPath straight = find(regions, {5, 0, 11}, {35, 0, 11});
    EXPECT_NEAR(straight.length, 30, 1e-3);
    const ObstacleId cart = level.add(CylinderObstacle{{12, 0, 11}, 2, 2}).value();
    EXPECT_EQ(level.size(), 1u);
    EXPECT_FALSE(level.is_up_to_date());
    EXPECT_TRUE(regions.is_current()) << "nothing changes before update()";
    EXPECT_EQ(level.update(regions).value(), 1u);
    EXPECT_TRUE(level.is_up_to_date());
    EXPECT_TRUE(regions.is_current());
    EXPECT_EQ(regions, NavmeshAbstraction(level.navmesh().mesh()));
    const NavmeshPath around = find(regions, {5, 0, 11}, {35, 0, 11});
    ASSERT_EQ(around.status, Status::kFound);
    EXPECT_GT(around.length, straight.length);
    EXPECT_GT(clearance(around, {12, 11}), 2 + 0.6 - 1.3 * 0.3) << "obstacle radius plus agent radius, minus the contour error";
    EXPECT_EQ(find(regions, {12, 0, 11}, {35, 0, 11}).points.front() == (Vec3{12, 0, 11}), false)
        << "the start is moved out of the obstacle";

    EXPECT_TRUE(level.remove(cart));
    EXPECT_FALSE(level.remove(cart));
    EXPECT_EQ(level.update(regions).value(), 1u);
    EXPECT_EQ(format_navmesh(level.navmesh()), before);
    EXPECT_EQ(find(regions, {5, 0, 11}, {35, 0, 11}).points, straight.points);
    EXPECT_EQ(level.size(), 0u);
}

TEST(NavmeshObstacles, ABoxInTheGapClosesIt) {
    NavmeshObstacles level = build(gap_level());
    NavmeshAbstraction regions(level.navmesh().mesh());
    const ObstacleId door = level.add(BoxObstacle{{19, 0, 26}, {21, 2, 30}}).value();
    ASSERT_TRUE(level.update(regions));
    EXPECT_EQ(find(regions, {5, 0, 5}, {35, 0, 5}).status, Status::kUnreachable);
    level.remove(door);
    ASSERT_TRUE(level.update(regions));
    EXPECT_EQ(find(regions, {5, 0, 5}, {35, 0, 5}).status, Status::kFound);
}

TEST(NavmeshObstacles, StandOnTheirStorey) {
    NavmeshObstacles level = build(two_storeys());
    NavmeshAbstraction regions(level.navmesh().mesh());
    const Vec3 below_a{24, 0, 5}, below_b{38, 0, 5}, above_a{24, 5, 5}, above_b{38, 5, 5};
    const double plain = find(regions, below_a, below_b).length;
    const ObstacleId crate = level.add(CylinderObstacle{{31, 5, 5}, 1.5f, 2}).value();
    ASSERT_TRUE(level.update(regions));
    EXPECT_NEAR(find(regions, below_a, below_b).length, plain, 1e-3);
    EXPECT_GT(find(regions, above_a, above_b).length, plain + 0.3);
    level.remove(crate);
    ASSERT_TRUE(level.add(CylinderObstacle{{31, 0, 5}, 1.5f, 2}));
    ASSERT_TRUE(level.update(regions));
    EXPECT_GT(find(regions, below_a, below_b).length, plain + 0.3);
    EXPECT_NEAR(find(regions, above_a, above_b).length, plain, 1e-3);
}

TEST(NavmeshObstacles, HighObstaclesDoNotBlockTheFloorBelow) {
    for (const float height : {1.0f, 2.5f}) {
        NavmeshObstacles level = build(flat_level());
        NavmeshAbstraction regions(level.navmesh().mesh());
        ASSERT_TRUE(level.add(BoxObstacle{{10, height, 8}, {12, height + 1, 14}}));
        ASSERT_TRUE(level.update(regions));
        EXPECT_EQ(find(regions, {5, 0, 11}, {18, 0, 11}).length > 13.1, height < 2);
    }
}

TEST(NavmeshObstacles, AFullyCoveredTileIsRemovedAndRestored) {
    NavmeshObstacles level = build(flat_level());
    NavmeshAbstraction regions(level.navmesh().mesh());
    const std::string before = format_navmesh(level.navmesh());
    const ObstacleId all = level.add(BoxObstacle{{-1, -1, -1}, {19.3f, 2, 19.3f}}).value();
    ASSERT_TRUE(level.update(regions));
    EXPECT_EQ(level.navmesh().count().tiles, 3u);
    EXPECT_EQ(regions, NavmeshAbstraction(level.navmesh().mesh()));
    level.remove(all);
    ASSERT_TRUE(level.update(regions));
    EXPECT_EQ(format_navmesh(level.navmesh()), before);
    EXPECT_EQ(regions, NavmeshAbstraction(level.navmesh().mesh()));
}

TEST(NavmeshObstacles, RefusesInvalidObstacles) {
    NavmeshObstacles level = build(Level().floor(0, 0, 100, 100).mesh());
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    for (const CylinderObstacle& bad : {CylinderObstacle{{nan, 0, 0}, 1, 1},
                                        {{0, infinite, 0}, 1, 1},
                                        {{0, 0, 40000}, 1, 1},
                                        {{5, 0, 5}, 0, 1},
                                        {{5, 0, 5}, 1, -1},
                                        {{5, 0, 5}, nan, 1},
                                        {{5, 0, 5}, 1, infinite}}) {
        EXPECT_EQ(level.add(bad).error().code, ErrorCode::kBadValue);
    }
    EXPECT_EQ(level.add(BoxObstacle{{1, 0, 1}, {0, 1, 2}}).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(level.add(BoxObstacle{{1, nan, 1}, {2, 1, 2}}).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(level.add(CylinderObstacle{{50, 0, 50}, 30, 2}).error().code, ErrorCode::kTooLarge) << "more than eight tiles";
    EXPECT_EQ(level.size(), 0u);
    EXPECT_EQ(level.update().value(), 0u);
}

TEST(NavmeshObstacles, OutsideOfTheWalkableSurfaceTheyChangeNothing) {
    NavmeshObstacles level = build(flat_level());
    const ObstacleId far = level.add(CylinderObstacle{{500, 0, 500}, 3, 2}).value();
    EXPECT_EQ(level.size(), 1u);
    EXPECT_EQ(level.update().value(), 0u);
    EXPECT_TRUE(level.remove(far));
    const ObstacleId brief = level.add(CylinderObstacle{{10, 0, 10}, 3, 2}).value();
    EXPECT_TRUE(level.remove(brief));
    EXPECT_TRUE(level.is_up_to_date()) << "removed before the first update";
}

TEST(NavmeshObstacles, RefusesMeshesThatATileCacheCannotHold) {
    NavmeshBuildOptions large;
    large.tile_size = 80;
    EXPECT_EQ(build_navmesh_with_obstacles(flat_level(), large).error().code, ErrorCode::kBadValue);
    EXPECT_EQ(build_navmesh_with_obstacles({}).error().code, ErrorCode::kBadValue);
    const TriangleMesh wall = Level().box(0, 0, 0.1f, 40, 0, 4).mesh();
    EXPECT_EQ(build_navmesh_with_obstacles(wall).error().code, ErrorCode::kBadValue);
}

TEST(NavmeshObstacles, ATileAtATimeEndsInTheSameMesh) {
    NavmeshObstacles at_once = build(flat_level()), slowly = build(flat_level());
    NavmeshAbstraction regions(slowly.navmesh().mesh());
    Rng rng(5);
    for (int i = 0; i < 20; ++i) {
        const auto x = static_cast<float>(rng.between(2, 38));
        const auto z = static_cast<float>(rng.between(2, 38));
        ASSERT_TRUE(at_once.add(CylinderObstacle{{x, 0, z}, 1, 2}));
        ASSERT_TRUE(slowly.add(CylinderObstacle{{x, 0, z}, 1, 2}));
    }
    ASSERT_TRUE(at_once.update());
    while (!slowly.is_up_to_date()) {
        EXPECT_EQ(slowly.update(regions, 1).value(), 1u);
        ASSERT_EQ(regions, NavmeshAbstraction(slowly.navmesh().mesh()));
    }
    EXPECT_EQ(format_navmesh(slowly.navmesh()), format_navmesh(at_once.navmesh()));
}

TEST(NavmeshObstacles, FollowsAUserOwnedTileCache) {
    NavmeshObstacles level = build(flat_level());  // stands for any mesh that a user modifies
    dtNavMesh& mesh = level.navmesh().mesh();
    NavmeshAbstraction regions(mesh);
    EXPECT_EQ(update_regions(regions), 0u);
    mesh.removeTile(mesh.getTileRefAt(0, 0, 0), nullptr, nullptr);
    mesh.removeTile(mesh.getTileRefAt(1, 1, 0), nullptr, nullptr);
    EXPECT_EQ(update_regions(regions), 2u);
    EXPECT_TRUE(regions.is_current());
    EXPECT_EQ(regions, NavmeshAbstraction(mesh));
}

// With a ladder from one tile to the next, and a swamp.
NavmeshObstacles ladder_level() {
    NavmeshAreas areas;
    areas.links = {{{18, 0, 5}, {26, 5, 5}, 0.6f, true, "bridge"}, {{30, 5, 25}, {18, 0, 25}, 0.6f, false, "road"}};
    areas.volumes = {{{{3, 17}, {17, 17}, {17, 26}, {3, 26}}, -1, 2, "swamp"}};
    return build(two_storeys(), areas);
}

// A level of two storeys with obstacles that are added and removed at random.
class ChangingObstacles {
public:
    explicit ChangingObstacles(uint64_t seed) : level_(ladder_level()), regions_(level_.navmesh().mesh()), rng_(seed) {}

    void change() {
        for (uint32_t i = 1 + rng_.below(4); i > 0; --i) {
            if (!present_.empty() && rng_.chance(2, 5)) {
                remove(rng_.below(static_cast<uint32_t>(present_.size())));
            } else {
                add();
            }
        }
        EXPECT_TRUE(level_.update(regions_));
    }
    void clear() {
        while (!present_.empty()) remove(0);
        EXPECT_TRUE(level_.update(regions_));
    }
    void expect_fresh() const {
        EXPECT_EQ(regions_, NavmeshAbstraction(level_.navmesh().mesh()));
        NavmeshObstacles fresh = ladder_level();
        for (const auto& [id, c] : present_) EXPECT_TRUE(fresh.add(c));
        EXPECT_TRUE(fresh.update());
        EXPECT_TRUE(format_navmesh(fresh.navmesh()) == format_navmesh(level_.navmesh()));
    }
    // Checks that random paths avoid the obstacles of their storey. Returns the number of paths found.
    int expect_clear() {
        NavmeshPlanner planner(regions_);
        int found = 0;
        for (int i = 0; i < 20; ++i) {
            const Vec3 from = place(), to = place();
            const NavmeshPath path = planner.find(from, to, {}, {.crossings = true});
            if (path.status != Status::kFound) continue;
            ++found;
            for (const auto& [id, c] : present_) EXPECT_TRUE(is_clear(path, c)) << c.foot.x << ',' << c.foot.y << ',' << c.foot.z;
        }
        return found;
    }
    const NavmeshAbstraction& regions() const { return regions_; }

private:
    Vec3 place() {
        const auto x = static_cast<float>(rng_.between(20, 380)) / 10;
        const auto z = static_cast<float>(rng_.between(20, 280)) / 10;
        return {x, x > 23 && rng_.chance(1, 2) ? 5.0f : 0.0f, z};
    }
    void add() {
        const Vec3 foot = place();
        const CylinderObstacle cylinder{foot, static_cast<float>(rng_.between(3, 30)) / 10, 2};
        present_.emplace_back(level_.add(cylinder).value(), cylinder);
    }
    void remove(size_t i) {
        EXPECT_TRUE(level_.remove(present_[i].first));
        present_.erase(present_.begin() + static_cast<ptrdiff_t>(i));
    }
    static bool is_clear(const NavmeshPath& path, const CylinderObstacle& c) {
        NavmeshPath part;
        for (const Vec3& p : path.points) {
            const bool beside = p.y > c.foot.y - 1.5f && p.y < c.foot.y + 2;
            if (beside) part.points.push_back(p);
            if (!beside || &p == &path.points.back()) {
                if (clearance(part, {c.foot.x, c.foot.z}) < static_cast<double>(c.radius)) return false;
                part.points.clear();
            }
        }
        return true;
    }

    NavmeshObstacles level_;
    NavmeshAbstraction regions_;
    Rng rng_;
    std::vector<std::pair<ObstacleId, CylinderObstacle>> present_;
};

TEST(NavmeshObstacles, AddedAndRemovedObstaclesLeaveTheMeshOfAFreshBuild) {
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        ChangingObstacles world(seed);
        const NavmeshPath before = find(world.regions(), {3, 0, 3}, {37, 5, 27});
        int found = 0;
        for (int i = 0; i < 12; ++i) {
            world.change();
            world.expect_fresh();
            found += world.expect_clear();
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", change " << i;
        }
        EXPECT_GT(found, 60);
        world.clear();
        world.expect_fresh();
        const NavmeshPath after = find(world.regions(), {3, 0, 3}, {37, 5, 27});
        EXPECT_EQ(after.status, Status::kFound);
        EXPECT_EQ(after.points, before.points);
        EXPECT_EQ(after.cost, before.cost);
    }
}

}  // namespace
}  // namespace terrane
