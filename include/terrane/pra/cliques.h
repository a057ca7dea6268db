// Clique abstraction: the passable cells of a map merged by fours into nodes, those again by fours, and so on, until every connected part
// of the map is one node. What PRA* plans with.
// Based on: Sturtevant, Buro 2005, "Partial Pathfinding Using Map Abstraction and Refinement" (AAAI); Holte et al. 1996.
//
// Level 0 are the cells. The nodes of a level are merged into those of the next: cliques of four, all of which are joined to one another,
// then cliques of three, then pairs; a node that is left joins the smallest neighbour. Nodes are joined where nodes that they were merged
// from are, in the end where a step leads from a cell of the one to a cell of the other. Terrain counts only by whether it may be entered,
// so one serves all profiles with the same walls. A node that is joined to none is a whole connected part, and is not carried any higher.
//
// Merging goes by tiles: of 8x8 cells for the first level, of four such tiles for the next, and so on; only nodes of one tile are merged,
// in the order of the tile. So a level depends on the tiles of the level below, and an edit on one chain of tiles and their neighbours.
// Nodes that only a tile's edge divides wait for a higher level. On 19 maps of bg512 that makes 2% more nodes on the first level than
// merging over all of the map, and 2 to 13% fewer on the next four; tiles of 16x16 are no better, and repaired 4 times slower.
//
// A Cliques is one version and never changes; updated() makes the next, which shares every tile that the edit left alone, and equals one
// built from scratch. Memory: 8 bytes a node and 4 an edge and way; a byte a cell; 4 bytes for each node that was merged;
// some 150 a tile. 8.6 bytes a cell on bg512, of which half is blocked.
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
#include "terrane/terrain_regions/reachability.h"

namespace terrane {

// A node of a level: tile << shift | number. At level 0: a CellId. Ids of one version mean nothing to another.
using CliqueId = uint32_t;
inline constexpr CliqueId kNoClique = 0xffffffff;

enum class CliqueRule : uint8_t {
    kCliques,  // fours, threes, pairs, lone nodes
    kSectors,  // all that hang together in a square: of 2x2 cells, of 4x4, and so on
};

struct CliqueOptions {
    CliqueRule rule = CliqueRule::kCliques;
};

namespace detail {

inline constexpr uint32_t kCliqueTileShift = 3;  // log2 of the cells a side of a tile of the first level
inline constexpr uint32_t kCliqueTile = 1u << kCliqueTileShift;
inline constexpr uint8_t kNoCliqueLabel = 0xff;  // of a cell that is blocked; a tile has at most 32 nodes

struct CliqueNode {
    uint16_t x = 0, y = 0;    // of the representative, a cell of the node
    uint32_t first_edge = 0;  // in its tile's list
    friend bool operator==(const CliqueNode&, const CliqueNode&) = default;
};

// The nodes of a level in one tile, and what they were merged from.
struct CliqueRecord {
    Vector<CliqueNode> nodes;
    Vector<RegionEdge> edges;         // side: of the tile; sorted. None is diagonal_only: what is not joined for all is not here
    Vector<uint8_t> cells;            // level 1: the node of each cell of the tile, by rows of kCliqueTile
    std::array<uint32_t, 5> first{};  // above: in `below`, of each of the four tiles it is made of; then their end
    Vector<uint32_t> below;           // above: the node that each node of those tiles was merged into; kNoClique: none, it is a whole part

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
    uint32_t tile_shift = 0;  // log2 of the cells a side of its tiles
    uint32_t tiles_x = 0, tiles_y = 0;
    uint32_t shift = 0;  // of CliqueId
    uint64_t nodes = 0, edges = 0;
    std::array<uint32_t, 33> widths{};  // tiles whose node numbers need so many bits
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
    // The tile on a side (RegionEdge). Only where there is one.
    uint32_t neighbour(uint32_t tile, uint32_t side) const { return tile + (side / 3) * tiles_x + side % 3 - tiles_x - 1; }

