#include "terrane/overlay/portal_overlay.h"

#include <algorithm>
#include <bit>
#include <span>

#include "base/parallel.h"
#include "overlay/cluster_builder.h"
#include "overlay/landmark_distances.h"
#include "overlay/level_cells.h"
#include "overlay/portal_graph.h"
#include "terrane/base/assert.h"
#include "terrane/search/best_first.h"

namespace terrane {

using namespace detail;

namespace {

// Larger costs could take distances past 32 bits: a path over all cells of a cluster by diagonal steps.
constexpr uint32_t kMaxTableCost = 48000;

constexpr uint32_t kAllFirstMoves = 65536;             // OverlayData::first_move_share: all clusters
constexpr size_t kDefaultMinBytes = size_t{16} << 20;  // default limit of small maps

uint32_t clusters_along(int32_t side) { return std::max(1u, (static_cast<uint32_t>(side) - 1 + kClusterStep - 1) / kClusterStep); }

// The costs behind the distance tables: those of the profile, or halved (rounded up) if distances would not fit.
CostTable make_table_costs(const CostTable& costs) {
    CostTable out = costs;
    if (*std::max_element(costs.cost.begin(), costs.cost.end()) <= kMaxTableCost) return out;
    for (uint32_t& cost : out.cost) cost = (cost + 1) / 2;
    return out;
}

// Selects the portals of a border segment: in each section, the cheapest cell of each passable run.
class PortalPicker {
public:
    std::shared_ptr<const SegmentRecord> pick(const OverlayData& data, uint32_t segment) {
        const Rect rect = data.segment_rect(segment);
        const bool vertical = OverlayData::vertical(segment);
        const auto length = static_cast<uint32_t>(vertical ? rect.height : rect.width);
        costs_.resize(length);
        const auto cell = [&](uint32_t i) {
            const auto along = static_cast<int32_t>(i);
            return vertical ? Cell{rect.x, rect.y + along} : Cell{rect.x + along, rect.y};
        };
        for (uint32_t i = 0; i < length; ++i) costs_[i] = data.ground.costs().cost[data.ground.grid().at(cell(i))];
        auto record = make_scoped_shared<SegmentRecord>();
        for (uint32_t section = 0; section < data.options.portals_per_side; ++section) {
            const uint32_t begin = section * length / data.options.portals_per_side,
                           end = (section + 1) * length / data.options.portals_per_side;
            for (uint32_t i = begin; i < end;) {
                if (costs_[i] == 0) {
                    ++i;
                    continue;
                }
                const uint32_t first = i;
                while (i < end && costs_[i] != 0) ++i;
                record->portals.push_back(cell(cheapest(first, i, begin + end - 1)));
            }
        }
        return record;
    }

private:
    // The cheapest cell in [first, last); ties: the one nearest to the section's middle. `middle` is twice the section's.
    uint32_t cheapest(uint32_t first, uint32_t last, uint32_t middle) const {
        const auto off = [&](uint32_t i) { return 2 * i > middle ? 2 * i - middle : middle - 2 * i; };
        uint32_t best = first;
        for (uint32_t i = first + 1; i < last; ++i) {
            if (costs_[i] < costs_[best] || (costs_[i] == costs_[best] && off(i) < off(best))) best = i;
        }
        return best;
    }
    Vector<uint32_t> costs_;
};

struct BuiltCluster {
    PortalTable::Block table;
    std::shared_ptr<ClusterRecord> record;
};

// Builds the table of a cluster, and its first-move table if the overlay stores it.
class ClusterTableBuilder {
public:
    BuiltCluster make(const OverlayData& data, uint32_t cluster) {
        const std::array<uint32_t, 5> first = builder_.read(data, cluster);
        BuiltCluster built{PortalTable::make(first), make_scoped_shared<ClusterRecord>()};
        PortalTable table(built.table);
        builder_.copy_keys(table.keys());
        built.record->uniform_cost = builder_.uniform_cost();
        if (builder_.uniform_cost() != 0) {
            fill(table, [&](uint32_t a, uint32_t b) { return builder_.uniform(a, b, data.ground.movement()); });
        } else {
            builder_.make_field();
            fill(table, [&](uint32_t a, uint32_t b) { return builder_.distance(a, b); });
            if (data.keeps_first_moves(cluster)) built.record->first_moves = builder_.make_first_moves();
        }
        return built;
    }

private:
    template <class Distance>
    static void fill(PortalTable& table, Distance&& distance) {
        for (uint32_t a = 0; a < table.count(); ++a) {
            for (uint32_t b = 0; b < table.count(); ++b) table.row(a)[b] = distance(a, b);
        }
    }
    ClusterBuilder builder_;
};

void set_cluster(OverlayData& data, uint32_t cluster, BuiltCluster built) {
    data.tables.set(cluster, std::move(built.table));
    data.clusters.set(cluster, std::move(built.record));
}

void count_portals(OverlayData& data, const SegmentRecord& record, bool add) {
    const auto width = static_cast<size_t>(record.portals.empty() ? 0 : std::bit_width(record.portals.size() - 1));
    data.portals = add ? data.portals + record.portals.size() : data.portals - record.portals.size();
    data.widths[width] = add ? data.widths[width] + 1 : data.widths[width] - 1;
}

void set_shift(OverlayData& data) {
    data.shift = 0;
    for (uint32_t w = 0; w < data.widths.size(); ++w) {
        if (data.widths[w] > 0) data.shift = w;
    }
}

void sort_unique(Vector<uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
}

// The clusters and the border segments with a changed cell, both ascending.
struct TouchedClusters {
    Vector<uint32_t> clusters, segments;

