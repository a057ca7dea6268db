// Rows as bytes: those of a block of 8x8 cells together.
//
// The columns are cut into segments, the same ones for all cells of the block: in a segment, each cell has one symbol (first_moves.h) that
// is true of every target there. What a segment says is a pattern, a symbol for each cell; few patterns serve many segments. Both are
// greedy: a segment goes on, and a pattern is used again, while the sets of true symbols have one in common. Where neighbouring cells have
// little in common, on weighted terrain, a packed block is split into 4 parts, 16 or 64, each with segments of its own.
//
// A block, plain: the number of segments and of patterns, 4 bytes each; the first column of each segment (2 bytes, or 4 where there are
// more than 65536 columns); its pattern (1 byte, or 2 where there are more than 256); the patterns, four bits a cell, by rows. A block,
// packed: row_blocks.cpp. All numbers are little-endian; blocks are filled up with zeros to a multiple of 4 bytes.
//
// Tried on a few tiles of dao/arena, dao/lak303d and mapf/ht_chantry, plain bytes a row: blocks of 8x8 cells 13 to 22, of 16x16 28 to 62,
// of 32x32 (two maps) 130 to 150: patterns grow faster than segments become fewer. Without kTowards, groups of 64 rows took four to six
// times as much. Not kept: proximity wildcards (1 to 2%); a second symbol for "straight first" (1 to 6%); kTowards that knows which moves
// are legal (13 to 21%, but a lookup would have to know them, too). On seven whole maps, splitting plain blocks saved 3 to 27%, but walks
// took 17 to 65% longer.
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
    bool packed = false;  // fewest bytes; plain: quickest to read
    uint32_t width = 2;   // bytes of a column

    RowFormat(PathEncoding encoding, uint64_t columns) : packed(encoding == PathEncoding::kSmall), width(columns > 65536 ? 4 : 2) {}
};

// What a block says of one column. Reading is safe whatever the bytes are.
class RowPattern {
public:
    // For the cell at `at` of the block (in_block), and those that share its part: those for which `at & part_mask()` is the same.
    RowPattern(RowFormat format, std::string_view block, uint32_t at, uint32_t column);

    // Blocked cells may say anything.
    uint32_t symbol(uint32_t at) const;
    uint32_t part_mask() const { return kPartMasks[level_]; }
    // Those of its part, four bits a cell, by rows; kNoPathSymbol for cells that are not in `passable`, a bit each.
    void copy(uint64_t passable, std::array<uint8_t, kBlockCells / 2>& out) const;

private:
    static constexpr std::array<uint32_t, 4> kPartMasks = {0, 044, 066, 077};
    void find_plain(RowFormat format, std::string_view block, uint32_t column);
    void find_packed(std::string_view part, uint32_t column);

    bool packed_ = false;
    uint32_t level_ = 0;
    uint32_t part_ = 0;
    std::span<const uint8_t> symbols_;  // plain: of all cells; packed: from its first run to the end of the part
};

// The scratch of one thread.
class RowWriter {
public:
    std::string write(RowFormat format, const FirstMoves& moves);

private:
    void find_segments(const FirstMoves& moves, uint32_t first, uint32_t last);
    void find_patterns(uint32_t cells);
    void write_plain(RowFormat format, const FirstMoves& moves, std::string& out);
    void write_packed(const FirstMoves& moves, uint32_t level, std::string& out);
    void put_packed(const FirstMoves& moves, uint32_t first, uint32_t last, uint32_t level, std::string& out) const;

    std::vector<uint32_t> starts_;    // first column of each segment
    std::vector<uint16_t> segments_;  // true symbols of each: by segment, then cell
    std::vector<uint32_t> uses_;      // the pattern of each segment
    std::vector<uint16_t> patterns_;  // by pattern, then cell
};

}  // namespace terrane::detail
