#include "overlay/crossing_points.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/simd8.h"
#include "overlay/portal_graph.h"

namespace terrane::detail {

namespace {

// A border segment, as a side of a cluster.
struct Side {
    uint32_t number;  // from north clockwise
    Rect rect;
    bool vertical;
    const Vector<Cell>* portals;
    uint32_t first, end;  // their numbers in the cluster

    Side(const OverlayData& data, uint32_t of, uint32_t cluster)
        : number(OverlayData::side_of(of, data.cluster_of(of, true) == cluster)),
          rect(data.segment_rect(of)),
          vertical(OverlayData::vertical(of)),
          portals(&data.segments[of]->portals),
          first(data.table(cluster).first(number)),
          end(data.table(cluster).first(number + 1)) {}

    uint32_t length() const { return static_cast<uint32_t>(vertical ? rect.height : rect.width); }
    uint32_t index(Cell c) const { return static_cast<uint32_t>(vertical ? c.y - rect.y : c.x - rect.x); }
    Cell cell(uint32_t i) const {
        const auto along = static_cast<int32_t>(i);
        return vertical ? Cell{rect.x, rect.y + along} : Cell{rect.x + along, rect.y};
    }
    uint32_t portal_at(uint32_t portal) const { return index((*portals)[portal - first]); }
    // The portal at a cell; `end` if there is none.
    uint32_t portal_of(uint32_t at) const {
        uint32_t portal = first;
        while (portal < end && portal_at(portal) != at) ++portal;
        return portal;
    }
};

template <class T>
constexpr T kZero = std::numeric_limits<T>::min();
template <class T>
constexpr T kNone = std::numeric_limits<T>::max();
template <class T>
constexpr T kBlocked = -1;  // inside a cluster

// Modulo 2^bits. Overflow of signed lanes would be undefined.
template <class T>
using Unsigned = Simd8<std::make_unsigned_t<T>>;
template <class T>
TERRANE_INLINE inline Simd8<T> wrapping_sum(Simd8<T> a, Simd8<T> b) {
    return std::bit_cast<Simd8<T>>(std::bit_cast<Unsigned<T>>(a) + std::bit_cast<Unsigned<T>>(b));
}
template <class T>
TERRANE_INLINE inline Simd8<T> wrapping_difference(Simd8<T> a, Simd8<T> b) {
    return std::bit_cast<Simd8<T>>(std::bit_cast<Unsigned<T>>(a) - std::bit_cast<Unsigned<T>>(b));
}

// The sums of distances from the first crossing and distances inside a cluster; kNone if they do not fit.
template <class T>
TERRANE_INLINE inline Simd8<T> sum_of(Simd8<T> from_first, Simd8<T> inside) {
    const Simd8<T> sum = wrapping_sum<T>(from_first, inside), over = sum < from_first;
    return (sum | over) ^ (over & Simd8<T>::all(kZero<T>));
}

// Prefetches the distances between two crossings if the overlay stores them.
void prefetch_rows(const OverlayData& data, const PathCrossing& a, const PathCrossing& b) {
    const FirstMoveTable* moves = data.clusters[b.cluster]->first_moves.get();
    if (moves == nullptr || moves->narrow.empty()) return;
    const PortalTable table = data.table(b.cluster);
    const auto side = [&](uint32_t segment) { return OverlayData::side_of(segment, data.cluster_of(segment, true) == b.cluster); };
    const auto prefetch_rows_of = [&](uint32_t from, uint32_t to) {
        for (uint32_t portal = table.first(from); portal < table.first(from + 1); ++portal) {
            const uint16_t* const row = moves->narrow.data() + (size_t{portal} * 4 + to) * kClusterSide;
            prefetch(row);
            prefetch(row + kClusterSide - 1);
        }
    };
    prefetch_rows_of(side(a.segment), side(b.segment));
    prefetch_rows_of(side(b.segment), side(a.segment));
}

}  // namespace

// The cluster between two crossings, and the distances inside it.
template <class T>
struct CrossingPoints::Step {
    using Lanes = Simd8<T>;
    using Distance = std::make_unsigned_t<T>;

    const OverlayData& data;
    uint32_t cluster;
    const FirstMoveTable* moves;  // null: the cluster is uniform
    Side from, to;

    Step(const OverlayData& of, FirstMoveCache& cache, uint32_t in, uint32_t from_segment, uint32_t to_segment)
        : data(of), cluster(in), moves(cache.get(of, in)), from(of, from_segment, in), to(of, to_segment, in) {}

    // Whether T holds every distance inside the cluster.
    bool fits() const {
        if (sizeof(T) == 4) return true;
        if (moves != nullptr) return moves->wide.empty();
        return uint64_t{straight() + extra()} * kClusterSide < std::numeric_limits<Distance>::max();
    }

