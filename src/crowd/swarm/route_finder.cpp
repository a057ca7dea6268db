#include "crowd/swarm/route_finder.h"

#include <algorithm>

#include "terrane/overlay/overlay_data.h"

namespace terrane::detail {

void RouteFinder::begin(const WorldSnapshot& world, const Ground& ground, Cell start, Cell goal, PortalTree* tree) {
    world_ = world;
    const PreparedData* prepared = world.prepared({}, ground);
    const OverlayData* overlay = prepared == nullptr ? nullptr : prepared->as<OverlayData>();
    by_ = overlay != nullptr ? By::kPortals : !world.all_regions().empty() ? By::kRegions : By::kCells;
    by_tree_ = tree != nullptr;
    status_ = ground.check_ends(start, goal);
    if (status_ == Status::kFound) status_ = joined(ground, start, goal) ? Status::kBudgetSpent : Status::kUnreachable;
    if (status_ != Status::kBudgetSpent) return;
    DtaQueryOptions smoothed;
    smoothed.smooth = true;
    switch (by_) {
        case By::kPortals: by_tree_ ? portals_.begin(*tree, start) : portals_.begin(overlay->overlay, start, goal); break;
        case By::kRegions: regions_.begin(world.all_regions()[0], ground, start, goal, smoothed); break;
        case By::kCells: cell_search_.begin(ground, start, goal); break;
    }
}

// True where it would take a search to know.
bool RouteFinder::joined(const Ground& ground, Cell start, Cell goal) const {
    if (world_->all_regions().empty()) return true;
    const TerrainRegions& regions = world_->all_regions()[0];
    return world_->components(ground).joined(regions.region_of(start), regions.region_of(goal));
}

// A search that has found its way still writes it out, and says kBudgetSpent meanwhile.
Status RouteFinder::run(uint64_t budget) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget - std::min(budget, expansions() - before); };
    while (status_ == Status::kBudgetSpent && left() > 0) {
        switch (by_) {
            case By::kPortals: status_ = portals_.run(left()); break;
            case By::kRegions: status_ = regions_.run(left()); break;
            case By::kCells: status_ = cell_search_.run(left()); break;
        }
    }
    if (status_ == Status::kFound && by_ == By::kCells) cell_search_.path(path_);
    return status_;
}

uint64_t RouteFinder::expansions() const {
    switch (by_) {
        case By::kPortals: return portals_.expansions();
        case By::kRegions: return regions_.expansions();
        default: return cell_search_.expansions();
    }
}

const std::vector<Cell>& RouteFinder::cells() const {
    switch (by_) {
        case By::kPortals: return portals_.cells();
        case By::kRegions: return regions_.cells();
        default: return path_.cells;
    }
}

size_t RouteFinder::bytes() const {
    return portals_.bytes() + regions_.bytes() + cell_search_.bytes() + path_.cells.capacity() * sizeof(Cell);
}

}  // namespace terrane::detail
