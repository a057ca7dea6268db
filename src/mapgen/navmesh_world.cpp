// Heights are integers in millimetres; the output is in metres.
#include "terrane/mapgen/navmesh_world.h"

#include <algorithm>
#include <string>

#include "mapgen/island.h"
#include "mapgen/noise.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kQuad = 2;  // metres
constexpr int32_t kMinMetres = 64, kMaxMetres = 4000;
constexpr int32_t kMarginShare = 5;  // the island map is larger by side / 5 at each edge, mostly sea
constexpr int32_t kBlurCells = 5, kBlurs = 3;
constexpr int32_t kStep = 1000, kDiagonal = 1400;  // maximum height difference of adjacent corners
constexpr int32_t kRiverBed = 700;
constexpr int32_t kRoughness = 16;  // wavelength in quads
constexpr uint64_t kReliefSeed = 101, kObstacleSeed = 202;

bool is_water(Terrain t) { return t == kDeepWater || t == kWater; }

int32_t base_height(Terrain t) {
    switch (t) {
        case kDeepWater:
        case kWater: return 0;
        case kSwamp: return 1500;
        case kHills: return 16000;
        case kTundra: return 20000;
        case kMountain: return 36000;
        case kIce: return 42000;
        default: return 5000;
    }
}

// A square height map in row order.
struct HeightMap {
    int32_t side = 0;
    std::vector<int32_t> values;

    explicit HeightMap(int32_t n) : side(n), values(static_cast<size_t>(n) * static_cast<size_t>(n)) {}
    size_t index(int32_t x, int32_t y) const { return static_cast<size_t>(y) * static_cast<size_t>(side) + static_cast<size_t>(x); }
    int32_t& at(int32_t x, int32_t y) { return values[index(x, y)]; }
    int32_t at(int32_t x, int32_t y) const { return values[index(x, y)]; }
    int32_t nearest(int32_t x, int32_t y) const { return at(std::clamp(x, 0, side - 1), std::clamp(y, 0, side - 1)); }
};

// Box blur along x, then transposes.
HeightMap blur_and_transpose(const HeightMap& from) {
    HeightMap to(from.side);
    for (int32_t y = 0; y < from.side; ++y) {
        int64_t sum = 0;
        for (int32_t x = -kBlurCells; x < kBlurCells; ++x) sum += from.nearest(x, y);
        for (int32_t x = 0; x < from.side; ++x) {
            sum += from.nearest(x + kBlurCells, y);
            to.at(y, x) = static_cast<int32_t>(sum / (2 * kBlurCells + 1));
            sum -= from.nearest(x - kBlurCells, y);
        }
    }
    return to;
}

class WorldMaker {
public:
    // Uses the middle of the map, `cells` cells per side.
    WorldMaker(const TerrainGrid& grid, int32_t cells, uint64_t seed)
        : map_(grid.snapshot()), cells_(cells), margin_((map_.width() - cells) / 2), seed_(seed) {}

    TriangleMesh make() {
        const HeightMap heights = make_heights();
        const size_t count = static_cast<size_t>(cells_) * static_cast<size_t>(cells_);
        mesh_.vertices.reserve(heights.values.size());
        mesh_.triangles.reserve(count * 2);
        mesh_.areas.reserve(count * 2);
        for (int32_t y = 0; y <= cells_; ++y) {
            for (int32_t x = 0; x <= cells_; ++x) add_vertex(x * 1000 * kQuad, heights.at(x, y), y * 1000 * kQuad);
        }
        for (int32_t y = 0; y < cells_; ++y) {
            for (int32_t x = 0; x < cells_; ++x) add_quad(x, y);
        }
        for (int32_t y = 0; y < cells_; ++y) {
            for (int32_t x = 0; x < cells_; ++x) add_obstacle(heights, x, y);
        }
        return std::move(mesh_);
    }

private:
    // Also valid for cells just outside of the world, which its corners read.
    Terrain terrain(int32_t x, int32_t y) const { return map_.at({x + margin_, y + margin_}); }
    uint32_t corner(int32_t x, int32_t y) const { return static_cast<uint32_t>(y * (cells_ + 1) + x); }

    // Returns whether is(terrain) holds for one of the four quads around a corner.
    template <class Is>
    bool touches(int32_t x, int32_t y, Is&& is) const {
        return is(terrain(x - 1, y - 1)) || is(terrain(x, y - 1)) || is(terrain(x - 1, y)) || is(terrain(x, y));
    }

    // Returns the heights of all corners.
    HeightMap make_heights() const {
        HeightMap heights(cells_ + 1);
        for (int32_t y = 0; y <= cells_; ++y) {
            for (int32_t x = 0; x <= cells_; ++x) heights.at(x, y) = base_height(terrain(x, y));
        }
        for (int32_t i = 0; i < 2 * kBlurs; ++i) heights = blur_and_transpose(heights);
        for (int32_t y = 0; y <= cells_; ++y) {
            for (int32_t x = 0; x <= cells_; ++x) roughen(heights.at(x, y), x, y);
        }
        limit_slopes(heights);
        return heights;
    }

    void roughen(int32_t& height, int32_t x, int32_t y) const {
        const int64_t noise = fractal_noise(mix64(seed_ + kReliefSeed), x, y, kRoughness, 3) - 32768;
        height += static_cast<int32_t>(noise * height / 65536 / 2);
        if (touches(x, y, [](Terrain t) { return t == kRiver; })) height = std::max(0, height - kRiverBed);
        if (touches(x, y, is_water)) height = 0;
    }

