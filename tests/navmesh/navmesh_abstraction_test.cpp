#include "terrane/navmesh/navmesh_abstraction.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "navmesh/mesh_maker.h"

namespace terrane::test {
namespace {

std::set<NavmeshRegionId> neighbours(const NavmeshAbstraction& regions, NavmeshRegionId id) {
    std::set<NavmeshRegionId> all;
    for (const NavmeshEdge& edge : regions.edges_of(id)) all.insert(edge.to);
    return all;
}

TEST(NavmeshAbstraction, AnEmptyMeshHasNoRegions) {
    DrawnMesh drawn(4, 4, 2);
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.tile_count(), 0u);
    EXPECT_EQ(regions.region_count(), 0u);
    EXPECT_EQ(regions.edge_count(), 0u);
    EXPECT_TRUE(regions.is_current());
    EXPECT_EQ(regions.region_of(1), kNoNavmeshRegion);
}

TEST(NavmeshAbstraction, OnePolygonIsOneRegion) {
    DrawnMesh drawn = DrawnMesh::draw("3", 4);
    const NavmeshAbstraction regions(drawn.mesh());
    ASSERT_EQ(regions.region_count(), 1u);
    EXPECT_EQ(regions.edge_count(), 0u);
    const NavmeshRegionId id = regions.region_of(drawn.polygon(0, 0));
    ASSERT_NE(id, kNoNavmeshRegion);
    EXPECT_EQ(regions.region(id).area, 3);
    EXPECT_EQ(regions.region(id).position, (Vec3{5, 0, 5}));
    EXPECT_EQ(regions.polygon_of(id), drawn.polygon(0, 0));
}

TEST(NavmeshAbstraction, RegionsAreConnectedPolygonsOfOneAreaInATile) {
    DrawnMesh drawn = DrawnMesh::draw(R"(1122
                                         1122
                                         1#22
                                         3##3)",
                                      4);
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.region_count(), 4u);  // 3 twice: not connected
    const NavmeshRegionId one = regions.region_of(drawn.polygon(0, 0)), two = regions.region_of(drawn.polygon(2, 0));
    const NavmeshRegionId left = regions.region_of(drawn.polygon(0, 3)), right = regions.region_of(drawn.polygon(3, 3));
    EXPECT_EQ(regions.region(one).polygons, 5u);
    EXPECT_EQ(regions.region(two).position, (Vec3{30, 0, 15}));
    EXPECT_EQ(neighbours(regions, one), (std::set{two, left}));
    EXPECT_EQ(neighbours(regions, two), (std::set{one, right}));
    EXPECT_EQ(regions.edge_count(), 6u);
}

TEST(NavmeshAbstraction, FlagsDivideRegionsToo) {
    DrawnMesh drawn(2, 1, 2);
    drawn.cell(0, 0) = {1, 1, 0};
    drawn.cell(1, 0) = {1, 2, 0};
    drawn.add_all();
    EXPECT_EQ(NavmeshAbstraction(drawn.mesh()).region_count(), 2u);
}

TEST(NavmeshAbstraction, TilesAreConnectedAlongTheirBorders) {
    DrawnMesh drawn = DrawnMesh::draw(R"(....
                                         ....
                                         ....
                                         ....)",
                                      2);
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.region_count(), 4u);
    EXPECT_EQ(regions.edge_count(), 8u);  // tiles are not connected diagonally
    const auto edges = regions.edges_of(regions.region_of(drawn.polygon(0, 0)));
    ASSERT_EQ(edges.size(), 2u);
    // One edge, as long as the side of the tile.
    for (const NavmeshEdge& edge : edges) EXPECT_EQ(edge.b.x - edge.a.x + edge.b.z - edge.a.z, 2 * kCell);
}

TEST(NavmeshAbstraction, TwoDoorsAreTwoEdges) {
    DrawnMesh drawn = DrawnMesh::draw(R"(1122
                                         1#22
                                         1122)",
                                      4);
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.region_count(), 2u);
    EXPECT_EQ(regions.edge_count(), 4u);
}

TEST(NavmeshAbstraction, ABridgeIsNotConnectedToTheTerrainBelow) {
    DrawnMesh drawn(6, 1, 2, 2);
    for (int x = 0; x < 6; ++x) drawn.cell(x, 0, 0).area = 1;
    for (int x = 0; x < 6; ++x) drawn.cell(x, 0, 1) = {2, 1, 20};
    drawn.add_all();
    const NavmeshAbstraction regions(drawn.mesh());
    EXPECT_EQ(regions.tile_count(), 6u);
    EXPECT_EQ(regions.region_count(), 6u);
    EXPECT_EQ(regions.edge_count(), 8u);
    for (int x = 0; x < 6; ++x) {
        for (const NavmeshRegionId to : neighbours(regions, regions.region_of(drawn.polygon(x, 0, 1))))
            EXPECT_EQ(regions.region(to).area, 2);
    }
}

