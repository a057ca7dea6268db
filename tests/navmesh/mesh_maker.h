// Navigation meshes drawn in the test: every cell of a drawing is a square polygon with a side of 10 units.
//
// '.' is area 1, a digit is its area, '#' is a hole. Flags are 1 by default. Layers cover the same cells. Each cell has its own height, in
// units; corners of adjacent cells must be within the climb (1 unit) to be linked across tiles.
#pragma once
#include <gtest/gtest.h>
#include <recastnavigation/DetourAlloc.h>
#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>

#include <array>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane::test {

inline constexpr int kCell = 10;  // side in units

struct OffMesh {
    Vec3 from, to;
    bool bidirectional = false;
    uint8_t area = 1;
    uint16_t flags = 1;
};

struct MeshCell {
    uint8_t area = 0;  // 0: a hole
    uint16_t flags = 1;
    uint16_t height = 0;
};

class DrawnMesh {
public:
    // Moves vertices inside of a tile randomly by up to `jitter` units.
    DrawnMesh(int width, int height, int tile, int layers = 1, int jitter = 0, uint64_t seed = 1)
        : width_(width), height_(height), tile_(tile), cells_(static_cast<size_t>(layers) * width * height), mesh_(dtAllocNavMesh()) {
        dtNavMeshParams params{};
        params.tileWidth = params.tileHeight = static_cast<float>(tile * kCell);
        params.maxTiles = tiles_x() * tiles_y() * layers + 3;
        params.maxPolys = tile * tile + 16;
        EXPECT_TRUE(dtStatusSucceed(mesh_->init(&params)));
        Rng rng(seed);
        shifts_.resize(static_cast<size_t>(width + 1) * (height + 1));
        for (auto& shift : shifts_) {
            for (int& s : shift) s = jitter > 0 ? rng.between(-jitter, jitter) : 0;
        }
    }
    static DrawnMesh draw(std::string_view drawing, int tile) {
        std::vector<std::string> rows(1);
        for (const char c : drawing) {
            if (c == '\n') {
                if (!rows.back().empty()) rows.emplace_back();
            } else if (c != ' ') {
                rows.back() += c;
            }
        }
        if (rows.back().empty()) rows.pop_back();
        DrawnMesh mesh(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()), tile);
        for (int y = 0; y < mesh.height_; ++y) {
            for (int x = 0; x < mesh.width_; ++x) mesh.cell(x, y).area = area_of(rows[static_cast<size_t>(y)][static_cast<size_t>(x)]);
        }
        mesh.add_all();
        return mesh;
    }
    static uint8_t area_of(char c) { return static_cast<uint8_t>(c == '#' ? 0 : c == '.' ? 1 : c - '0'); }

    int width() const { return width_; }
    int height() const { return height_; }
    int tiles_x() const { return (width_ + tile_ - 1) / tile_; }
    int tiles_y() const { return (height_ + tile_ - 1) / tile_; }
    int layers() const { return static_cast<int>(cells_.size()) / (width_ * height_); }
    dtNavMesh& mesh() { return *mesh_; }
    MeshCell& cell(int x, int y, int layer = 0) { return cells_[static_cast<size_t>((layer * height_ + y) * width_ + x)]; }
    std::vector<OffMesh>& connections() { return connections_; }
    // Makes one polygon of each tile whose cells are all equal; such polygons have several neighbours per side.
    void merge_tiles() { merge_ = true; }
    Vec3 centre(int x, int y, int layer = 0) {
        return {static_cast<float>(x * kCell) + kCell / 2.0F, static_cast<float>(cell(x, y, layer).height),
                static_cast<float>(y * kCell) + kCell / 2.0F};
    }

    void add_all() {
        for (int layer = 0; layer < layers(); ++layer) {
            for (int i = 0; i < tiles_x() * tiles_y(); ++i) add_tile(i % tiles_x(), i / tiles_x(), layer);
        }
    }

    // Adds the tile of these cells, unless all are holes.
    void add_tile(int tx, int ty, int layer, dtTileRef last = 0) {
        std::vector<uint16_t> verts, polys, flags;
        std::vector<uint8_t> areas;
        std::map<std::array<int, 3>, uint16_t> vertex_of;
        std::map<std::array<int, 2>, uint16_t> poly_of;
        const int x0 = tx * tile_, y0 = ty * tile_, x1 = std::min(x0 + tile_, width_), y1 = std::min(y0 + tile_, height_);
        for (int y = y0; y < y1; ++y) {
            for (int x = x0; x < x1; ++x) {
                if (cell(x, y, layer).area != 0) poly_of.emplace(std::array{y, x}, static_cast<uint16_t>(poly_of.size()));
            }
        }
        if (poly_of.empty()) return;
        const int step = is_merged(tx, ty, layer) ? tile_ : 1;
        const auto vertex = [&](int x, int y, int h) {
            const auto [it, fresh] = vertex_of.emplace(std::array{y, x, h}, static_cast<uint16_t>(vertex_of.size()));
            if (!fresh) return it->second;
            const bool inside = x > x0 && x < x1 && y > y0 && y < y1;
            const auto& shift = shifts_[static_cast<size_t>(y * (width_ + 1) + x)];
            verts.push_back(static_cast<uint16_t>((x - x0) * kCell + (inside ? shift[0] : 0)));
            verts.push_back(static_cast<uint16_t>(h));
            verts.push_back(static_cast<uint16_t>((y - y0) * kCell + (inside ? shift[1] : 0)));
            return it->second;
        };
        for (const auto& [at, number] : poly_of) {
            const auto [y, x] = at;
            const MeshCell& c = cell(x, y, layer);
            if (x % step != 0 || y % step != 0) continue;
            for (const auto& [dx, dy] : {std::array{0, 0}, {0, step}, {step, step}, {step, 0}})
                polys.push_back(vertex(x + dx, y + dy, c.height));
            for (int side = 0; side < 4; ++side) {
                const int nx = x + (side == 2 ? step : side == 0 ? -1 : 0), ny = y + (side == 1 ? step : side == 3 ? -1 : 0);
                const bool out = nx < x0 || ny < y0 || nx >= x1 || ny >= y1;
                const auto found = poly_of.find({ny, nx});
                const bool level = found != poly_of.end() && cell(nx, ny, layer).height == c.height;
                polys.push_back(out ? static_cast<uint16_t>(0x8000 | side) : level ? found->second : uint16_t{0xffff});
            }
            flags.push_back(c.flags);
            areas.push_back(c.area);
        }
        std::vector<float> ends, radii;
        std::vector<uint16_t> con_flags;
        std::vector<uint8_t> con_areas, con_ways;
        for (const OffMesh& c : connections_) {
            ends.insert(ends.end(), {c.from.x, c.from.y, c.from.z, c.to.x, c.to.y, c.to.z});
            radii.push_back(1);
            con_flags.push_back(c.flags);
            con_areas.push_back(c.area);
            con_ways.push_back(c.bidirectional ? DT_OFFMESH_CON_BIDIR : 0);
        }
        const std::vector<uint32_t> ids(connections_.size());

        dtNavMeshCreateParams p{};
        p.verts = verts.data();
        p.vertCount = static_cast<int>(verts.size() / 3);
        p.polys = polys.data();
        p.polyFlags = flags.data();
        p.polyAreas = areas.data();
        p.polyCount = static_cast<int>(areas.size());
        p.nvp = 4;
        p.offMeshConVerts = ends.data();
        p.offMeshConRad = radii.data();
        p.offMeshConFlags = con_flags.data();
        p.offMeshConAreas = con_areas.data();
        p.offMeshConDir = con_ways.data();
        p.offMeshConUserID = ids.data();
        p.offMeshConCount = static_cast<int>(radii.size());
        p.tileX = tx;
        p.tileY = ty;
        p.tileLayer = layer;
        p.bmin[0] = static_cast<float>(x0 * kCell);
        p.bmin[2] = static_cast<float>(y0 * kCell);
        p.bmax[0] = static_cast<float>((x0 + tile_) * kCell);
        p.bmax[2] = static_cast<float>((y0 + tile_) * kCell);
        uint16_t low = 0xffff, high = 0;
        for (size_t i = 1; i < verts.size(); i += 3) {
            low = std::min(low, verts[i]);
            high = std::max(high, verts[i]);
        }
        p.bmin[1] = 0;
        p.bmax[1] = static_cast<float>(high) + 1;
        p.walkableHeight = 2;
        p.walkableRadius = 0;
        p.walkableClimb = 1;
        p.cs = p.ch = 1;
        p.buildBvTree = true;
        unsigned char* data = nullptr;
        int size = 0;
        ASSERT_TRUE(dtCreateNavMeshData(&p, &data, &size));
        if (dtStatusFailed(mesh_->addTile(data, size, DT_TILE_FREE_DATA, last, nullptr))) {
            dtFree(data);
            FAIL() << "tile " << tx << ',' << ty << ',' << layer;
        }
    }
    void remove_tile(int tx, int ty, int layer) { mesh_->removeTile(mesh_->getTileRefAt(tx, ty, layer), nullptr, nullptr); }

    bool is_merged(int tx, int ty, int layer) {
        if (!merge_ || (tx + 1) * tile_ > width_ || (ty + 1) * tile_ > height_) return false;
        const MeshCell& first = cell(tx * tile_, ty * tile_, layer);
        for (int i = 0; i < tile_ * tile_; ++i) {
            const MeshCell& c = cell(tx * tile_ + i % tile_, ty * tile_ + i / tile_, layer);
            if (c.area != first.area || c.flags != first.flags || c.height != first.height) return false;
        }
        return true;
    }

    // Returns 0 for a hole.
    dtPolyRef polygon(int x, int y, int layer = 0) {
        if (cell(x, y, layer).area == 0) return 0;
        const dtMeshTile* tile = mesh_->getTileAt(x / tile_, y / tile_, layer);
        if (tile == nullptr) return 0;
        if (is_merged(x / tile_, y / tile_, layer)) return mesh_->getPolyRefBase(tile);
        uint32_t number = 0;
        for (int v = y / tile_ * tile_; v < height_; ++v) {
            for (int u = x / tile_ * tile_; u < std::min((x / tile_ + 1) * tile_, width_); ++u) {
                if (u == x && v == y) return mesh_->getPolyRefBase(tile) | number;
                if (cell(u, v, layer).area != 0) ++number;
            }
        }
        return 0;
    }