    // Limits the height difference of adjacent corners, by two sweeps as in a chamfer distance transform.
    void limit_slopes(HeightMap& heights) const {
        const auto lower = [&](int32_t x, int32_t y, int32_t from_x, int32_t from_y, int32_t step) {
            if (from_x < 0 || from_y < 0 || from_x > cells_ || from_y > cells_) return;
            heights.at(x, y) = std::min(heights.at(x, y), heights.at(from_x, from_y) + step);
        };
        const auto sweep = [&](int32_t x, int32_t y, int32_t d) {
            lower(x, y, x - d, y, kStep);
            lower(x, y, x - d, y - d, kDiagonal);
            lower(x, y, x, y - d, kStep);
            lower(x, y, x + d, y - d, kDiagonal);
        };
        for (int32_t y = 0; y <= cells_; ++y) {
            for (int32_t x = 0; x <= cells_; ++x) sweep(x, y, 1);
        }
        for (int32_t y = cells_; y >= 0; --y) {
            for (int32_t x = cells_; x >= 0; --x) sweep(x, y, -1);
        }
    }

    void add_vertex(int32_t x, int32_t y, int32_t z) {
        mesh_.vertices.push_back({static_cast<float>(x) / 1000, static_cast<float>(y) / 1000, static_cast<float>(z) / 1000});
    }
    void add_triangle(uint32_t a, uint32_t b, uint32_t c, Terrain area) {
        mesh_.triangles.push_back({a, b, c});
        mesh_.areas.push_back(area);
    }

    // Returns the terrain of one corner triangle of a quad: its own, or that of both neighbours at this corner, so that borders run
    // diagonally instead of in steps. Only the smaller terrain id cuts into the other: if both did, steps would remain.
    Terrain corner_terrain(int32_t x, int32_t y, int32_t dx, int32_t dy) const {
        const Terrain beside = terrain(x + dx, y), above = terrain(x, y + dy);
        const Terrain own = terrain(x, y);
        return beside == above && beside < own ? beside : own;
    }

    void add_quad(int32_t x, int32_t y) {
        const uint32_t a = corner(x, y), b = corner(x + 1, y), c = corner(x + 1, y + 1), d = corner(x, y + 1);
        const Terrain own = terrain(x, y), at_a = corner_terrain(x, y, -1, -1), at_b = corner_terrain(x, y, 1, -1),
                      at_c = corner_terrain(x, y, 1, 1), at_d = corner_terrain(x, y, -1, 1);
        if (at_a != own || at_c != own) {
            add_triangle(a, d, b, at_a);
            add_triangle(b, d, c, at_c);
        } else {
            add_triangle(a, c, b, at_b);
            add_triangle(a, d, c, at_d);
        }
    }

    // Number of quads with a tree or a boulder, per 1000.
    static int32_t obstacles_per_mille(Terrain t) {
        switch (t) {
            case kTrees: return 240;
            case kJungle: return 280;
            case kSwamp: return 180;
            case kMountain:
            case kHills: return 220;
            case kTundra:
            case kDesert:
            case kBlight: return 180;
            case kPlains:
            case kGround: return 140;
            default: return 0;
        }
    }

    void add_obstacle(const HeightMap& heights, int32_t x, int32_t y) {
        const uint64_t dice = mix64(mix64(seed_ + kObstacleSeed) ^ static_cast<uint64_t>(y) << 32 ^ static_cast<uint64_t>(x));
        if (static_cast<int32_t>(dice % 1000) >= obstacles_per_mille(terrain(x, y))) return;
        const int32_t surface = (heights.at(x, y) + heights.at(x + 1, y) + heights.at(x, y + 1) + heights.at(x + 1, y + 1)) / 4;
        const auto offset = [&](int shift) { return static_cast<int32_t>(dice >> shift & 1023) - 512; };
        const int32_t half = 250 + static_cast<int32_t>(dice >> 48 & 255);  // too narrow to be walkable inside
        add_box(x * 1000 * kQuad + 1000 + offset(16), y * 1000 * kQuad + 1000 + offset(32), surface, half);
    }

    // In millimetres. The box reaches from below the surface to more than a step above it.
    void add_box(int32_t x, int32_t z, int32_t surface, int32_t half) {
        const auto first = static_cast<uint32_t>(mesh_.vertices.size());
        for (const int32_t y : {surface - 2000, surface + 4000}) {
            add_vertex(x - half, y, z - half);
            add_vertex(x + half, y, z - half);
            add_vertex(x + half, y, z + half);
            add_vertex(x - half, y, z + half);
        }
        for (uint32_t i = 0; i < 4; ++i) {
            const uint32_t a = first + i, b = first + (i + 1) % 4;
            add_triangle(a, a + 4, b, kOutside);
            add_triangle(b, a + 4, b + 4, kOutside);
        }
        add_triangle(first + 4, first + 7, first + 6, kOutside);
        add_triangle(first + 4, first + 6, first + 5, kOutside);
    }

    GridSnapshot map_;
    int32_t cells_;   // along a side
    int32_t margin_;  // cells of the map cut off at each edge
    uint64_t seed_;
    TriangleMesh mesh_;
};

}  // namespace

Result<TriangleMesh> generate_navmesh_source(const NavmeshWorldOptions& options) {
    if (options.metres < kMinMetres || options.metres > kMaxMetres) {
        return Error{ErrorCode::kBadValue,
                     {},
                     0,
                     "a world of " + std::to_string(options.metres) + " metres: expected a side of " + std::to_string(kMinMetres) + " to " +
                         std::to_string(kMaxMetres) + " metres"};
    }
    IslandOptions island;
    const int32_t cells = options.metres / kQuad;
    island.width = island.height = cells + cells / kMarginShare * 2;
    island.seed = options.seed;
    const auto grid = generate_island(island);
    if (!grid) return grid.error();
    return WorldMaker(*grid, cells, options.seed).make();
}

}  // namespace terrane
