#include "overlay/level_cells.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <optional>

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
        cell_ = make_scoped_shared<LevelCell>();
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
    bool child_too_long(uint32_t child) const {
        if (level_ > 0) return levels_.cell(level_ - 1, child).too_long;
        const PortalTable table = data_.table(child);
        return std::any_of(table.row(0), table.row(table.count()),
                           [](uint32_t d) { return d != kNoPath && d > static_cast<uint32_t>(kMaxCellDistance); });
    }
    int32_t child_distance(uint32_t child, uint32_t a, uint32_t b) const {
        if (level_ > 0) return levels_.cell(level_ - 1, child).distance(a, b);
        return level_leg(data_.table(child).row(a)[b]);
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
            cell_->child_nodes[sorted_[i].second] = static_cast<uint16_t>(cell_->keys.size() - 1);
        }
        cell_->keys.shrink_to_fit();
        cell_->inner = counts[0];
        for (uint32_t side = 0; side < 4; ++side) cell_->first[side + 1] = cell_->first[side] + counts[side + 1];
        cell_->border = cell_->first[4];
        cell_->stride = (cell_->border + kLanes - 1) / kLanes * kLanes;
    }
    void place_nodes() {
        cell_->places.resize(cell_->nodes());
        for (size_t c = 0; c < cell_->children.size(); ++c) {
            const uint32_t first = cell_->children[c].second;
            const size_t end = c + 1 < cell_->children.size() ? cell_->children[c + 1].second : entries_.size();
            for (uint32_t i = first; i < end; ++i) {
                auto& places = cell_->places[cell_->child_nodes[i]];
                places[places[0].child == LevelCell::kNoChild ? 0 : 1] = {static_cast<uint16_t>(c), static_cast<uint16_t>(i - first)};
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
        // A longer path than kMaxPotential has a node at a distance above kMaxCellDistance, or a child has.
        cell.too_long =
            std::any_of(cell.children.begin(), cell.children.end(), [&](auto child) { return child_too_long(child.first); }) ||
            std::any_of(cell.field.begin(), cell.field.end(), [](int32_t d) { return d > kMaxCellDistance && d < kMaxPotential; });
    }

    const OverlayData& data_;
    const Levels& levels_;
    const uint32_t level_;
    std::shared_ptr<LevelCell> cell_;
    Vector<PortalTable::Key> entries_;              // the border portals of all children, child by child
    Vector<std::pair<uint64_t, uint32_t>> sorted_;  // side and key of an entry; the entry
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
                    return k == i ||
                           (a.distance(first_a + i, first_a + k) < kMaxPotential && b.distance(first_b + i, first_b + k) < kMaxPotential);
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

bool at_edge(const OverlayData& top, uint32_t segment) {
    const uint32_t cell = segment / 2;
    return OverlayData::vertical(segment) ? cell % top.clusters_x + 1 == top.clusters_x : cell / top.clusters_x + 1 == top.clusters_y;
}

void count_top_portals(OverlayData& top, size_t count, bool add) {
    const auto width = static_cast<size_t>(count == 0 ? 0 : std::bit_width(count - 1));
    top.portals += add ? count : 0 - count;
    top.widths[width] += add ? 1 : 0u - 1;
}

void set_top_shift(OverlayData& top) {
    top.shift = 0;
    for (uint32_t w = 0; w < top.widths.size(); ++w) {
        if (top.widths[w] > 0) top.shift = w;
    }
}

// Selects the kept portals of a border. Returns false if they are as before.
bool pick_border(const OverlayData& data, Levels& levels, uint32_t segment) {
    OverlayData& top = *levels.top;
    auto record = make_scoped_shared<SegmentRecord>();
    auto kept = make_scoped_shared<Vector<uint32_t>>();
    if (!at_edge(top, segment)) {
        *kept = BorderThinner(data, levels).thin(segment);
        const LevelCell& from = levels.cell(kLevels - 1, segment / 2);
        for (const uint32_t i : *kept) {
            const PortalTable::Key key = from.keys[from.inner + from.first[OverlayData::side_of(segment, false)] + i];
            record->portals.push_back(data.segments[key >> 8]->portals[key & 255]);
        }
    }
    const bool is_new = top.segments[segment] == nullptr;
    if (!is_new && *levels.kept[segment] == *kept && top.segments[segment]->portals == record->portals) return false;
    if (!is_new) count_top_portals(top, top.segments[segment]->portals.size(), false);
    count_top_portals(top, record->portals.size(), true);
    top.segments.set(segment, std::move(record));
    levels.kept.set(segment, std::move(kept));
    return true;
}

PortalTable::Block top_table(const Levels& levels, uint32_t cluster) {
    const OverlayData& top = *levels.top;
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
    return block;
}

std::shared_ptr<OverlayData> empty_top(const OverlayData& data, const Levels& levels) {
    auto out = make_scoped_shared<OverlayData>();
    OverlayData& top = *out;
    top.ground = data.ground;
    top.table_costs = data.table_costs;
    top.options = data.options;
    top.options.landmarks = data.landmarks_asked;
    top.clusters_x = levels.cells_x[kLevels - 1];
    top.clusters_y = levels.cells_y[kLevels - 1];
    top.segments = PagedVector<std::shared_ptr<const SegmentRecord>>(top.segment_count());
    top.tables = PagedVector<PortalTable::Block>(top.cluster_count());
    return out;
}

uint32_t border_portals(const OverlayData& data, uint32_t cell) {
    const uint32_t wide = (data.clusters_x + kCellSide[1] - 1) / kCellSide[1];
    const uint32_t x = cell % wide * kCellSide[1], y = cell / wide * kCellSide[1];
    const uint32_t right = std::min(x + kCellSide[1], data.clusters_x), bottom = std::min(y + kCellSide[1], data.clusters_y);
    uint32_t count = 0;
    const auto add = [&](uint32_t cluster, uint32_t side) {
        const uint32_t segment = data.segment_of(cluster, side);
        if (segment != kNoSegment) count += static_cast<uint32_t>(data.segments[segment]->portals.size());
    };
    for (uint32_t cx = x; cx < right; ++cx) {
        add(y * data.clusters_x + cx, 0);
        add((bottom - 1) * data.clusters_x + cx, 2);
    }
    for (uint32_t cy = y; cy < bottom; ++cy) {
        add(cy * data.clusters_x + x, 3);
        add(cy * data.clusters_x + right - 1, 1);
    }
    return count;
}

}  // namespace

uint32_t LevelCell::node_of(uint32_t id, uint32_t index) const {
    for (const auto& [child, entries] : children) {
        if (child == id) return child_nodes[entries + index];
    }
    return kNoCluster;
}

size_t LevelCell::bytes() const {
    return sizeof(LevelCell) + field.capacity() * 4 + keys.capacity() * 4 + places.capacity() * sizeof(places[0]) +
           child_nodes.capacity() * 2 + children.capacity() * 8;
}

size_t Levels::bytes() const {
    size_t sum = 0;
    for (uint32_t level = 0; level < kLevels; ++level) {
        for (uint32_t c = 0; c < cells[level].size(); ++c) sum += cells[level][c]->bytes();
    }
    for (uint32_t c = 0; c < top->cluster_count(); ++c) sum += top->table(c).bytes(top->options.landmarks);
    return sum + static_cast<size_t>(top->portals) * (size_t{top->options.landmarks} * 4 + sizeof(Cell));
}

uint32_t count_crowded(const OverlayData& data, std::span<const uint32_t> cells) {
    uint32_t count = 0;
    for (const uint32_t cell : cells) count += border_portals(data, cell) > kMaxCellPortals ? 1 : 0;
    return count;
}

uint32_t count_crowded(const OverlayData& data) {
    const uint32_t cells = (data.clusters_x + kCellSide[1] - 1) / kCellSide[1] * ((data.clusters_y + kCellSide[1] - 1) / kCellSide[1]);
    uint32_t count = 0;
    for (uint32_t cell = 0; cell < cells; ++cell) count += count_crowded(data, std::span(&cell, 1));
    return count;
}

bool wants_levels(const OverlayData& data) {
    return data.landmarks_asked > 0 && std::max(data.clusters_x, data.clusters_y) >= data.options.levels_from && data.crowded_cells == 0;
}

struct LevelsBuild::Impl : ScopeAllocated {
    explicit Impl(const OverlayData& of) : data(of) {
        for (uint32_t i = 0; i < kLevels; ++i) {
            levels->cells_x[i] = (data.clusters_x + kCellSide[i] - 1) / kCellSide[i];
            levels->cells_y[i] = (data.clusters_y + kCellSide[i] - 1) / kCellSide[i];
            levels->cells[i] = PagedVector<std::shared_ptr<const LevelCell>>(size_t{levels->cells_x[i]} * levels->cells_y[i]);
        }
        levels->top = empty_top(data, *levels);
        levels->kept = PagedVector<std::shared_ptr<const Vector<uint32_t>>>(levels->top->segment_count());
    }
    bool build_cells(uint64_t& budget);
    void build_top();

    static constexpr uint64_t kCellWork = 100;  // in portal expansions
    const OverlayData& data;
    std::shared_ptr<Levels> levels = make_scoped_shared<Levels>();
    uint32_t level = 0, cell = 0;
    std::optional<CellBuilder> builder;
    std::optional<LandmarkBuild> landmarks;
    bool done = false;
};

bool LevelsBuild::Impl::build_cells(uint64_t& budget) {
    for (; level < kLevels; ++level, cell = 0) {
        builder.emplace(data, *levels, level);
        for (; cell < levels->cells[level].size(); ++cell) {
            if (budget == 0) return false;
            levels->cells[level].set(cell, builder->make(cell));
            budget -= std::min(budget, kCellWork);
        }
    }
    return true;
}

void LevelsBuild::Impl::build_top() {
    OverlayData& top = *levels->top;
    for (uint32_t c = 0; c < top.cluster_count(); ++c) levels->too_long += levels->cell(kLevels - 1, c).too_long ? 1 : 0;
    for (uint32_t s = 0; s < top.segment_count(); ++s) pick_border(data, *levels, s);
    set_top_shift(top);
    for (uint32_t c = 0; c < top.cluster_count(); ++c) top.tables.set(c, top_table(*levels, c));
    landmarks.emplace(top);
}

LevelsBuild::LevelsBuild(const OverlayData& data) : impl_(std::make_unique<Impl>(data)) {}
LevelsBuild::~LevelsBuild() = default;

bool LevelsBuild::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.done) return true;
    if (!s.build_cells(budget)) return false;
    if (!s.landmarks) s.build_top();
    if (!s.landmarks->run(budget)) return false;
    s.landmarks->make_coarse();
    return s.done = true;
}

