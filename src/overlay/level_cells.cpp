#include "overlay/level_cells.h"

#include <algorithm>
#include <bit>

#include "base/simd8.h"
#include "overlay/landmark_distances.h"

namespace terrane::detail {

namespace {

using Lengths = Simd8<int32_t>;

// One in this many portals of a border is kept in the top graph.
uint32_t thinning(const OverlayData& data) { return std::max(data.clusters_x, data.clusters_y) <= 256 ? 2 : 4; }

// Builds cells; scratch memory, reused.
class CellBuilder {
public:
    CellBuilder(const OverlayData& data, const Levels& levels, uint32_t level) : data_(data), levels_(levels), level_(level) {}

    std::shared_ptr<const LevelCell> make(uint32_t id) {
        cell_ = std::make_shared<LevelCell>();
        list_children(id);
        list_nodes(id);
        place_nodes();
        fill_matrix();
        eliminate();
        fill_field();
        return std::move(cell_);
    }

private:
    // Calls visit(child id).
    template <class Visit>
    void for_each_child(uint32_t id, Visit&& visit) const {
        const uint32_t cells_x = levels_.cells_x[level_], ratio = level_ == 0 ? kCellSide[0] : kCellSide[level_] / kCellSide[level_ - 1];
        const uint32_t wide = level_ == 0 ? data_.clusters_x : levels_.cells_x[level_ - 1];
        const uint32_t high = level_ == 0 ? data_.clusters_y : levels_.cells_y[level_ - 1];
        const uint32_t x = id % cells_x * ratio, y = id / cells_x * ratio;
        for (uint32_t cy = y; cy < std::min(y + ratio, high); ++cy) {
            for (uint32_t cx = x; cx < std::min(x + ratio, wide); ++cx) visit(cy * wide + cx);
        }
    }
    std::span<const PortalTable::Key> child_keys(uint32_t child) const {
        if (level_ == 0) return {data_.table(child).keys(), data_.table(child).count()};
        const LevelCell& cell = levels_.cell(level_ - 1, child);
        return {cell.keys.data() + cell.inner, cell.border};
    }
    int32_t child_distance(uint32_t child, uint32_t a, uint32_t b) const {
        if (level_ > 0) return levels_.cell(level_ - 1, child).distance(a, b);
        return static_cast<int32_t>(std::clamp<uint32_t>(data_.table(child).row(a)[b], 1, kMaxPotential));
    }

