#include "navmesh/validation/validate_tile.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace terrane::detail {

namespace {

constexpr int kMaxTileNumber = 1 << 20;
constexpr int kMaxLayer = 31;            // Detour supports 32 layers
constexpr float kMaxQuanta = 65535;      // BV nodes store 16-bit coordinates
constexpr unsigned char kTileSides = 8;  // directions of external links

// Splits data into consecutive sections, each aligned to four bytes.
class PartReader {
public:
    explicit PartReader(std::span<unsigned char> data) : rest_(data) {}

    template <class T>
    std::span<T> take(int64_t count) {
        const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + 3) / 4 * 4;
        if (bytes > rest_.size()) {
            failed_ = true;
            return {};
        }
        const std::span<T> part(reinterpret_cast<T*>(rest_.data()), static_cast<size_t>(count));
        rest_ = rest_.subspan(bytes);
        return part;
    }
    bool done() const { return !failed_ && rest_.empty(); }

private:
    std::span<unsigned char> rest_;
    bool failed_ = false;
};

bool valid_counts(const dtMeshHeader& h) {
    const auto counts = {h.polyCount,      h.vertCount,   h.maxLinkCount,    h.detailMeshCount, h.detailVertCount,
                         h.detailTriCount, h.bvNodeCount, h.offMeshConCount, h.offMeshBase};
    if (std::ranges::any_of(counts, [](int n) { return n < 0; })) return false;
    // Without links, addTile would write its first one into the detail meshes.
    return h.polyCount > 0 && h.maxLinkCount > 0 && h.detailMeshCount == h.offMeshBase &&
           int64_t{h.offMeshBase} + h.offMeshConCount == h.polyCount;
}

bool valid_location(const dtMeshHeader& h) {
    const auto number = [](int n) { return n >= -kMaxTileNumber && n <= kMaxTileNumber; };
    if (!number(h.x) || !number(h.y) || h.layer < 0 || h.layer > kMaxLayer) return false;
    if (!valid_coordinate(h.walkableHeight) || !valid_coordinate(h.walkableRadius) || !valid_coordinate(h.walkableClimb) ||
        !(h.bvQuantFactor > 0))
        return false;
    for (int i = 0; i < 3; ++i) {
        if (!valid_coordinate(h.bmin[i]) || !valid_coordinate(h.bmax[i]) || h.bmin[i] > h.bmax[i]) return false;
        if (h.bvNodeCount > 0 && !((h.bmax[i] - h.bmin[i]) * h.bvQuantFactor <= kMaxQuanta)) return false;
    }
    return true;
}

// Returns whether Detour can compute the tile coordinates of every vertex without overflow.
bool within_tiles(std::span<const float> vertices, const dtNavMeshParams& params) {
    for (size_t i = 0; i + 2 < vertices.size(); i += 3) {
        if (!(std::abs(vertices[i] - params.orig[0]) <= params.tileWidth * kMaxTileNumber)) return false;
        if (!(std::abs(vertices[i + 2] - params.orig[2]) <= params.tileHeight * kMaxTileNumber)) return false;
    }
    return true;
}

bool valid_neighbour(uint16_t neighbour, const dtMeshHeader& h) {
    if ((neighbour & DT_EXT_LINK) != 0) return (neighbour & 0xff) < kTileSides;
    return neighbour <= h.offMeshBase;  // 0: none; else polygon index + 1
}

bool valid_polygon(const TileParts& parts, size_t number) {
    const dtPoly& p = parts.polygons[number];
    const dtMeshHeader& h = *parts.header;
    const bool ground = number < static_cast<size_t>(h.offMeshBase);
    if (p.getType() != (ground ? DT_POLYTYPE_GROUND : DT_POLYTYPE_OFFMESH_CONNECTION)) return false;
    if (ground ? p.vertCount < 3 || p.vertCount > DT_VERTS_PER_POLYGON : p.vertCount != 2) return false;
    for (size_t i = 0; i < p.vertCount; ++i) {
        if (p.verts[i] >= h.vertCount || (ground && !valid_neighbour(p.neis[i], h))) return false;
    }
    return true;
}

