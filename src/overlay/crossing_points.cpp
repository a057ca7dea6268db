#include "overlay/crossing_points.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

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

// The sums of distances from the first crossing and distances inside a cluster; kNone if they do not fit.
template <class T>
TERRANE_INLINE Simd8<T> sum_of(Simd8<T> from_first, Simd8<T> inside) {
    const Simd8<T> sum = from_first + inside, over = sum < from_first;
    return (sum | over) ^ (over & Simd8<T>::all(kZero<T>));
}

// Prefetches the distances between two crossings if the overlay stores them.
void prefetch_rows(const OverlayData& data, const Crossing& a, const Crossing& b) {
    const FirstMoveTable* moves = data.clusters[b.cluster]->first_moves.get();
    if (moves == nullptr || moves->narrow.empty()) return;
    const Side from(data, a.segment, b.cluster), to(data, b.segment, b.cluster);
    const auto prefetch_row = [&](uint32_t portal, const Side& side) {
        const uint16_t* const row = moves->narrow.data() + (size_t{portal} * 4 + side.number) * kClusterSide;
        prefetch(row);
        prefetch(row + kClusterSide - 1);
    };
    for (uint32_t p = from.first; p < from.end; ++p) prefetch_row(p, to);
    for (uint32_t q = to.first; q < to.end; ++q) prefetch_row(q, from);
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
        std::fill(out.begin() + side.length(), out.end(), kBlocked<T>);
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

    void advance_portals(const Row<T>& now, Row<T>& next) const {
        Row<T> row;
        for (uint32_t p = from.first; p < from.end; ++p) {
            const T own = now[from.portal_at(p)];
            if (own == kNone<T>) continue;
            read(p, to, row);
            add(own, row.data(), next);
        }
        for (uint32_t q = to.first; q < to.end; ++q) {
            read(q, from, row);
            T& own = next[to.portal_at(q)];
            own = std::min(own, least_sum_of(now, row));
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
            const auto d = static_cast<T>(straight() * std::max(i, across) + extra() * std::min(i, across));
            by_difference[kPadded - 1 - i] = by_difference[kPadded - 1 + i] = d;
        }
        const uint32_t least = least_cell(now);
        for (uint32_t a = 0; a < from.length(); ++a) {
            if (!dominated(now, a, least)) add(now[a], by_difference.data() + (kPadded - 1 - a), next);
        }
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
        const uint32_t least = least_cell(now);
        for (uint32_t a = 0; a < from.length(); ++a) {
            if (dominated(now, a, least)) continue;
            const uint32_t k = apart(a, from_corner);
            const Lanes along = Lanes::all(static_cast<T>(both * k)), most = Lanes::all(static_cast<T>(greater * k));
            add_lanes(
                now[a], [&](size_t i) { return along + Lanes::load(&by_both[i]) + Lanes::greatest(most, Lanes::load(&by_greater[i])); },
                next);
        }
    }

    // next = min(next, own + inside)
    template <class Inside>
    TERRANE_INLINE static void add_lanes(T own, Inside&& inside, Row<T>& next) {
        const Lanes all = Lanes::all(own);
        for (size_t i = 0; i < kPadded; i += kLanes) Lanes::least(Lanes::load(&next[i]), sum_of<T>(all, inside(i))).store(&next[i]);
    }
    TERRANE_INLINE static void add(T own, const T* inside, Row<T>& next) {
        add_lanes(
            own, [&](size_t i) TERRANE_INLINE { return Lanes::load(inside + i); }, next);
    }
    static T least_sum_of(const Row<T>& now, const Row<T>& inside) {
        Lanes least = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) least = Lanes::least(least, sum_of<T>(Lanes::load(&now[i]), Lanes::load(&inside[i])));
        return least_lane(least);
    }
    static T least_lane(Lanes of) { return static_cast<T>(~greatest_lane<T>(Lanes::all(-1) - of)); }

    // Subtracts the least; cells beyond the side have no path.
    void rebase(Row<T>& row) const {
        std::fill(row.begin() + to.length(), row.end(), kNone<T>);
        Lanes least = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) least = Lanes::least(least, Lanes::load(&row[i]));
        const Lanes by = Lanes::all(least_lane(least)) - Lanes::all(kZero<T>), none = Lanes::all(kNone<T>);
        for (size_t i = 0; i < kPadded; i += kLanes) {
            const Lanes old = Lanes::load(&row[i]);
            Lanes::where_equal(old, none, none, old - by).store(&row[i]);
        }
    }

    // The cell of `from` before cell `b` of `to` on a best path. Ties: the first portal, then the first cell.
    uint32_t before(const Row<T>& now, uint32_t b) const {
        uint32_t best = 0;
        uint64_t least = std::numeric_limits<uint64_t>::max();
        const auto offer = [&](uint32_t a, uint32_t distance) {
            if (now[a] == kNone<T> || distance == static_cast<Distance>(kBlocked<T>)) return;
            const uint64_t sum = static_cast<Distance>(now[a] ^ kZero<T>) + uint64_t{distance};
            if (sum < least) best = a;
            least = std::min(least, sum);
        };
        const uint32_t q = to.portal_of(b);
        Row<T> row;
        if (moves != nullptr && q == to.end) {
            for (uint32_t p = from.first; p < from.end; ++p) {
                read(p, to, row);
                offer(from.portal_at(p), static_cast<Distance>(row[b]));
            }
            return best;
        }
        if (moves != nullptr) read(q, from, row);
        const auto distance = [&](uint32_t a) -> uint32_t {
            if (moves != nullptr) return static_cast<Distance>(row[a]);
            return uniform_distance(from.cell(a), to.cell(b), cost(), data.ground.movement());
        };
        for (uint32_t p = from.first; p < from.end; ++p) offer(from.portal_at(p), distance(from.portal_at(p)));
        for (uint32_t a = 0; a < from.length(); ++a) offer(a, distance(a));
        return best;
    }
};

template <class T>
bool CrossingPoints::optimise_as(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<Crossing>& crossings,
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

void CrossingPoints::optimise(const OverlayData& data, FirstMoveCache& first_move_tables, Vector<Crossing>& crossings) {
    if (crossings.size() < 3) return;
    if (!optimise_as(data, first_move_tables, crossings, narrow_)) optimise_as(data, first_move_tables, crossings, wide_);
}

}  // namespace terrane::detail
