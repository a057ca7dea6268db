#include "cpd/first_moves.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/simd8.h"
#include "terrane/base/assert.h"

namespace terrane::detail {

namespace {

constexpr uint64_t kUnseen = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kNear = 2;  // radius of the first relaxation pass, in distances from the base to the furthest lane

uint32_t step(uint32_t cell, int32_t delta) { return static_cast<uint32_t>(static_cast<int64_t>(cell) + delta); }

// Legal moves of a cell of a padded map.
uint8_t legal_moves(const FlatMap& map, uint32_t cell, Movement movement) {
    uint32_t open = 0;
    for (uint32_t m = 0; m < 8; ++m) open |= (map.cost[step(cell, map.delta[m])] != 0 ? 1u : 0u) << m;
    return static_cast<uint8_t>(terrane::legal_moves(movement, open));
}

}  // namespace

FlatMap::FlatMap(const Ground& ground, const NodeOrder& order) : component(order.component) {
    stride = static_cast<uint32_t>(ground.grid().width()) + 2;
    cost.assign(size_t{stride} * (static_cast<uint32_t>(ground.grid().height()) + 2), 0);
    moves.assign(cost.size(), 0);
    node_of.assign(cost.size(), kNoIndex);
    for (size_t m = 0; m < 8; ++m) delta[m] = kMoves[m].y * static_cast<int32_t>(stride) + kMoves[m].x;
    cell_of_node.reserve(order.cells.size());
    uint32_t min_cost = std::numeric_limits<uint32_t>::max(), max_cost = 0;
    for (const CellId id : order.cells) {
        const uint32_t cell = at(ground.grid().layout().cell(id));
        cost[cell] = ground.costs().cost[ground.grid().at(id)];
        node_of[cell] = static_cast<uint32_t>(cell_of_node.size());
        cell_of_node.push_back(cell);
        min_cost = std::min(min_cost, cost[cell]);
        max_cost = std::max(max_cost, cost[cell]);
    }
    uint32_t common = 0;
    for (const uint32_t cell : cell_of_node) {
        moves[cell] = legal_moves(*this, cell, ground.movement());
        for (uint32_t m = 0; m < 8; ++m) {
            if ((moves[cell] >> m & 1) != 0) common = std::gcd(common, cost[cell] + cost[step(cell, delta[m])]);
        }
    }
    unit = std::max(1u, common);
    min_edge = std::max<uint64_t>(1, uint64_t{kStraight} * (2 * uint64_t{min_cost} / unit));
    max_edge = uint64_t{kDiagonal} * (2 * uint64_t{max_cost} / unit + 1);
}

void FlatMap::set_columns(const GridLayout& layout, const std::vector<CellId>& cells) {
    columns.reserve(cells.size());
    column_x.reserve(cells.size());
    column_y.reserve(cells.size());
    for (const CellId id : cells) {
        const Cell cell = layout.cell(id);
        columns.push_back(node_of[at(cell)]);
        column_x.push_back(static_cast<int16_t>(cell.x));
        column_y.push_back(static_cast<int16_t>(cell.y));
    }
}

// Dijkstra's algorithm with buckets no wider than the cheapest edge: no entry of a bucket can improve another entry of the same bucket.
void FirstMoves::search(const FlatMap& map, uint32_t from) {
    distance_.assign(map.cost.size(), kUnseen);
    reached_.clear();
    const uint32_t shift = map.bucket_bits();
    const auto ring = static_cast<size_t>(std::bit_ceil((map.max_edge >> shift) + 2));
    if (buckets_.size() < ring) buckets_.resize(ring);
    distance_[from] = 0;
    buckets_[0].push_back({from, 0});
    uint64_t waiting = 1;
    for (uint64_t b = 0; waiting > 0; ++b) {
        std::vector<Entry>& bucket = buckets_[static_cast<size_t>(b & (ring - 1))];
        for (const Entry entry : bucket) {
            --waiting;
            if (entry.distance != distance_[entry.cell]) continue;
            reached_.push_back(entry.cell);
            for (uint32_t legal = map.moves[entry.cell]; legal != 0; legal &= legal - 1) {
                const auto m = static_cast<uint32_t>(std::countr_zero(legal));
                const uint32_t to = step(entry.cell, map.delta[m]);
                const uint64_t distance = entry.distance + map.edge(entry.cell, to, m);
                if (distance >= distance_[to]) continue;
                distance_[to] = distance;
                buckets_[static_cast<size_t>((distance >> shift) & (ring - 1))].push_back({to, distance});
                ++waiting;
            }
        }
        bucket.clear();
    }
}

// Makes a lane of each cell of the component in the block and in the ring around it.
void FirstMoves::find_lanes(const FlatMap& map, Cell corner, uint32_t component) {
    lanes_.clear();
    lane_at_.fill(kNoIndex);
    const auto height = static_cast<int32_t>(map.cost.size() / map.stride) - 2, width = static_cast<int32_t>(map.stride) - 2;
    for (int32_t i = 0; i < kPaddedSide * kPaddedSide; ++i) {
        const Cell c{corner.x - 1 + i % kPaddedSide, corner.y - 1 + i / kPaddedSide};
        if (c.x < 0 || c.y < 0 || c.x >= width || c.y >= height) continue;
        const uint32_t cell = map.at(c);
        if (map.node_of[cell] == kNoIndex || map.component[map.node_of[cell]] != component) continue;
        lane_at_[static_cast<size_t>(i)] = static_cast<uint32_t>(lanes_.size());
        lanes_.push_back({cell, 0});
    }
    width_ = (static_cast<uint32_t>(lanes_.size()) + 7) / 8 * 8;
}

namespace {

// Relaxes all lanes of a cell at once: row = min(row, from[k] + slack[k]). Returns whether the row changed.
template <class T>
struct RowRelaxation {
    std::array<const T*, 8> from;
    std::array<Simd8<T>, 8> slack;
    uint32_t count = 0;

