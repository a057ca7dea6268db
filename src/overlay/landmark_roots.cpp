#include "overlay/landmark_roots.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

namespace {

struct ClusterPosition {
    int32_t x, y;
};

// The position of landmark `i` of `count` on the edge of the map, clockwise from the north-west corner.
ClusterPosition on_edge(const OverlayData& data, uint32_t i, uint32_t count) {
    const auto right = static_cast<int32_t>(data.clusters_x) - 1, bottom = static_cast<int32_t>(data.clusters_y) - 1;
    auto at = static_cast<int32_t>(uint64_t{2} * static_cast<uint32_t>(right + bottom) * i / count);
    if (at <= right) return {at, 0};
    at -= right;
    if (at <= bottom) return {right, at};
    at -= bottom;
    return at <= right ? ClusterPosition{right - at, bottom} : ClusterPosition{0, bottom - (at - right)};
}

// Searches squares of growing size around a position.
class NearestCluster {
public:
    NearestCluster(const OverlayData& data, const Vector<bool>& taken, ClusterPosition from) : data_(data), taken_(taken), from_(from) {}

    // The nearest cluster of class `least` or better; kNoCluster if there is none.
    uint32_t find(RootClass least) {
        const auto side = static_cast<int32_t>(std::max(data_.clusters_x, data_.clusters_y));
        for (int32_t radius = 0; radius < side && int64_t{radius} * radius <= nearest_; ++radius) {
            for (int32_t y = from_.y - radius; y <= from_.y + radius; ++y) {
                const bool whole_row = std::abs(y - from_.y) == radius;
                for (int32_t x = from_.x - radius; x <= from_.x + radius; x += whole_row || radius == 0 ? 1 : 2 * radius) {
                    consider({x, y}, least);
                }
            }
        }
        return best_;
    }

private:
    void consider(ClusterPosition at, RootClass least) {
        if (at.x < 0 || at.y < 0 || at.x >= static_cast<int32_t>(data_.clusters_x) || at.y >= static_cast<int32_t>(data_.clusters_y))
            return;
        const int64_t dx = at.x - from_.x, dy = at.y - from_.y, distance = dx * dx + dy * dy;
        const uint32_t cluster = static_cast<uint32_t>(at.y) * data_.clusters_x + static_cast<uint32_t>(at.x);
        if (distance > nearest_ || (distance == nearest_ && cluster > best_)) return;
        if (taken_[cluster] || root_class(data_, cluster) < least) return;
        nearest_ = distance;
        best_ = cluster;
    }

    const OverlayData& data_;
    const Vector<bool>& taken_;
    ClusterPosition from_;
    int64_t nearest_ = int64_t{1} << 62;
    uint32_t best_ = kNoCluster;
};

}  // namespace

RootClass root_class(const OverlayData& data, uint32_t cluster) {
    const PortalTable table = data.table(cluster);
    if (table.count() == 0) return RootClass::kNoPortal;
    for (uint32_t side = 0; side < 4; ++side) {
        if (data.segment_of(cluster, side) != kNoSegment && table.first(side) == table.first(side + 1)) return RootClass::kSomeBorders;
    }
    return RootClass::kAllBorders;
}

LandmarkClusters landmark_roots(const OverlayData& data) {
    LandmarkClusters out;
    out.fill(kNoCluster);
    Vector<bool> taken(data.cluster_count());
    for (uint32_t i = 0; i < data.options.landmarks; ++i) {
        const ClusterPosition from = on_edge(data, i, data.options.landmarks);
        for (const RootClass least : {RootClass::kAllBorders, RootClass::kSomeBorders}) {
            out[i] = NearestCluster(data, taken, from).find(least);
            if (out[i] != kNoCluster) break;
        }
        if (out[i] == kNoCluster) break;
        taken[out[i]] = true;
    }
    return out;
}

}  // namespace terrane::detail
