// Caches the first-move tables of clusters whose overlay has no room for them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "overlay/cluster_builder.h"

namespace terrane::detail {

// 4-way set-associative, indexed by cluster modulo the number of sets; evicts the least recently used entry of a set. The key of an entry
// is the cluster's record, which the entry keeps alive: a rebuilt cluster has another record.
class FirstMoveCache {
public:
    explicit FirstMoveCache(size_t max_bytes) : max_bytes_(max_bytes) {}

    // The cluster's first-move table, from the overlay or from the cache; null if the cluster is uniform. Valid until three other tables
    // were requested.
    const FirstMoveTable* get(const OverlayData& data, uint32_t cluster) {
        const ClusterRecord& record = *data.clusters[cluster];
        if (record.first_moves || record.uniform_cost != 0) return record.first_moves.get();
        return &find(data, cluster).first_moves;
    }

    size_t bytes() const;

private:
    static constexpr uint32_t kWays = 4;
    struct Entry {
        std::shared_ptr<const ClusterRecord> record;
        uint64_t used = 0;
        FirstMoveTable first_moves;
    };
    Entry& find(const OverlayData& data, uint32_t cluster);

    size_t max_bytes_;
    Vector<Entry> entries_;
    uint32_t sets_ = 0;
    uint64_t clock_ = 0;
    ClusterBuilder builder_;
};

}  // namespace terrane::detail
