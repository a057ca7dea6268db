// What a path database consists of; private to the module.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cpd/node_order.h"
#include "cpd/row_blocks.h"
#include "terrane/base/result.h"
#include "terrane/cpd/path_database.h"

namespace terrane::detail {

// The image: the number of blocks that have a passable cell; where each of them ends, in units of 4 bytes, counted from the end of this
// list; the blocks (row_blocks.h), by their numbers (block_of). All numbers have 4 bytes, the lowest first.
struct PathDatabaseRoot {
    Ground ground;
    PathEncoding encoding = PathEncoding::kWalk;
    PathOrder order = PathOrder::kHilbert;
    RowFormat format{PathEncoding::kWalk, 0};
    uint32_t nodes = 0;

    bool all_targets = true;
    std::vector<CellId> targets;  // by column, where not all
    uint32_t columns = 0;
    CellNumbers column_of;

    struct Block {
        uint32_t begin = 0, end = 0;  // of the image, in units of 4 bytes
    };
    std::vector<Block> blocks;
    std::string_view image;
    std::shared_ptr<const void> keep;  // what holds it

    std::string_view block(uint32_t number) const {
        const Block& b = blocks[number];
        return image.substr(size_t{b.begin} * 4, size_t{b.end - b.begin} * 4);
    }

    // The passable cells of a block, a bit each.
    uint64_t passable(uint32_t number) const {
        if (all_targets) return column_of.cells(number);
        uint64_t out = 0;
        const Cell corner = block_corner(ground.layout(), number);
        for (uint32_t i = 0; i < kBlockCells; ++i) {
            const Cell cell{corner.x + static_cast<int32_t>(i % 8), corner.y + static_cast<int32_t>(i / 8)};
            if (ground.passable(cell)) out |= uint64_t{1} << i;
        }
        return out;
    }

    static const PathDatabaseRoot& of(const PathDatabase& database) { return *database.root_; }
    static PathDatabase make(std::shared_ptr<const PathDatabaseRoot> root) { return PathDatabase(std::move(root)); }
};

// The cells that are wanted and passable, by the places of `order`.
std::vector<CellId> wanted_cells(const NodeOrder& order, const GridLayout& layout, const PathTargets& wanted);

// Blocks with a passable cell, ascending.
std::vector<uint32_t> used_blocks(const GridLayout& layout, const NodeOrder& order);

// The rows and their index as bytes: the same on every machine, to be put into a file as they are. The rest (which map, which profile,
// movement, encoding(), order(), targets) is told apart. Valid while the database lives.
std::string_view path_image(const PathDatabase& database);

// The targets that it was built for, in the form that path_database_from_image takes.
PathTargets path_targets(const PathDatabase& database);

// From the bytes of path_image; they are read where they are and kept by `keep`. Whatever the bytes: refused, or safe to read (the moves
// may be nonsense, and a path that follows them may be endless). Takes time linear in the nodes, not in the bytes. `order` is not kChoose.
Result<PathDatabase> path_database_from_image(const Ground& ground, PathEncoding encoding, PathOrder order, const PathTargets& targets,
                                              std::string_view image, std::shared_ptr<const void> keep);

// Of the cost of every cell, the size of the map, and the rule: what a file is checked against.
uint64_t path_map_fingerprint(const Ground& ground);

}  // namespace terrane::detail