// Requires at least one boundary edge: Detour computes the distance to boundary edges without checking that there is one.
bool valid_detail(const TileParts& parts, size_t number) {
    const dtPolyDetail& d = parts.details[number];
    const dtMeshHeader& h = *parts.header;
    if (int64_t{d.vertBase} + d.vertCount > h.detailVertCount || int64_t{d.triBase} + d.triCount > h.detailTriCount) return false;
    const int corners = parts.polygons[number].vertCount + d.vertCount;
    bool border = false;
    for (size_t t = 0; t < d.triCount; ++t) {
        const unsigned char* triangle = parts.detail_triangles.data() + (d.triBase + t) * 4;
        for (int i = 0; i < 3; ++i) {
            if (triangle[i] >= corners) return false;
            border = border || (dtGetDetailTriEdgeFlags(triangle[3], i) & DT_DETAIL_EDGE_BOUNDARY) != 0;
        }
    }
    return border;
}

// i is the polygon index of a leaf, or the negated escape offset of an inner node.
bool valid_node(const TileParts& parts, size_t number) {
    const int64_t i = parts.nodes[number].i;
    return i >= 0 ? i < parts.header->offMeshBase : -i <= static_cast<int64_t>(parts.nodes.size() - number);
}

bool valid_connection(const TileParts& parts, const dtOffMeshConnection& c) {
    if (c.poly < parts.header->offMeshBase || c.poly >= parts.header->polyCount) return false;
    return std::ranges::all_of(c.pos, valid_coordinate) && valid_coordinate(c.rad) && c.rad >= 0 && (c.side < kTileSides || c.side == 0xff);
}

}  // namespace

TileParts tile_parts(std::span<unsigned char> data) {
    TileParts parts;
    PartReader reader(data);
    const auto header = reader.take<dtMeshHeader>(1);
    if (header.empty()) return parts;
    const dtMeshHeader& h = header[0];
    if (h.magic != DT_NAVMESH_MAGIC || h.version != DT_NAVMESH_VERSION || !valid_counts(h)) return parts;
    parts.header = header.data();
    parts.vertices = reader.take<float>(int64_t{h.vertCount} * 3);
    parts.polygons = reader.take<dtPoly>(h.polyCount);
    parts.links = reader.take<dtLink>(h.maxLinkCount);
    parts.details = reader.take<dtPolyDetail>(h.detailMeshCount);
    parts.detail_vertices = reader.take<float>(int64_t{h.detailVertCount} * 3);
    parts.detail_triangles = reader.take<unsigned char>(int64_t{h.detailTriCount} * 4);
    parts.nodes = reader.take<dtBVNode>(h.bvNodeCount);
    parts.connections = reader.take<dtOffMeshConnection>(h.offMeshConCount);
    parts.fits = reader.done();
    return parts;
}

std::string validate_tile(std::span<unsigned char> data, const dtNavMeshParams& params) {
    const TileParts parts = tile_parts(data);
    if (!parts.fits) return "its header is not a Detour header or does not match its data";
    if (parts.header->polyCount > params.maxPolys) return "it has more polygons than the mesh can address";
    if (!valid_location(*parts.header)) return "invalid location, bounds or agent size";
    if (!std::ranges::all_of(parts.vertices, valid_coordinate) || !std::ranges::all_of(parts.detail_vertices, valid_coordinate))
        return "a vertex is not finite";
    if (!within_tiles(parts.vertices, params)) return "a vertex is too far from the origin of the mesh";
    for (size_t i = 0; i < parts.polygons.size(); ++i) {
        if (!valid_polygon(parts, i)) return "polygon " + std::to_string(i) + " is invalid";
    }
    for (size_t i = 0; i < parts.details.size(); ++i) {
        if (!valid_detail(parts, i)) return "the detail mesh of polygon " + std::to_string(i) + " is invalid";
    }
    for (size_t i = 0; i < parts.nodes.size(); ++i) {
        if (!valid_node(parts, i)) return "its bounding volume tree is invalid";
    }
    const bool links =
        std::ranges::all_of(parts.connections, [&](const auto& c) { return valid_connection(parts, c) && within_tiles(c.pos, params); });
    return links ? "" : "an off-mesh connection is invalid";
}

void reset_links(std::span<unsigned char> data) {
    const TileParts parts = tile_parts(data);
    for (dtPoly& polygon : parts.polygons) polygon.firstLink = 0;
    std::ranges::fill(parts.links, dtLink{});
    for (const dtOffMeshConnection& connection : parts.connections) {
        const dtPoly& polygon = parts.polygons[connection.poly];
        for (size_t end = 0; end < 2; ++end) std::copy_n(connection.pos + end * 3, 3, &parts.vertices[size_t{polygon.verts[end]} * 3]);
    }
}

}  // namespace terrane::detail
