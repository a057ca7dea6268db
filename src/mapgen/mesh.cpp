// Places sites on a jittered, staggered lattice, triangulates the lattice, and flips edges until the triangulation is Delaunay.
#include "mapgen/mesh.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "terrane/base/rng.h"

namespace terrane::detail {

namespace {

constexpr int32_t kMargin = 3;                   // rings of polygons around the map, so that all polygons on it are closed
constexpr int32_t kJitter = kUnit * 2 / 5;       // maximum displacement of a site along each axis
constexpr int32_t kStagger = kUnit / 4;          // rows are shifted left and right in turn
constexpr int64_t kMinArea = kUnit * kUnit / 8;  // twice the area below which a triangle counts as tangled

struct Lattice {
    int32_t columns = 0;
    int32_t rows = 0;

    uint32_t index(int32_t i, int32_t j) const {
        return static_cast<uint32_t>(j) * static_cast<uint32_t>(columns) + static_cast<uint32_t>(i);
    }
    bool outermost(int32_t i, int32_t j) const { return i == 0 || j == 0 || i == columns - 1 || j == rows - 1; }
    GridPoint place(uint32_t index) const {
        const auto i = static_cast<int32_t>(index % static_cast<uint32_t>(columns)),
                   j = static_cast<int32_t>(index / static_cast<uint32_t>(columns));
        return {i * kUnit + kUnit / 2 + (j % 2 == 0 ? -kStagger : kStagger), j * kUnit + kUnit / 2};
    }
};

void scatter_sites(const Lattice& lattice, uint64_t seed, Mesh& mesh) {
    Rng rng(seed);
    for (int32_t j = 0; j < lattice.rows; ++j) {
        for (int32_t i = 0; i < lattice.columns; ++i) {
            GridPoint site = lattice.place(lattice.index(i, j));
            const int32_t dx = rng.between(-kJitter, kJitter), dy = rng.between(-kJitter, kJitter);
            if (!lattice.outermost(i, j)) site = {site.x + dx, site.y + dy};
            mesh.sites.push_back(site);
            mesh.rim.push_back(lattice.outermost(i, j) ? 1 : 0);
        }
    }
}

// Two triangles per square of the lattice, split so that the staggered rows yield nearly equal sides.
void lattice_triangles(const Lattice& lattice, Mesh& mesh) {
    for (int32_t j = 0; j + 1 < lattice.rows; ++j) {
        for (int32_t i = 0; i + 1 < lattice.columns; ++i) {
            const uint32_t a = lattice.index(i, j), b = lattice.index(i + 1, j);
            const uint32_t c = lattice.index(i, j + 1), d = lattice.index(i + 1, j + 1);
            if (j % 2 == 0) {
                mesh.start.insert(mesh.start.end(), {a, b, c, b, d, c});
            } else {
                mesh.start.insert(mesh.start.end(), {a, b, d, a, d, c});
            }
        }
    }
}

// Moves the sites of thin or inverted triangles back towards the lattice until there are none.
void untangle(const Lattice& lattice, Mesh& mesh) {
    for (bool tangled = true; tangled;) {
        tangled = false;
        for (size_t t = 0; t < mesh.start.size(); t += 3) {
            const uint32_t* v = &mesh.start[t];
            if (cross(mesh.sites[v[0]], mesh.sites[v[1]], mesh.sites[v[2]]) >= kMinArea) continue;
            tangled = true;
            for (int k = 0; k < 3; ++k) mesh.sites[v[k]] = mix(lattice.place(v[k]), mesh.sites[v[k]], 3, 4);
        }
    }
}

void match_twins(Mesh& mesh) {
    std::vector<std::pair<uint64_t, uint32_t>> sides(mesh.start.size());
    for (uint32_t s = 0; s < sides.size(); ++s) {
        const auto [low, high] = std::minmax({mesh.start[s], mesh.end(s)});
        sides[s] = {uint64_t{low} << 32 | high, s};
    }
    std::sort(sides.begin(), sides.end());
    mesh.twin.assign(sides.size(), kNone);
    for (size_t k = 1; k < sides.size(); ++k) {
        if (sides[k].first != sides[k - 1].first) continue;
        mesh.twin[sides[k].second] = sides[k - 1].second;
        mesh.twin[sides[k - 1].second] = sides[k].second;
    }
}

// Returns whether d lies strictly inside the circle through a, b and c. Exact: the coordinate differences are small enough for 64 bits.
bool in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
    const int64_t ax = a.x - d.x, ay = a.y - d.y, bx = b.x - d.x, by = b.y - d.y, cx = c.x - d.x, cy = c.y - d.y;
    const int64_t aa = ax * ax + ay * ay, bb = bx * bx + by * by, cc = cx * cx + cy * cy;
    return ax * (by * cc - bb * cy) - ay * (bx * cc - bb * cx) + aa * (bx * cy - by * cx) > 0;
}

bool should_flip(const Mesh& mesh, uint32_t side) {
    const uint32_t twin = mesh.twin[side];
    if (twin == kNone) return false;
    const auto site = [&](uint32_t s) { return mesh.sites[mesh.start[s]]; };
    return in_circle(site(side), site(Mesh::next(side)), site(Mesh::previous(side)), site(Mesh::previous(twin)));
}

void link(Mesh& mesh, uint32_t side, uint32_t twin) {
    mesh.twin[side] = twin;
    if (twin != kNone) mesh.twin[twin] = side;
}

// Side a-b of triangles a-b-c and b-a-d becomes side d-c of triangles d-c-a and c-d-b.
void flip(Mesh& mesh, uint32_t s) {
    const uint32_t s1 = Mesh::next(s), s2 = Mesh::previous(s), t = mesh.twin[s], t1 = Mesh::next(t), t2 = Mesh::previous(t);
    const uint32_t a = mesh.start[s], b = mesh.start[t], c = mesh.start[s2], d = mesh.start[t2];
    const uint32_t bc = mesh.twin[s1], ca = mesh.twin[s2], ad = mesh.twin[t1], db = mesh.twin[t2];
    mesh.start[s] = d, mesh.start[s1] = c, mesh.start[s2] = a;
    mesh.start[t] = c, mesh.start[t1] = d, mesh.start[t2] = b;
    link(mesh, s1, ca), link(mesh, s2, ad), link(mesh, t1, db), link(mesh, t2, bc);
}

void make_delaunay(Mesh& mesh) {
    std::vector<uint32_t> suspects;
    for (uint32_t first = 0; first < mesh.start.size(); ++first) {
        suspects.push_back(first);
        while (!suspects.empty()) {
            const uint32_t side = suspects.back();
            suspects.pop_back();
            if (!should_flip(mesh, side)) continue;
            const uint32_t twin = mesh.twin[side];
            flip(mesh, side);
            suspects.insert(suspects.end(), {Mesh::next(side), Mesh::previous(side), Mesh::next(twin), Mesh::previous(twin)});
        }
    }
}

void find_spokes(Mesh& mesh) {
    mesh.spoke.assign(mesh.sites.size(), kNone);
    for (uint32_t s = static_cast<uint32_t>(mesh.start.size()); s-- > 0;) mesh.spoke[mesh.start[s]] = s;
}

void place_corners(Mesh& mesh) {
    for (size_t s = 0; s < mesh.start.size(); s += 3) {
        const GridPoint a = mesh.sites[mesh.start[s]], b = mesh.sites[mesh.start[s + 1]], c = mesh.sites[mesh.start[s + 2]];
        mesh.corners.push_back({(a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3});
    }
}

}  // namespace

int64_t isqrt(int64_t n) {
    int64_t root = 0;
    for (int bit = static_cast<int>(std::bit_width(static_cast<uint64_t>(n)) + 1) / 2; bit >= 0; --bit) {
        const int64_t trial = root | int64_t{1} << bit;
        if (trial * trial <= n) root = trial;
    }
    return root;
}

int32_t distance(GridPoint a, GridPoint b) {
    const int64_t dx = int64_t{a.x} - b.x, dy = int64_t{a.y} - b.y;
    return static_cast<int32_t>(isqrt(dx * dx + dy * dy));
}

Mesh build_mesh(int32_t columns, int32_t rows, uint64_t seed) {
    Mesh mesh;
    mesh.columns = columns;
    mesh.rows = rows;
    mesh.origin = {kMargin * kUnit, kMargin * kUnit};
    const Lattice lattice{columns + 2 * kMargin, rows + 2 * kMargin};
    scatter_sites(lattice, seed, mesh);
    lattice_triangles(lattice, mesh);
    untangle(lattice, mesh);
    match_twins(mesh);
    make_delaunay(mesh);
    find_spokes(mesh);
    place_corners(mesh);
    return mesh;
}

}  // namespace terrane::detail
