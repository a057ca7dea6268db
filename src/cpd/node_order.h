// Numbers the passable cells of a map as nodes, by connected component and node order.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "terrane/cpd/path_database.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane::detail {

inline constexpr uint32_t kNoIndex = 0xffffffff;

// Blocks of 8x8 cells, 16 per tile.
inline constexpr int32_t kBlockSide = 8;
inline constexpr uint32_t kBlockCells = 64;
inline uint32_t block_of(CellId id) { return id >> 10 << 4 | (id >> 8 & 3) << 2 | (id >> 3 & 3); }
inline uint32_t in_block(CellId id) { return (id >> 5 & 7) << 3 | (id & 7); }  // y * 8 + x
inline constexpr CellId kInBlock = 0xe7;                                       // the bits of an id that in_block() reads
inline uint32_t block_limit(const GridLayout& layout) { return layout.tile_limit() * 16; }
inline Cell block_corner(const GridLayout& layout, uint32_t block) {
    return layout.cell(block >> 4 << 10 | (block >> 2 & 3) << 8 | (block & 3) << 3);
}

// Maps a subset of the cells to indices 0..n-1. Takes 16 bytes per block, and 2 bytes per index (4 if n > 65536).
class CellIndexMap {
public:
    CellIndexMap() = default;
    // cells[i] gets the index i.
    CellIndexMap(const GridLayout& layout, const std::vector<CellId>& cells);

    // Returns kNoIndex for cells without an index. Precondition: `id` is on the map.
    uint32_t operator[](CellId id) const {
        const Block& block = blocks_[block_of(id)];
        const uint64_t bit = uint64_t{1} << in_block(id);
        if ((block.cells & bit) == 0) return kNoIndex;
        const size_t at = block.first + static_cast<size_t>(std::popcount(block.cells & (bit - 1)));
        return wide_.empty() ? narrow_[at] : wide_[at];
    }

    // The cells of a block that have an index, one bit each.
    uint64_t cells(uint32_t block) const { return blocks_[block].cells; }

    size_t bytes() const { return blocks_.capacity() * sizeof(Block) + narrow_.capacity() * 2 + wide_.capacity() * 4; }

private:
    struct Block {
        uint64_t cells = 0;  // one bit per cell that has an index
        uint32_t first = 0;  // position of its first entry in narrow_ or wide_
    };
    std::vector<Block> blocks_;
    std::vector<uint16_t> narrow_;  // indices, if they fit 16 bits
    std::vector<uint32_t> wide_;    // indices, otherwise
};

// A node is an index into `cells`. The nodes of a component are contiguous; components are sorted by their first cell in row-major order,
// nodes within a component by the given order. Depends on passable cells, movement and order only.
struct NodeOrder {
    std::vector<CellId> cells;        // by node
    std::vector<uint32_t> first;      // first node of each component, then the number of nodes
    std::vector<uint32_t> component;  // by node
};

// Precondition: `order` is not kChoose. Visits each cell once; kHilbert also sorts.
NodeOrder order_nodes(const Ground& ground, PathOrder order);

}  // namespace terrane::detail
