// HPA*: a map cut into sectors, the places where one can cross from one to the next, and what it costs to go from each such place of a
// sector to each other of it. For one profile.
// Based on: Botea, Mueller, Schaeffer 2004, "Near Optimal Hierarchical Path-Finding" (JOGD); terrain costs in the edges as in Harabor,
// Botea 2008.
//
// An entrance is a run of steps across the line between two sectors, as long as possible: cells side by side, passable on both sides. One
// of fewer than 6 has a crossing in its middle, a longer one at both ends. Where corners may be cut, every diagonal step across a line, or
// from corner to corner of two sectors, that has both cells beside it blocked is a crossing too; all others have a way around through an
// entrance. So a path of crossings joins two cells if and only if a path of cells does.
//
// The nodes of a sector are the cells of its crossings. A node is joined to every other of its sector that it reaches inside it, at the
// cost of the cheapest way there, found by search; and to the cells that its crossings lead to. All of that is in the profile's costs:
// another profile needs all the searches again (recosted), which is what terrain regions do away with.
//
// An EntranceGraph is one version and never changes; updated() makes the next, which shares every sector that the edit left alone, and
// equals one built from scratch. Memory: 6 bytes a node, and 8 for each two of a sector and way.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "terrane/base/memory.h"
#include "terrane/base/paged_vector.h"
#include "terrane/grid/ground.h"
#include "terrane/grid/profile.h"
#include "terrane/search/best_first.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// The cell of a crossing: sector << shift | number. Ids of one version mean nothing to another.
using EntranceId = uint32_t;
inline constexpr EntranceId kNoEntrance = 0xffffffff;

inline constexpr int32_t kWideEntrance = 6;  // steps: from here on an entrance has two crossings

struct EntranceOptions {
    uint32_t sector = 16;  // kMinSector..kMaxSector
};

namespace detail {

struct EntranceNode {
    uint16_t x = 0, y = 0;
    uint8_t moves = 0;  // a bit for each that crosses from here

    Cell cell() const { return {x, y}; }
    friend bool operator==(const EntranceNode&, const EntranceNode&) = default;
};

struct EntranceRecord {
    Vector<EntranceNode> nodes;  // by rows
    Vector<uint64_t> distance;   // of each two, by rows, in the profile's own units; kInfinite where there is no way inside

    uint32_t number_of(Cell c) const;  // of a node that is there
    size_t bytes() const { return sizeof(EntranceRecord) + nodes.capacity() * sizeof(EntranceNode) + distance.capacity() * 8; }
    friend bool operator==(const EntranceRecord&, const EntranceRecord&) = default;
};

struct EntranceRoot {
    Ground ground;
    uint32_t sector = 0;  // cells a side
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t shift = 0;  // of EntranceId
    uint64_t nodes = 0, edges = 0;
    std::array<uint32_t, 33> widths{};  // sectors whose node numbers need so many bits
    PagedVector<std::shared_ptr<const EntranceRecord>> records;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    uint32_t sector_at(Cell c) const { return static_cast<uint32_t>(c.y) / sector * sectors_x + static_cast<uint32_t>(c.x) / sector; }
    Rect rect(uint32_t s) const {
        const auto side = static_cast<int32_t>(sector);
        const auto x = static_cast<int32_t>(s % sectors_x) * side, y = static_cast<int32_t>(s / sectors_x) * side;
        return intersection({x, y, x + side, y + side}, ground.layout().rect());
    }
    const EntranceRecord& record(uint32_t s) const { return *records[s]; }
    EntranceId id(uint32_t s, uint32_t number) const { return s << shift | number; }
    const EntranceNode& node(EntranceId id) const { return record(id >> shift).nodes[id & ((1u << shift) - 1)]; }
};

}  // namespace detail

// Copying it copies a pointer. Any thread may use any copy.
class EntranceGraph {
public:
    // An empty world: no sectors.
    EntranceGraph();

    // Options within their limits are the caller's contract.
    static EntranceGraph build(const Ground& ground, const EntranceOptions& options = {});

    // For the map after an edit of the map that this was made for; nothing if `edit` began at another version. Searches the sectors with a
    // cell whose cost changed, and those around them whose crossings did.
    std::optional<EntranceGraph> updated(const EditResult& edit) const;

    // The same map for another profile. Crossings are kept where its walls are the same; all ways are searched anew.
    EntranceGraph recosted(const CostTable& costs) const;

    // Whether it is for this very version, rule, and costs.
    bool valid_for(const Ground& ground) const;

    const Ground& ground() const { return root_->ground; }
    uint32_t sector() const { return root_->sector; }
    uint64_t node_count() const { return root_->nodes; }
    uint64_t edge_count() const { return root_->edges; }  // in sectors and across; each way counts
    // All ids are below this; not all of them are nodes.
    EntranceId id_limit() const { return root_->sectors() << root_->shift; }
    // Every byte that this owns, records shared with other versions included; without the grid's.
    size_t bytes() const;

    // The same nodes, crossings and costs. Versions do not count.
    friend bool operator==(const EntranceGraph& a, const EntranceGraph& b);

    const detail::EntranceRoot& root() const { return *root_; }

private:
    explicit EntranceGraph(std::shared_ptr<const detail::EntranceRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::EntranceRoot> root_;
};

// Searches of an entrance graph, from one cell to another: first the ways from each to the crossings of its sector, then the crossings by
// A*; sliced. Scratch and state of one search at a time: one per thread, reused. After warm-up a search allocates nothing.
class EntranceSearch {
public:
    EntranceSearch();
    ~EntranceSearch();
    EntranceSearch(EntranceSearch&&) noexcept;
    EntranceSearch& operator=(EntranceSearch&&) noexcept;

    // Begins a search, dropping the one before. `graph` must outlive it; both cells are on its map and passable.
    void begin(const EntranceGraph& graph, Cell start, Cell goal);

    // Expands at most `budget` more cells and nodes. kBudgetSpent: call again to go on. Final: kFound, kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // Of the path found, in the profile's own units: what its cells will cost.
    uint64_t cost() const;
    // The cells of start, crossings and goal. Each two in a row are in one sector, joined inside it, or one step apart. Only when found.
    void path(std::vector<Cell>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
