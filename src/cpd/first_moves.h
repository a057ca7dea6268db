// Computes all optimal first moves from the cells of an 8x8 block to every cell of the map.
//
// One Dijkstra search from a cell of the block (the base) gives the distance of every cell. The other cells of the block, and those of the
// ring around it, are so near that their distances differ little from the base's. On most maps the differences fit into 16 bits. They are
// computed for eight sources at a time, by relaxing every edge a few times in the order of the first search. A move is an optimal first
// move if the distances from its two ends differ by its cost.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "cpd/node_order.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"

namespace terrane::detail {

// A row has one symbol per target: one of the eight moves, kHeuristicMove (path_database.h), or kNoPathSymbol. A set of symbols has one bit
// each; it holds the valid symbols: those that name an optimal first move, or kNoPathSymbol if there is no path.
inline constexpr uint32_t kNoPathSymbol = 9;
inline constexpr uint16_t kAnySymbol = 0xffff;  // set of symbols of the cell itself: every symbol is valid

// Position of cell y * 8 + x of a block in Z order, in which quadrants, and their quadrants, are contiguous.
constexpr std::array<uint8_t, kBlockCells> z_order() {
    std::array<uint8_t, kBlockCells> out{};
    for (uint32_t i = 0; i < kBlockCells; ++i) {
        uint32_t z = 0;
        for (uint32_t b = 0; b < 3; ++b) z |= (i >> b & 1) << (2 * b) | (i >> (b + 3) & 1) << (2 * b + 1);
        out[i] = static_cast<uint8_t>(z);
    }
    return out;
}
inline constexpr std::array<uint8_t, kBlockCells> kZOrder = z_order();

// The map in row-major order with a border of one blocked cell, for searches without bounds checks. A node is the index of a passable cell
// in the NodeOrder.
struct FlatMap {
    uint32_t stride = 0;
    std::vector<uint32_t> cost;     // by cell, from CostTable; 0: blocked
    std::vector<uint8_t> moves;     // by cell, one bit per legal move
    std::vector<uint32_t> node_of;  // by cell; kNoIndex if blocked
    std::array<int32_t, 8> delta{};
    uint32_t unit = 1;      // divides the cost sums of all adjacent cells: an edge costs kStraight or kDiagonal times sum / unit
    uint64_t min_edge = 0;  // lower bound on the cost of an edge
    uint64_t max_edge = 0;  // upper bound on the cost of an edge

    std::vector<uint32_t> component;     // by node
    std::vector<uint32_t> cell_of_node;  // by node
    std::vector<uint32_t> columns;       // the targets' nodes, ascending
    std::vector<int16_t> column_x, column_y;

    FlatMap(const Ground& ground, const NodeOrder& order);
    void set_columns(const GridLayout& layout, const std::vector<CellId>& cells);  // `cells`: the targets, in node order
    uint32_t at(Cell c) const { return (static_cast<uint32_t>(c.y) + 1) * stride + static_cast<uint32_t>(c.x) + 1; }
    // log2 of the bucket width of the search; buckets are no wider than the cheapest edge.
    uint32_t bucket_bits() const { return static_cast<uint32_t>(std::bit_width(min_edge) - 1); }
    uint64_t edge(uint32_t from, uint32_t to, uint32_t move) const {
        return uint64_t{move < 4 ? kStraight : kDiagonal} * ((cost[from] + cost[to]) / unit);
    }
};

// Scratch memory of one thread, reused from block to block.
class FirstMoves {
public:
    // Computes the block whose upper left cell is `corner`.
    void find(const FlatMap& map, Cell corner);

    // The passable cells of the block, in Z order.
    struct Source {
        uint32_t cell;  // index in the FlatMap
        uint8_t z;
        uint8_t x, y;  // within the block
    };
    const std::vector<Source>& sources() const { return sources_; }

    // Columns come in groups of eight. symbols(): the valid symbols of each of eight columns in a source's row. common(): for each source,
    // the symbols that are valid for all eight columns. Past the last column every symbol is valid.
    uint32_t eights() const { return eights_; }
    const uint16_t* symbols(uint32_t eight, uint32_t source) const { return &symbols_[(size_t{eight} * sources_.size() + source) * 8]; }
    const uint16_t* common(uint32_t eight) const { return &common_[size_t{eight} * sources_.size()]; }

private:
    struct Lane {  // a cell of the block or of the ring around it
        uint32_t cell;
        uint64_t distance;  // from the base
    };
    void search(const FlatMap& map, uint32_t from);
    void find_lanes(const FlatMap& map, Cell corner, uint32_t component);
    template <class T>
    void find_component(const FlatMap& map, Cell corner, uint32_t component);
    template <class T>
    void relax(const FlatMap& map);
    template <class T>
    void compare(const FlatMap& map, Cell corner, uint32_t component);

    static constexpr int32_t kPaddedSide = kBlockSide + 2;  // the block and the ring around it
    std::vector<Source> sources_;
    std::vector<Lane> lanes_;
    std::array<uint32_t, size_t{kPaddedSide} * kPaddedSide> lane_at_{};  // by position in the padded block
    uint32_t width_ = 0;                                                 // number of lanes, rounded up to a multiple of eight

    std::vector<uint64_t> distance_;  // by cell
    std::vector<uint32_t> reached_;   // cells in ascending order of their distance bucket
    struct Entry {
        uint32_t cell;
        uint64_t distance;
    };
    std::vector<std::vector<Entry>> buckets_;
    std::vector<uint8_t> stale_;  // by cell

    std::tuple<std::vector<int16_t>, std::vector<int32_t>, std::vector<int64_t>> fields_;  // by node, then lane
    uint32_t eights_ = 0;
    std::vector<uint16_t> symbols_, common_;
};

}  // namespace terrane::detail
