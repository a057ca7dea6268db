// Unchecked access to polygons, links and portals of a dtNavMesh.
//
// A polygon number is a dtPolyRef without the salt: tile slot in the high bits, index in the tile in the low bits. The caller must know
// that the tile exists (is_same).
#pragma once
#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "terrane/base/plane.h"
#include "terrane/navmesh/navmesh_abstraction.h"

namespace terrane {

static_assert(sizeof(dtPolyRef) == 4, "Terrane requires Detour with 32-bit refs");

using PolygonNumber = uint32_t;
inline constexpr PolygonNumber kNoMeshPolygon = 0xffffffff;

// A point in doubles; y is up.
struct MeshPoint {
    double x = 0, y = 0, z = 0;
    Point flat() const { return {x, z}; }
};

inline MeshPoint to_mesh_point(Vec3 v) { return {v.x, v.y, v.z}; }
inline MeshPoint to_mesh_point(const float* v) { return {v[0], v[1], v[2]}; }
inline Vec3 to_vec3(const MeshPoint& s) { return {static_cast<float>(s.x), static_cast<float>(s.y), static_cast<float>(s.z)}; }

// For MeshPoint in doubles, for Vec3 in floats.
template <class P>
P lerp(const P& a, const P& b, decltype(P::x) t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}
template <class P>
auto distance(const P& a, const P& b) {
    const auto x = b.x - a.x, y = b.y - a.y, z = b.z - a.z;
    return std::sqrt(x * x + y * y + z * z);
}

// Returns the position on the segment a-b, 0 to 1, that minimises the length of the path from `p` via the segment to `goal`, in the xz
// plane. By reflection of the goal across the segment's line, the crossing divides the projections of `p` and `goal` onto the line in the
// ratio of their distances from it.
template <class P>
auto crossing_fraction(const P& a, const P& b, const P& p, const P& goal) {
    using Number = decltype(P::x);
    const Number x = b.x - a.x, z = b.z - a.z, size = x * x + z * z;
    if (!(size > 0)) return Number{0};
    const Number near = std::abs(x * (p.z - a.z) - z * (p.x - a.x)), far = std::abs(x * (goal.z - a.z) - z * (goal.x - a.x));
    const Number foot = x * (p.x - a.x) + z * (p.z - a.z), goal_foot = x * (goal.x - a.x) + z * (goal.z - a.z);
    const Number t = near + far > 0 ? (foot * far + goal_foot * near) / ((near + far) * size) : foot / size;
    return std::clamp(t, Number{0}, Number{1});
}
inline bool is_finite(Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

// The shared edge of two linked polygons. Left and right are as seen from inside the first one, as in Detour.
struct Portal {
    MeshPoint left, right;
};

class MeshView {
public:
    explicit MeshView(const dtNavMesh& mesh) : tiles_(mesh.getTile(0)), mask_(number(mesh, 0xffffffff)) {
        while ((dtPolyRef{1} << shift_) < mesh.encodePolyId(0, 1, 0)) ++shift_;
    }

    uint32_t shift() const { return shift_; }
    PolygonNumber number(dtPolyRef ref) const { return ref & mask_; }
    PolygonNumber number(uint32_t slot, uint32_t index) const { return slot << shift_ | index; }
    uint32_t slot(PolygonNumber p) const { return p >> shift_; }
    uint32_t index(PolygonNumber p) const { return p & ((1u << shift_) - 1); }

    const dtMeshTile& tile(uint32_t slot) const { return tiles_[slot]; }
    const dtMeshTile& tile_of(PolygonNumber p) const { return tiles_[slot(p)]; }
    const dtPoly& polygon(PolygonNumber p) const { return tile_of(p).polys[index(p)]; }
    static bool is_off_mesh(const dtPoly& polygon) { return polygon.getType() == DT_POLYTYPE_OFFMESH_CONNECTION; }

    bool is_same(uint32_t slot, const detail::NavmeshTile& known) const {
        const dtMeshTile& t = tiles_[slot];
        return t.header == known.header && (t.header == nullptr || (t.salt == known.salt && t.dataSize == known.data_size));
    }

    MeshPoint vertex(PolygonNumber p, uint32_t i) const {
        const dtMeshTile& t = tile_of(p);
        return to_mesh_point(&t.verts[size_t{t.polys[index(p)].verts[i]} * 3]);
    }
    MeshPoint centre(PolygonNumber p) const {
        const uint32_t count = polygon(p).vertCount;
        MeshPoint sum;
        for (uint32_t i = 0; i < count; ++i) {
            const MeshPoint v = vertex(p, i);
            sum = {sum.x + v.x, sum.y + v.y, sum.z + v.z};
        }
        return {sum.x / count, sum.y / count, sum.z / count};
    }

    // Calls visit(link index, link) for every link of a polygon.
    template <class Visit>
    void for_each_link(PolygonNumber p, Visit&& visit) const {
        const dtMeshTile& t = tile_of(p);
        for (uint32_t i = t.polys[index(p)].firstLink; i != DT_NULL_LINK; i = t.links[i].next) visit(i, t.links[i]);
    }
    const dtLink& link(PolygonNumber p, uint32_t i) const { return tile_of(p).links[i]; }

    Portal portal(PolygonNumber from, const dtLink& link) const {
        const dtPoly& polygon = this->polygon(from);
        if (is_off_mesh(polygon)) return point(vertex(from, link.edge));
        const PolygonNumber to = number(link.ref);
        if (link.edge == 0xff) return point(vertex(to, entry_end(to, from)));
        const MeshPoint a = vertex(from, link.edge), b = vertex(from, (link.edge + 1u) % polygon.vertCount);
        if (link.side == 0xff || (link.bmin == 0 && link.bmax == 255)) return {a, b};
        return {lerp(a, b, link.bmin / 255.0), lerp(a, b, link.bmax / 255.0)};
    }

    // Returns false for the link out of the start of a one-way off-mesh connection.
    bool is_traversable(PolygonNumber from, const dtLink& link) const {
        const dtMeshTile& t = tile_of(from);
        if (!is_off_mesh(t.polys[index(from)]) || link.edge != 0) return true;
        return (t.offMeshCons[index(from) - static_cast<uint32_t>(t.header->offMeshBase)].flags & DT_OFFMESH_CON_BIDIR) != 0;
    }

private:
    static Portal point(const MeshPoint& s) { return {s, s}; }
    static PolygonNumber number(const dtNavMesh& mesh, dtPolyRef ref) {
        return mesh.encodePolyId(0, mesh.decodePolyIdTile(ref), mesh.decodePolyIdPoly(ref));
    }

    // Returns the end, 0 or 1, of an off-mesh connection that lies on polygon `on`; 0 if both do.
    uint32_t entry_end(PolygonNumber connection, PolygonNumber on) const {
        uint32_t end = 1;
        for_each_link(connection, [&](uint32_t, const dtLink& l) {
            if (number(l.ref) == on && l.edge == 0) end = 0;
        });
        return end;
    }

    const dtMeshTile* tiles_;
    PolygonNumber mask_;
    uint32_t shift_ = 0;
};

}  // namespace terrane
