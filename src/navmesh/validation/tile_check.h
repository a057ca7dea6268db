// The data of a Detour tile, looked at without belief.
#pragma once
#include <recastnavigation/DetourNavMesh.h>

#include <cstddef>
#include <span>
#include <string>

namespace terrane::detail {

// Its parts, in the order that dtNavMesh::addTile takes them to have.
struct TileParts {
    dtMeshHeader* header = nullptr;
    std::span<float> vertices;  // three for each
    std::span<dtPoly> polygons;
    std::span<dtLink> links;
    std::span<dtPolyDetail> details;
    std::span<float> detail_vertices;
    std::span<unsigned char> detail_triangles;  // four for each
    std::span<dtBVNode> nodes;
    std::span<dtOffMeshConnection> connections;
    bool fits = false;  // the header is there, its counts make sense, and the parts take all of the data
};

// `data` must begin where malloc's memory may. Nothing is read but the header.
TileParts tile_parts(std::span<unsigned char> data);

// Why a mesh with these parameters must not take the tile; empty where it may: nothing in it then leads Detour astray, whatever is asked.
std::string tile_complaint(std::span<unsigned char> data, const dtNavMeshParams& params);

// What addTile writes is put back: links to zero, ends of off-mesh connections to where they were asked for. The tile has no complaint.
void forget_links(std::span<unsigned char> data);

}  // namespace terrane::detail