    TouchedClusters(const OverlayData& data, const EditResult& edit) {
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) { add(data, edit.after.layout().cell(id)); });
        sort_unique(clusters);
        sort_unique(segments);
    }

private:
    void add(const OverlayData& data, Cell c) {
        const auto own = [](int32_t at, uint32_t count) { return std::min(static_cast<uint32_t>(at / kClusterStep), count - 1); };
        const uint32_t x = own(c.x, data.clusters_x), y = own(c.y, data.clusters_y);
        // A border cell is in the cluster before it, too.
        for (uint32_t cy = y - (y > 0 && c.y % kClusterStep == 0 && own(c.y - 1, data.clusters_y) != y ? 1 : 0); cy <= y; ++cy) {
            for (uint32_t cx = x - (x > 0 && c.x % kClusterStep == 0 && own(c.x - 1, data.clusters_x) != x ? 1 : 0); cx <= x; ++cx) {
                add_cluster(data, cy * data.clusters_x + cx, c);
            }
        }
    }
    void add_cluster(const OverlayData& data, uint32_t cluster, Cell c) {
        if (clusters.empty() || clusters.back() != cluster) clusters.push_back(cluster);
        if (c.x % kClusterStep != 0 && c.y % kClusterStep != 0) return;  // on no border
        for (uint32_t side = 0; side < 4; ++side) {
            const uint32_t segment = data.segment_of(cluster, side);
            if (segment != kNoSegment && data.segment_rect(segment).contains(c)) segments.push_back(segment);
        }
    }
};

// Drops first-move tables until the rest fits.
void drop_first_moves_to_fit(OverlayData& data, size_t table_bytes) {
    const size_t usual = std::max(kDefaultMinBytes, static_cast<size_t>(data.ground.layout().cells()) * 8);
    const size_t limit = data.options.max_bytes != 0 ? data.options.max_bytes : usual;
    const size_t room = limit - std::min(limit, table_bytes);
    const auto kept = [&] {
        size_t bytes = 0;
        for (uint32_t cluster = 0; cluster < data.cluster_count(); ++cluster) {
            if (data.keeps_first_moves(cluster) && data.clusters[cluster]->first_moves)
                bytes += data.clusters[cluster]->first_moves->bytes();
        }
        return bytes;
    };
    if (kept() <= room) return;
    data.first_move_share = 0;
    for (uint32_t more = kAllFirstMoves / 2; more > 0; more /= 2) {  // binary search for the largest share that fits
        data.first_move_share += more;
        if (kept() > room) data.first_move_share -= more;
    }
    for (uint32_t cluster = 0; cluster < data.cluster_count(); ++cluster) {
        if (data.keeps_first_moves(cluster) || !data.clusters[cluster]->first_moves) continue;
        auto without = make_scoped_shared<ClusterRecord>(*data.clusters[cluster]);
        without->first_moves = nullptr;
        data.clusters.set(cluster, std::move(without));
    }
}

}  // namespace

