#include "overlay/level_search.h"

#include <algorithm>
#include <bit>

#include "base/simd8.h"
#include "overlay/portal_legs.h"
#include "terrane/base/assert.h"

namespace terrane::detail {

namespace {

using Lengths = Simd8<int32_t>;

// The arcs of the top graph are eight clusters long: its buckets are eight times as wide.
constexpr uint32_t kTopBucketBits = 3;

int32_t capped_sum(int32_t a, int32_t b) { return std::min(a + b, kMaxPotential); }

// The first step of a shortest path to a border portal of the cell: a child, and the border portal of the child that it leads to.
struct Hop {
    uint32_t child, from, to;
    uint32_t node;  // of `to`
};

// `distance(to)`: of the child's border portals. Returns whether there is a step through this child.
template <class Distance>
bool find_hop(const LevelCell& cell, const LevelCell::Place& place, uint32_t count, int32_t left, uint32_t border, Distance&& distance,
              Hop& out) {
    const auto [child, entries] = cell.children[place.child];
    const uint16_t* nodes = cell.child_nodes.data() + entries;
    for (uint32_t to = 0; to < count; ++to) {
        if (to == place.index) continue;
        const uint32_t node = nodes[to];
        if (distance(to) + cell.row(node)[border] != left) continue;
        out = {child, place.index, to, node};
        return true;
    }
    return false;
}

Hop next_hop(const OverlayData& data, const Levels& levels, uint32_t level, const LevelCell& cell, uint32_t node, uint32_t border) {
    const int32_t left = cell.row(node)[border];
    Hop out{};
    for (const LevelCell::Place& place : cell.places[node]) {
        if (place.child == LevelCell::kNoChild) continue;
        const uint32_t id = cell.children[place.child].first;
        if (level == 0) {
            const PortalTable table = data.table(id);
            const uint32_t* row = table.row(place.index);
            if (find_hop(
                    cell, place, table.count(), left, border, [&](uint32_t to) { return level_leg(row[to]); }, out))
                return out;
        } else {
            const LevelCell& child = levels.cell(level - 1, id);
            if (find_hop(
                    cell, place, child.border, left, border, [&](uint32_t to) { return child.distance(place.index, to); }, out))
                return out;
        }
    }
    TERRANE_ASSERT(false);  // a distance is the sum of a step and a distance
    return out;
}

// Appends the steps from a node of a cell to one of its border portals, down to clusters. `node` itself is not appended.
void walk(const OverlayData& data, const Levels& levels, uint32_t level, uint32_t id, uint32_t node, uint32_t border,
          Vector<PortalStep>& out) {
    const LevelCell& cell = levels.cell(level, id);
    while (node != cell.inner + border) {
        const Hop hop = next_hop(data, levels, level, cell, node, border);
        if (level == 0) {
            out.push_back({cell.keys[hop.node], hop.child});
        } else {
            walk(data, levels, level - 1, hop.child, levels.cell(level - 1, hop.child).inner + hop.from, hop.to, out);
        }
        node = hop.node;
    }
}

}  // namespace

const LevelEnd::CellEnd* LevelEnd::cell(uint32_t level, uint32_t id) const {
    for (const CellEnd& end : cells(level)) {
        if (end.id == id) return &end;
    }
    return nullptr;
}

void LevelEnd::begin(const OverlayData& data, FirstMoveCache& first_move_tables, Cell end) {
    counts_.fill(0);
    legs_.clear();
    const CellClusters clusters(data, end);
    for (uint32_t i = 0; i < clusters.count; ++i) {
        const FirstMoveTable* first_moves = first_move_tables.get(data, clusters.list[i]);
        PortalGraph::for_each_portal(data, clusters.list[i], [&](PortalId id, uint32_t index) {
            const uint32_t d = leg_distance(data, clusters.list[i], first_moves, end, index, id);
            if (d != kNoPath)
                legs_.push_back({clusters.list[i], index, static_cast<int32_t>(std::min<uint32_t>(d, 2 * kMaxCellDistance - 1))});
        });
    }
    rise(data, *data.levels);
}

// Takes the distances from a node to the border of its cell, at this distance from the end.
void LevelEnd::take(const Levels& levels, uint32_t level, uint32_t id, uint32_t node, int32_t distance) {
    const LevelCell& cell = levels.cell(level, id);
    uint32_t at = 0;
    while (at < counts_[level] && cells_[level][at].id != id) ++at;
    if (at == counts_[level]) {
        if (at == cells_[level].size()) cells_[level].emplace_back();
        cells_[level][at].id = id;
        cells_[level][at].distance.assign(cell.stride, kMaxPotential);
        ++counts_[level];
    }
    const Lengths add = Lengths::all(distance);
    int32_t* const out = cells_[level][at].distance.data();
    for (uint32_t i = 0; i < cell.stride; i += kLanes) {
        Lengths::least(Lengths::load(out + i), Lengths::load(cell.row(node) + i) + add).store(out + i);
    }
}

void LevelEnd::rise(const OverlayData& data, const Levels& levels) {
    for (const Leg& leg : legs_) {
        const uint32_t id = levels.cell_of(0, data, leg.cluster);
        take(levels, 0, id, levels.cell(0, id).node_of(leg.cluster, leg.index), leg.distance);
    }
    for (const CellEnd& below : cells(0)) {
        const uint32_t ratio = kCellSide[1] / kCellSide[0];
        const uint32_t x = below.id % levels.cells_x[0] / ratio, y = below.id / levels.cells_x[0] / ratio;
        const uint32_t id = y * levels.cells_x[1] + x;
        for (uint32_t b = 0; b < levels.cell(0, below.id).border; ++b) {
            if (below.distance[b] < kMaxPotential) take(levels, 1, id, levels.cell(1, id).node_of(below.id, b), below.distance[b]);
        }
    }
}

void LevelEnd::descend(const OverlayData& data, const Levels& levels, uint32_t id, uint32_t border, Vector<PortalStep>& out) const {
    const LevelCell& top = levels.cell(1, id);
    const int32_t whole = cell(1, id)->distance[border];
    for (const CellEnd& below : cells(0)) {
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

// The first portal of a border among those of a cell of the top level.
uint32_t LevelSearch::first_on(uint32_t cell, uint32_t segment) const {
    return levels_->cell(1, cell).first[OverlayData::side_of(segment, levels_->top->cluster_of(segment, true) == cell)];
}

int32_t LevelSearch::distance_to(const LevelEnd::CellEnd& end, PortalId id) const {
    const uint32_t segment = id >> levels_->top->shift;
    return end.distance[first_on(end.id, segment) + (*levels_->kept[segment])[levels_->top->index_in_segment(id)]];
}

void LevelSearch::set_last_legs() {
    last_legs_count_ = 0;
    for (const LevelEnd::CellEnd& end : goal_end_.cells(1)) {
        Vector<uint32_t>& distances = last_distances_[last_legs_count_];
        distances.resize(levels_->top->table(end.id).count());
        PortalGraph::for_each_portal(*levels_->top, end.id, [&](PortalId id, uint32_t index) {
            const int32_t d = distance_to(end, id);
            distances[index] = d < kMaxPotential ? static_cast<uint32_t>(d) : kNoPath;
        });
        last_legs_[last_legs_count_++] = {end.id, distances};
    }
}

void LevelSearch::start_engine() {
    const OverlayData& top = *levels_->top;
    const auto for_each_leg = [&](auto&& visit) {
        for (uint32_t i = 0; i < last_legs_count_; ++i) {
            PortalGraph::for_each_portal(top, last_legs_[i].cluster, [&](PortalId id, uint32_t index) {
                if (last_distances_[i][index] != kNoPath) visit(id, last_distances_[i][index]);
            });
        }
    };
    const LandmarkPortals graph(top, *bound_, std::span(last_legs_).first(last_legs_count_));
    for (const LevelEnd::CellEnd& end : start_end_.cells(1)) {
        const PortalTable table = top.table(end.id);
        PortalGraph::for_each_portal(top, end.id, [&](PortalId id, uint32_t index) {
            const int32_t d = distance_to(end, id);
            if (d >= kMaxPotential) return;
            if (!engine_) {
                bound_->set_ends(table, index, for_each_leg);
                engine_.emplace(graph, KnownBound(), OneGoal<PortalId>{graph.goal()}, labels_, queue_);
            }
            engine_->start(id, static_cast<uint32_t>(d), {kNoPortal, end.id, (*bound_)(table, index)});
        });
    }
}

void LevelSearch::begin(const OverlayData& data, FirstMoveCache& first_move_tables, Cell start, Cell goal) {
    data_ = &data;
    levels_ = data.levels.get();
    goal_ = goal;
    found_ = false;
    engine_.reset();
    start_end_.begin(data, first_move_tables, start);
    goal_end_.begin(data, first_move_tables, goal);
    set_last_legs();
    labels_.reset(PortalGraph::id_limit(*levels_->top));
    const uint32_t cheapest = grid_bounds(data.ground.grid(), data.table_costs).cheapest;
    bound_.emplace(*levels_->top, goal, cheapest);
    const auto bits = static_cast<uint32_t>(std::bit_width(2 * kFieldStraight * cheapest)) + kTopBucketBits;
    queue_.reset(bits - std::min(bits, kBucketBits));
    start_engine();
}

bool LevelSearch::shared_cell(Cell start, Rect& clusters) const {
    const CellClusters from(*data_, start), to(*data_, goal_);
    for (uint32_t i = 0; i < from.count; ++i) {
        const uint32_t id = levels_->cell_of(1, *data_, from.list[i]);
        if (std::none_of(to.list.begin(), to.list.begin() + to.count, [&](uint32_t c) { return levels_->cell_of(1, *data_, c) == id; }))
            continue;
        const auto side = static_cast<int32_t>(kCellSide[1]);
        const auto x = static_cast<int32_t>(id % levels_->cells_x[1]) * side, y = static_cast<int32_t>(id / levels_->cells_x[1]) * side;
        const Rect all{{0, 0}, {static_cast<int32_t>(data_->clusters_x), static_cast<int32_t>(data_->clusters_y)}};
        clusters = intersection(Rect{{x, y}, {side, side}}, all);
        return true;
    }
    return false;
}

void LevelSearch::set_limit(uint64_t distance) {
    const OverlayData& top = *levels_->top;
    if (engine_) engine_->start(top.segment_count() << top.shift, distance, LandmarkVia());
}

Status LevelSearch::run(uint64_t budget) {
    if (!engine_) return Status::kUnreachable;
    const Status status = engine_->run(budget);
    if (status != Status::kFound || found_ || labels_.via(engine_->goal_node()).from == kNoPortal) return status;
    list_stages();
    optimise();
    found_ = true;
    return status;
}

// The borders that the path of the top graph crosses.
void LevelSearch::list_stages() {
    const LandmarkVia last = labels_.via(engine_->goal_node());
    last_cell_ = last.cluster;
    stage_count_ = 0;
    for (PortalId id = last.from; id != kNoPortal; ++stage_count_) {
        const LandmarkVia via = labels_.via(id);
        if (stage_count_ == stages_.size()) stages_.emplace_back();
        stages_[stage_count_].segment = id >> levels_->top->shift;
        stages_[stage_count_].cell = via.cluster;
        id = via.from;
    }
    std::reverse(stages_.begin(), stages_.begin() + static_cast<std::ptrdiff_t>(stage_count_));
}

// Distances to the portals of a border from those of the one before.
void LevelSearch::advance(const Stage& before, Stage& stage) const {
    const LevelCell& in = levels_->cell(1, stage.cell);
    const uint32_t first_before = first_on(stage.cell, before.segment), first = first_on(stage.cell, stage.segment);
    for (uint32_t k = 0; k < before.count; ++k) {
        if (before.distance[k] == kInfinite<uint64_t>) continue;
        const int32_t* row = in.row(in.inner + first_before + k) + first;
        for (uint32_t j = 0; j < stage.count; ++j) {
            const uint64_t sum = before.distance[k] + static_cast<uint32_t>(row[j]);
            if (row[j] == kMaxPotential || sum >= stage.distance[j]) continue;
            stage.distance[j] = sum;
            stage.from[j] = k;
        }
    }
}

// Dynamic program over all portals of the crossed borders: undoes the thinning.
void LevelSearch::optimise() {
    for (size_t i = 0; i < stage_count_; ++i) {
        Stage& stage = stages_[i];
        const LevelCell& in = levels_->cell(1, stage.cell);
        const uint32_t side = OverlayData::side_of(stage.segment, levels_->top->cluster_of(stage.segment, true) == stage.cell);
        stage.count = in.first[side + 1] - in.first[side];
        stage.distance.assign(stage.count, kInfinite<uint64_t>);
        stage.from.assign(stage.count, 0);
        if (i > 0) {
            advance(stages_[i - 1], stage);
        } else {
            const int32_t* from = start_end_.cell(1, stage.cell)->distance.data() + in.first[side];
            std::transform(from, from + stage.count, stage.distance.data(),
                           [](int32_t d) { return d < kMaxPotential ? static_cast<uint64_t>(d) : kInfinite<uint64_t>; });
        }
    }
    const Stage& last = stages_[stage_count_ - 1];
    const int32_t* rest = goal_end_.cell(1, last_cell_)->distance.data() + first_on(last_cell_, last.segment);
    uint32_t best = 0;
    distance_ = kInfinite<uint64_t>;
    for (uint32_t j = 0; j < last.count; ++j) {
        if (last.distance[j] == kInfinite<uint64_t> || rest[j] == kMaxPotential) continue;
        const uint64_t sum = last.distance[j] + static_cast<uint32_t>(rest[j]);
        best = sum < distance_ ? j : best;
        distance_ = std::min(distance_, sum);
    }
    chosen_.assign(stage_count_, 0);
    for (size_t i = stage_count_; i-- > 0; best = stages_[i].from[best]) chosen_[i] = best;
}

const Vector<PortalStep>& LevelSearch::steps(uint32_t& last_cluster) {
    steps_.clear();
    back_.clear();
    start_end_.descend(*data_, *levels_, stages_[0].cell, first_on(stages_[0].cell, stages_[0].segment) + chosen_[0], steps_);
    for (size_t i = 1; i < stage_count_; ++i) {
        const uint32_t cell = stages_[i].cell, from = first_on(cell, stages_[i - 1].segment) + chosen_[i - 1];
        walk(*data_, *levels_, 1, cell, levels_->cell(1, cell).inner + from, first_on(cell, stages_[i].segment) + chosen_[i], steps_);
    }
    const Stage& last = stages_[stage_count_ - 1];
    goal_end_.descend(*data_, *levels_, last_cell_, first_on(last_cell_, last.segment) + chosen_[stage_count_ - 1], back_);
    // Backwards: the last of `back_` is the border portal that `steps_` ends with.
    for (size_t i = back_.size(); i-- > 1;) steps_.push_back({back_[i - 1].key, back_[i].cluster});
    last_cluster = back_[0].cluster;
    return steps_;
}

}  // namespace terrane::detail
