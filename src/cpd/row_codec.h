// Encodes and decodes the rows of a path database, a block of 8x8 cells at a time.
//
// The columns are cut into segments that all cells of the block share. In a segment, each cell has one symbol (first_moves.h) that is valid
// for every target there. A pattern is one symbol per cell; few patterns serve many segments. Both steps are greedy: a segment is extended,
// and a pattern reused, while the sets of valid symbols intersect. On weighted terrain, neighbouring cells have few symbols in common;
// there a packed block is split into 4, 16 or 64 parts with segments of their own.
//
// Layout of a plain block: the number of segments and of patterns, 4 bytes each; the first column of each segment (2 bytes, or 4 if there
// are more than 65536 columns); its pattern (1 byte, or 2 if there are more than 256); the patterns, 4 bits per cell, in row-major order.
// Layout of a packed block: row_codec.cpp. All numbers are little-endian; blocks are padded with zeros to a multiple of 4 bytes.
//
// 8x8 cells: 13 to 22 plain bytes per row, against 28 to 62 for 16x16 (docs/notes/cpd.md).
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cpd/first_moves.h"
#include "terrane/cpd/path_database.h"

namespace terrane::detail {

struct RowFormat {
    bool packed = false;  // packed: fewest bytes; plain: fastest to read
    uint32_t width = 2;   // bytes per column number

    RowFormat(PathEncoding encoding, uint64_t columns) : packed(encoding == PathEncoding::kSmall), width(columns > 65536 ? 4 : 2) {}
};

// Decodes one column of a block. Safe for any bytes.
class RowDecoder {
public:
    // Decodes the part of the block that holds the cell `at` (in_block()): all cells with the same `at & part_mask()`.
    RowDecoder(RowFormat format, std::string_view block, uint32_t at, uint32_t column);

    // The symbol of a cell of that part. Blocked cells have any symbol.
    uint32_t symbol(uint32_t at) const;
    uint32_t part_mask() const { return kPartMasks[level_]; }
    // Writes the symbols of the part, 4 bits per cell, in row-major order. Packed blocks: cells whose bit in `passable` is not set have no
    // move.
    void copy(uint64_t passable, std::array<uint8_t, kBlockCells / 2>& out) const;

private:
    static constexpr std::array<uint32_t, 4> kPartMasks = {0, 044, 066, 077};
    void locate_plain(RowFormat format, std::string_view block, uint32_t column);
    void locate_packed(std::string_view part, uint32_t column);

    bool packed_ = false;
    uint32_t level_ = 0;
    uint32_t part_ = 0;
    std::span<const uint8_t> symbols_;  // plain: the pattern; packed: from the pattern's first run to the end of the part
};

// Encodes blocks. Scratch memory of one thread, reused from block to block.
class RowEncoder {
public:
    std::string encode(RowFormat format, const FirstMoves& moves);

private:
    void find_segments(const FirstMoves& moves, uint32_t first, uint32_t last);
    void find_patterns(uint32_t cells);
    void encode_plain(RowFormat format, const FirstMoves& moves, std::string& out);
    void encode_packed(const FirstMoves& moves, uint32_t level, std::string& out);
    void encode_part(const FirstMoves& moves, uint32_t first, uint32_t last, uint32_t level, std::string& out) const;

    std::vector<uint32_t> starts_;      // first column of each segment
    std::vector<uint16_t> segments_;    // valid symbols, by segment, then cell
    std::vector<uint32_t> pattern_of_;  // by segment
    std::vector<uint16_t> patterns_;    // valid symbols, by pattern, then cell
};

}  // namespace terrane::detail
