#include "cpd/first_moves.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/eight.h"
#include "terrane/base/assert.h"

namespace terrane::detail {

namespace {

constexpr uint64_t kUnseen = std::numeric_limits<uint64_t>::max();
constexpr uint64_t kNear = 2;  // times the way from the base to the furthest lane

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
    place.assign(cost.size(), kNoNumber);
    for (size_t m = 0; m < 8; ++m) delta[m] = kMoves[m].y * static_cast<int32_t>(stride) + kMoves[m].x;
    at_place.reserve(order.cells.size());
    uint32_t cheapest = std::numeric_limits<uint32_t>::max(), dearest = 0;
    for (const CellId id : order.cells) {
        const uint32_t cell = at(ground.grid().layout().cell(id));
        cost[cell] = ground.costs().cost[ground.grid().at(id)];
        place[cell] = static_cast<uint32_t>(at_place.size());
        at_place.push_back(cell);
        cheapest = std::min(cheapest, cost[cell]);
        dearest = std::max(dearest, cost[cell]);
    }
    uint32_t common = 0;
    for (const uint32_t cell : at_place) {
        moves[cell] = legal_moves(*this, cell, ground.movement());
        for (uint32_t m = 0; m < 8; ++m) {
            if ((moves[cell] >> m & 1) != 0) common = std::gcd(common, cost[cell] + cost[step(cell, delta[m])]);
        }
    }
    unit = std::max(1u, common);
    shortest = std::max<uint64_t>(1, uint64_t{kStraight} * (2 * uint64_t{cheapest} / unit));
    longest = uint64_t{kDiagonal} * (2 * uint64_t{dearest} / unit + 1);
}

void FlatMap::set_columns(const GridLayout& layout, const std::vector<CellId>& cells) {
    columns.reserve(cells.size());
    column_x.reserve(cells.size());
    column_y.reserve(cells.size());
    for (const CellId id : cells) {
        const Cell cell = layout.cell(id);
        columns.push_back(place[at(cell)]);
        column_x.push_back(static_cast<int16_t>(cell.x));
        column_y.push_back(static_cast<int16_t>(cell.y));
    }
}

// Dijkstra with buckets no wider than the shortest edge: what is in one bucket cannot be improved by anything else that is in it.
void FirstMoves::search(const FlatMap& map, uint32_t from) {
    distance_.assign(map.cost.size(), kUnseen);
    reached_.clear();
    const uint32_t shift = map.bucket_bits();
    const auto ring = static_cast<size_t>(std::bit_ceil((map.longest >> shift) + 2));
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

// The cells of the component in the block and the ring around it.
void FirstMoves::find_lanes(const FlatMap& map, Cell corner, uint32_t component) {
    lanes_.clear();
    lane_at_.fill(kNoNumber);
    const auto height = static_cast<int32_t>(map.cost.size() / map.stride) - 2, width = static_cast<int32_t>(map.stride) - 2;
    for (int32_t i = 0; i < kWindow * kWindow; ++i) {
        const Cell c{corner.x - 1 + i % kWindow, corner.y - 1 + i / kWindow};
        if (c.x < 0 || c.y < 0 || c.x >= width || c.y >= height) continue;
        const uint32_t cell = map.at(c);
        if (map.place[cell] == kNoNumber || map.component[map.place[cell]] != component) continue;
        lane_at_[static_cast<size_t>(i)] = static_cast<uint32_t>(lanes_.size());
        lanes_.push_back({cell, 0});
    }
    width_ = (static_cast<uint32_t>(lanes_.size()) + 7) / 8 * 8;
}

namespace {

// A row becomes the least of itself and of others, each with something added. Whether that changed it.
template <class T>
struct Pull {
    std::array<const T*, 8> from;
    std::array<Eight<T>, 8> slack;
    uint32_t count = 0;

    TERRANE_INLINE bool into(T* row, uint32_t width) const {
        Eight<T> difference{};
        for (uint32_t i = 0; i < width; i += 8) {
            const Eight<T> before = Eight<T>::load(row + i);
            Eight<T> best = before;
            for (uint32_t k = 0; k < count; ++k) best = Eight<T>::least(best, Eight<T>::load(from[k] + i) + slack[k]);
            best.store(row + i);
            difference = difference | (best ^ before);
        }
        std::array<T, 8> lanes;
        difference.store(lanes.data());
        return std::any_of(lanes.begin(), lanes.end(), [](T lane) { return lane != 0; });
    }
};

}  // namespace

// Lane k of a cell is how much further, or nearer, it is from lanes_[k] than from the base; at most that far by way of the base. An edge's
// slack is what it costs more than the distances at its ends differ. First everything is drawn from cells that are nearer to the base, then
// from those that are further away; what that has changed for the better is followed up until nothing changes.
template <class T>
void FirstMoves::relax(const FlatMap& map) {
    std::vector<T>& field = std::get<std::vector<T>>(fields_);
    field.resize(std::max(field.size(), map.at_place.size() * width_));
    const auto row = [&](uint32_t cell) { return field.data() + size_t{map.place[cell]} * width_; };
    std::array<T, size_t{kWindow} * kWindow + 8> by_way_of_base{};
    for (size_t k = 0; k < lanes_.size(); ++k) by_way_of_base[k] = static_cast<T>(lanes_[k].distance);
    for (const uint32_t cell : reached_) std::memcpy(row(cell), by_way_of_base.data(), width_ * sizeof(T));
    for (size_t k = 0; k < lanes_.size(); ++k) row(lanes_[k].cell)[k] = static_cast<T>(-static_cast<int64_t>(lanes_[k].distance));

    Pull<T> pull;
    // From the neighbours for which `want` holds.
    const auto improve = [&](uint32_t cell, auto&& want) TERRANE_INLINE {
        pull.count = 0;
        const uint64_t here = distance_[cell];
        for (uint32_t legal = map.moves[cell]; legal != 0; legal &= legal - 1) {
            const auto m = static_cast<uint32_t>(std::countr_zero(legal));
            const uint32_t next = step(cell, map.delta[m]);
            if (!want(distance_[next], here)) continue;
            pull.from[pull.count] = row(next);
            pull.slack[pull.count] = Eight<T>::all(static_cast<T>(distance_[next] + map.edge(cell, next, m) - here));
            ++pull.count;
        }
        return pull.into(row(cell), width_);
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
    const auto settle = [&](uint32_t cell, uint64_t within) {
        if (stale_[cell] == 0) return;
        stale_[cell] = 0;
        --waiting;
        if (improve(cell, [](uint64_t, uint64_t) { return true; })) mark_around(cell, within);
    };
    // Until nothing changes among the first `count` cells.
    const auto settle_all = [&](size_t count, uint64_t within) {
        for (bool again = waiting > 0; again; again = waiting > 0) {
            for (size_t i = 0; i < count; ++i) settle(reached_[i], within);
            for (size_t i = count; i-- > 0 && waiting > 0;) settle(reached_[i], within);
        }
    };
    // Near the block paths lead into every direction: that is settled first.
    uint64_t furthest = 0;
    for (const Lane& lane : lanes_) furthest = std::max(furthest, lane.distance);
    const uint64_t near = ((((kNear * furthest) >> shift) + 1) << shift) - 1;  // whole buckets
    const auto past = std::ranges::partition_point(reached_, [&](uint32_t cell) { return distance_[cell] <= near; });
    const auto first = static_cast<size_t>(past - reached_.begin());
    for (const Lane& lane : lanes_) mark_around(lane.cell, near);
    settle_all(first, near);
    for (size_t i = first; i < reached_.size(); ++i)
        improve(reached_[i], [=](uint64_t next, uint64_t here) { return next >> shift <= here >> shift; });
    for (size_t i = reached_.size(); i-- > 0;) {
        const uint32_t cell = reached_[i];
        waiting -= stale_[cell];
        stale_[cell] = 0;
        if (improve(cell, [=](uint64_t next, uint64_t here) { return next >> shift >= here >> shift; })) mark_around(cell, kUnseen);
    }
    settle_all(reached_.size(), kUnseen);
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
TERRANE_INLINE inline Eight<int16_t> narrow(const Eight<T>& from) {
    if constexpr (sizeof(T) == 2) {
        return from;
    } else {
        std::array<T, 8> wide{};
        std::array<int16_t, 8> out{};
        from.store(wide.data());
        for (size_t i = 0; i < 8; ++i) out[i] = static_cast<int16_t>(wide[i]);
        return Eight<int16_t>::load(out.data());
    }
}

// The moves by the sign of dx, and of dy: one is in both.
constexpr int16_t kEastward = 0x32, kWestward = 0xc8, kSameX = 0x05, kSouthward = 0x64, kNorthward = 0x91, kSameY = 0x0a;

TERRANE_INLINE inline Eight<int16_t> by_sign(Eight<int16_t> target, int32_t own, int16_t more, int16_t less, int16_t same) {
    using V = Eight<int16_t>;
    const V here = V::all(static_cast<int16_t>(own));
    return ((here < target) & V::all(more)) | ((target < here) & V::all(less)) | ((target == here) & V::all(same));
}

}  // namespace

template <class T>
void FirstMoves::compare(const FlatMap& map, Cell corner, uint32_t component) {
    using V = Eight<int16_t>;
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
        if (map.component[map.place[source.cell]] != component) continue;
        const uint32_t at = (source.y + 1u) * kWindow + source.x + 1;
        Row row{s, lane_at_[at], 0, {}, {}};
        for (uint32_t legal = map.moves[source.cell]; legal != 0; legal &= legal - 1) {
            const auto m = static_cast<uint32_t>(std::countr_zero(legal));
            row.lane_of[m] = lane_at_[step(at, kMoves[m].y * kWindow + kMoves[m].x)];
            row.cost[m] = static_cast<T>(map.edge(source.cell, step(source.cell, map.delta[m]), m));
        }
        row.moves = map.moves[source.cell];
        rows.push_back(row);
    }
    const std::vector<T>& field = std::get<std::vector<T>>(fields_);
    const auto begin = std::ranges::lower_bound(map.columns, component, {}, [&](uint32_t p) { return map.component[p]; });
    const auto end = std::ranges::upper_bound(map.columns, component, {}, [&](uint32_t p) { return map.component[p]; });
    const auto first = static_cast<size_t>(begin - map.columns.begin()), last = static_cast<size_t>(end - map.columns.begin());
    if (first == last) return;                                  // none of its cells is a target
    std::array<T, (size_t{kWindow} * kWindow + 4) * 8> tile{};  // by lane, then column
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
            const Eight<T> own = Eight<T>::load(&tile[size_t{row.lane} * 8]);
            Eight<T> moves{};
            for (uint32_t legal = row.moves; legal != 0; legal &= legal - 1) {
                const auto m = static_cast<size_t>(std::countr_zero(legal));
                const Eight<T> other = Eight<T>::load(&tile[size_t{row.lane_of[m]} * 8]) + Eight<T>::all(row.cost[m]);
                moves = moves | ((own == other) & Eight<T>::all(static_cast<T>(T{1} << m)));
            }
            V symbols = narrow(moves);
            const V towards = symbols & by_x[sources_[row.source].x] & by_y[sources_[row.source].y];
            symbols = symbols | ((V{} < towards) & V::all(int16_t{1 << kTowards}));
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
            if (map.place[cell] == kNoNumber) continue;
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
    for (const Source& source : sources_) components.push_back(map.component[map.place[source.cell]]);
    std::ranges::sort(components);
    const auto repeated = std::ranges::unique(components);
    components.erase(repeated.begin(), repeated.end());
    for (const uint32_t component : components) {
        // The cell nearest to the middle, so that the others are near.
        const auto base = std::ranges::min_element(sources_, {}, [&](const Source& s) {
            const int32_t dx = 2 * s.x - 7, dy = 2 * s.y - 7;
            return map.component[map.place[s.cell]] == component ? dx * dx + dy * dy : 1000;
        });
        find_lanes(map, corner, component);
        search(map, base->cell);
        uint64_t furthest = 0;
        for (Lane& lane : lanes_) {
            lane.distance = distance_[lane.cell];
            furthest = std::max(furthest, lane.distance);
        }
        const uint64_t most = furthest + 2 * map.longest;  // that any sum comes to
        if (most <= static_cast<uint64_t>(std::numeric_limits<int16_t>::max())) {
            find_component<int16_t>(map, corner, component);
        } else if (most <= static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
            find_component<int32_t>(map, corner, component);
        } else {
            find_component<int64_t>(map, corner, component);
        }
    }
    const auto patch = [&](size_t column, uint32_t source) {
        uint16_t* eight = &symbols_[(column / 8 * sources_.size() + source) * 8];
        eight[column % 8] = kAnything;
        common_[column / 8 * sources_.size() + source] = all_of(eight);
    };
    for (uint32_t s = 0; s < sources_.size(); ++s) {
        const uint32_t own = map.place[sources_[s].cell];
        const auto at = std::ranges::lower_bound(map.columns, own);
        if (at != map.columns.end() && *at == own) patch(static_cast<size_t>(at - map.columns.begin()), s);
        for (size_t column = map.columns.size(); column < size_t{eights_} * 8; ++column) patch(column, s);
    }
}

}  // namespace terrane::detail