private:
    struct Free {
        void operator()(dtNavMesh* mesh) const { dtFreeNavMesh(mesh); }
    };

    int width_, height_, tile_;
    bool merge_ = false;
    std::vector<MeshCell> cells_;
    std::vector<std::array<int, 2>> shifts_;
    std::vector<OffMesh> connections_;
    std::unique_ptr<dtNavMesh, Free> mesh_;
};

// Blobs of areas 1 to `areas`; one cell in `holes` is a hole.
inline DrawnMesh random_mesh(uint64_t seed, int size, int tile, uint32_t areas, uint32_t holes, int jitter = 0, bool merge = false) {
    DrawnMesh mesh(size, size, tile, 1, jitter, seed);
    if (merge) mesh.merge_tiles();
    Rng rng(seed);
    for (int i = 0; i < size * size; ++i) mesh.cell(i % size, i / size).area = 1;
    for (int blob = 0; blob < size * size / 16; ++blob) {
        const auto area = static_cast<uint8_t>(1 + rng.below(areas));
        const int x = static_cast<int>(rng.below(static_cast<uint32_t>(size))),
                  y = static_cast<int>(rng.below(static_cast<uint32_t>(size)));
        const int w = 1 + static_cast<int>(rng.below(5)), h = 1 + static_cast<int>(rng.below(5));
        for (int v = y; v < std::min(y + h, size); ++v) {
            for (int u = x; u < std::min(x + w, size); ++u) mesh.cell(u, v).area = area;
        }
    }
    for (int i = 0; holes > 0 && i < size * size; ++i) {
        if (rng.chance(1, holes)) mesh.cell(i % size, i / size).area = 0;
    }
    mesh.add_all();
    return mesh;
}

// Area i costs i; area 0 is blocked.
inline NavmeshFilter digit_filter() {
    NavmeshFilter filter;
    filter.costs = {};
    filter.costs.divisor = 100;
    for (uint32_t area = 1; area <= 9; ++area) filter.costs.cost[area] = area;
    return filter;
}

}  // namespace terrane::test
