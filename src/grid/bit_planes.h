// One bit per cell of a map, by rows and by columns, so that 64 cells are tested at once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "terrane/base/memory.h"
#include "terrane/grid/grid.h"

namespace terrane::detail {

// Bits in lines of 64-bit words. A line has a word of zeros at both ends, and so has the plane a line of zeros, so that a scan needs no
// test for the border of the map.
class BitPlane {
public:
    void resize(int32_t lines, int32_t length) {
        words_ = static_cast<size_t>(length + 63) / 64 + 2;
        bits_.assign(words_ * (static_cast<size_t>(lines) + 2), 0);
    }
    // The words of a line, from -1 to the number of lines. Its word -1 and the one behind its end are 0.
    const uint64_t* line(int32_t number) const { return bits_.data() + first_word(number); }
    // Sets 32 bits of a line, from `at` on, a multiple of 32.
    void set32(int32_t line_number, int32_t at, uint32_t bits) {
        uint64_t& word = bits_[first_word(line_number) + static_cast<size_t>(at / 64)];
        const int shift = at % 64;
        word = (word & ~(uint64_t{0xffffffff} << shift)) | uint64_t{bits} << shift;
    }
    size_t bytes() const { return bits_.capacity() * sizeof(uint64_t); }

private:
    size_t first_word(int32_t line_number) const { return static_cast<size_t>(line_number + 1) * words_ + 1; }

    size_t words_ = 0;
    Vector<uint64_t> bits_;
};

using TileBits = std::array<uint32_t, kTileSide>;  // by row; bit x

class BitPlanes {
public:
    void resize(const GridLayout& layout);
    void set_tile(const GridLayout& layout, uint32_t tile, TileBits bits);

    const BitPlane& rows() const { return rows_; }        // line y, bit x
    const BitPlane& columns() const { return columns_; }  // line x, bit y
    // `cell` may be one cell beyond the border of the map.
    bool test(Cell cell) const { return (rows_.line(cell.y)[cell.x >> 6] >> (cell.x & 63) & 1) != 0; }
    size_t bytes() const { return rows_.bytes() + columns_.bytes(); }

private:
    BitPlane rows_, columns_;
};

}  // namespace terrane::detail
