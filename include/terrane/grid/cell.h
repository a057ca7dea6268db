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

// The cells with left <= x < right and top <= y < bottom. Empty if right <= left or bottom <= top.
struct Rect {
    int32_t left = 0;
    int32_t top = 0;
    int32_t right = 0;
    int32_t bottom = 0;

    bool empty() const { return right <= left || bottom <= top; }
    bool contains(Cell c) const { return c.x >= left && c.x < right && c.y >= top && c.y < bottom; }
    friend bool operator==(const Rect&, const Rect&) = default;
};

inline Rect intersection(const Rect& a, const Rect& b) {
    return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

// The smallest rectangle that contains both; empty rectangles are ignored.
inline Rect hull(const Rect& a, const Rect& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

}  // namespace terrane
