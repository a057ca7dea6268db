#include "terrane/navmesh/navmesh.h"

#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <span>

#include "terrane/base/assert.h"

namespace terrane {

static_assert(kMaxNavmeshAreas == DT_MAX_AREAS);

namespace {

// Calls visit(tile) for each tile of the mesh, in slot order.
template <class Visit>
void each_tile(const dtNavMesh& mesh, Visit&& visit) {
    for (int i = 0; i < mesh.getMaxTiles(); ++i) {
        const dtMeshTile* tile = mesh.getTile(i);
        if (tile->header != nullptr) visit(*tile);
    }
}

std::span<const dtPoly> polygons(const dtMeshTile& tile) { return {tile.polys, static_cast<size_t>(tile.header->polyCount)}; }

Vec3 vertex(const dtMeshTile& tile, uint32_t v) { return {tile.verts[v * 3], tile.verts[v * 3 + 1], tile.verts[v * 3 + 2]}; }

}  // namespace

void Navmesh::Free::operator()(dtNavMesh* mesh) const { dtFreeNavMesh(mesh); }

Navmesh::Navmesh(dtNavMesh* mesh, Catalogue areas) : mesh_(mesh), areas_(std::move(areas)) {
    TERRANE_ASSERT(mesh != nullptr && areas_.size() <= kMaxNavmeshAreas);
}

NavmeshCounts Navmesh::count() const {
    NavmeshCounts counts;
    each_tile(*mesh_, [&](const dtMeshTile& tile) {
        ++counts.tiles;
        counts.vertices += static_cast<uint32_t>(tile.header->vertCount);
        counts.bytes += static_cast<uint64_t>(tile.dataSize);
        for (const dtPoly& polygon : polygons(tile)) {
            ++(polygon.getType() == DT_POLYTYPE_GROUND ? counts.polygons : counts.off_mesh_connections);
            ++counts.by_area[polygon.getArea()];
        }
    });
    return counts;
}

NavmeshBounds Navmesh::bounds() const {
    NavmeshBounds bounds;
    bool first = true;
    const auto add = [&](Vec3 v) {
        if (first) bounds = {v, v};
        first = false;
        bounds.low = {std::min(bounds.low.x, v.x), std::min(bounds.low.y, v.y), std::min(bounds.low.z, v.z)};
        bounds.high = {std::max(bounds.high.x, v.x), std::max(bounds.high.y, v.y), std::max(bounds.high.z, v.z)};
    };
    each_tile(*mesh_, [&](const dtMeshTile& tile) {
        for (const dtPoly& polygon : polygons(tile)) {
            if (polygon.getType() != DT_POLYTYPE_GROUND) continue;
            for (uint32_t i = 0; i < polygon.vertCount; ++i) add(vertex(tile, polygon.verts[i]));
        }
    });
    return bounds;
}

TriangleMesh navmesh_triangles(const Navmesh& navmesh) {
    TriangleMesh out;
    each_tile(navmesh.mesh(), [&](const dtMeshTile& tile) {
        const auto base = static_cast<uint32_t>(out.vertices.size());
        const auto count = static_cast<uint32_t>(tile.header->vertCount);
        for (uint32_t v = 0; v < count; ++v) out.vertices.push_back(vertex(tile, v));
        for (const dtPoly& polygon : polygons(tile)) {
            if (polygon.getType() != DT_POLYTYPE_GROUND) continue;
            for (uint32_t i = 2; i < polygon.vertCount; ++i) {
                out.triangles.push_back({base + polygon.verts[0], base + polygon.verts[i - 1], base + polygon.verts[i]});
                out.areas.push_back(polygon.getArea());
            }
        }
    });
    return out;
}

}  // namespace terrane
