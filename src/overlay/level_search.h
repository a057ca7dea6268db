// Connects the ends of a path to the top graph of an overlay's levels, and turns a path of that graph into one over portals.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "overlay/landmark_portals.h"
#include "overlay/level_cells.h"

namespace terrane::detail {

// Distances from one end of a path to the borders of the cells around it, bottom up.
class LevelEnd {
public:
    void reset() { for (auto& level : cells_) level.clear(); legs_.clear(); }
    // The distance to a portal of a cluster that holds the end.
    void add_leg(uint32_t cluster, uint32_t index, uint32_t distance) { legs_.push_back({cluster, index, static_cast<int32_t>(distance)}); }
    // Call after all legs were added.
    void rise(const OverlayData& data, const Levels& levels);

    struct CellEnd {
        uint32_t id = kNoCluster;
        Vector<int32_t> distance;  // to each border portal; kMaxPotential: none
    };
    std::span<const CellEnd> cells(uint32_t level) const { return cells_[level]; }
    const CellEnd* cell(uint32_t level, uint32_t id) const;
    // The path from the end to a border portal of a cell of the top level, portal by portal.
    void descend(const OverlayData& data, const Levels& levels, uint32_t id, uint32_t border, Vector<PortalStep>& out) const;

private:
    struct Leg {
        uint32_t cluster, index;
        int32_t distance;
    };
    Vector<Leg> legs_;
    std::array<Vector<CellEnd>, kLevels> cells_;
};

// A portal of the top graph, and the cell that the path comes from.
struct TopStep {
    PortalId id;
    uint32_t cell;
};

// The shortest path over all portals of the borders that a path of the top graph crosses.
class LevelPath {
public:
    // Returns its portals in `out`; the last cluster is `last_cluster`.
    void find(const OverlayData& data, const Levels& levels, const LevelEnd& start, const LevelEnd& goal, std::span<const TopStep> path,
              uint32_t last_cell, Vector<PortalStep>& out, uint32_t& last_cluster);

private:
    struct Stage {
        uint32_t count = 0;
        Vector<int32_t> distance;
        Vector<uint32_t> from;  // portal of the stage before
    };
    Vector<Stage> stages_;
    Vector<uint32_t> chosen_;
    Vector<PortalStep> back_;
};

}  // namespace terrane::detail