Rect OverlayData::cluster_rect(uint32_t cluster) const {
    const auto x = static_cast<int32_t>(cluster % clusters_x) * kClusterStep, y = static_cast<int32_t>(cluster / clusters_x) * kClusterStep;
    return {{x, y}, {std::min(kClusterStep + 1, ground.grid().width() - x), std::min(kClusterStep + 1, ground.grid().height() - y)}};
}

std::shared_ptr<int16_t[]> OverlayData::make_coarse(uint32_t cluster) const {
    const PortalTable now = table(cluster);
    const uint32_t landmarks = options.landmarks;
    auto out = make_scoped_shared<int16_t[]>(size_t{now.count()} * landmarks);
    for (uint32_t side = 0; side < 4; ++side) {
        const uint32_t first = now.first(side), count = now.first(side + 1) - first;
        if (count == 0) continue;
        const int32_t* exact = potentials[now.keys()[first] >> 8].get();
        for (uint32_t i = 0; i < landmarks; ++i) {
            int16_t* to = out.get() + size_t{first} * landmarks + i;
            for (uint32_t n = 0; n < count; ++n, ++exact) to[n * landmarks] = static_cast<int16_t>(std::min(*exact >> coarse_shift, 32767));
        }
    }
    return out;
}

Rect OverlayData::segment_rect(uint32_t segment) const {
    const uint32_t cluster = segment / 2;
    const bool edge = vertical(segment) ? cluster % clusters_x + 1 == clusters_x : cluster / clusters_x + 1 == clusters_y;
    return edge ? Rect{} : intersection(cluster_rect(cluster), cluster_rect(cluster_of(segment, true)));
}

// Selects portals, then builds clusters, then computes the landmarks' potentials.
struct OverlayBuilder::Impl : detail::ScopeAllocated {
    std::shared_ptr<OverlayData> data = make_scoped_shared<OverlayData>();
    uint32_t clusters_built = 0;
    Vector<ClusterTableBuilder> builders;
    std::optional<LandmarkBuild> landmarks;
    std::optional<LevelsBuild> levels;
    bool done = false;

    void pick_portals();
    void build_clusters(uint32_t count);
    bool run_heuristic(uint64_t budget);
};

void OverlayBuilder::Impl::pick_portals() {
    PortalPicker picker;
    data->segments = PagedVector<std::shared_ptr<const SegmentRecord>>(data->segment_count());
    for (uint32_t s = 0; s < data->segment_count(); ++s) {
        data->segments.set(s, picker.pick(*data, s));
        count_portals(*data, *data->segments[s], true);
    }
    set_shift(*data);
}

void OverlayBuilder::Impl::build_clusters(uint32_t count) {
    Vector<BuiltCluster> built(count);
    builders.resize(workers_for(data->options.threads, count));
    parallel_for(data->options.threads, count,
                 [&](uint32_t i, uint32_t worker) { built[i] = builders[worker].make(*data, clusters_built + i); });
    for (BuiltCluster& cluster : built) set_cluster(*data, clusters_built++, std::move(cluster));
}

// Builds the levels, and the landmarks if searches do not use levels.
bool OverlayBuilder::Impl::run_heuristic(uint64_t budget) {
    if (!levels && !landmarks) {
        data->crowded_cells = count_crowded(*data);
        if (wants_levels(*data)) levels.emplace(*data);
    }
    if (levels && !data->levels) {
        if (!levels->run(budget)) return false;
        data->levels = levels->take();
        if (data->levels->too_long == 0) data->options.landmarks = 0;
    }
    if (data->by_levels()) return true;
    if (!landmarks) landmarks.emplace(*data);
    if (!landmarks->run(budget)) return false;
    landmarks->make_coarse();
    return true;
}