TEST(NavmeshAbstraction, LayersAreConnectedWhereTheyMeet) {
    DrawnMesh drawn(4, 1, 2, 2);
    for (int x = 0; x < 2; ++x) drawn.cell(x, 0, 0).area = 1;
    for (int x = 2; x < 4; ++x) drawn.cell(x, 0, 1).area = 1;
    drawn.add_all();
    EXPECT_EQ(NavmeshAbstraction(drawn.mesh()).edge_count(), 2u);
}

TEST(NavmeshAbstraction, OffMeshConnectionsAreOneWayOrBidirectional) {
    for (const bool both : {false, true}) {
        DrawnMesh drawn(5, 1, 2);
        for (int x = 0; x < 5; ++x) drawn.cell(x, 0).area = x == 2 ? 0 : 1;
        drawn.connections() = {{drawn.centre(1, 0), drawn.centre(3, 0), both, 7, 1}};
        drawn.add_all();
        const NavmeshAbstraction regions(drawn.mesh());
        EXPECT_EQ(regions.region_count(), 4u);  // tiles 0, 1, 2 and the connection
        const NavmeshRegionId left = regions.region_of(drawn.polygon(1, 0)), right = regions.region_of(drawn.polygon(3, 0));
        ASSERT_EQ(regions.edges_of(left).size(), 1u);
        const NavmeshRegionId jump = regions.edges_of(left)[0].to;
        EXPECT_TRUE(regions.region(jump).off_mesh);
        EXPECT_EQ(regions.region(jump).area, 7);
        EXPECT_EQ(neighbours(regions, jump), both ? (std::set{left, right}) : (std::set{right}));
        EXPECT_EQ(neighbours(regions, right).count(jump), both ? 1u : 0u);
    }
}

TEST(NavmeshAbstraction, TileChangedWithoutATileDoesNothing) {
    DrawnMesh drawn = DrawnMesh::draw("..", 1);
    NavmeshAbstraction regions(drawn.mesh());
    EXPECT_FALSE(regions.tile_changed(7, 7, 0));
    EXPECT_FALSE(regions.tile_changed(0, 0, 1));
    EXPECT_FALSE(regions.tile_changed(drawn.mesh().encodePolyId(1, 4, 0)));
    EXPECT_EQ(regions.version(), 0u);
    EXPECT_TRUE(regions.tile_changed(0, 0, 0));
    EXPECT_EQ(regions.version(), 1u);
}

TEST(NavmeshAbstraction, AnUnreportedChangeIsDetected) {
    DrawnMesh drawn = DrawnMesh::draw("....", 2);
    NavmeshAbstraction regions(drawn.mesh());
    const dtTileRef ref = drawn.mesh().getTileRefAt(1, 0, 0);
    drawn.remove_tile(1, 0, 0);
    EXPECT_FALSE(regions.is_current());
    EXPECT_TRUE(regions.tile_changed(ref));
    EXPECT_TRUE(regions.is_current());
    EXPECT_EQ(regions.region_count(), 1u);
    EXPECT_EQ(regions.edge_count(), 0u);
    drawn.add_tile(1, 0, 0);
    EXPECT_FALSE(regions.is_current());
    EXPECT_TRUE(regions.tile_changed(1, 0, 0));
    EXPECT_TRUE(regions.is_current());
    EXPECT_EQ(regions, NavmeshAbstraction(drawn.mesh()));
}

TEST(NavmeshAbstraction, ATileRestoredUnderItsOldRefIsDetectedByItsSize) {
    DrawnMesh drawn = DrawnMesh::draw("....", 2);
    const NavmeshAbstraction regions(drawn.mesh());
    const dtTileRef ref = drawn.mesh().getTileRefAt(1, 0, 0);
    drawn.remove_tile(1, 0, 0);
    drawn.cell(3, 0).area = 0;
    drawn.add_tile(1, 0, 0, ref);  // the same salt
    EXPECT_EQ(drawn.mesh().getTileRefAt(1, 0, 0), ref);
    EXPECT_FALSE(regions.is_current());
}

// A mesh with layers and off-mesh connections under random changes.
class ChangingMesh {
public:
    static constexpr int kSize = 12, kTile = 3;

    explicit ChangingMesh(uint64_t seed) : drawn_(kSize, kSize, kTile, 2, 2, seed), rng_(seed), regions_(nullptr) {
        for (int layer = 0; layer < 2; ++layer) {
            for (int i = 0; i < kSize * kSize; ++i) draw(i % kSize, i / kSize, layer);
        }
        for (int i = 0; i < 6; ++i) connect(static_cast<uint32_t>(i));
        drawn_.add_all();
        regions_ = std::make_unique<NavmeshAbstraction>(drawn_.mesh());
    }

