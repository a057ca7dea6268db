// Levels over a portal overlay: cells of 4x4 and of 8x8 clusters with the distances inside them, and a small graph of the borders of the
// larger cells. A search of that graph and a walk down the cells replaces the search over all portals.
// Based on: Delling, Goldberg, Pajor, Werneck 2011 (nested cells, customised from the bottom up); elimination in min-plus algebra.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "overlay/portal_graph.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

inline constexpr uint32_t kLevels = 2;
inline constexpr std::array<uint32_t, kLevels> kCellSide = {4, 8};  // in clusters

// Sums of a few distances up to this fit a potential. Levels with longer ones are not used.
inline constexpr int32_t kMaxCellDistance = 1 << 28;

// A distance between portals of a cluster as it counts in a cell: at least 1, so that every step of a path shortens the rest.
inline int32_t level_leg(uint32_t distance) { return static_cast<int32_t>(std::clamp<uint32_t>(distance, 1, kMaxPotential)); }

// A cell of a level. Its children are clusters, or the cells of the level below. Its nodes are the portals on the borders of its children:
// first the inner ones, then those on its own border, side by side (north, east, south, west), each from its west or north end.
struct LevelCell {
    // A node as one of the border portals of a child.
    struct Place {
        uint16_t child = kNoChild;  // index in `children`
        uint16_t index = 0;
    };
    static constexpr uint16_t kNoChild = 0xffff;
    uint32_t inner = 0, border = 0, stride = 0;
    bool too_long = false;                           // a distance inside the cell is above kMaxCellDistance
    std::array<uint32_t, 5> first{};                 // border portal of each side, then their total
    Vector<PortalTable::Key> keys;                   // of each node
    Vector<std::array<Place, 2>> places;             // of each node
    Vector<std::pair<uint32_t, uint32_t>> children;  // id, first of its entries in `child_nodes`
    Vector<uint16_t> child_nodes;                    // the node of each border portal of each child
    Vector<int32_t> field;  // [node][border portal]: length of the shortest path inside the cell; kMaxPotential: none

    uint32_t nodes() const { return inner + border; }
    const int32_t* row(uint32_t node) const { return field.data() + size_t{node} * stride; }
    int32_t distance(uint32_t from, uint32_t to) const { return row(inner + from)[to]; }  // between border portals
    uint32_t node_of(uint32_t id, uint32_t index) const;                                  // by the id of a child; kNoCluster if it is none
    size_t bytes() const;
};

// One step of a path over portals: a portal, and the cluster that the path comes from.
struct PortalStep {
    PortalTable::Key key = 0;
    uint32_t cluster = kNoCluster;
};

// Immutable.
struct Levels {
    std::array<uint32_t, kLevels> cells_x{}, cells_y{};
    std::array<PagedVector<std::shared_ptr<const LevelCell>>, kLevels> cells;
    // The graph of the largest cells: they are its clusters, the borders between them its segments.
    std::shared_ptr<OverlayData> top;
    PagedVector<std::shared_ptr<const Vector<uint32_t>>> kept;  // per segment of `top`: its portals among those of the border

    uint32_t cell_of(uint32_t level, const OverlayData& data, uint32_t cluster) const {
        return cluster / data.clusters_x / kCellSide[level] * cells_x[level] + cluster % data.clusters_x / kCellSide[level];
    }
    const LevelCell& cell(uint32_t level, uint32_t id) const { return *cells[level][id]; }
    uint32_t too_long = 0;  // cells of the largest level
    size_t bytes() const;
};

// Borders with more portals than this make a level no faster than none: 25% random obstacles have 203.
inline constexpr uint32_t kMaxCellPortals = 96;

// The largest cells, of `cells` or of all, that have more border portals than that.
uint32_t count_crowded(const OverlayData& data, std::span<const uint32_t> cells);
uint32_t count_crowded(const OverlayData& data);
// Whether searches by levels are faster. Depends on the present map alone.
bool wants_levels(const OverlayData& data);

// Builds the levels of a new overlay, in slices.
class LevelsBuild {
public:
    // `data` has its portals and tables, and must outlive this.
    explicit LevelsBuild(const OverlayData& data);
    ~LevelsBuild();

    // Works for about `budget` portal expansions. Returns true when finished.
    bool run(uint64_t budget);
    double progress() const;
    std::shared_ptr<const Levels> take();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// The largest cells with one of these clusters, ascending.
Vector<uint32_t> cells_with(const OverlayData& data, std::span<const uint32_t> clusters);

// The levels after `clusters`, ascending, were rebuilt.
std::shared_ptr<const Levels> updated_levels(const OverlayData& data, const Levels& before, std::span<const uint32_t> clusters);

}  // namespace terrane::detail
