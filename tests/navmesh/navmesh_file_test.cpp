#include "terrane/navmesh/navmesh_file.h"

#include <gtest/gtest.h>
#include <recastnavigation/DetourNavMesh.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "base/checksum.h"
#include "io/mangle.h"
#include "navmesh/scenes.h"
#include "navmesh/validation/validate_tile.h"
#include "support/hostile.h"
#include "terrane/base/file.h"
#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {
namespace {

constexpr size_t kLength = 12, kChecksum = 20, kBody = 28;
constexpr size_t kTileWidth = kBody + 12, kMaxTiles = kBody + 20, kMaxPolygons = kBody + 24, kAreaBytes = kBody + 28;

Navmesh linked_mesh() {
    NavmeshAreas areas;
    areas.volumes = {{{{3, 3}, {15, 3}, {9, 15}}, -1, 2, "swamp"}};
    areas.links = {{{5, 0, 5}, {25, 0, 25}, 1, false, "road"}};
    return build_navmesh(gap_level(), {}, areas).value();
}

void put(std::string& bytes, size_t at, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}
// Fixes length and checksum, so that the checks behind them run.
std::string sealed(std::string bytes) {
    put(bytes, kLength, bytes.size(), 8);
    put(bytes, kChecksum, detail::checksum(std::string_view(bytes).substr(kBody)), 8);
    return bytes;
}

void expect_refused(const std::string& bytes, ErrorCode code, const char* because) {
    const auto read = parse_navmesh(bytes, "a.navmesh");
    ASSERT_FALSE(read) << because;
    EXPECT_EQ(read.error().code, code) << read.error().message();
    EXPECT_EQ(read.error().file, "a.navmesh");
    EXPECT_NE(read.error().reason.find(because), std::string::npos) << read.error().reason;
}

// Returns the offset of the tile list: the number of tiles, then their sizes.
size_t tiles_at(const std::string& bytes) {
    size_t at = kAreaBytes + 4;
    for (uint32_t i = detail::read_word<uint32_t>(bytes.data() + kAreaBytes); i > 0; --i) at += 5 + static_cast<uint8_t>(bytes[at]);
    return at;
}

TEST(NavmeshFile, ComesBackTheSameByteForByte) {
    const Navmesh navmesh = linked_mesh();
    const std::string bytes = format_navmesh(navmesh);
    const Navmesh again = parse_navmesh(bytes).value();
    EXPECT_TRUE(format_navmesh(again) == bytes);
    EXPECT_EQ(again.areas(), navmesh.areas());
    EXPECT_EQ(again.bounds(), navmesh.bounds());
    const NavmeshCounts a = navmesh.count(), b = again.count();
    EXPECT_EQ(a.polygons, b.polygons);
    EXPECT_EQ(a.off_mesh_connections, b.off_mesh_connections);
    EXPECT_EQ(a.by_area, b.by_area);
    for (int i = 0; i < navmesh.mesh().getMaxTiles(); ++i) {
        const dtMeshTile *one = navmesh.mesh().getTile(i), *two = again.mesh().getTile(i);
        EXPECT_EQ(navmesh.mesh().getTileRef(one), again.mesh().getTileRef(two)) << "refs are those of a fresh build";
    }
}

TEST(NavmeshFile, HoldsTheMeshAndNotItsHistory) {
    Navmesh navmesh = linked_mesh();
    const std::string bytes = format_navmesh(navmesh);
    const dtTileRef ref = navmesh.mesh().getTileRefAt(0, 0, 0);
    unsigned char* data = nullptr;
    int size = 0;
    // Detour returns tile data only if it does not own it, so the tile is replaced by a copy.
    const dtMeshTile* tile = navmesh.mesh().getTileByRef(ref);
    size = tile->dataSize;
    data = static_cast<unsigned char*>(dtAlloc(static_cast<size_t>(size), DT_ALLOC_PERM));
    std::copy(tile->data, tile->data + size, data);
    ASSERT_TRUE(dtStatusSucceed(navmesh.mesh().removeTile(ref, nullptr, nullptr)));
    EXPECT_FALSE(format_navmesh(navmesh) == bytes);
    ASSERT_TRUE(dtStatusSucceed(navmesh.mesh().addTile(data, size, DT_TILE_FREE_DATA, 0, nullptr)));
    EXPECT_TRUE(format_navmesh(navmesh) == bytes);
}

TEST(NavmeshFile, KeepsAreasThatWereSetLater) {
    Navmesh navmesh = linked_mesh();
    const dtMeshTile* tile = static_cast<const dtNavMesh&>(navmesh.mesh()).getTile(0);
    const dtPolyRef polygon = navmesh.mesh().getPolyRefBase(tile);
    ASSERT_TRUE(dtStatusSucceed(navmesh.mesh().setPolyArea(polygon, 7)));
    const Navmesh again = parse_navmesh(format_navmesh(navmesh)).value();
    EXPECT_EQ(again.mesh().getTileAt(tile->header->x, tile->header->y, 0)->polys[0].getArea(), 7);
}

TEST(NavmeshFile, SavesAndLoads) {
    const std::string path = testing::TempDir() + "terrane_file_test.navmesh";
    const Navmesh navmesh = linked_mesh();
    ASSERT_TRUE(save_navmesh(navmesh, path));
    EXPECT_TRUE(format_navmesh(load_navmesh(path).value()) == format_navmesh(navmesh));
    std::filesystem::remove(path);
    EXPECT_EQ(load_navmesh(path).error().code, ErrorCode::kCannotOpen);
}

TEST(NavmeshFile, RefusesOtherFilesAndVersions) {
    expect_refused("", ErrorCode::kTruncated, "magic bytes");
    expect_refused("type octile\n", ErrorCode::kBadHeader, "not a Terrane navigation mesh");
    std::string bytes = format_navmesh(linked_mesh());
    bytes[8] = 9;
    expect_refused(bytes, ErrorCode::kUnsupported, "unsupported format version 9");
}

TEST(NavmeshFile, RefusesEveryTruncation) {
    const std::string bytes = format_navmesh(linked_mesh());
    for (size_t length = 0; length < bytes.size(); length += length < 400 ? 1 : 97) {
        EXPECT_EQ(parse_navmesh(bytes.substr(0, length)).error().code, ErrorCode::kTruncated) << length;
    }
    expect_refused(bytes + "x", ErrorCode::kTrailing, "bytes, but its header states");
}

TEST(NavmeshFile, RefusesTruncationsWithAValidChecksum) {
    const std::string bytes = format_navmesh(linked_mesh());
    for (size_t length = kBody; length < bytes.size(); length += length < 600 ? 1 : 97) {
        EXPECT_FALSE(parse_navmesh(sealed(bytes.substr(0, length)))) << length;
    }
    expect_refused(sealed(bytes + "more"), ErrorCode::kTrailing, "extra bytes after the last tile");
}

TEST(NavmeshFile, RefusesEveryAlteredByte) {
    const std::string bytes = format_navmesh(linked_mesh());
    for (size_t at = kBody; at < bytes.size(); at += 61) {
        std::string altered = bytes;
        altered[at] = static_cast<char>(altered[at] ^ 0x10);
        expect_refused(altered, ErrorCode::kBadValue, "checksum");
    }
}

TEST(NavmeshFile, AlteredWordsWithAValidChecksumAreRefusedOrSafe) {
    const std::string bytes = format_navmesh(linked_mesh());
    size_t taken = 0;
    test::expect_cheap([&] {
        test::for_each_wild_word(bytes, kBody, bytes.size(), 4, [&](std::string changed, const std::string& what) {
            const auto read = parse_navmesh(sealed(std::move(changed)), "a.navmesh");
            if (!read) return expect_printable_error(read.error(), "a.navmesh", what);
            ++taken;
            static_cast<void>(navmesh_triangles(*read));
            EXPECT_TRUE(parse_navmesh(format_navmesh(*read))) << what;
        });
    });
    EXPECT_GT(taken, 0u) << "some changes yield other valid meshes";
}

TEST(NavmeshFile, RefusesInvalidParameters) {
    const std::string bytes = format_navmesh(linked_mesh());
    const auto refused = [&](size_t at, uint32_t value, const char* because) {
        std::string altered = bytes;
        put(altered, at, value, 4);
        expect_refused(sealed(altered), ErrorCode::kBadValue, because);
    };
    refused(kBody, 0x7fc00000, "parameters");       // NaN
    refused(kTileWidth, 0, "parameters");           // zero width
    refused(kTileWidth, 0xbf800000, "parameters");  // -1
    refused(kTileWidth, 0x3a83126f, "parameters");  // a millimetre: a query would visit millions of them
    refused(kMaxTiles, 0, "parameters");
    refused(kMaxTiles, 1u << 30, "parameters");
    refused(kMaxTiles, 1, "more than the mesh parameters allow");
    refused(kMaxPolygons, 1u << 30, "parameters");
    refused(kMaxPolygons, 1, "more polygons than the mesh can address");
    refused(kAreaBytes, 65, "areas");
    refused(kAreaBytes + 4, 0, "areas");  // empty name
    refused(tiles_at(bytes), 0, "no tiles");
    refused(tiles_at(bytes) + 4, 0xffffffff, "truncated");
    refused(tiles_at(bytes) + 4, 8, "a tile: its header");
}

TEST(NavmeshFile, RefusesTwoTilesAtOneLocation) {
    const std::string bytes = format_navmesh(linked_mesh());
    const size_t list = tiles_at(bytes), count = detail::read_word<uint32_t>(bytes.data() + list);
    const auto size = detail::read_word<uint32_t>(bytes.data() + list + 4);
    std::string twice = bytes;
    put(twice, list + 8, size, 4);
    const size_t data = list + 4 + count * 4;
    const auto second = detail::read_word<uint32_t>(bytes.data() + list + 8);
    twice.replace(data + size, second, bytes.substr(data, size));
    expect_refused(sealed(twice), ErrorCode::kBadValue, "two have the same location");
}

// Modifies a tile of the file.
void expect_tile_refused(const std::function<void(detail::TileParts&)>& change, const char* because) {
    std::string bytes = format_navmesh(linked_mesh());
    const size_t list = tiles_at(bytes), count = detail::read_word<uint32_t>(bytes.data() + list);
    const auto size = detail::read_word<uint32_t>(bytes.data() + list + 4);
    const size_t at = list + 4 + count * 4;
    std::vector<unsigned char> tile(bytes.begin() + static_cast<ptrdiff_t>(at), bytes.begin() + static_cast<ptrdiff_t>(at + size));
    detail::TileParts parts = detail::tile_parts(tile);
    ASSERT_TRUE(parts.fits);
    ASSERT_EQ(parts.connections.size(), 1u);
    change(parts);
    std::ranges::copy(tile, bytes.begin() + static_cast<ptrdiff_t>(at));
    expect_refused(sealed(bytes), ErrorCode::kBadValue, because);
}

TEST(NavmeshFile, RefusesTilesWithInvalidHeaders) {
    constexpr const char* kHeader = "its header is not a Detour header";
    expect_tile_refused([](auto& t) { t.header->magic = 0; }, kHeader);
    expect_tile_refused([](auto& t) { t.header->version = 6; }, kHeader);
    for (int dtMeshHeader::*count : {&dtMeshHeader::polyCount, &dtMeshHeader::vertCount, &dtMeshHeader::maxLinkCount,
                                     &dtMeshHeader::detailMeshCount, &dtMeshHeader::detailVertCount, &dtMeshHeader::detailTriCount,
                                     &dtMeshHeader::bvNodeCount, &dtMeshHeader::offMeshConCount, &dtMeshHeader::offMeshBase}) {
        for (const int by : {-1, 1, -1000000, 1000000}) expect_tile_refused([=](auto& t) { t.header->*count += by; }, kHeader);
        expect_tile_refused([=](auto& t) { t.header->*count = std::numeric_limits<int>::max(); }, kHeader);
        expect_tile_refused([=](auto& t) { t.header->*count = std::numeric_limits<int>::min(); }, kHeader);
    }
}

TEST(NavmeshFile, RefusesTilesWithInvalidLocationsOrVertices) {
    constexpr const char* kPlace = "invalid location, bounds or agent";
    const float nan = std::numeric_limits<float>::quiet_NaN();
    expect_tile_refused([](auto& t) { t.header->x = std::numeric_limits<int>::max(); }, kPlace);
    expect_tile_refused([](auto& t) { t.header->y = std::numeric_limits<int>::min(); }, kPlace);
    expect_tile_refused([](auto& t) { t.header->layer = 32; }, kPlace);
    expect_tile_refused([&](auto& t) { t.header->bmin[1] = nan; }, kPlace);
    expect_tile_refused([](auto& t) { std::swap(t.header->bmin[0], t.header->bmax[0]); }, kPlace);
    expect_tile_refused([](auto& t) { t.header->bmax[2] += 1e6f; }, kPlace);
    expect_tile_refused([](auto& t) { t.header->bvQuantFactor = 0; }, kPlace);
    expect_tile_refused([&](auto& t) { t.header->walkableClimb = nan; }, kPlace);
    expect_tile_refused([&](auto& t) { t.vertices[4] = nan; }, "a vertex is not finite");
    expect_tile_refused([](auto& t) { t.vertices[3] = 9e8f; }, "a vertex is too far from the origin");
}

TEST(NavmeshFile, RefusesInvalidPolygons) {
    constexpr const char* kPolygon = "polygon 0 is invalid";
    expect_tile_refused([](auto& t) { t.polygons[0].verts[1] = static_cast<uint16_t>(t.header->vertCount); }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons[0].vertCount = 2; }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons[0].vertCount = 7; }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons[0].neis[0] = static_cast<uint16_t>(t.header->offMeshBase + 1); }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons[0].neis[0] = DT_EXT_LINK | 9; }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons[0].setType(DT_POLYTYPE_OFFMESH_CONNECTION); }, kPolygon);
    expect_tile_refused([](auto& t) { t.polygons.back().setType(DT_POLYTYPE_GROUND); }, "is invalid");
    expect_tile_refused([](auto& t) { t.polygons.back().vertCount = 3; }, "is invalid");
}

