// All first moves of cheapest paths from the cells of a small block to everywhere.
//
// One search, from a cell of the block, gives the distance of every cell. The other cells of the block, and those around it, are so near
// that their distances differ from that by little: the differences fit into 16 bits on most maps, and are found for eight cells at a time,
// by relaxing every edge a few times in the order of the first search. A move is a first move where the distances from its two ends differ
// by what it costs.
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

// What a row says of a target: one of the eight moves, or
// kTowards (path_database.h): the move that the signs of dx and dy name, or ...
inline constexpr uint32_t kNoPathSymbol = 9;   // there is no path
inline constexpr uint16_t kAnything = 0xffff;  // as a set of symbols: the target is the cell itself

// Cells of a block in Z order, so that its quarters, and theirs, are ranges: by y * 8 + x.
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

// A map for searches that go everywhere: by rows, with a border of one blocked cell around it.
struct FlatMap {
    uint32_t stride = 0;
    std::vector<uint32_t> cost;   // of CostTable; 0 is blocked
    std::vector<uint8_t> moves;   // a bit for each that is legal
    std::vector<uint32_t> place;  // kNoNumber where blocked
    std::array<int32_t, 8> delta{};
    uint32_t unit = 1;      // the sums of two neighbours' costs are multiples of it: edges cost kStraight or kDiagonal times sum / unit
    uint64_t shortest = 0;  // edge
    uint64_t longest = 0;   // edge

    std::vector<uint32_t> component;  // by place
    std::vector<uint32_t> at_place;   // the index here
    std::vector<uint32_t> columns;    // places, ascending
    std::vector<int16_t> column_x, column_y;

    FlatMap(const Ground& ground, const NodeOrder& order);
    void set_columns(const GridLayout& layout, const std::vector<CellId>& cells);  // of the order's cells, in its order
    uint32_t at(Cell c) const { return (static_cast<uint32_t>(c.y) + 1) * stride + static_cast<uint32_t>(c.x) + 1; }
    // Buckets of the search are 2^that wide: no wider than the shortest edge.
    uint32_t bucket_bits() const { return static_cast<uint32_t>(std::bit_width(shortest) - 1); }
    uint64_t edge(uint32_t from, uint32_t to, uint32_t move) const {
        return uint64_t{move < 4 ? kStraight : kDiagonal} * ((cost[from] + cost[to]) / unit);
    }
};

// The scratch of one thread.
class FirstMoves {
public:
    // For the block whose upper left cell is `corner`.
    void find(const FlatMap& map, Cell corner);

    // The passable cells of the block, in Z order.
    struct Source {
        uint32_t cell;  // of the map
        uint8_t z;
        uint8_t x, y;  // in the block
    };
    const std::vector<Source>& sources() const { return sources_; }

    // Columns in eights: the symbols that are true of a column in a source's row, a bit each; and those that are true of all eight. Past
    // the last column: anything.
    uint32_t eights() const { return eights_; }
    const uint16_t* symbols(uint32_t eight, uint32_t source) const { return &symbols_[(size_t{eight} * sources_.size() + source) * 8]; }
    const uint16_t* common(uint32_t eight) const { return &common_[size_t{eight} * sources_.size()]; }

private:
    struct Lane {
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

    static constexpr int32_t kWindow = kBlockSide + 2;
    std::vector<Source> sources_;
    std::vector<Lane> lanes_;
    std::array<uint32_t, size_t{kWindow} * kWindow> lane_at_{};  // by place in the block and the ring around it
    uint32_t width_ = 0;                                         // lanes, rounded up to eights

    std::vector<uint64_t> distance_;  // by cell
    std::vector<uint32_t> reached_;   // cells by buckets of distance
    struct Entry {
        uint32_t cell;
        uint64_t distance;
    };
    std::vector<std::vector<Entry>> buckets_;
    std::vector<uint8_t> stale_;  // by cell

    std::tuple<std::vector<int16_t>, std::vector<int32_t>, std::vector<int64_t>> fields_;  // by place, then lane
    uint32_t eights_ = 0;
    std::vector<uint16_t> symbols_, common_;
};

}  // namespace terrane::detail
