// A point in space, for meshes.
#pragma once

namespace terrane {

// Coordinates in metres; y points up.
struct Vec3 {
    float x = 0;
    float y = 0;
    float z = 0;

    friend bool operator==(const Vec3&, const Vec3&) = default;
};

}  // namespace terrane