    void list_children(uint32_t id) {
        entries_.clear();
        for_each_child(id, [&](uint32_t child) {
            cell_->children.emplace_back(child, static_cast<uint32_t>(entries_.size()));
            for (const PortalTable::Key key : child_keys(child)) entries_.push_back(key);
        });
        cell_->child_nodes.resize(entries_.size());
    }
    // 0 to 3: on that side of the cell; 4: inside.
    uint32_t side_of(PortalTable::Key key, uint32_t id) const {
        const uint32_t segment = key >> 8;
        const bool first = levels_.cell_of(level_, data_, data_.cluster_of(segment, false)) == id;
        const bool second = levels_.cell_of(level_, data_, data_.cluster_of(segment, true)) == id;
        return first && second ? 4 : OverlayData::side_of(segment, second);
    }
    void list_nodes(uint32_t id) {
        sorted_.clear();
        for (uint32_t i = 0; i < entries_.size(); ++i) {
            const uint32_t side = side_of(entries_[i], id);
            sorted_.push_back({uint64_t{side == 4 ? 0 : side + 1} << 32 | entries_[i], i});
        }
        std::sort(sorted_.begin(), sorted_.end());
        std::array<uint32_t, 5> counts{};
        for (size_t i = 0; i < sorted_.size(); ++i) {
            if (i == 0 || sorted_[i].first != sorted_[i - 1].first) {
                cell_->keys.push_back(static_cast<uint32_t>(sorted_[i].first));
                ++counts[sorted_[i].first >> 32];
            }
            cell_->child_nodes[sorted_[i].second] = static_cast<uint32_t>(cell_->keys.size()) - 1;
        }
        cell_->inner = counts[0];
        for (uint32_t side = 0; side < 4; ++side) cell_->first[side + 1] = cell_->first[side] + counts[side + 1];
        cell_->border = cell_->first[4];
        cell_->stride = (cell_->border + kLanes - 1) / kLanes * kLanes;
    }
    void place_nodes() {
        cell_->places.resize(cell_->nodes());
        for (size_t c = 0; c < cell_->children.size(); ++c) {
            const auto [child, first] = cell_->children[c];
            const size_t end = c + 1 < cell_->children.size() ? cell_->children[c + 1].second : entries_.size();
            for (uint32_t i = first; i < end; ++i) {
                auto& places = cell_->places[cell_->child_nodes[i]];
                places[places[0].child == kNoCluster ? 0 : 1] = {child, i - first};
            }
        }
    }
    void fill_matrix() {
        const uint32_t nodes = cell_->nodes();
        stride_ = (nodes + kLanes - 1) / kLanes * kLanes;
        matrix_.assign(size_t{nodes} * stride_, kMaxPotential);
        for (size_t c = 0; c < cell_->children.size(); ++c) {
            const auto [child, first] = cell_->children[c];
            const auto count = static_cast<uint32_t>(child_keys(child).size());
            for (uint32_t a = 0; a < count; ++a) {
                for (uint32_t b = 0; b < count; ++b) {
                    if (a == b) continue;
                    int32_t& at = matrix_[size_t{cell_->child_nodes[first + a]} * stride_ + cell_->child_nodes[first + b]];
                    at = std::min(at, child_distance(child, a, b));
                }
            }
        }
    }
    // Lanes of `to` take `by` + those of `via` where that is less.
    static void relax(int32_t* to, const int32_t* via, int32_t by, uint32_t begin, uint32_t end) {
        const Lengths add = Lengths::all(by);
        for (uint32_t i = begin / kLanes * kLanes; i < end; i += kLanes) {
            Lengths::least(Lengths::load(to + i), Lengths::load(via + i) + add).store(to + i);
        }
    }
    void eliminate() {
        const uint32_t nodes = cell_->nodes();
        for (uint32_t k = 0; k < cell_->inner; ++k) {
            const int32_t* via = matrix_.data() + size_t{k} * stride_;
            for (uint32_t i = k + 1; i < nodes; ++i) {
                int32_t* to = matrix_.data() + size_t{i} * stride_;
                if (to[k] < kMaxPotential) relax(to, via, to[k], k + 1, nodes);
            }
        }
    }
    // From the border inwards: a path from an inner node goes to a node that was eliminated later.
    void fill_field() {
        LevelCell& cell = *cell_;
        cell.field.assign(size_t{cell.nodes()} * cell.stride, kMaxPotential);
        for (uint32_t b = 0; b < cell.border; ++b) {
            const int32_t* from = matrix_.data() + size_t{cell.inner + b} * stride_ + cell.inner;
            int32_t* to = cell.field.data() + size_t{cell.inner + b} * cell.stride;
            for (uint32_t i = 0; i < cell.border; ++i) to[i] = std::min(from[i], kMaxPotential);
            to[b] = 0;
        }
        for (uint32_t k = cell.inner; k-- > 0;) {
            const int32_t* row = matrix_.data() + size_t{k} * stride_;
            int32_t* to = cell.field.data() + size_t{k} * cell.stride;
            for (uint32_t j = k + 1; j < cell.nodes(); ++j) {
                if (row[j] < kMaxPotential) relax(to, cell.field.data() + size_t{j} * cell.stride, row[j], 0, cell.border);
            }
        }
    }

