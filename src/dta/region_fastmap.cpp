#include <algorithm>

#include "dta/region_tables.h"

// FastMap on the region graph, as on cells (fastmap.h): a dimension picks two regions a and b that are far apart and gives each region v
// the coordinate (d(a, v) + d(a, b) - d(v, b)) / 2, rounded down. It then subtracts from each edge's cost the difference of its ends'
// coordinates; the next dimension measures d with these residual costs. The differences of an edge sum to at most its cost.

namespace terrane::detail {

namespace {

constexpr size_t kEmbeddedComponents = 16;

class FastMapBuilder {
public:
    FastMapBuilder(RegionTables& tables, uint32_t dimensions)
        : regions_(&tables.regions),
          flat_(tables.regions, tables.ground),
          table_(tables.regions, dimensions, 0),
          flood_(flat_),
          coordinate_(flat_.size()) {}

    RegionTable run() && {
        const std::vector<RegionComponent> components = flat_.components_by_size();
        for (size_t i = 0; i < std::min(components.size(), kEmbeddedComponents); ++i) {
            for (uint32_t dimension = 0; dimension < table_.columns() && add_dimension(components[i], dimension); ++dimension) {
            }
        }
        return std::move(table_);
    }

private:
    void flood_from(uint32_t node) {
        flood_.reset();
        flood_.run_from(node);
    }

    // Returns false if all residual distances are 0.
    bool add_dimension(const RegionComponent& component, uint32_t dimension) {
        flood_from(component.first);
        flood_from(flood_.farthest(component));
        const uint32_t b = flood_.farthest(component);
        const uint64_t distance = flood_.distance(b);
        if (distance == 0) return false;
        for (uint32_t v = component.first; v < component.last(); ++v) coordinate_[v] = flood_.distance(v);
        flood_from(b);
        for (uint32_t v = component.first; v < component.last(); ++v) {
            coordinate_[v] = (coordinate_[v] + distance - flood_.distance(v)) / 2;
            const RegionId id = flat_.region(v);
            table_.row(regions_->sector_of(id), regions_->number_of(id))[dimension] = coordinate_[v];
        }
        for (uint32_t v = component.first; v < component.last(); ++v) reduce_edges(v);
        return true;
    }

    void reduce_edges(uint32_t v) {
        for (FlatRegions::Edge& edge : flat_.edges(v)) {
            edge.cost -= std::max(coordinate_[v], coordinate_[edge.to]) - std::min(coordinate_[v], coordinate_[edge.to]);
        }
    }

    const TerrainRegions* regions_;
    FlatRegions flat_;
    RegionTable table_;
    RegionFlood flood_;
    std::vector<uint64_t> coordinate_;  // in the current dimension, by node
};

}  // namespace

void build_fastmap(RegionTables& tables, const RegionFastMapOptions& options) {
    tables.table = FastMapBuilder(tables, std::clamp(options.dimensions, 1u, kMaxRegionDimensions)).run();
}

}  // namespace terrane::detail