double LevelsBuild::progress() const {
    const Impl& s = *impl_;
    if (s.done) return 1;
    if (s.landmarks) return 0.75 + 0.25 * s.landmarks->finished() / (s.levels->top->options.landmarks + 1);
    if (s.level == kLevels) return 0.75;
    return 0.75 * (s.level + static_cast<double>(s.cell) / static_cast<double>(s.levels->cells[s.level].size() + 1)) / kLevels;
}

std::shared_ptr<const Levels> LevelsBuild::take() { return std::move(impl_->levels); }

namespace {

Vector<uint32_t> cells_of_level(const Levels& levels, uint32_t level, const OverlayData& data, std::span<const uint32_t> clusters) {
    Vector<uint32_t> out;
    for (const uint32_t cluster : clusters) out.push_back(levels.cell_of(level, data, cluster));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

}  // namespace

Vector<uint32_t> cells_with(const OverlayData& data, std::span<const uint32_t> clusters) {
    Levels shape;
    shape.cells_x[kLevels - 1] = (data.clusters_x + kCellSide[kLevels - 1] - 1) / kCellSide[kLevels - 1];
    return cells_of_level(shape, kLevels - 1, data, clusters);
}

std::shared_ptr<const Levels> updated_levels(const OverlayData& data, const Levels& before, std::span<const uint32_t> clusters) {
    auto levels = make_scoped_shared<Levels>(before);
    levels->top = make_scoped_shared<OverlayData>(*before.top);
    OverlayData& top = *levels->top;
    top.ground = data.ground;
    for (uint32_t level = 0; level < kLevels; ++level) {
        CellBuilder builder(data, *levels, level);
        for (const uint32_t cell : cells_of_level(*levels, level, data, clusters)) levels->cells[level].set(cell, builder.make(cell));
    }
    Vector<uint32_t> touched = cells_of_level(*levels, kLevels - 1, data, clusters), borders, changed;
    for (const uint32_t cell : touched) {
        levels->too_long -= before.cell(kLevels - 1, cell).too_long ? 1 : 0;
        levels->too_long += levels->cell(kLevels - 1, cell).too_long ? 1 : 0;
        for (uint32_t side = 0; side < 4; ++side) {
            if (const uint32_t segment = top.segment_of(cell, side); segment != kNoSegment) borders.push_back(segment);
        }
    }
    std::sort(borders.begin(), borders.end());
    borders.erase(std::unique(borders.begin(), borders.end()), borders.end());
    for (const uint32_t segment : borders) {
        if (!pick_border(data, *levels, segment)) continue;
        changed.push_back(segment);
        top.potentials.set(segment, carry_over_potentials(top, segment, *before.top->segments[segment], *top.segments[segment]));
        for (const bool second : {false, true}) touched.push_back(top.cluster_of(segment, second));
    }
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    set_top_shift(top);
    for (const uint32_t cell : touched) top.tables.set(cell, top_table(*levels, cell));
    repair_landmarks(top, *before.top, touched, changed);
    return levels;
}

}  // namespace terrane::detail
