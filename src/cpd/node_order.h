// The passable cells of a map as nodes: in which order, and which of them are joined by paths.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/path_database.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane::detail {

inline constexpr uint32_t kNoNumber = 0xffffffff;

// Blocks of 8x8 cells: 16 of a tile, each a range of its columns and rows.
inline constexpr int32_t kBlockSide = 8;
inline constexpr uint32_t kBlockCells = 64;
inline uint32_t block_of(CellId id) { return id >> 10 << 4 | (id >> 8 & 3) << 2 | (id >> 3 & 3); }
inline uint32_t in_block(CellId id) { return (id >> 5 & 7) << 3 | (id & 7); }  // y * 8 + x
inline constexpr CellId kInBlock = 0xe7;                                       // those bits of an id
inline uint32_t block_limit(const GridLayout& layout) { return layout.tile_limit() * 16; }
inline Cell block_corner(const GridLayout& layout, uint32_t block) {
    return layout.cell(block >> 4 << 10 | (block >> 2 & 3) << 8 | (block & 3) << 3);
}

// A number for some cells of a map: 16 bytes a block, and 2 bytes a number, or 4 where they are more than 65536.
class CellNumbers {
public:
    CellNumbers() = default;
    // cells[i] has the number i.
    CellNumbers(const GridLayout& layout, const std::vector<CellId>& cells);

    // kNoNumber for cells that have none. Only for ids of the map.
    uint32_t operator[](CellId id) const {
        const Block& block = blocks_[block_of(id)];
        const uint64_t bit = uint64_t{1} << in_block(id);
        if ((block.cells & bit) == 0) return kNoNumber;
        const size_t at = block.first + static_cast<size_t>(std::popcount(block.cells & (bit - 1)));
        return wide_.empty() ? narrow_[at] : wide_[at];
    }

    // Those of a block that have a number, a bit each.
    uint64_t cells(uint32_t block) const { return blocks_[block].cells; }

    size_t bytes() const { return blocks_.capacity() * sizeof(Block) + narrow_.capacity() * 2 + wide_.capacity() * 4; }

private:
    struct Block {
        uint64_t cells = 0;  // a bit for each that has a number
        uint32_t first = 0;  // of its numbers
    };
    std::vector<Block> blocks_;
    std::vector<uint16_t> narrow_;  // either these
    std::vector<uint32_t> wide_;    // or these
};

// Nodes of one component stand together: the components by their first cells by rows, inside them by the order asked for. A function of
// passable cells, movement and order alone.
struct NodeOrder {
    std::vector<CellId> cells;        // by place
    std::vector<uint32_t> first;      // the place of the first node of each component, then how many nodes there are
    std::vector<uint32_t> component;  // by place
};

// `order` is not kChoose.
NodeOrder order_nodes(const Ground& ground, PathOrder order);

}  // namespace terrane::detail
