// The data behind PathDatabase, and its byte image. Private to the module.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "cpd/node_order.h"
#include "cpd/row_codec.h"
#include "terrane/base/result.h"
#include "terrane/cpd/path_database.h"

namespace terrane::detail {

// The image holds: the number of blocks with a passable cell; the end of each such block, in units of 4 bytes from the end of this list;
// the blocks (row_codec.h), ascending by block_of(). All numbers are 4 bytes, little-endian.
struct PathDatabaseData {
    Ground ground;
    PathEncoding encoding = PathEncoding::kWalk;
    PathOrder order = PathOrder::kHilbert;
    RowFormat format{PathEncoding::kWalk, 0};
    uint32_t nodes = 0;

    bool all_targets = true;
    std::vector<CellId> targets;  // by column; empty if all_targets
    uint32_t columns = 0;
    CellIndexMap column_of;

    struct Block {
        uint32_t begin = 0, end = 0;  // in the image, in units of 4 bytes
    };
    std::vector<Block> blocks;
    std::string_view image;
    std::shared_ptr<const void> owner;  // of the image's bytes

    std::string_view block(uint32_t number) const {
        const Block& b = blocks[number];
        return image.substr(size_t{b.begin} * 4, size_t{b.end - b.begin} * 4);
    }

    // The passable cells of a block, one bit each.
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

    static const PathDatabaseData& of(const PathDatabase& database) { return *database.data_; }
    static PathDatabase make(std::shared_ptr<const PathDatabaseData> data) { return PathDatabase(std::move(data)); }
};

// Returns the passable cells among `wanted`, in node order.
std::vector<CellId> wanted_cells(const NodeOrder& order, const GridLayout& layout, const PathTargets& wanted);

// Returns the blocks with a passable cell, ascending.
std::vector<uint32_t> used_blocks(const GridLayout& layout, const NodeOrder& order);

// Returns the rows and their index as bytes, the same on every machine. A file stores them unchanged; map, profile, movement, encoding(),
// order() and targets are stored separately. Valid while the database lives.
std::string_view path_image(const PathDatabase& database);

// Returns the targets of the build, in the form that path_database_from_image() takes.
PathTargets path_targets(const PathDatabase& database);

// Makes a database from the bytes of path_image(), without a copy; `owner` keeps them alive. `order` must not be kChoose. Any bytes are
// safe: they are rejected, or reading them is safe (but the moves may be wrong, and a path that follows them may not terminate). Takes time
// linear in the number of nodes, not of bytes.
Result<PathDatabase> path_database_from_image(const Ground& ground, PathEncoding encoding, PathOrder order, const PathTargets& targets,
                                              std::string_view image, std::shared_ptr<const void> owner);

// Hash of the cost of every cell, the map size and the movement rule.
uint64_t path_map_fingerprint(const Ground& ground);

}  // namespace terrane::detail
