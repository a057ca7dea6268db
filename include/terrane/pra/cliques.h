// Clique abstraction, the hierarchy that PRA* searches: the passable cells are merged into nodes of up to four, those again, and so on,
// until every connected component of the map is one node. Based on: Sturtevant, Buro 2005, "Partial Pathfinding Using Map Abstraction and
// Refinement" (AAAI); Holte et al. 1996.
//
// Level 0 consists of the cells. Each level is merged into the next: first cliques of four nodes, then of three, then pairs; a node that is
// left over is merged into its smallest neighbour. Two nodes are adjacent if nodes that they were merged from are; on level 0, if there is
// a legal step between the cells. Only the blocked set matters, so one abstraction serves all profiles with the same blocked set. A node
// without edges is a whole connected component and has no parent.
//
// Merging is local to tiles: of 8x8 cells on the first level, of 2x2 such tiles on the next, and so on. Only nodes of one tile are merged,
// in the order of the tile. So an edit affects one chain of tiles and their neighbours. Nodes that a tile border separates are merged on a
// higher level. On 19 maps of bg512, tiles make 2% more nodes on the first level than merging over the whole map, and 2 to 13% fewer on the
// next four; tiles of 16x16 are no better and 4 times slower to repair.
//
// A Cliques is an immutable version. updated() makes the next one, which shares every tile that the edit did not affect and equals a new
// build. Memory: 8 bytes per node, 4 per directed edge, 1 per cell, 4 per merged node, about 150 per tile; 8.6 bytes per cell on bg512,
// half of whose cells are blocked.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "terrane/base/memory.h"
#include "terrane/base/paged_vector.h"
#include "terrane/grid/ground.h"
#include "terrane/terrain_regions/connected_components.h"

namespace terrane {

// A node of a level: tile << shift | number; on level 0, a CellId. Valid for one version only.
using CliqueId = uint32_t;
inline constexpr CliqueId kNoClique = 0xffffffff;

enum class CliqueRule : uint8_t {
    kCliques,  // cliques of four, of three, pairs, then lone nodes
    kSectors,  // the connected components of each square: of 2x2 cells, of 4x4, and so on
};

struct CliqueOptions {
    CliqueRule rule = CliqueRule::kCliques;
};

namespace detail {

inline constexpr uint32_t kCliqueTileShift = 3;  // log2 of the side of a tile of the first level, in cells
inline constexpr uint32_t kCliqueTile = 1u << kCliqueTileShift;
inline constexpr uint8_t kNoCliqueLabel = 0xff;  // label of a blocked cell; a tile has at most 32 nodes

struct CliqueNode {
    uint16_t x = 0, y = 0;    // representative: a cell of the node
    uint32_t first_edge = 0;  // index into its tile's edges
    friend bool operator==(const CliqueNode&, const CliqueNode&) = default;
};

// The nodes of one tile of a level, and the nodes of the level below that were merged into them.
struct CliqueRecord {
    Vector<CliqueNode> nodes;
    Vector<RegionEdge> edges;         // sorted; side: of the tile; diagonal_only is never set
    Vector<uint8_t> cells;            // level 1: the node of each cell, in rows of kCliqueTile
    std::array<uint32_t, 5> first{};  // higher levels: begin of each quarter in `below`, then the end
    Vector<uint32_t> below;           // higher levels: the node that each node of the four tiles below was merged into; kNoClique: none

    std::span<const RegionEdge> edges_of(uint32_t number) const {
        const uint32_t begin = nodes[number].first_edge;
        const size_t end = number + 1 < nodes.size() ? nodes[number + 1].first_edge : edges.size();
        return {edges.data() + begin, end - begin};
    }
    size_t bytes() const {
        return sizeof(CliqueRecord) + nodes.capacity() * sizeof(CliqueNode) + edges.capacity() * 4 + cells.capacity() +
               below.capacity() * 4;
    }
    friend bool operator==(const CliqueRecord&, const CliqueRecord&) = default;
};

struct CliqueLevel {
    uint32_t tile_shift = 0;  // log2 of the side of its tiles, in cells
    uint32_t tiles_x = 0, tiles_y = 0;
    uint32_t shift = 0;  // of CliqueId
    uint64_t nodes = 0, edges = 0;
    std::array<uint32_t, 33> widths{};  // number of tiles by the bits that their node numbers need
    PagedVector<std::shared_ptr<const CliqueRecord>> records;

    uint32_t tiles() const { return tiles_x * tiles_y; }
    uint32_t tile_of(CliqueId id) const { return id >> shift; }
    uint32_t number_of(CliqueId id) const { return id & ((1u << shift) - 1); }
    CliqueId id(uint32_t tile, uint32_t number) const { return tile << shift | number; }
    uint32_t tile_at(Cell c) const {
        return (static_cast<uint32_t>(c.y) >> tile_shift) * tiles_x + (static_cast<uint32_t>(c.x) >> tile_shift);
    }
    const CliqueRecord& record(uint32_t tile) const { return *records[tile]; }
    const CliqueNode& node(CliqueId id) const { return record(tile_of(id)).nodes[number_of(id)]; }
    // Returns the tile on a side (RegionEdge). Precondition: it exists.
    uint32_t neighbour(uint32_t tile, uint32_t side) const { return tile + (side / 3) * tiles_x + side % 3 - tiles_x - 1; }

