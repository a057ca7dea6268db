// Computes the distance field and the first-move table of a cluster towards its portals.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "overlay/cluster_field.h"
#include "terrane/overlay/portal_overlay.h"

namespace terrane::detail {

// Scratch memory of one thread, reused from cluster to cluster.
class ClusterBuilder {
public:
    // Reads the portals of a cluster's border segments and the costs of its cells. Returns the index of the first portal of each side,
    // then their total.
    std::array<uint32_t, 5> read(const OverlayData& data, uint32_t cluster);

    // One key per portal, in the order of read().
    void copy_keys(PortalTable::Key* out) const { std::copy(keys_.begin(), keys_.end(), out); }

    // The cost of all cells; 0 if they differ.
    uint32_t uniform_cost() const { return costs_.uniform() ? costs_.max_cost() : 0; }
    // The distance between two portals of a uniform cluster.
    uint32_t uniform(uint32_t a, uint32_t b, Movement movement) const {
        return uniform_distance(portals_[a], portals_[b], costs_.max_cost(), movement);
    }

    // The rest is for non-uniform clusters. Computes distances in 16 bits, or in 32 if they do not fit.
    void make_field();
    uint32_t distance(uint32_t a, uint32_t b) const { return is_wide_ ? wide_.distance(targets_[a], b) : narrow_.distance(targets_[a], b); }
    std::shared_ptr<const FirstMoveTable> make_first_moves() const;
    // The same, reusing the memory of `out`.
    void make_first_moves(FirstMoveTable& out) const;

private:
    ClusterCosts costs_;
    std::vector<Cell> portals_;
    Vector<PortalTable::Key> keys_;
    Vector<ClusterCell> targets_;
    Field<int16_t> narrow_;
    Field<int32_t> wide_;
    bool is_wide_ = false;
};

}  // namespace terrane::detail
