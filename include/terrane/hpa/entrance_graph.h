// The abstract graph of HPA*, for one profile: the transitions between sectors, and the distances between them inside each sector.
// Based on: Botea, Mueller, Schaeffer 2004, "Near Optimal Hierarchical Path-Finding" (JOGD); terrain costs in the edges as in Harabor,
// Botea 2008.
//
// An entrance is a maximal run of adjacent cells along the border of two sectors that are passable on both sides. An entrance of fewer than
// 6 cells has a transition in its middle, a longer one at both ends. If corners may be cut, every diagonal step to another sector that has
// both cells beside it blocked is a transition too; all other diagonal steps can be replaced by steps through an entrance. So two cells are
// connected in this graph if and only if they are connected on the map.
//
// The nodes of a sector are the cells of its transitions. Intra-sector edges connect each pair of nodes with a path inside the sector, at
// the cost of the cheapest such path. Inter-sector edges are the transitions. Edge costs depend on the profile: recosted() repeats all
// searches for another one. (Terrain regions avoid this.)
//
// An EntranceGraph is an immutable version. updated() makes the next one, which shares every sector that the edit did not affect and equals
// a new build. Memory: 6 bytes per node, and 8 per ordered pair of nodes of a sector.
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

// A node: sector << shift | index. Valid for one version only.
using EntranceId = uint32_t;
inline constexpr EntranceId kNoEntrance = 0xffffffff;

inline constexpr int32_t kWideEntrance = 6;  // cells; entrances of this length or more have two transitions

struct EntranceOptions {
    uint32_t sector = 16;  // side in cells, kMinSector..kMaxSector
};

namespace detail {

struct EntranceNode {
    uint16_t x = 0, y = 0;
    uint8_t moves = 0;  // one bit per transition that leaves from here

    Cell cell() const { return {x, y}; }
    friend bool operator==(const EntranceNode&, const EntranceNode&) = default;
};

struct EntranceRecord {
    Vector<EntranceNode> nodes;  // in row-major order
    Vector<uint64_t> distance;   // matrix of nodes, in the profile's own units; kInfinite: no path inside the sector

    uint32_t index_of(Cell c) const;  // precondition: there is a node at `c`
    size_t bytes() const { return sizeof(EntranceRecord) + nodes.capacity() * sizeof(EntranceNode) + distance.capacity() * 8; }
    friend bool operator==(const EntranceRecord&, const EntranceRecord&) = default;
};

struct EntranceData {
    Ground ground;
    uint32_t sector = 0;  // side in cells
    uint32_t sectors_x = 0, sectors_y = 0;
    uint32_t shift = 0;  // of EntranceId
    uint64_t nodes = 0, edges = 0;
    std::array<uint32_t, 33> widths{};  // number of sectors by the bits that their node indices need
    PagedVector<std::shared_ptr<const EntranceRecord>> records;

    uint32_t sectors() const { return sectors_x * sectors_y; }
    uint32_t sector_at(Cell c) const { return static_cast<uint32_t>(c.y) / sector * sectors_x + static_cast<uint32_t>(c.x) / sector; }
    Rect rect(uint32_t s) const {
        const auto side = static_cast<int32_t>(sector);
        const auto x = static_cast<int32_t>(s % sectors_x) * side, y = static_cast<int32_t>(s / sectors_x) * side;
        return intersection({{x, y}, {side, side}}, ground.layout().rect());
    }
    const EntranceRecord& record(uint32_t s) const { return *records[s]; }
    EntranceId id(uint32_t s, uint32_t index) const { return s << shift | index; }
    const EntranceNode& node(EntranceId id) const { return record(id >> shift).nodes[id & ((1u << shift) - 1)]; }
};

}  // namespace detail

// Thread-safe; copying it copies a pointer.
class EntranceGraph {
public:
    // An empty world: no sectors.
    EntranceGraph();

    // Precondition: options are within their limits and the movement rule is not kCustom.
    static EntranceGraph build(const Ground& ground, const EntranceOptions& options = {});

    // Returns the graph of the map after an edit; nothing if `edit` starts from another version than this one's. Rebuilds the sectors with
    // a cell whose cost changed, and their neighbours if their transitions changed.
    std::optional<EntranceGraph> updated(const EditResult& edit) const;

    // Returns the graph of the same map for another profile. Reuses the transitions if the blocked set is the same; recomputes all
    // distances.
    EntranceGraph recosted(const CostTable& costs) const;

    // Whether it was built for this version of the map, movement rule and costs.
    bool valid_for(const Ground& ground) const;

    const Ground& ground() const { return data_->ground; }
    uint32_t sector() const { return data_->sector; }
    uint64_t node_count() const { return data_->nodes; }
    uint64_t edge_count() const { return data_->edges; }  // directed, intra- and inter-sector
    // All ids are below this; not all of them are nodes.
    EntranceId id_limit() const { return data_->sectors() << data_->shift; }
    // Bytes of all records, including those shared with other versions. Excludes the grid.
    size_t bytes() const;

    // Compares nodes, transitions and costs, not versions.
    friend bool operator==(const EntranceGraph& a, const EntranceGraph& b);

    const detail::EntranceData& data() const { return *data_; }

private:
    explicit EntranceGraph(std::shared_ptr<const detail::EntranceData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::EntranceData> data_;
};

// Searches an entrance graph from one cell to another, in slices: first the distances from start and goal to the nodes of their sectors,
// then A* over the nodes. A reusable search object; one thread at a time. After warm-up a search allocates nothing.
class EntranceSearch {
public:
    EntranceSearch();
    ~EntranceSearch();
    EntranceSearch(EntranceSearch&&) noexcept;
    EntranceSearch& operator=(EntranceSearch&&) noexcept;

    // Begins a search and discards the previous one. Precondition: both cells are on the map and passable. `graph` must outlive the search.
    void begin(const EntranceGraph& graph, Cell start, Cell goal);

    // Expands at most `budget` more cells and nodes. Returns kBudgetSpent if it must be called again, else kFound or kUnreachable.
    Status run(uint64_t budget = kUnlimited);

    uint64_t expansions() const;
    // Cost of the refined path, in the profile's own units. Precondition: kFound.
    uint64_t cost() const;
    // Writes start, transitions and goal. Consecutive cells are one inter-sector step apart, or connected inside one sector. Precondition:
    // kFound.
    void path(std::vector<Cell>& out) const;

    size_t bytes() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace terrane
