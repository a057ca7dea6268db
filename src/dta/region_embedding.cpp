#include <algorithm>

#include "dta/region_tables.h"

// FastMap: a dimension takes two regions a and b that are far apart and gives each region v the coordinate
// (d(a, v) + d(a, b) - d(v, b)) / 2, rounded down; then each edge's cost is lessened by the difference of its ends' coordinates, and the
// next dimension measures d by what is left. A coordinate's difference along an edge is at most what is left of the edge (a whole
// number, so that rounding changes nothing), and all of them together at most its cost.

namespace terrane::detail {

namespace {

constexpr size_t kEmbeddedParts = 16;

class Embedder {
public:
    Embedder(RegionTables& tables, uint32_t dimensions)
        : regions_(&tables.regions),
          flat_(tables.regions, tables.ground),
          table_(tables.regions, dimensions, 0),
          flood_(flat_),
          coordinate_(flat_.size()) {}

    RegionTable run() && {
        const std::vector<RegionPart> parts = flat_.parts_by_size();
        for (size_t i = 0; i < std::min(parts.size(), kEmbeddedParts); ++i) {
            for (uint32_t lane = 0; lane < table_.lanes() && add_dimension(parts[i], lane); ++lane) {
            }
        }
        return std::move(table_);
    }

private:
    void flood_from(uint32_t node) {
        flood_.reset();
        flood_.spread(node);
    }

    // False where nothing is left to be told apart.
    bool add_dimension(const RegionPart& part, uint32_t lane) {
        flood_from(part.first);
        flood_from(flood_.farthest(part));
        const uint32_t b = flood_.farthest(part);
        const uint64_t apart = flood_.distance(b);
        if (apart == 0) return false;
        for (uint32_t v = part.first; v < part.last(); ++v) coordinate_[v] = flood_.distance(v);
        flood_from(b);
        for (uint32_t v = part.first; v < part.last(); ++v) {
            coordinate_[v] = (coordinate_[v] + apart - flood_.distance(v)) / 2;
            const RegionId id = flat_.region(v);
            table_.row(regions_->sector_of(id), regions_->number_of(id))[lane] = coordinate_[v];
        }
        for (uint32_t v = part.first; v < part.last(); ++v) lessen_edges(v);
        return true;
    }

    void lessen_edges(uint32_t v) {
        for (FlatRegions::Edge& edge : flat_.edges(v)) {
            edge.cost -= std::max(coordinate_[v], coordinate_[edge.to]) - std::min(coordinate_[v], coordinate_[edge.to]);
        }
    }

    const TerrainRegions* regions_;
    FlatRegions flat_;
    RegionTable table_;
    RegionFlood flood_;
    std::vector<uint64_t> coordinate_;  // in the dimension at hand, by node
};

}  // namespace

void build_embedding(RegionTables& tables, const RegionEmbeddingOptions& options) {
    tables.table = Embedder(tables, std::clamp(options.dimensions, 1u, kMaxRegionDimensions)).run();
}

}  // namespace terrane::detail
