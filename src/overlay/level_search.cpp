#include "overlay/level_search.h"

#include <algorithm>

namespace terrane::detail {

namespace {

int32_t capped_sum(int32_t a, int32_t b) { return std::min(a + b, kMaxPotential); }

// Appends the steps from a node of a cell to one of its border portals, down to clusters. `node` itself is not appended.
void walk(const OverlayData& data, const Levels& levels, uint32_t level, uint32_t id, uint32_t node, uint32_t border, Vector<PortalStep>& out) {
    const LevelCell& cell = levels.cell(level, id);
    while (node != cell.inner + border) {
        const int32_t left = cell.row(node)[border];
        bool moved = false;
        for (const LevelCell::Place& place : cell.places[node]) {
            if (place.child == kNoCluster || moved) continue;
            if (level == 0) {
                const PortalTable table = data.table(place.child);
                const uint32_t* row = table.row(place.index);
                for (uint32_t i = 0; i < table.count(); ++i) {
                    if (i == place.index) continue;
                    const uint32_t to = cell.node_of(place.child, i);
                    const auto d = static_cast<int32_t>(std::clamp<uint32_t>(row[i], 1, kMaxPotential));
                    if (d + cell.row(to)[border] != left) continue;
                    out.push_back({table.keys()[i], place.child});
                    node = to;
                    moved = true;
                    break;
                }
            } else {
                const LevelCell& child = levels.cell(level - 1, place.child);
                for (uint32_t i = 0; i < child.border; ++i) {
                    if (i == place.index) continue;
                    const uint32_t to = cell.node_of(place.child, i);
                    if (child.distance(place.index, i) + cell.row(to)[border] != left) continue;
                    walk(data, levels, level - 1, place.child, child.inner + place.index, i, out);
                    node = to;
                    moved = true;
                    break;
                }
            }
        }
        if (!moved) return;
    }
}

}  // namespace

const LevelEnd::CellEnd* LevelEnd::cell(uint32_t level, uint32_t id) const {
    for (const CellEnd& end : cells_[level]) {
        if (end.id == id) return &end;
    }
    return nullptr;
}

void LevelEnd::rise(const OverlayData& data, const Levels& levels) {
    const auto take = [&](uint32_t level, uint32_t id, uint32_t node, int32_t distance) {
        const LevelCell& cell = levels.cell(level, id);
        auto at = std::find_if(cells_[level].begin(), cells_[level].end(), [&](const CellEnd& end) { return end.id == id; });
        if (at == cells_[level].end()) {
            cells_[level].push_back({id, Vector<int32_t>(cell.stride, kMaxPotential)});
            at = cells_[level].end() - 1;
        }
        using Lengths = Simd8<int32_t>;
        const Lengths add = Lengths::all(distance);
        for (uint32_t i = 0; i < cell.stride; i += kLanes) {
            Lengths::least(Lengths::load(at->distance.data() + i), Lengths::load(cell.row(node) + i) + add).store(at->distance.data() + i);
        }
    };
    for (const Leg& leg : legs_) {
        const uint32_t id = levels.cell_of(0, data, leg.cluster);
        take(0, id, levels.cell(0, id).node_of(leg.cluster, leg.index), leg.distance);
    }
    for (uint32_t level = 1; level < kLevels; ++level) {
        for (const CellEnd& below : cells_[level - 1]) {
            const uint32_t ratio = kCellSide[level] / kCellSide[level - 1];
            const uint32_t id = below.id / levels.cells_x[level - 1] / ratio * levels.cells_x[level] + below.id % levels.cells_x[level - 1] / ratio;
            const LevelCell& cell = levels.cell(level, id);
            for (uint32_t b = 0; b < levels.cell(level - 1, below.id).border; ++b) {
                if (below.distance[b] < kMaxPotential) take(level, id, cell.node_of(below.id, b), below.distance[b]);
            }
        }
    }
}

void LevelEnd::descend(const OverlayData& data, const Levels& levels, uint32_t id, uint32_t border, Vector<PortalStep>& out) const {
    const LevelCell& top = levels.cell(1, id);
    const int32_t whole = cell(1, id)->distance[border];
    for (const CellEnd& below : cells_[0]) {
        for (uint32_t b = 0; b < levels.cell(0, below.id).border; ++b) {
            if (below.distance[b] >= kMaxPotential) continue;
            const uint32_t node = top.node_of(below.id, b);
            if (node == kNoCluster || capped_sum(below.distance[b], top.row(node)[border]) != whole) continue;
            const LevelCell& bottom = levels.cell(0, below.id);
            for (const Leg& leg : legs_) {
                const uint32_t first = bottom.node_of(leg.cluster, leg.index);
                if (first == kNoCluster || capped_sum(leg.distance, bottom.row(first)[b]) != below.distance[b]) continue;
                out.push_back({bottom.keys[first], leg.cluster});
                walk(data, levels, 0, below.id, first, b, out);
                walk(data, levels, 1, id, node, border, out);
                return;
            }
        }
    }
}

void LevelPath::find(const OverlayData& data, const Levels& levels, const LevelEnd& start, const LevelEnd& goal, std::span<const TopStep> path,
                     uint32_t last_cell, Vector<PortalStep>& out, uint32_t& last_cluster) {
    const OverlayData& top = *levels.top;
    const auto first_on = [&](uint32_t cell, uint32_t segment) {
        return levels.cell(1, cell).first[OverlayData::side_of(segment, top.cluster_of(segment, true) == cell)];
    };
    const auto count_on = [&](uint32_t cell, uint32_t segment) {
        const uint32_t side = OverlayData::side_of(segment, top.cluster_of(segment, true) == cell);
        return levels.cell(1, cell).first[side + 1] - levels.cell(1, cell).first[side];
    };
    stages_.resize(std::max(stages_.size(), path.size()));
    for (size_t i = 0; i < path.size(); ++i) {
        const uint32_t segment = path[i].id >> top.shift, cell = path[i].cell, first = first_on(cell, segment);
        Stage& stage = stages_[i];
        stage.count = count_on(cell, segment);
        stage.distance.assign(stage.count, kMaxPotential);
        stage.from.assign(stage.count, 0);
        if (i == 0) {
            const LevelEnd::CellEnd& end = *start.cell(1, cell);
            std::copy_n(end.distance.data() + first, stage.count, stage.distance.data());
            continue;
        }
        const Stage& before = stages_[i - 1];
        const uint32_t first_before = first_on(cell, path[i - 1].id >> top.shift);
        const LevelCell& in = levels.cell(1, cell);
        for (uint32_t k = 0; k < before.count; ++k) {
            const int32_t so_far = before.distance[k];
            if (so_far >= kMaxPotential) continue;
            const int32_t* row = in.row(in.inner + first_before + k) + first;
            for (uint32_t j = 0; j < stage.count; ++j) {
                const int32_t sum = so_far + row[j];
                if (sum >= stage.distance[j]) continue;
                stage.distance[j] = sum;
                stage.from[j] = k;
            }
        }
    }
    const size_t last = path.size() - 1;
    const uint32_t last_first = first_on(last_cell, path[last].id >> top.shift);
    const LevelEnd::CellEnd& end = *goal.cell(1, last_cell);
    uint32_t best = 0;
    int64_t least = int64_t{1} << 40;
    for (uint32_t j = 0; j < stages_[last].count; ++j) {
        const int64_t sum = int64_t{stages_[last].distance[j]} + end.distance[last_first + j];
        if (sum < least) {
            least = sum;
            best = j;
        }
    }
    chosen_.assign(path.size(), 0);
    for (size_t i = path.size(); i-- > 0; best = stages_[i].from[best]) chosen_[i] = best;

    out.clear();
    start.descend(data, levels, path[0].cell, first_on(path[0].cell, path[0].id >> top.shift) + chosen_[0], out);
    for (size_t i = 1; i < path.size(); ++i) {
        const uint32_t cell = path[i].cell;
        const uint32_t from = first_on(cell, path[i - 1].id >> top.shift) + chosen_[i - 1], to = first_on(cell, path[i].id >> top.shift) + chosen_[i];
        walk(data, levels, 1, cell, levels.cell(1, cell).inner + from, to, out);
    }
    back_.clear();
    goal.descend(data, levels, last_cell, last_first + chosen_[last], back_);
    // Backwards: the last of `back_` is the border portal that `out` ends with.
    for (size_t i = back_.size(); i-- > 1;) out.push_back({back_[i - 1].key, back_[i].cluster});
    last_cluster = back_[0].cluster;
}

}  // namespace terrane::detail