    // Distances from a portal to the cells of a side.
    void read(uint32_t portal, const Side& side, Row<T>& out) const {
        const size_t first = (size_t{portal} * 4 + side.number) * kClusterSide;
        if constexpr (sizeof(T) == 2) {
            std::memcpy(out.data(), moves->narrow.data() + first, kClusterSide * sizeof(T));
        } else if (!moves->wide.empty()) {
            std::memcpy(out.data(), moves->wide.data() + first, kClusterSide * sizeof(T));
        } else {
            for (uint32_t i = 0; i < kClusterSide; ++i) {
                const uint16_t d = moves->narrow[first + i];
                out[i] = d == 0xffff ? kBlocked<T> : d;
            }
        }
        fill_tail(out, side, kBlocked<T>);
    }
    // Sets the entries beyond the last cell of a side.
    TERRANE_INLINE static void fill_tail(Row<T>& row, const Side& side, T value) {
        for (uint32_t i = kClusterSide; i < kPadded; ++i) row[i] = value;
        if (side.length() < kClusterSide) std::fill(row.begin() + side.length(), row.begin() + kClusterSide, value);
    }
    uint32_t cost() const { return data.clusters[cluster]->uniform_cost; }
    // Of a uniform cluster: the distance is straight() * max(dx, dy) + extra() * min(dx, dy).
    uint32_t straight() const { return 2 * kFieldStraight * cost(); }
    uint32_t extra() const { return has_diagonals(data.ground.movement()) ? 2 * (kFieldDiagonal - kFieldStraight) * cost() : straight(); }
    // Computes `next` from `now`.
    void advance(const Row<T>& now, Row<T>& next) const {
        next.fill(kNone<T>);
        if (moves == nullptr) {
            advance_uniform(now, next);
        } else {
            advance_portals(now, next);
        }
        rebase(next);
    }

    // If no cell is left out, no sum that matters has overflowed. Otherwise again, with distances less the least of all.
    void advance_portals(const Row<T>& now, Row<T>& next) const {
        Row<T> row;
        for_each_row(row, [&](uint32_t at, bool is_from) { advance_portal(now, at, is_from, row, next); });
        if (std::find(next.begin(), next.begin() + to.length(), kNone<T>) == next.begin() + to.length()) return;
        next.fill(kNone<T>);
        T least = kNone<T>;
        for_each_row(row, [&](uint32_t, bool) { least = std::min(least, least_of(row)); });
        for_each_row(row, [&](uint32_t at, bool is_from) {
            subtract(row, least);
            advance_portal(now, at, is_from, row, next);
        });
    }
    TERRANE_INLINE static void advance_portal(const Row<T>& now, uint32_t at, bool is_from, const Row<T>& row, Row<T>& next) {
        if (!is_from) {
            next[at] = std::min(next[at], least_sum_of(now, row));
        } else if (now[at] != kNone<T>) {
            add(now[at], row.data(), next);
        }
    }
    // Reads the distances between each portal of a side and all cells of the other: visit(the portal's cell, whether it is of `from`).
    template <class Visit>
    TERRANE_INLINE void for_each_row(Row<T>& row, Visit&& visit) const {
        for (uint32_t p = from.first; p < from.end; ++p) {
            read(p, to, row);
            visit(from.portal_at(p), true);
        }
        for (uint32_t q = to.first; q < to.end; ++q) {
            read(q, from, row);
            visit(to.portal_at(q), false);
        }
    }
    // The least of the distances inside a cluster, offset as those from the first crossing.
    static T least_of(const Row<T>& inside) {
        Lanes least = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) least = Lanes::least(least, Lanes::load(&inside[i]) ^ Lanes::all(kZero<T>));
        return least_lane(least);
    }
    static void subtract(Row<T>& inside, T least) {
        const Lanes by = Lanes::all(least) ^ Lanes::all(kZero<T>), blocked = Lanes::all(kBlocked<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) {
            const Lanes old = Lanes::load(&inside[i]);
            Lanes::where_equal(old, blocked, blocked, wrapping_difference<T>(old, by)).store(&inside[i]);
        }
    }

    // Whether a path from the cell with the least distance is as good as one from cell `a`.
    bool dominated(const Row<T>& now, uint32_t a, uint32_t least) const {
        return now[a] == kNone<T> ||
               (a != least && static_cast<Distance>(now[a] ^ kZero<T>) >= straight() * (a < least ? least - a : a - least));
    }
    static uint32_t least_cell(const Row<T>& now) { return static_cast<uint32_t>(std::ranges::find(now, kZero<T>) - now.begin()); }