OverlayBuilder::OverlayBuilder(const Ground& ground, const OverlayOptions& options) : impl_(std::make_unique<Impl>()) {
    TERRANE_ASSERT(ground.movement() != Movement::kCustom);
    TERRANE_ASSERT(options.portals_per_side >= 1 && options.portals_per_side <= kMaxPortalsPerSide && options.landmarks % 8 == 0 &&
                   options.landmarks <= 64);
    OverlayData& data = *impl_->data;
    data.ground = ground;
    data.table_costs = make_table_costs(ground.costs());
    data.options = options;
    data.landmarks_asked = options.landmarks;
    data.first_move_share = kAllFirstMoves;
    data.clusters_x = clusters_along(ground.grid().width());
    data.clusters_y = clusters_along(ground.grid().height());
    data.clusters = PagedVector<std::shared_ptr<const ClusterRecord>>(data.cluster_count());
    data.tables = PagedVector<PortalTable::Block>(data.cluster_count());
}
OverlayBuilder::~OverlayBuilder() = default;
OverlayBuilder::OverlayBuilder(OverlayBuilder&&) noexcept = default;
OverlayBuilder& OverlayBuilder::operator=(OverlayBuilder&&) noexcept = default;

bool OverlayBuilder::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.done) return true;
    if (s.data->segments.size() == 0) s.pick_portals();
    const uint32_t left = s.data->cluster_count() - s.clusters_built;
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(left, budget / kClusterWork + 1));
    if (left > 0) s.build_clusters(count);
    budget -= std::min(budget, count * kClusterWork);
    if (count < left) return false;
    if (!s.run_heuristic(budget)) return false;
    drop_first_moves_to_fit(*s.data, PortalOverlay(s.data).table_bytes());
    return s.done = true;
}

double OverlayBuilder::progress() const {
    const Impl& s = *impl_;
    if (s.done) return 1;
    const double clusters = static_cast<double>(s.clusters_built) / s.data->cluster_count();
    const double landmarks = s.landmarks ? static_cast<double>(s.landmarks->finished()) / (s.data->options.landmarks + 1) : 0;
    return (clusters + (s.levels ? s.levels->progress() : landmarks)) / 2;
}

PortalOverlay OverlayBuilder::take() { return PortalOverlay(std::move(impl_->data)); }

PortalOverlay PortalOverlay::build(const Ground& ground, const OverlayOptions& options) {
    OverlayBuilder builder(ground, options);
    builder.run(kUnlimited);
    return builder.take();
}

// Selects portals, then rebuilds clusters, then repairs landmarks.
struct OverlayUpdater::Impl : detail::ScopeAllocated {
    Impl(std::shared_ptr<const OverlayData> of, const EditResult& edit)
        : before(std::move(of)), data(make_scoped_shared<OverlayData>(*before)), touched(*data, edit) {
        data->ground = data->ground.on(edit.after);
    }

    void pick_portals();
    void repair_heuristic();
    void drop_landmarks();

    std::shared_ptr<const OverlayData> before;
    std::shared_ptr<OverlayData> data;
    TouchedClusters touched;
    ClusterTableBuilder builder;
    size_t clusters_built = 0;
    bool done = false;
};

void OverlayUpdater::Impl::pick_portals() {
    PortalPicker picker;
    for (const uint32_t s : touched.segments) {
        const SegmentRecord& was = *before->segments[s];
        auto after = picker.pick(*data, s);
        count_portals(*data, was, false);
        count_portals(*data, *after, true);
        if (data->options.landmarks > 0) data->potentials.set(s, carry_over_potentials(*data, s, was, *after));
        data->segments.set(s, std::move(after));
    }
    set_shift(*data);
}

