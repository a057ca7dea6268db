// Small levels made of planes and boxes, in metres; y points up.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "terrane/navmesh/navmesh_builder.h"

namespace terrane {

class Level {
public:
    // A horizontal rectangle, walkable on its upper side.
    Level& floor(float left, float near, float right, float far, float y = 0) {
        return quad({left, y, near}, {left, y, far}, {right, y, far}, {right, y, near});
    }

    // From height `from` at x = left to height `to` at x = right.
    Level& ramp(float left, float near, float right, float far, float from, float to) {
        return quad({left, from, near}, {left, from, far}, {right, to, far}, {right, to, near});
    }

    // From y = low to y = high. Hollow: the inside of a box that is wider than an agent is walkable.
    Level& box(float left, float near, float right, float far, float low, float high) {
        floor(left, near, right, far, high);
        quad({left, low, near}, {right, low, near}, {right, low, far}, {left, low, far});
        quad({left, low, near}, {left, high, near}, {right, high, near}, {right, low, near});
        quad({left, low, far}, {right, low, far}, {right, high, far}, {left, high, far});
        quad({left, low, near}, {left, low, far}, {left, high, far}, {left, high, near});
        return quad({right, low, near}, {right, high, near}, {right, high, far}, {right, low, far});
    }

    const TriangleMesh& mesh() const { return mesh_; }

private:
    Level& quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        const auto first = static_cast<uint32_t>(mesh_.vertices.size());
        mesh_.vertices.insert(mesh_.vertices.end(), {a, b, c, d});
        mesh_.triangles.push_back({first, first + 1, first + 2});
        mesh_.triangles.push_back({first, first + 2, first + 3});
        return *this;
    }

    TriangleMesh mesh_;
};

// 40 x 40 metres: four tiles.
inline TriangleMesh flat_level() { return Level().floor(0, 0, 40, 40).mesh(); }
// A wall from front to back, with a gap of 4 metres in it.
inline TriangleMesh gap_level() {
    return Level().floor(0, 0, 40, 40).box(19.5f, 0, 20.5f, 26, -1, 4).box(19.5f, 30, 20.5f, 40, -1, 4).mesh();
}
// A ground floor, and a floor 5 metres above half of it, connected by a ramp.
inline TriangleMesh two_storeys() { return Level().floor(0, 0, 40, 30).floor(22, 0, 40, 30, 5).ramp(10, 10, 22, 16, 0, 5).mesh(); }
// Two banks 6 metres apart, connected by a bridge 4 metres wide, over a river bed that agents cannot climb out of.
inline TriangleMesh bridge_level() {
    return Level().floor(0, 0, 15, 30).floor(15, 0, 21, 30, -4).floor(21, 0, 36, 30).box(14, 13, 22, 17, -0.5f, 0).mesh();
}

}  // namespace terrane