TEST(NavmeshFile, RefusesInvalidDetailMeshesTreesAndOffMeshConnections) {
    constexpr const char* kHeights = "the detail mesh of polygon 0";
    expect_tile_refused([](auto& t) { t.details[0].triBase = static_cast<uint32_t>(t.header->detailTriCount); }, kHeights);
    expect_tile_refused([](auto& t) { t.details[0].vertBase = UINT32_MAX; }, kHeights);
    expect_tile_refused([](auto& t) { t.details[0].triCount = 0; }, kHeights);
    expect_tile_refused([](auto& t) { t.detail_triangles[t.details[0].triBase * 4] = 255; }, kHeights);
    expect_tile_refused(
        [](auto& t) {
            for (size_t i = 0; i < t.details[0].triCount; ++i) t.detail_triangles[(t.details[0].triBase + i) * 4 + 3] = 0;
        },
        kHeights);
    expect_tile_refused([](auto& t) { t.nodes[0].i = std::numeric_limits<int>::min(); }, "bounding volume tree");
    expect_tile_refused([](auto& t) { t.nodes[1].i = t.header->offMeshBase; }, "bounding volume tree");
    expect_tile_refused([](auto& t) { t.connections[0].poly = 0; }, "off-mesh connection");
    expect_tile_refused([](auto& t) { t.connections[0].poly = 60000; }, "off-mesh connection");
    expect_tile_refused([](auto& t) { t.connections[0].side = 8; }, "off-mesh connection");
    expect_tile_refused([](auto& t) { t.connections[0].pos[3] = std::numeric_limits<float>::infinity(); }, "off-mesh connection");
}

}  // namespace
}  // namespace terrane