    TERRANE_INLINE bool apply(T* row, uint32_t width) const {
        Simd8<T> difference{};
        for (uint32_t i = 0; i < width; i += 8) {
            const Simd8<T> before = Simd8<T>::load(row + i);
            Simd8<T> best = before;
            for (uint32_t k = 0; k < count; ++k) best = Simd8<T>::least(best, Simd8<T>::load(from[k] + i) + slack[k]);
            best.store(row + i);
            difference = difference | (best ^ before);
        }
        std::array<T, 8> lanes;
        difference.store(lanes.data());
        return std::any_of(lanes.begin(), lanes.end(), [](T lane) { return lane != 0; });
    }
};

}  // namespace

// Lane k of a cell holds d(lanes_[k], cell) - d(base, cell), at most d(lanes_[k], base). An edge's slack is its cost minus the difference
// of the base distances of its ends. Relaxes every cell from neighbours that are nearer to the base, then from those that are further away,
// then the neighbours of every improved cell until nothing changes.
template <class T>
void FirstMoves::relax(const FlatMap& map) {
    std::vector<T>& field = std::get<std::vector<T>>(fields_);
    field.resize(std::max(field.size(), map.cell_of_node.size() * width_));
    const auto row = [&](uint32_t cell) { return field.data() + size_t{map.node_of[cell]} * width_; };
    std::array<T, size_t{kPaddedSide} * kPaddedSide + 8> by_way_of_base{};
    for (size_t k = 0; k < lanes_.size(); ++k) by_way_of_base[k] = static_cast<T>(lanes_[k].distance);
    for (const uint32_t cell : reached_) std::memcpy(row(cell), by_way_of_base.data(), width_ * sizeof(T));
    for (size_t k = 0; k < lanes_.size(); ++k) row(lanes_[k].cell)[k] = static_cast<T>(-static_cast<int64_t>(lanes_[k].distance));

    RowRelaxation<T> relaxation;
    // Relaxes a cell from the neighbours for which `want` holds.
    const auto relax_from = [&](uint32_t cell, auto&& want) TERRANE_INLINE {
        relaxation.count = 0;
        const uint64_t here = distance_[cell];
        for (uint32_t legal = map.moves[cell]; legal != 0; legal &= legal - 1) {
            const auto m = static_cast<uint32_t>(std::countr_zero(legal));
            const uint32_t next = step(cell, map.delta[m]);
            if (!want(distance_[next], here)) continue;
            relaxation.from[relaxation.count] = row(next);
            relaxation.slack[relaxation.count] = Simd8<T>::all(static_cast<T>(distance_[next] + map.edge(cell, next, m) - here));
            ++relaxation.count;
        }
        return relaxation.apply(row(cell), width_);
    };
    const uint32_t shift = map.bucket_bits();
    uint64_t waiting = 0;
    stale_.resize(map.cost.size(), 0);
    const auto mark_around = [&](uint32_t cell, uint64_t within) {
        for (uint32_t legal = map.moves[cell]; legal != 0; legal &= legal - 1) {
            const uint32_t next = step(cell, map.delta[static_cast<size_t>(std::countr_zero(legal))]);
            if (distance_[next] > within) continue;
            waiting += 1u - stale_[next];
            stale_[next] = 1;
        }
    };
    const auto relax_if_stale = [&](uint32_t cell, uint64_t within) {
        if (stale_[cell] == 0) return;
        stale_[cell] = 0;
        --waiting;
        if (relax_from(cell, [](uint64_t, uint64_t) { return true; })) mark_around(cell, within);
    };
    // Relaxes the first `count` cells until nothing changes.
    const auto relax_to_fixpoint = [&](size_t count, uint64_t within) {
        for (bool again = waiting > 0; again; again = waiting > 0) {
            for (size_t i = 0; i < count; ++i) relax_if_stale(reached_[i], within);
            for (size_t i = count; i-- > 0 && waiting > 0;) relax_if_stale(reached_[i], within);
        }
    };
    // Near the block paths lead in all directions; relax that neighbourhood first.
    uint64_t furthest = 0;
    for (const Lane& lane : lanes_) furthest = std::max(furthest, lane.distance);
    const uint64_t near = ((((kNear * furthest) >> shift) + 1) << shift) - 1;  // whole buckets
    const auto past = std::ranges::partition_point(reached_, [&](uint32_t cell) { return distance_[cell] <= near; });
    const auto first = static_cast<size_t>(past - reached_.begin());
    for (const Lane& lane : lanes_) mark_around(lane.cell, near);
    relax_to_fixpoint(first, near);
    for (size_t i = first; i < reached_.size(); ++i)
        relax_from(reached_[i], [=](uint64_t next, uint64_t here) { return next >> shift <= here >> shift; });
    for (size_t i = reached_.size(); i-- > 0;) {
        const uint32_t cell = reached_[i];
        waiting -= stale_[cell];
        stale_[cell] = 0;
        if (relax_from(cell, [=](uint64_t next, uint64_t here) { return next >> shift >= here >> shift; })) mark_around(cell, kUnseen);
    }
    relax_to_fixpoint(reached_.size(), kUnseen);
}

namespace {

uint16_t all_of(const uint16_t* eight) {
    std::array<uint64_t, 2> half;
    std::memcpy(half.data(), eight, sizeof(half));
    uint64_t both = half[0] & half[1];
    both &= both >> 32;
    return static_cast<uint16_t>(both & both >> 16);
}

template <class T>
TERRANE_INLINE inline Simd8<int16_t> narrow(const Simd8<T>& from) {
    if constexpr (sizeof(T) == 2) {
        return from;
    } else {
        std::array<T, 8> wide{};
        std::array<int16_t, 8> out{};
        from.store(wide.data());
        for (size_t i = 0; i < 8; ++i) out[i] = static_cast<int16_t>(wide[i]);
        return Simd8<int16_t>::load(out.data());
    }
}

// Sets of moves by the sign of dx and by the sign of dy. The intersection of two sets holds the heuristic move.
constexpr int16_t kEastward = 0x32, kWestward = 0xc8, kSameX = 0x05, kSouthward = 0x64, kNorthward = 0x91, kSameY = 0x0a;

TERRANE_INLINE inline Simd8<int16_t> by_sign(Simd8<int16_t> target, int32_t own, int16_t more, int16_t less, int16_t same) {
    using V = Simd8<int16_t>;
    const V here = V::all(static_cast<int16_t>(own));
    return ((here < target) & V::all(more)) | ((target < here) & V::all(less)) | ((target == here) & V::all(same));
}

}  // namespace

template <class T>
void FirstMoves::compare(const FlatMap& map, Cell corner, uint32_t component) {
    using V = Simd8<int16_t>;
    struct Row {
        uint32_t source;
        uint32_t lane;
        uint32_t moves;
        std::array<uint32_t, 8> lane_of;
        std::array<T, 8> cost;
    };
    std::vector<Row> rows;
    rows.reserve(sources_.size());
    for (uint32_t s = 0; s < sources_.size(); ++s) {
        const Source& source = sources_[s];
        if (map.component[map.node_of[source.cell]] != component) continue;
        const uint32_t at = (source.y + 1u) * kPaddedSide + source.x + 1;
        Row row{s, lane_at_[at], 0, {}, {}};
        for (uint32_t legal = map.moves[source.cell]; legal != 0; legal &= legal - 1) {
            const auto m = static_cast<uint32_t>(std::countr_zero(legal));
            row.lane_of[m] = lane_at_[step(at, kMoves[m].y * kPaddedSide + kMoves[m].x)];
            row.cost[m] = static_cast<T>(map.edge(source.cell, step(source.cell, map.delta[m]), m));
        }
        row.moves = map.moves[source.cell];
        rows.push_back(row);
    }
    const std::vector<T>& field = std::get<std::vector<T>>(fields_);
    const auto begin = std::ranges::lower_bound(map.columns, component, {}, [&](uint32_t p) { return map.component[p]; });
    const auto end = std::ranges::upper_bound(map.columns, component, {}, [&](uint32_t p) { return map.component[p]; });
    const auto first = static_cast<size_t>(begin - map.columns.begin()), last = static_cast<size_t>(end - map.columns.begin());
    if (first == last) return;                                          // the component has no target
    std::array<T, (size_t{kPaddedSide} * kPaddedSide + 4) * 8> tile{};  // by lane, then column
    std::array<int16_t, 8> x{}, y{};
    for (size_t e = first / 8; e * 8 < last; ++e) {
        for (size_t j = 0; j < 8; ++j) {
            const size_t column = std::clamp(e * 8 + j, first, last - 1);
            const T* from = field.data() + size_t{map.columns[column]} * width_;
            for (uint32_t k = 0; k < width_; ++k) tile[k * 8 + j] = from[k];
            x[j] = map.column_x[column];
            y[j] = map.column_y[column];
        }
        std::array<V, kBlockSide> by_x, by_y;
        for (int32_t i = 0; i < kBlockSide; ++i) {
            by_x[static_cast<size_t>(i)] = by_sign(V::load(x.data()), corner.x + i, kEastward, kWestward, kSameX);
            by_y[static_cast<size_t>(i)] = by_sign(V::load(y.data()), corner.y + i, kSouthward, kNorthward, kSameY);
        }
        const bool whole = e * 8 >= first && e * 8 + 8 <= last;
        for (const Row& row : rows) {
            const Simd8<T> own = Simd8<T>::load(&tile[size_t{row.lane} * 8]);
            Simd8<T> moves{};
            for (uint32_t legal = row.moves; legal != 0; legal &= legal - 1) {
                const auto m = static_cast<size_t>(std::countr_zero(legal));
                const Simd8<T> other = Simd8<T>::load(&tile[size_t{row.lane_of[m]} * 8]) + Simd8<T>::all(row.cost[m]);
                moves = moves | ((own == other) & Simd8<T>::all(static_cast<T>(T{1} << m)));
            }
            V symbols = narrow(moves);
            const V towards = symbols & by_x[sources_[row.source].x] & by_y[sources_[row.source].y];
            symbols = symbols | ((V{} < towards) & V::all(int16_t{1 << kHeuristicMove}));
            std::array<int16_t, 8> out;
            symbols.store(out.data());
            uint16_t* to = &symbols_[(e * sources_.size() + row.source) * 8];
            if (whole) {
                std::memcpy(to, out.data(), sizeof(out));
            } else {
                for (size_t j = 0; j < 8; ++j) {
                    if (e * 8 + j >= first && e * 8 + j < last) to[j] = static_cast<uint16_t>(out[j]);
                }
            }
            common_[e * sources_.size() + row.source] = all_of(to);
        }
    }
}

template <class T>
void FirstMoves::find_component(const FlatMap& map, Cell corner, uint32_t component) {
    relax<T>(map);
    compare<T>(map, corner, component);
}

void FirstMoves::find(const FlatMap& map, Cell corner) {
    sources_.clear();
    const auto height = static_cast<int32_t>(map.cost.size() / map.stride) - 2, width = static_cast<int32_t>(map.stride) - 2;
    for (int32_t y = 0; y < std::min(kBlockSide, height - corner.y); ++y) {
        for (int32_t x = 0; x < std::min(kBlockSide, width - corner.x); ++x) {
            const uint32_t cell = map.at({corner.x + x, corner.y + y});
            if (map.node_of[cell] == kNoIndex) continue;
            sources_.push_back(
                {cell, kZOrder[static_cast<size_t>(y) * 8 + static_cast<size_t>(x)], static_cast<uint8_t>(x), static_cast<uint8_t>(y)});
        }
    }
    std::ranges::sort(sources_, {}, &Source::z);
    eights_ = static_cast<uint32_t>((map.columns.size() + 7) / 8);
    symbols_.assign(size_t{eights_} * sources_.size() * 8, uint16_t{1 << kNoPathSymbol});
    common_.assign(size_t{eights_} * sources_.size(), uint16_t{1 << kNoPathSymbol});

    std::vector<uint32_t> components;
    components.reserve(sources_.size());
    for (const Source& source : sources_) components.push_back(map.component[map.node_of[source.cell]]);
    std::ranges::sort(components);
    const auto repeated = std::ranges::unique(components);
    components.erase(repeated.begin(), repeated.end());
    for (const uint32_t component : components) {
        // The base is the cell nearest to the block's centre, which keeps the differences small.
        const auto base = std::ranges::min_element(sources_, {}, [&](const Source& s) {
            const int32_t dx = 2 * s.x - 7, dy = 2 * s.y - 7;
            return map.component[map.node_of[s.cell]] == component ? dx * dx + dy * dy : 1000;
        });
        find_lanes(map, corner, component);
        search(map, base->cell);
        uint64_t furthest = 0;
        for (Lane& lane : lanes_) {
            lane.distance = distance_[lane.cell];
            furthest = std::max(furthest, lane.distance);
        }
        const uint64_t max_sum = furthest + 2 * map.max_edge;  // of a lane and a slack
        if (max_sum <= static_cast<uint64_t>(std::numeric_limits<int16_t>::max())) {
            find_component<int16_t>(map, corner, component);
        } else if (max_sum <= static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
            find_component<int32_t>(map, corner, component);
        } else {
            find_component<int64_t>(map, corner, component);
        }
    }
    const auto patch = [&](size_t column, uint32_t source) {
        uint16_t* eight = &symbols_[(column / 8 * sources_.size() + source) * 8];
        eight[column % 8] = kAnySymbol;
        common_[column / 8 * sources_.size() + source] = all_of(eight);
    };
    for (uint32_t s = 0; s < sources_.size(); ++s) {
        const uint32_t own = map.node_of[sources_[s].cell];
        const auto at = std::ranges::lower_bound(map.columns, own);
        if (at != map.columns.end() && *at == own) patch(static_cast<size_t>(at - map.columns.begin()), s);
        for (size_t column = map.columns.size(); column < size_t{eights_} * 8; ++column) patch(column, s);
    }
}

}  // namespace terrane::detail
