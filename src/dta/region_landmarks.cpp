#include <algorithm>
#include <numeric>

#include "base/apportion.h"
#include "base/parallel.h"
#include "dta/region_tables.h"

namespace terrane::detail {

namespace {

struct Landmark {
    uint32_t node;
    RegionComponent component;
};

std::vector<Landmark> choose(const FlatRegions& flat, uint32_t wanted) {
    const std::vector<RegionComponent> components = flat.components_by_size();
    const std::vector<uint32_t> shares = apportion(components, wanted, [](const RegionComponent& component) { return component.size; });
    std::vector<Landmark> chosen;
    chosen.reserve(wanted);
    RegionFlood flood(flat);
    for (size_t i = 0; i < shares.size() && shares[i] > 0; ++i) {
        flood.reset();
        flood.run_from(components[i].first);
        uint32_t next = flood.farthest(components[i]);
        flood.reset();
        for (uint32_t n = 0; n < shares[i]; ++n) {
            chosen.push_back({next, components[i]});
            flood.run_from(next);
            next = flood.farthest(components[i]);
        }
    }
    return chosen;
}

// One landmark's column of a table as a label store for the kernel. Stores no parents, so expansions are not pruned.
class LandmarkLabels {
public:
    struct Label {
        uint64_t g;
        RegionId via;
    };

    LandmarkLabels(RegionTableEdit& edit, uint32_t landmark) : edit_(&edit), landmark_(landmark) {}

    uint64_t g(RegionId id) const { return edit_->at(id, landmark_); }
    Label label(RegionId id) const { return {g(id), kNoRegion}; }
    bool improve(RegionId id, uint64_t g, RegionId /*from*/, RegionId /*via*/) {
        if (g >= this->g(id)) return false;
        edit_->set(id, landmark_, g);
        return true;
    }

private:
    RegionTableEdit* edit_;
    uint32_t landmark_;
};

// The sectors whose regions may have new or cheaper edges: the changed sectors and their neighbours, because a moved representative
// changes the cost of edges in records that are otherwise unchanged. All sectors if the last obstacle was removed: then every
// diagonal-only edge becomes usable.
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
    const auto count = static_cast<uint32_t>(chosen.size());
    RegionTable table(tables.regions, count, kUnreached);
    std::vector<RegionFlood> floods(workers_for(options.threads, count), RegionFlood(flat));
    parallel_for(options.threads, count, [&](uint32_t landmark, uint32_t worker) {
        RegionFlood& flood = floods[worker];
        flood.reset();
        flood.run_from(chosen[landmark].node);
        for (uint32_t node = chosen[landmark].component.first; node < chosen[landmark].component.last(); ++node) {
            const RegionId id = flat.region(node);
            table.row(tables.regions.sector_of(id), tables.regions.number_of(id))[landmark] = flood.distance(node);
        }
    });
    tables.landmarks.reserve(count);
    for (const Landmark& landmark : chosen) tables.landmarks.push_back(tables.regions.region(flat.region(landmark.node)).representative());
    tables.table = std::move(table);
}

// Potentials of changed sectors start as unreached, except a landmark's own region: 0 if it is passable.
RegionTable repaired_landmarks(const RegionTables& before, const RegionTables& now, const std::vector<uint32_t>& changed) {
    const TerrainRegions& regions = now.regions;
    const std::vector<uint32_t> to_check = sectors_to_check(before, now, changed);
    RegionTableEdit edit(*before.table, regions);
    for (const uint32_t sector : changed) edit.reset_sector(sector);
    HeapQueue<RegionId, uint64_t> queue;
    for (uint32_t landmark = 0; landmark < before.table->columns(); ++landmark) {
        LandmarkLabels labels(edit, landmark);
        const Cell cell = now.landmarks[landmark];
        if (std::binary_search(changed.begin(), changed.end(), regions.sector_at(cell)) &&
            now.ground.costs().passable(regions.grid().at(cell))) {
            edit.set(regions.region_of(cell), landmark, 0);
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