    // Makes one to three changes, then reports them in the same or in reverse order.
    void change() {
        std::vector<std::array<int, 3>> changed;
        const uint32_t count = 1 + rng_.below(3);
        for (uint32_t i = 0; i < count; ++i) changed.push_back(change_tile());
        if (rng_.chance(1, 2)) std::reverse(changed.begin(), changed.end());
        for (const auto& [x, y, layer] : changed) report(x, y, layer);
    }
    void expect_fresh() {
        EXPECT_TRUE(regions_->is_current());
        EXPECT_EQ(*regions_, NavmeshAbstraction(drawn_.mesh()));
    }
    const NavmeshAbstraction& regions() const { return *regions_; }

private:
    void draw(int x, int y, int layer) {
        MeshCell& c = drawn_.cell(x, y, layer);
        c.area = static_cast<uint8_t>(rng_.chance(1, layer == 0 ? 6 : 2) ? 0 : 1 + rng_.below(3));
        c.flags = static_cast<uint16_t>(1 + rng_.below(2));
        c.height = static_cast<uint16_t>(layer * 30 * static_cast<int>(rng_.below(2)));
    }
    void connect(uint32_t i) {
        const int x = static_cast<int>(rng_.below(kSize)), y = static_cast<int>(rng_.below(kSize));
        const int u = std::min(x + static_cast<int>(rng_.below(4)), kSize - 1),
                  v = std::min(y + static_cast<int>(rng_.below(4)), kSize - 1);
        drawn_.connections().push_back({drawn_.centre(x, y), drawn_.centre(u, v, static_cast<int>(i % 2)), i % 3 == 0, 9, 1});
    }
    std::array<int, 3> change_tile() {
        const int x = static_cast<int>(rng_.below(kSize / kTile)), y = static_cast<int>(rng_.below(kSize / kTile));
        const int layer = static_cast<int>(rng_.below(2));
        const dtTileRef ref = drawn_.mesh().getTileRefAt(x, y, layer);
        const uint32_t change_type = rng_.below(4);
        if (ref == 0) {
            redraw(x, y, layer);
            drawn_.add_tile(x, y, layer);
        } else if (change_type == 0) {
            drawn_.remove_tile(x, y, layer);
        } else if (change_type == 1) {
            drawn_.remove_tile(x, y, layer);
            redraw(x, y, layer);
            drawn_.add_tile(x, y, layer, rng_.chance(1, 2) ? ref : 0);
        } else {
            paint(*drawn_.mesh().getTileByRef(ref), change_type == 2);
        }
        return {x, y, layer};
    }
    void redraw(int tx, int ty, int layer) {
        for (int i = 0; i < kTile * kTile; ++i) draw(tx * kTile + i % kTile, ty * kTile + i / kTile, layer);
    }
    void paint(const dtMeshTile& tile, bool areas) {
        const dtPolyRef base = drawn_.mesh().getPolyRefBase(&tile);
        for (int i = 0; i < tile.header->polyCount; ++i) {
            if (rng_.chance(1, 2)) continue;
            if (areas) {
                drawn_.mesh().setPolyArea(base | static_cast<dtPolyRef>(i), static_cast<unsigned char>(1 + rng_.below(3)));
            } else {
                drawn_.mesh().setPolyFlags(base | static_cast<dtPolyRef>(i), static_cast<unsigned short>(1 + rng_.below(2)));
            }
        }
    }
    void report(int x, int y, int layer) {
        const dtTileRef ref = drawn_.mesh().getTileRefAt(x, y, layer);
        if (ref != 0 && rng_.chance(1, 2)) {
            regions_->tile_changed(ref);
            // If the tile moved to another slot, the old slot has changed too.
            if (!regions_->is_current()) regions_->tile_changed(x, y, layer);
        } else {
            regions_->tile_changed(x, y, layer);
        }
    }

    DrawnMesh drawn_;
    Rng rng_;
    std::unique_ptr<NavmeshAbstraction> regions_;
};

TEST(NavmeshAbstraction, AnyChangesYieldTheRegionsOfAFreshBuild) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        ChangingMesh world(seed);
        world.expect_fresh();
        for (int i = 0; i < 100; ++i) {
            world.change();
            world.expect_fresh();
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", change " << i;
        }
    }
}

uint64_t hash(const NavmeshAbstraction& regions) {
    uint64_t h = 0;
    const auto add = [&](uint64_t v) { h = mix64(h ^ v); };
    const auto add_point = [&](Vec3 p) {
        for (const float f : {p.x, p.y, p.z}) add(static_cast<uint64_t>(std::llround(static_cast<double>(f) * 64)));
    };
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (const NavmeshRegion& region : regions.regions_in(slot)) {
            add(region.polygon);
            add(region.polygons);
            add(region.area);
            add_point(region.position);
        }
        for (const NavmeshEdge& edge : regions.tile(slot).edges) {
            add(edge.to);
            add_point(edge.a);
            add_point(edge.b);
        }
    }
    return h;
}

TEST(NavmeshAbstraction, GoldenRegions) {
    ChangingMesh world(7);
    for (int i = 0; i < 20; ++i) world.change();
    EXPECT_EQ(hash(world.regions()), 9012606301754514027u);
}

}  // namespace
}  // namespace terrane::test
