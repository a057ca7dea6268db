#include "crowd/swarm/route_finder.h"

#include <algorithm>

#include "terrane/overlay/prepared_overlay.h"

namespace terrane::detail {

void RouteFinder::begin(const WorldSnapshot& world, const Ground& ground, Cell start, Cell goal, PortalTree* tree) {
    world_ = world;
    const PreparedData* prepared = world.prepared({}, ground);
    const PreparedOverlay* overlay = prepared == nullptr ? nullptr : prepared->as<PreparedOverlay>();
    backend_ = overlay != nullptr ? Backend::kPortals : !world.all_regions().empty() ? Backend::kRegions : Backend::kCells;
    uses_tree_ = tree != nullptr;
    status_ = ground.check_ends(start, goal);
    if (status_ == Status::kFound) status_ = may_be_connected(ground, start, goal) ? Status::kBudgetSpent : Status::kUnreachable;
    if (status_ != Status::kBudgetSpent) return;
    DtaQueryOptions smoothed;
    smoothed.smooth = true;
    switch (backend_) {
        case Backend::kPortals: uses_tree_ ? portals_.begin(*tree, start) : portals_.begin(overlay->overlay, start, goal); break;
        case Backend::kRegions: regions_.begin(world.all_regions()[0], ground, start, goal, smoothed); break;
        case Backend::kCells: cell_search_.begin(ground, start, goal); break;
    }
}

// False only if the connected components prove that there is no path.
bool RouteFinder::may_be_connected(const Ground& ground, Cell start, Cell goal) const {
    if (world_->all_regions().empty()) return true;
    const TerrainRegions& regions = world_->all_regions()[0];
    return world_->components(ground).connected(regions.region_of(start), regions.region_of(goal));
}

// A query may have found its path and still return kBudgetSpent while it writes the cells.
Status RouteFinder::run(uint64_t budget) {
    const uint64_t before = expansions();
    const auto left = [&] { return budget - std::min(budget, expansions() - before); };
    while (status_ == Status::kBudgetSpent && left() > 0) {
        switch (backend_) {
            case Backend::kPortals: status_ = portals_.run(left()); break;
            case Backend::kRegions: status_ = regions_.run(left()); break;
            case Backend::kCells: status_ = cell_search_.run(left()); break;
        }
    }
    if (status_ == Status::kFound && backend_ == Backend::kCells) cell_search_.path(path_);
    return status_;
}

uint64_t RouteFinder::expansions() const {
    switch (backend_) {
        case Backend::kPortals: return portals_.expansions();
        case Backend::kRegions: return regions_.expansions();
        default: return cell_search_.expansions();
    }
}

const std::vector<Cell>& RouteFinder::cells() const {
    switch (backend_) {
        case Backend::kPortals: return portals_.cells();
        case Backend::kRegions: return regions_.cells();
        default: return path_.cells;
    }
}

size_t RouteFinder::bytes() const {
    return portals_.bytes() + regions_.bytes() + cell_search_.bytes() + path_.cells.capacity() * sizeof(Cell);
}

}  // namespace terrane::detail
