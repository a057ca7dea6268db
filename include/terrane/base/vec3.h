// A place in a mesh.
#pragma once

namespace terrane {

// In metres; y points up.
struct Vec3 {
    float x = 0;
    float y = 0;
    float z = 0;

    friend bool operator==(const Vec3&, const Vec3&) = default;
};

}  // namespace terrane