    // The node that a cell, or a node of the level below, was merged into. The number is kNoClique if there is none.
    struct NodeInTile {
        uint32_t tile, number;
    };
    NodeInTile merged(Cell c) const {
        const uint32_t tile = tile_at(c);
        const uint32_t x = static_cast<uint32_t>(c.x) & (kCliqueTile - 1), y = static_cast<uint32_t>(c.y) & (kCliqueTile - 1);
        const uint8_t label = record(tile).cells[y * kCliqueTile + x];
        return {tile, label == kNoCliqueLabel ? kNoClique : label};
    }
    NodeInTile merged(const CliqueLevel& below, uint32_t tile, uint32_t number) const {
        const Quarter from = quarter(below, tile);
        return {from.tile, from.numbers[number]};
    }
    // The same for all nodes of a tile of the level below, which are in one tile of this level.
    struct Quarter {
        uint32_t tile;
        const uint32_t* numbers;
    };
    Quarter quarter(const CliqueLevel& below, uint32_t tile) const {
        const uint32_t grow = tile_shift - below.tile_shift;  // 0 or 1
        const uint32_t x = tile % below.tiles_x, y = tile / below.tiles_x;
        const uint32_t up = (y >> grow) * tiles_x + (x >> grow);
        const CliqueRecord& whole = record(up);
        return {up, whole.below.data() + whole.first[(y & grow) << 1 | (x & grow)]};
    }
};

struct CliqueData {
    GridSnapshot grid;
    PassableSet set;
    Movement movement = Movement::kEightNoCornerCutting;
    CliqueOptions options;
    Vector<CliqueLevel> levels;  // levels[0] is level 1; the last has no edges

    // Returns the node of level + 1 that a node was merged into; kNoClique if it has none. Precondition: `level` is not the last.
    CliqueId parent(uint32_t level, CliqueId id) const {
        const CliqueLevel& above = levels[level];
        const auto [tile, number] = level == 0 ? above.merged(grid.layout().cell(id)) : merged_above(levels[level - 1], above, id);
        return number == kNoClique ? kNoClique : above.id(tile, number);
    }

private:
    static CliqueLevel::NodeInTile merged_above(const CliqueLevel& here, const CliqueLevel& above, CliqueId id) {
        return above.merged(here, here.tile_of(id), here.number_of(id));
    }
};

}  // namespace detail

// Thread-safe; copying it copies a pointer.
class Cliques {
public:
    // An empty world: no levels.
    Cliques();

    // Precondition: `set` is PassableSet::of a profile and the same movement.
    static Cliques build(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CliqueOptions& options = {});

    // Returns the abstraction of the map after an edit; nothing if `edit` starts from another version than this one's.
    std::optional<Cliques> updated(const EditResult& edit) const;

    // Whether it was built for this version of the map, this movement rule and the same blocked set.
    bool valid_for(const Ground& ground) const;

    const GridSnapshot& grid() const { return data_->grid; }
    Movement movement() const { return data_->movement; }

    // Number of levels above the cells: levels 1 to levels(). The highest has no edges. 0 for an empty world.
    uint32_t levels() const { return static_cast<uint32_t>(data_->levels.size()); }
    // Number of nodes of a level; on level 0, of passable cells.
    uint64_t nodes(uint32_t level) const;
    // Number of directed edges. Precondition: level >= 1.
    uint64_t edges(uint32_t level) const { return data_->levels[level - 1].edges; }
    // All ids of a level are below this; not all of them are nodes.
    CliqueId id_limit(uint32_t level) const;

    // Returns the node of the next level that a node was merged into. kNoClique for a whole connected component, and for a blocked cell.
    CliqueId parent(uint32_t level, CliqueId id) const { return level == levels() ? kNoClique : data_->parent(level, id); }
    // Returns the node of a level that contains a cell. kNoClique if the cell is blocked, or its component is one node on a lower level.
    CliqueId ancestor(Cell cell, uint32_t level) const;
    // Returns the representative cell of a node, which is also that of one of its children; on level 0, the cell itself.
    Cell representative(uint32_t level, CliqueId id) const;

    // Returns the lowest level on which both cells are in one node; 0 if they are equal. Nothing if either is blocked, or if they are not
    // connected.
    std::optional<uint32_t> common_level(Cell a, Cell b) const;
    bool connected(Cell a, Cell b) const { return common_level(a, b).has_value(); }

    // Calls visit(id) for every neighbour of a node. Precondition: level >= 1.
    template <class Visit>
    void for_each_edge(uint32_t level, CliqueId from, Visit&& visit) const {
        const detail::CliqueLevel& here = data_->levels[level - 1];
        const uint32_t tile = here.tile_of(from);
        for (const RegionEdge e : here.record(tile).edges_of(here.number_of(from))) {
            visit(here.id(here.neighbour(tile, e.side()), e.number()));
        }
    }

    // Bytes of all records, including those shared with other versions. Excludes the grid.
    size_t bytes() const;

    // Compares nodes and edges of all levels, not versions.
    friend bool operator==(const Cliques& a, const Cliques& b);

    const detail::CliqueData& data() const { return *data_; }

private:
    explicit Cliques(std::shared_ptr<const detail::CliqueData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::CliqueData> data_;
};

}  // namespace terrane