    const OverlayData& data_;
    const Levels& levels_;
    const uint32_t level_;
    std::shared_ptr<LevelCell> cell_;
    Vector<PortalTable::Key> entries_;                        // the border portals of all children, child by child
    Vector<std::pair<uint64_t, uint32_t>> sorted_;            // side and key of an entry; the entry
    Vector<int32_t> matrix_;
    uint32_t stride_ = 0;
};

// ---- The top graph

// Selects the portals of a border that the top graph keeps. In each slot the cheapest, ties: the one nearest to the middle; and all that
// are not connected to it in both cells.
class BorderThinner {
public:
    BorderThinner(const OverlayData& data, const Levels& levels) : data_(data), levels_(levels) {}

    Vector<uint32_t> thin(uint32_t segment) const {
        const OverlayData& top = *levels_.top;
        const uint32_t west = top.cluster_of(segment, false), east = top.cluster_of(segment, true);
        const LevelCell &a = levels_.cell(kLevels - 1, west), &b = levels_.cell(kLevels - 1, east);
        const uint32_t first_a = a.first[OverlayData::side_of(segment, false)], first_b = b.first[OverlayData::side_of(segment, true)];
        const uint32_t count = a.first[OverlayData::side_of(segment, false) + 1] - first_a;
        const bool vertical = OverlayData::vertical(segment);
        const int32_t slot = kClusterStep * static_cast<int32_t>(thinning(data_)) / static_cast<int32_t>(data_.options.portals_per_side);
        const auto along = [&](uint32_t i) {
            const Cell c = cell(a.keys[a.inner + first_a + i]);
            return vertical ? c.y : c.x;
        };
        Vector<uint32_t> out;
        for (uint32_t begin = 0, end; begin < count; begin = end) {
            const int32_t at = along(begin) / slot;
            for (end = begin; end < count && along(end) / slot == at;) ++end;
            uint32_t best = begin;
            const auto rank = [&](uint32_t i) {
                return std::pair(data_.ground.costs().cost[data_.ground.grid().at(cell(a.keys[a.inner + first_a + i]))],
                                 std::abs(2 * along(i) - (2 * at + 1) * slot));
            };
            for (uint32_t i = begin + 1; i < end; ++i) best = rank(i) < rank(best) ? i : best;
            const size_t kept = out.size();
            out.push_back(best);
            for (uint32_t i = begin; i < end; ++i) {
                const bool covered = std::any_of(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end(), [&](uint32_t k) {
                    return k == i || (a.distance(first_a + i, first_a + k) < kMaxPotential && b.distance(first_b + i, first_b + k) < kMaxPotential);
                });
                if (!covered) out.push_back(i);
            }
            std::sort(out.begin() + static_cast<std::ptrdiff_t>(kept), out.end());
        }
        return out;
    }

private:
    Cell cell(PortalTable::Key key) const { return data_.segments[key >> 8]->portals[key & 255]; }
    const OverlayData& data_;
    const Levels& levels_;
};

void build_table(OverlayData& top, const Levels& levels, uint32_t cluster) {
    const LevelCell& cell = levels.cell(kLevels - 1, cluster);
    std::array<uint32_t, 5> first{};
    Vector<uint32_t> nodes;
    Vector<PortalTable::Key> keys;
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t segment = top.segment_of(cluster, side);
        if (segment != kNoSegment) {
            const Vector<uint32_t>& kept = *levels.kept[segment];
            for (uint32_t n = 0; n < kept.size(); ++n) {
                nodes.push_back(cell.first[side] + kept[n]);
                keys.push_back(segment << 8 | n);
            }
        }
        first[side + 1] = static_cast<uint32_t>(nodes.size());
    }
    PortalTable::Block block = PortalTable::make(first);
    PortalTable table(block);
    std::copy(keys.begin(), keys.end(), table.keys());
    for (uint32_t a = 0; a < nodes.size(); ++a) {
        for (uint32_t b = 0; b < nodes.size(); ++b) {
            const int32_t d = cell.distance(nodes[a], nodes[b]);
            table.row(a)[b] = d < kMaxPotential ? static_cast<uint32_t>(d) : kNoPath;
        }
    }
    top.tables.set(cluster, std::move(block));
}

void make_top(const OverlayData& data, Levels& levels) {
    levels.top = make_scoped_shared<OverlayData>();
    OverlayData& top = *levels.top;
    top.ground = data.ground;
    top.table_costs = data.table_costs;
    top.options = data.options;
    top.options.landmarks = 32;
    top.clusters_x = levels.cells_x[kLevels - 1];
    top.clusters_y = levels.cells_y[kLevels - 1];
    top.segments = PagedVector<std::shared_ptr<const SegmentRecord>>(top.segment_count());
    top.tables = PagedVector<PortalTable::Block>(top.cluster_count());
    levels.kept = PagedVector<std::shared_ptr<const Vector<uint32_t>>>(top.segment_count());
    const BorderThinner thinner(data, levels);
    for (uint32_t s = 0; s < top.segment_count(); ++s) {
        const uint32_t cell = s / 2;
        const bool edge = OverlayData::vertical(s) ? cell % top.clusters_x + 1 == top.clusters_x : cell / top.clusters_x + 1 == top.clusters_y;
        auto record = make_scoped_shared<SegmentRecord>();
        auto kept = make_scoped_shared<Vector<uint32_t>>();
        if (!edge) {
            *kept = thinner.thin(s);
            const LevelCell& from = levels.cell(kLevels - 1, cell);
            for (const uint32_t i : *kept) {
                const PortalTable::Key key = from.keys[from.inner + from.first[OverlayData::side_of(s, false)] + i];
                record->portals.push_back(data.segments[key >> 8]->portals[key & 255]);
            }
        }
        top.portals += record->portals.size();
        if (!record->portals.empty()) top.shift = std::max(top.shift, static_cast<uint32_t>(std::bit_width(record->portals.size() - 1)));
        top.segments.set(s, std::move(record));
        levels.kept.set(s, std::move(kept));
    }
    for (uint32_t c = 0; c < top.cluster_count(); ++c) build_table(top, levels, c);
    LandmarkBuild landmarks(top);
    landmarks.run(~uint64_t{0});
    landmarks.make_coarse();
}

}  // namespace

