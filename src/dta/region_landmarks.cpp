#include <algorithm>
#include <numeric>

#include "base/parallel.h"
#include "base/share_out.h"
#include "dta/region_tables.h"

namespace terrane::detail {

namespace {

struct Landmark {
    uint32_t node;
    RegionPart part;
};

std::vector<Landmark> choose(const FlatRegions& flat, uint32_t wanted) {
    const std::vector<RegionPart> parts = flat.parts_by_size();
    const std::vector<uint32_t> shares = share_out(parts, wanted, [](const RegionPart& part) { return part.size; });
    std::vector<Landmark> chosen;
    chosen.reserve(wanted);
    RegionFlood flood(flat);
    for (size_t i = 0; i < shares.size() && shares[i] > 0; ++i) {
        flood.reset();
        flood.spread(parts[i].first);
        uint32_t next = flood.farthest(parts[i]);
        flood.reset();
        for (uint32_t n = 0; n < shares[i]; ++n) {
            chosen.push_back({next, parts[i]});
            flood.spread(next);
            next = flood.farthest(parts[i]);
        }
    }
    return chosen;
}

// One landmark's lane of a table, as labels for the kernel. Knows no parents, so nothing is left out of an expansion.
class LaneLabels {
public:
    struct Label {
        uint64_t g;
        RegionId via;
    };

    LaneLabels(RegionTableEdit& edit, uint32_t lane) : edit_(&edit), lane_(lane) {}

    uint64_t g(RegionId id) const { return edit_->at(id, lane_); }
    Label label(RegionId id) const { return {g(id), kNoRegion}; }
    bool improve(RegionId id, uint64_t g, RegionId /*from*/, RegionId /*via*/) {
        if (g >= this->g(id)) return false;
        edit_->set(id, lane_, g);
        return true;
    }

private:
    RegionTableEdit* edit_;
    uint32_t lane_;
};

// Sectors with regions that new or cheaper edges may lead from: the changed ones and those around them, since a representative that
// moved changes what edges cost whose records are the same. All of them where nothing is a wall any more: then every diagonal-only edge
// counts.
std::vector<uint32_t> sectors_to_check(const RegionTables& before, const RegionTables& now, const std::vector<uint32_t>& changed) {
    const uint32_t sectors_x = now.regions.sectors_x(), sectors_y = now.regions.sectors_y();
    std::vector<uint32_t> found;
    if (now.diagonals && !before.diagonals) {
        found.resize(now.regions.sectors());
        std::iota(found.begin(), found.end(), 0u);
        return found;
    }
    found.reserve(changed.size() * 9);
    for (const uint32_t sector : changed) {
        const uint32_t x = sector % sectors_x, y = sector / sectors_x;
        for (uint32_t ny = y - std::min(y, 1u); ny < std::min(y + 2, sectors_y); ++ny) {
            for (uint32_t nx = x - std::min(x, 1u); nx < std::min(x + 2, sectors_x); ++nx) found.push_back(ny * sectors_x + nx);
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace

void build_landmarks(RegionTables& tables, const RegionLandmarkOptions& options) {
    const FlatRegions flat(tables.regions, tables.ground);
    const std::vector<Landmark> chosen = choose(flat, std::clamp(options.landmarks, 1u, kMaxRegionLandmarks));
    const auto lanes = static_cast<uint32_t>(chosen.size());
    RegionTable table(tables.regions, lanes, kUnreached);
    std::vector<RegionFlood> floods(workers_for(options.threads, lanes), RegionFlood(flat));
    parallel_for(options.threads, lanes, [&](uint32_t lane, uint32_t worker) {
        RegionFlood& flood = floods[worker];
        flood.reset();
        flood.spread(chosen[lane].node);
        for (uint32_t node = chosen[lane].part.first; node < chosen[lane].part.last(); ++node) {
            const RegionId id = flat.region(node);
            table.row(tables.regions.sector_of(id), tables.regions.number_of(id))[lane] = flood.distance(node);
        }
    });
    tables.landmarks.reserve(lanes);
    for (const Landmark& landmark : chosen) tables.landmarks.push_back(tables.regions.region(flat.region(landmark.node)).representative());
    tables.table = std::move(table);
}

// The numbers of changed sectors begin as unreached, but for a landmark's own: that is 0 if it can be entered.
RegionTable repaired_landmarks(const RegionTables& before, const RegionTables& now, const std::vector<uint32_t>& changed) {
    const TerrainRegions& regions = now.regions;
    const std::vector<uint32_t> to_check = sectors_to_check(before, now, changed);
    RegionTableEdit edit(*before.table, regions);
    for (const uint32_t sector : changed) edit.renew(sector);
    HeapQueue<RegionId, uint64_t> queue;
    for (uint32_t lane = 0; lane < before.table->lanes(); ++lane) {
        LaneLabels labels(edit, lane);
        const Cell landmark = now.landmarks[lane];
        if (std::binary_search(changed.begin(), changed.end(), regions.sector_at(landmark)) &&
            now.ground.costs().passable(regions.grid().at(landmark))) {
            edit.set(regions.region_of(landmark), lane, 0);
        }
        queue.reset();
        for (const uint32_t sector : to_check) {
            for (uint32_t number = 0; number < regions.regions_in(sector); ++number) {
                const RegionId id = regions.id(sector, number);
                if (labels.g(id) != kUnreached) queue.push(labels.g(id), id, labels.g(id));
            }
        }
        BestFirst search(now.graph, ZeroHeuristic{}, NoGoal{}, labels, queue);
        search.run();
    }
    return std::move(edit).take();
}

}  // namespace terrane::detail