    // By the difference along two parallel sides, or by the distances to the corner between two others.
    void advance_uniform(const Row<T>& now, Row<T>& next) const {
        if (from.vertical == to.vertical) {
            advance_parallel(now, next);
        } else {
            advance_corner(now, next);
        }
    }
    void advance_parallel(const Row<T>& now, Row<T>& next) const {
        const auto across = static_cast<uint32_t>(from.vertical ? std::abs(from.rect.x - to.rect.x) : std::abs(from.rect.y - to.rect.y));
        std::array<T, 2 * kPadded> by_difference{};
        for (uint32_t i = 0; i < kPadded; ++i) {
            const uint32_t least = straight() * across;
            const auto d = static_cast<T>(straight() * std::max(i, across) + extra() * std::min(i, across) - least);
            by_difference[kPadded - 1 - i] = by_difference[kPadded - 1 + i] = d;
        }
        const uint32_t last = kClusterSide - 1;
        const auto longest = static_cast<Distance>(by_difference[kPadded - 1 + last]);
        advance_from_all(
            now, longest,
            [&](uint32_t a) TERRANE_INLINE {
                return [first = by_difference.data() + (kPadded - 1 - a)](size_t i) TERRANE_INLINE { return Lanes::load(first + i); };
            },
            next);
    }
    // The distance is extra * (j + k) + (straight - extra) * max(j, k), with the distances j and k to the corner.
    void advance_corner(const Row<T>& now, Row<T>& next) const {
        const auto corner = from.vertical ? Cell{from.rect.x, to.rect.y} : Cell{to.rect.x, from.rect.y};
        const uint32_t from_corner = from.index(corner), to_corner = to.index(corner);
        const auto apart = [](uint32_t a, uint32_t b) { return a < b ? b - a : a - b; };
        const uint32_t both = extra(), greater = straight() - extra();
        Row<T> by_both, by_greater;
        for (uint32_t b = 0; b < kPadded; ++b) {
            by_both[b] = static_cast<T>(both * apart(b, to_corner));
            by_greater[b] = static_cast<T>(greater * apart(b, to_corner));
        }
        advance_from_all(
            now, (straight() + extra()) * (kClusterSide - 1),
            [&](uint32_t a) TERRANE_INLINE {
                const uint32_t k = apart(a, from_corner);
                return [&, along = Lanes::all(static_cast<T>(both * k)), most = Lanes::all(static_cast<T>(greater * k))](size_t i)
                           TERRANE_INLINE {
                               const Lanes sum = wrapping_sum<T>(along, Lanes::load(&by_both[i]));
                               return wrapping_sum<T>(sum, Lanes::greatest(most, Lanes::load(&by_greater[i])));
                           };
            },
            next);
    }

    // next = min over the cells of `from` of now + inside(a), the distances from cell a, at most `longest`: eight from the i-th on.
    template <class Inside>
    TERRANE_INLINE void advance_from_all(const Row<T>& now, uint32_t longest, Inside&& inside, Row<T>& next) const {
        const uint32_t least = least_cell(now);
        const uint32_t room = std::numeric_limits<Distance>::max() - longest;
        std::array<Lanes, kPadded / kLanes> best;
        best.fill(Lanes::all(kNone<T>));
        const auto for_each_part = [&](auto&& use) TERRANE_INLINE {
            [&]<size_t... kPart>(std::index_sequence<kPart...>) TERRANE_INLINE {
                ((best[kPart] = Lanes::least(best[kPart], use(kPart * kLanes))), ...);
            }
            (std::make_index_sequence<kPadded / kLanes>());
        };
        for (uint32_t a = 0; a < from.length(); ++a) {
            if (dominated(now, a, least)) continue;
            const auto distances = inside(a);
            const Lanes own = Lanes::all(now[a]);
            if (static_cast<Distance>(now[a] ^ kZero<T>) < room) {  // no sum overflows
                for_each_part([&](size_t i) TERRANE_INLINE { return wrapping_sum<T>(own, distances(i)); });
            } else {
                for_each_part([&](size_t i) TERRANE_INLINE { return sum_of<T>(own, distances(i)); });
            }
        }
        for (size_t i = 0; i < best.size(); ++i) best[i].store(&next[i * kLanes]);
    }

