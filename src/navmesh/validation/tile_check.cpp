#include "navmesh/validation/tile_check.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace terrane::detail {

namespace {

constexpr int kMaxTileNumber = 1 << 20;
constexpr int kMaxLayer = 31;           // Detour looks at 32 of them
constexpr float kMaxCoordinate = 1e9f;  // squares of which floats can add up
constexpr float kMaxQuanta = 65535;     // of a tile's bounds, in 16 bits
constexpr unsigned char kOutward = 8;   // sides of a tile are below

bool sound(float value) { return std::abs(value) <= kMaxCoordinate; }  // not NaN

// Cuts the parts off, one after the other; each begins at a multiple of four.
class Cutter {
public:
    explicit Cutter(std::span<unsigned char> data) : rest_(data) {}

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

bool sound_counts(const dtMeshHeader& h) {
    const auto counts = {h.polyCount,      h.vertCount,   h.maxLinkCount,    h.detailMeshCount, h.detailVertCount,
                         h.detailTriCount, h.bvNodeCount, h.offMeshConCount, h.offMeshBase};
    if (std::ranges::any_of(counts, [](int n) { return n < 0; })) return false;
    return h.polyCount > 0 && h.detailMeshCount == h.offMeshBase && int64_t{h.offMeshBase} + h.offMeshConCount == h.polyCount;
}

bool sound_place(const dtMeshHeader& h) {
    const auto number = [](int n) { return n >= -kMaxTileNumber && n <= kMaxTileNumber; };
    if (!number(h.x) || !number(h.y) || h.layer < 0 || h.layer > kMaxLayer) return false;
    if (!sound(h.walkableHeight) || !sound(h.walkableRadius) || !sound(h.walkableClimb) || !(h.bvQuantFactor > 0)) return false;
    for (int i = 0; i < 3; ++i) {
        if (!sound(h.bmin[i]) || !sound(h.bmax[i]) || h.bmin[i] > h.bmax[i]) return false;
        if (h.bvNodeCount > 0 && !((h.bmax[i] - h.bmin[i]) * h.bvQuantFactor <= kMaxQuanta)) return false;
    }
    return true;
}

// Whether Detour can say in which tile each vertex is.
bool within_tiles(std::span<const float> vertices, const dtNavMeshParams& params) {
    for (size_t i = 0; i + 2 < vertices.size(); i += 3) {
        if (!(std::abs(vertices[i] - params.orig[0]) <= params.tileWidth * kMaxTileNumber)) return false;
        if (!(std::abs(vertices[i + 2] - params.orig[2]) <= params.tileHeight * kMaxTileNumber)) return false;
    }
    return true;
}

bool sound_neighbour(uint16_t neighbour, const dtMeshHeader& h) {
    if ((neighbour & DT_EXT_LINK) != 0) return (neighbour & 0xff) < kOutward;
    return neighbour <= h.offMeshBase;  // 0, or one more than the polygon's number
}

bool sound_polygon(const TileParts& parts, size_t number) {
    const dtPoly& p = parts.polygons[number];
    const dtMeshHeader& h = *parts.header;
    const bool ground = number < static_cast<size_t>(h.offMeshBase);
    if (p.getType() != (ground ? DT_POLYTYPE_GROUND : DT_POLYTYPE_OFFMESH_CONNECTION)) return false;
    if (ground ? p.vertCount < 3 || p.vertCount > DT_VERTS_PER_POLYGON : p.vertCount != 2) return false;
    for (size_t i = 0; i < p.vertCount; ++i) {
        if (p.verts[i] >= h.vertCount || (ground && !sound_neighbour(p.neis[i], h))) return false;
    }
    return true;
}

// Some edge must be on the polygon's border: Detour measures the distance to those without asking whether there are any.
bool sound_detail(const TileParts& parts, size_t number) {
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

// A leaf names its polygon; others, how far to go on where nothing below them is of interest.
bool sound_node(const TileParts& parts, size_t number) {
    const int64_t i = parts.nodes[number].i;
    return i >= 0 ? i < parts.header->offMeshBase : -i <= static_cast<int64_t>(parts.nodes.size() - number);
}

bool sound_connection(const TileParts& parts, const dtOffMeshConnection& c) {
    if (c.poly < parts.header->offMeshBase || c.poly >= parts.header->polyCount) return false;
    return std::ranges::all_of(c.pos, sound) && sound(c.rad) && c.rad >= 0 && (c.side < kOutward || c.side == 0xff);
}

}  // namespace

TileParts tile_parts(std::span<unsigned char> data) {
    TileParts parts;
    Cutter cutter(data);
    const auto header = cutter.take<dtMeshHeader>(1);
    if (header.empty()) return parts;
    const dtMeshHeader& h = header[0];
    if (h.magic != DT_NAVMESH_MAGIC || h.version != DT_NAVMESH_VERSION || !sound_counts(h)) return parts;
    parts.header = header.data();
    parts.vertices = cutter.take<float>(int64_t{h.vertCount} * 3);
    parts.polygons = cutter.take<dtPoly>(h.polyCount);
    parts.links = cutter.take<dtLink>(h.maxLinkCount);
    parts.details = cutter.take<dtPolyDetail>(h.detailMeshCount);
    parts.detail_vertices = cutter.take<float>(int64_t{h.detailVertCount} * 3);
    parts.detail_triangles = cutter.take<unsigned char>(int64_t{h.detailTriCount} * 4);
    parts.nodes = cutter.take<dtBVNode>(h.bvNodeCount);
    parts.connections = cutter.take<dtOffMeshConnection>(h.offMeshConCount);
    parts.fits = cutter.done();
    return parts;
}

std::string tile_complaint(std::span<unsigned char> data, const dtNavMeshParams& params) {
    const TileParts parts = tile_parts(data);
    if (!parts.fits) return "its header is not Detour's, or does not describe its data";
    if (parts.header->polyCount > params.maxPolys) return "it has more polygons than the mesh can number";
    if (!sound_place(*parts.header)) return "its place, bounds or agent make no sense";
    if (!std::ranges::all_of(parts.vertices, sound) || !std::ranges::all_of(parts.detail_vertices, sound)) return "a vertex is no number";
    if (!within_tiles(parts.vertices, params)) return "a vertex is far away from all tiles";
    for (size_t i = 0; i < parts.polygons.size(); ++i) {
        if (!sound_polygon(parts, i)) return "polygon " + std::to_string(i) + " makes no sense";
    }
    for (size_t i = 0; i < parts.details.size(); ++i) {
        if (!sound_detail(parts, i)) return "the heights in polygon " + std::to_string(i) + " make no sense";
    }
    for (size_t i = 0; i < parts.nodes.size(); ++i) {
        if (!sound_node(parts, i)) return "its tree of boxes makes no sense";
    }
    const bool links =
        std::ranges::all_of(parts.connections, [&](const auto& c) { return sound_connection(parts, c) && within_tiles(c.pos, params); });
    return links ? "" : "an off-mesh connection makes no sense";
}

void forget_links(std::span<unsigned char> data) {
    const TileParts parts = tile_parts(data);
    for (dtPoly& polygon : parts.polygons) polygon.firstLink = 0;
    std::ranges::fill(parts.links, dtLink{});
    for (const dtOffMeshConnection& connection : parts.connections) {
        const dtPoly& polygon = parts.polygons[connection.poly];
        for (size_t end = 0; end < 2; ++end) std::copy_n(connection.pos + end * 3, 3, &parts.vertices[size_t{polygon.verts[end]} * 3]);
    }
}

}  // namespace terrane::detail