// Repairs the levels and the landmarks. If the edit decides which of them there are, builds the new ones.
void OverlayUpdater::Impl::repair_heuristic() {
    const Vector<uint32_t> cells = cells_with(*data, touched.clusters);
    data->crowded_cells = before->crowded_cells - count_crowded(*before, cells) + count_crowded(*data, cells);
    if (!wants_levels(*data)) {
        data->levels = nullptr;
    } else if (before->levels) {
        data->levels = updated_levels(*data, *before->levels, touched.clusters);
    } else {
        LevelsBuild build(*data);
        build.run(kUnlimited);
        data->levels = build.take();
    }
    const bool by_levels = data->levels && data->levels->too_long == 0;
    data->options.landmarks = by_levels ? 0 : data->landmarks_asked;
    if (by_levels) {
        if (!before->by_levels()) drop_landmarks();
    } else if (before->by_levels()) {
        LandmarkBuild build(*data);
        build.run(kUnlimited);
        build.make_coarse();
    } else {
        repair_landmarks(*data, *before, touched.clusters, touched.segments);
    }
}

void OverlayUpdater::Impl::drop_landmarks() {
    data->potentials = {};
    data->potential_widths = {};
    data->landmark_clusters = {};
    data->coarse_shift = 0;
    for (uint32_t c = 0; c < data->cluster_count(); ++c) data->tables.set(c, {data->tables[c].words, nullptr, data->tables[c].ends});
}

OverlayUpdater::OverlayUpdater(const PortalOverlay& overlay, const EditResult& edit) {
    TERRANE_ASSERT(&edit.before.data() == &overlay.data().ground.grid().data());
    impl_ = std::make_unique<Impl>(overlay.data_, edit);
    impl_->pick_portals();
}
OverlayUpdater::~OverlayUpdater() = default;
OverlayUpdater::OverlayUpdater(OverlayUpdater&&) noexcept = default;
OverlayUpdater& OverlayUpdater::operator=(OverlayUpdater&&) noexcept = default;

bool OverlayUpdater::run(uint64_t budget) {
    Impl& s = *impl_;
    if (s.done) return true;
    const size_t left = s.touched.clusters.size() - s.clusters_built;
    const size_t end = s.clusters_built + static_cast<size_t>(std::min<uint64_t>(left, budget / OverlayBuilder::kClusterWork + 1));
    for (; s.clusters_built < end; ++s.clusters_built) {
        const uint32_t cluster = s.touched.clusters[s.clusters_built];
        set_cluster(*s.data, cluster, s.builder.make(*s.data, cluster));
    }
    if (s.clusters_built < s.touched.clusters.size()) return false;
    s.repair_heuristic();
    return s.done = true;
}

double OverlayUpdater::progress() const {
    const size_t all = impl_->touched.clusters.size();
    return all == 0 ? 1 : static_cast<double>(impl_->clusters_built) / static_cast<double>(all);
}

PortalOverlay OverlayUpdater::take() { return PortalOverlay(std::move(impl_->data)); }

std::optional<PortalOverlay> PortalOverlay::updated(const EditResult& edit) const {
    if (&edit.before.data() != &data_->ground.grid().data()) return std::nullopt;
    OverlayUpdater updater(*this, edit);
    updater.run(kUnlimited);
    return updater.take();
}

bool PortalOverlay::valid_for(const Ground& ground) const {
    return &ground.grid().data() == &data_->ground.grid().data() && ground.movement() == data_->ground.movement() &&
           ground.costs().cost == data_->ground.costs().cost;
}

size_t PortalOverlay::bytes() const {
    size_t sum = table_bytes();
    for (uint32_t cluster = 0; cluster < data_->cluster_count(); ++cluster)
        sum += data_->clusters[cluster]->first_moves ? data_->clusters[cluster]->first_moves->bytes() : 0;
    return sum;
}

size_t PortalOverlay::table_bytes() const {
    size_t sum =
        sizeof(OverlayData) + data_->segments.bytes() + data_->clusters.bytes() + data_->tables.bytes() + data_->potentials.bytes();
    for (uint32_t s = 0; s < data_->segment_count(); ++s) {
        const SegmentRecord& record = *data_->segments[s];
        sum += sizeof(SegmentRecord) + record.portals.capacity() * sizeof(Cell) + record.portals.size() * data_->options.landmarks * 4;
    }
    for (uint32_t cluster = 0; cluster < data_->cluster_count(); ++cluster)
        sum += sizeof(ClusterRecord) + data_->table(cluster).bytes(data_->options.landmarks);
    return sum + (data_->levels ? data_->levels->bytes() : 0);
}

}  // namespace terrane