    // next = min(next, own + inside)
    TERRANE_INLINE static void add(T own, const T* inside, Row<T>& next) {
        const Lanes all = Lanes::all(own);
        for (size_t i = 0; i < kPadded; i += kLanes)
            Lanes::least(Lanes::load(&next[i]), sum_of<T>(all, Lanes::load(inside + i))).store(&next[i]);
    }
    static T least_sum_of(const Row<T>& now, const Row<T>& inside) {
        Lanes least = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) least = Lanes::least(least, sum_of<T>(Lanes::load(&now[i]), Lanes::load(&inside[i])));
        return least_lane(least);
    }
    static T least_lane(Lanes of) { return static_cast<T>(~greatest_lane<T>(of ^ Lanes::all(-1))); }

    // Subtracts the least; cells beyond the side have no path.
    void rebase(Row<T>& row) const {
        fill_tail(row, to, kNone<T>);
        Lanes least = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) least = Lanes::least(least, Lanes::load(&row[i]));
        const Lanes by = Lanes::all(least_lane(least)) ^ Lanes::all(kZero<T>), none = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) {
            const Lanes old = Lanes::load(&row[i]);
            Lanes::where_equal(old, none, none, wrapping_difference<T>(old, by)).store(&row[i]);
        }
    }

    // The cell of `from` before cell `b` of `to` on a best path. Ties: the first portal, then the first cell.
    uint32_t before(const Row<T>& now, uint32_t b) const {
        const uint32_t q = to.portal_of(b);
        Row<T> row;
        if (moves == nullptr) {
            read_uniform(b, row);
        } else if (q < to.end) {
            read(q, from, row);
        } else {
            row.fill(kBlocked<T>);
            Row<T> from_portal;
            for (uint32_t p = from.first; p < from.end; ++p) {
                read(p, to, from_portal);
                row[from.portal_at(p)] = from_portal[b];
            }
        }
        T least = least_sum_of(now, row);
        if (least == kNone<T>) {
            subtract(row, least_of(row));
            least = least_sum_of(now, row);
        }
        const auto is_best = [&](uint32_t a) {
            return now[a] != kNone<T> && static_cast<Distance>(now[a] ^ kZero<T>) + uint64_t{static_cast<Distance>(row[a])} ==
                                             static_cast<Distance>(least ^ kZero<T>);
        };
        for (uint32_t p = from.first; p < from.end; ++p) {
            if (is_best(from.portal_at(p))) return from.portal_at(p);
        }
        uint32_t a = 0;
        while (!is_best(a)) ++a;
        return a;
    }

    // Distances from the cells of `from` to cell `b` of `to`.
    void read_uniform(uint32_t b, Row<T>& out) const {
        const Cell end = to.cell(b);
        const auto apart = [](int32_t x, int32_t y) { return static_cast<uint32_t>(std::abs(x - y)); };
        const uint32_t across = from.vertical ? apart(from.rect.x, end.x) : apart(from.rect.y, end.y);
        const int32_t along = from.vertical ? end.y - from.rect.y : end.x - from.rect.x;
        const uint32_t by_long = straight(), by_short = extra();
        for (uint32_t a = 0; a < kClusterSide; ++a) {
            const uint32_t d = apart(static_cast<int32_t>(a), along);
            out[a] = static_cast<T>(by_long * std::max(d, across) + by_short * std::min(d, across));
        }
        fill_tail(out, from, kBlocked<T>);
    }
};

template <class T>
bool CrossingPoints::optimise_as(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<PathCrossing>& crossings,
                                 Vector<Row<T>>& rows) {
    const size_t count = crossings.size();
    if (rows.size() < count) rows.resize(count);
    const auto step = [&](size_t i) {
        return Step<T>(data, first_move_tables, crossings[i + 1].cluster, crossings[i].segment, crossings[i + 1].segment);
    };
    for (size_t i = 0; i + 1 < count; ++i) {
        if (i + 3 < count) prefetch_rows(data, crossings[i + 2], crossings[i + 3]);
        const Step<T> next = step(i);
        if (!next.fits()) return false;
        if (i == 0) {
            rows[0].fill(kNone<T>);
            rows[0][next.from.index(crossings[0].cell)] = kZero<T>;
        }
        next.advance(rows[i], rows[i + 1]);
        if (i + 2 == count && rows[i + 1][next.to.index(crossings[i + 1].cell)] == kNone<T>) return false;
    }
    for (size_t i = count - 2; i >= 1; --i) {
        const Step<T> next = step(i);
        const uint32_t at = next.before(rows[i], next.to.index(crossings[i + 1].cell)), portal = next.from.portal_of(at);
        crossings[i].cell = next.from.cell(at);
        crossings[i].portal = portal < next.from.end ? crossings[i].segment << data.shift | (portal - next.from.first) : kNoPortal;
    }
    return true;
}

void CrossingPoints::optimise(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<PathCrossing>& crossings) {
    if (crossings.size() < 3) return;
    if (!optimise_as(data, first_move_tables, crossings, narrow_)) optimise_as(data, first_move_tables, crossings, wide_);
}

}  // namespace terrane::detail