uint32_t LevelCell::node_of(uint32_t child, uint32_t index) const {
    for (const auto& [id, first] : children) {
        if (id == child) return child_nodes[first + index];
    }
    return kNoCluster;
}

size_t LevelCell::bytes() const {
    return sizeof(LevelCell) + field.capacity() * 4 + keys.capacity() * 4 + places.capacity() * sizeof(places[0]) + child_nodes.capacity() * 4 +
           children.capacity() * 8;
}

size_t Levels::bytes() const {
    size_t sum = 0;
    for (uint32_t level = 0; level < kLevels; ++level) {
        for (uint32_t c = 0; c < cells[level].size(); ++c) sum += cells[level][c]->bytes();
    }
    for (uint32_t c = 0; c < top->cluster_count(); ++c) sum += top->table(c).bytes(top->options.landmarks);
    return sum + top->portals * (top->options.landmarks * 4 + sizeof(Cell));
}

std::shared_ptr<const Levels> make_levels(const OverlayData& data) {
    auto levels = std::make_shared<Levels>();
    for (uint32_t level = 0; level < kLevels; ++level) {
        levels->cells_x[level] = (data.clusters_x + kCellSide[level] - 1) / kCellSide[level];
        levels->cells_y[level] = (data.clusters_y + kCellSide[level] - 1) / kCellSide[level];
        const uint32_t count = levels->cells_x[level] * levels->cells_y[level];
        levels->cells[level] = PagedVector<std::shared_ptr<const LevelCell>>(count);
        CellBuilder builder(data, *levels, level);
        for (uint32_t c = 0; c < count; ++c) levels->cells[level].set(c, builder.make(c));
    }
    make_top(data, *levels);
    return levels;
}

}  // namespace terrane::detail