    // What a cell, or a node of the level below, was merged into. kNoClique for its number: nothing.
    struct Place {
        uint32_t tile, number;
    };
    Place merged(Cell c) const {
        const uint32_t tile = tile_at(c);
        const uint32_t x = static_cast<uint32_t>(c.x) & (kCliqueTile - 1), y = static_cast<uint32_t>(c.y) & (kCliqueTile - 1);
        const uint8_t label = record(tile).cells[y * kCliqueTile + x];
        return {tile, label == kNoCliqueLabel ? kNoClique : label};
    }
    Place merged(const CliqueLevel& below, uint32_t tile, uint32_t number) const {
        const Quarter from = quarter(below, tile);
        return {from.tile, from.numbers[number]};
    }
    // The same for all nodes of a tile of the level below: they are in one tile here.
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

struct CliqueRoot {
    GridSnapshot grid;
    PassableSet set;
    Movement movement = Movement::kEight;
    CliqueOptions options;
    Vector<CliqueLevel> levels;  // from level 1 on; the last has no edges

    // The node of level + 1 that a node of a level, which is not the last, was merged into; kNoClique for a whole part.
    CliqueId parent(uint32_t level, CliqueId id) const {
        const CliqueLevel& above = levels[level];
        const auto [tile, number] = level == 0 ? above.merged(grid.layout().cell(id)) : merged_above(levels[level - 1], above, id);
        return number == kNoClique ? kNoClique : above.id(tile, number);
    }

private:
    static CliqueLevel::Place merged_above(const CliqueLevel& here, const CliqueLevel& above, CliqueId id) {
        return above.merged(here, here.tile_of(id), here.number_of(id));
    }
};

}  // namespace detail

// Copying it copies a pointer. Any thread may use any copy.
class Cliques {
public:
    // An empty world: no levels.
    Cliques();

    // `set` is PassableSet::of some profile and the same movement.
    static Cliques build(const GridSnapshot& grid, const PassableSet& set, Movement movement, const CliqueOptions& options = {});

    // For the map after an edit of the map that this was made for; nothing if `edit` began at another version.
    std::optional<Cliques> updated(const EditResult& edit) const;

    // Whether it is for this very version, this rule, and a profile with the same walls.
    bool valid_for(const Ground& ground) const;

    const GridSnapshot& grid() const { return root_->grid; }
    Movement movement() const { return root_->movement; }

    // Above the cells: levels 1 to this. The highest has no edges. None for an empty world.
    uint32_t levels() const { return static_cast<uint32_t>(root_->levels.size()); }
    // Of a level; level 0 are the passable cells.
    uint64_t nodes(uint32_t level) const;
    // Of a level from 1 on; each way counts.
    uint64_t edges(uint32_t level) const { return root_->levels[level - 1].edges; }
    // All ids of a level are below this; not all of them are nodes.
    CliqueId id_limit(uint32_t level) const;

    // The node of the next level that a node was merged into; kNoClique where there is none: it is a whole part (at level 0: blocked).
    CliqueId parent(uint32_t level, CliqueId id) const { return level == levels() ? kNoClique : root_->parent(level, id); }
    // The node of a level that a cell of the map is in; kNoClique where it is blocked, or its whole part is a node of a lower level.
    CliqueId ancestor(Cell cell, uint32_t level) const;
    // Of a node of a level; on level 0 the cell itself. It is the representative of one of the nodes that were merged.
    Cell representative(uint32_t level, CliqueId id) const;

    // The lowest level on which both cells are in one node: 0 where they are the same. Nothing where either is blocked, or no path joins
    // them.
    std::optional<uint32_t> common_level(Cell a, Cell b) const;
    bool joined(Cell a, Cell b) const { return common_level(a, b).has_value(); }

    // Calls visit(id) for every neighbour of a node of a level from 1 on.
    template <class Visit>
    void for_each_edge(uint32_t level, CliqueId from, Visit&& visit) const {
        const detail::CliqueLevel& here = root_->levels[level - 1];
        const uint32_t tile = here.tile_of(from);
        for (const RegionEdge e : here.record(tile).edges_of(here.number_of(from))) {
            visit(here.id(here.neighbour(tile, e.side()), e.number()));
        }
    }

    // Every byte that this owns, records shared with other versions included; without the grid's.
    size_t bytes() const;

    // The same nodes and edges on all levels. Versions do not count.
    friend bool operator==(const Cliques& a, const Cliques& b);

    const detail::CliqueRoot& root() const { return *root_; }

private:
    explicit Cliques(std::shared_ptr<const detail::CliqueRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::CliqueRoot> root_;
};

}  // namespace terrane
