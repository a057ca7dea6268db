// Cells of a grid, and rectangles of cells.
#pragma once
#include <algorithm>
#include <cstdint>

namespace terrane {

// x grows to the right, y downwards; (0, 0) is the upper left cell.
struct Cell {
    int32_t x = 0;
    int32_t y = 0;
    friend bool operator==(const Cell&, const Cell&) = default;
};

struct Size {
    int32_t width = 0;
    int32_t height = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

// `width` times `height` cells; (x, y) is the upper left one. Empty if a side is zero or negative. A rectangle may extend past the map and
// past INT32_MAX: no function here overflows.
//
// Write Rect({x, y}, {width, height}). Four integers do not compile, because in older versions they were two corners.
struct Rect {
    int32_t x = 0;
    int32_t y = 0;
    int32_t width = 0;
    int32_t height = 0;

    constexpr Rect() = default;
    constexpr Rect(Cell corner, Size size) : x(corner.x), y(corner.y), width(size.width), height(size.height) {}
    // The smallest rectangle that contains both cells, which may be any two opposite corners.
    static constexpr Rect spanning(Cell a, Cell b);

    constexpr Cell corner() const { return {x, y}; }
    constexpr Size size() const { return {width, height}; }
    // The first column and row past the rectangle, at most INT32_MAX.
    constexpr int32_t right() const { return saturated(int64_t{x} + width); }
    constexpr int32_t bottom() const { return saturated(int64_t{y} + height); }

    constexpr bool empty() const { return width <= 0 || height <= 0; }
    constexpr uint64_t area() const { return empty() ? 0 : uint64_t{1} * static_cast<uint32_t>(width) * static_cast<uint32_t>(height); }
    constexpr bool contains(Cell c) const {
        const int64_t across = int64_t{c.x} - x, down = int64_t{c.y} - y;
        return across >= 0 && across < width && down >= 0 && down < height;
    }
    friend bool operator==(const Rect&, const Rect&) = default;

    static constexpr int32_t saturated(int64_t value) { return static_cast<int32_t>(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX)); }
};

constexpr Rect Rect::spanning(Cell a, Cell b) {
    const Cell first{std::min(a.x, b.x), std::min(a.y, b.y)}, last{std::max(a.x, b.x), std::max(a.y, b.y)};
    return {first, {saturated(int64_t{last.x} - first.x + 1), saturated(int64_t{last.y} - first.y + 1)}};
}

// The cells of both. No side of the result is negative.
constexpr Rect intersection(const Rect& a, const Rect& b) {
    const Cell corner{std::max(a.x, b.x), std::max(a.y, b.y)};
    const int64_t right = std::min(int64_t{a.x} + a.width, int64_t{b.x} + b.width);
    const int64_t bottom = std::min(int64_t{a.y} + a.height, int64_t{b.y} + b.height);
    return {corner, {Rect::saturated(std::max(right - corner.x, int64_t{0})), Rect::saturated(std::max(bottom - corner.y, int64_t{0}))}};
}

// The smallest rectangle that contains both; empty rectangles are ignored. Its sides are at most INT32_MAX.
constexpr Rect hull(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    const Cell corner{std::min(a.x, b.x), std::min(a.y, b.y)};
    const int64_t right = std::max(int64_t{a.x} + a.width, int64_t{b.x} + b.width);
    const int64_t bottom = std::max(int64_t{a.y} + a.height, int64_t{b.y} + b.height);
    return {corner, {Rect::saturated(right - corner.x), Rect::saturated(bottom - corner.y)}};
}

}  // namespace terrane
