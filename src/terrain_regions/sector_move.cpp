#include "terrain_regions/sector_move.h"

#include <algorithm>
#include <array>
#include <limits>

namespace terrane::detail {

namespace {

// The eight neighbours of a cell, clockwise from the north: even indices are orthogonal, odd ones diagonal.
constexpr std::array<Cell, 8> kRing = {{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}}};
using Ring = std::array<uint32_t, 8>;  // their regions

// Whether cells of `a` and `b` in the ring touch: consecutive ones share an edge; two orthogonal neighbours two apart (north and east)
// touch at a corner.
bool touch_in_ring(const Ring& ring, uint32_t a, uint32_t b, bool orthogonal) {
    for (size_t i = 0; i < 8; ++i) {
        const auto pair = [&](uint32_t other) { return (ring[i] == a && other == b) || (ring[i] == b && other == a); };
        if (pair(ring[(i + 1) % 8])) return true;
        if (!orthogonal && i % 2 == 0 && pair(ring[(i + 2) % 8])) return true;
    }
    return false;
}

// Whether the region's cells orthogonally beside the middle are connected within the ring: they form a single stretch.
bool locally_connected(const Ring& ring, uint32_t region) {
    uint32_t stretches = 0;
    for (size_t i = 0; i < 8; i += 2) {
        if (ring[i] != region) continue;
        // A stretch ends here unless both the next corner and the next side belong to it.
        if (ring[i + 1] != region || ring[(i + 2) % 8] != region) ++stretches;
    }
    return stretches == 1 || std::all_of(ring.begin(), ring.end(), [&](uint32_t r) { return r == region; });
}

const RegionEdge* find_edge(const SectorRecord& record, uint32_t from, uint32_t to) {
    for (const RegionEdge& e : record.edges_of(from)) {
        if (e.side() == RegionEdge::kHere && e.number() == to) return &e;
    }
    return nullptr;
}

// How the middle cell touches a region of the ring.
struct Contact {
    bool any = false, orthogonal = false;
};
Contact contact(const Ring& ring, uint32_t region) {
    Contact found;
    for (size_t i = 0; i < 8; ++i) {
        if (ring[i] != region) continue;
        found.any = true;
        found.orthogonal |= i % 2 == 0;
    }
    return found;
}

// Whether `from` and `to` keep exactly their adjacent regions when the middle cell moves from one to the other.
bool same_neighbours(const SectorRecord& record, const Ring& ring, uint32_t from, uint32_t to) {
    for (const uint32_t other : ring) {
        if (other == from || other == to) continue;
        const Contact middle = contact(ring, other);
        const RegionEdge* gained = find_edge(record, to, other);
        if (gained == nullptr || (gained->diagonal_only() && middle.orthogonal)) return false;
        const RegionEdge* lost = find_edge(record, from, other);
        if (lost == nullptr) return false;  // only with an inconsistent file
        const bool orthogonal = !lost->diagonal_only();
        if (orthogonal && !middle.orthogonal) continue;  // they touch orthogonally elsewhere
        if (!touch_in_ring(ring, from, other, orthogonal)) return false;
    }
    return true;
}

// Calls visit(x, y, label) for every cell of a sector, by rows.
template <class Visit>
void for_each_label(const SectorRecord& record, uint32_t height, Visit&& visit) {
    const uint32_t per_word = 32 / record.label_bits, mask = record.label_bits == 32 ? ~0u : (1u << record.label_bits) - 1;
    size_t cell = 0;
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < record.width; ++x, ++cell) {
            visit(x, y, record.labels()[cell / per_word] >> (cell % per_word * record.label_bits) & mask);
        }
    }
}

// Sums over the cells of a region, and its first cell.
struct Tally {
    uint32_t region;
    uint64_t cells = 0, x = 0, y = 0;
    uint64_t first = std::numeric_limits<uint64_t>::max();  // by rows

    void add(uint32_t at_x, uint32_t at_y, uint64_t index) {
        first = std::min(first, index);
        ++cells;
        x += at_x;
        y += at_y;
    }
};

// Updates the representatives of two regions. Returns false if a region has no cells left, or if the moved cell is or was its first
// cell; then the region's number may change.
bool update_representatives(SectorRecord& record, const Rect& rect, uint64_t moved, Tally a, Tally b) {
    const auto height = static_cast<uint32_t>(rect.height);
    uint64_t index = 0;
    for_each_label(record, height, [&](uint32_t x, uint32_t y, uint32_t label) {
        if (label == a.region) a.add(x, y, index);
        if (label == b.region) b.add(x, y, index);
        ++index;
    });
    if (a.cells == 0 || b.cells == 0 || a.first >= moved || b.first >= moved) return false;
    uint64_t best_a = std::numeric_limits<uint64_t>::max(), best_b = best_a;
    const auto try_at = [&](const Tally& of, uint64_t& best, uint32_t x, uint32_t y) {
        const uint64_t distance = closest_in_run(mean_256(of.x, of.cells), mean_256(of.y, of.cells), y, x, x + 1).distance;
        if (distance >= best) return;
        best = distance;
        record.regions()[of.region].x = static_cast<uint16_t>(static_cast<uint32_t>(rect.x) + x);
        record.regions()[of.region].y = static_cast<uint16_t>(static_cast<uint32_t>(rect.y) + y);
    };
    for_each_label(record, height, [&](uint32_t x, uint32_t y, uint32_t label) {
        if (label == a.region) try_at(a, best_a, x, y);
        if (label == b.region) try_at(b, best_b, x, y);
    });
    return true;
}

}  // namespace

SectorRef try_move_cell(const SectorRecord& record, const Rect& rect, Cell cell, Terrain terrain, GridVersion version) {
    const auto x = static_cast<uint32_t>(cell.x - rect.x), y = static_cast<uint32_t>(cell.y - rect.y);
    const auto height = static_cast<uint32_t>(rect.height);
    if (x == 0 || y == 0 || x + 1 == record.width || y + 1 == height || record.region_count < 2) return {};
    Ring ring;
    for (size_t i = 0; i < 8; ++i)
        ring[i] = record.label(static_cast<uint32_t>(static_cast<int32_t>(x) + kRing[i].x),
                               static_cast<uint32_t>(static_cast<int32_t>(y) + kRing[i].y));
    const uint32_t from = record.label(x, y);
    uint32_t to = kNoRegion;
    for (size_t i = 0; i < 8; i += 2) {
        if (record.regions()[ring[i]].terrain != terrain) continue;
        if (to != kNoRegion && to != ring[i]) return {};  // it would merge two regions
        to = ring[i];
    }
    if (to == kNoRegion || !locally_connected(ring, from) || !same_neighbours(record, ring, from, to)) return {};
    SectorRecord* moved = make_record(record.region_count, record.edge_count, record.label_bits, record.width, height, version);
    std::copy_n(record.regions(), record.region_count, moved->regions());
    std::copy_n(record.edges(), record.edge_count, moved->edges());
    std::copy_n(record.labels(), record.label_words, moved->labels());
    const size_t bit = (size_t{y} * record.width + x) * record.label_bits;
    moved->labels()[bit / 32] ^= (from ^ to) << (bit % 32);
    SectorRef done(moved);
    return update_representatives(*moved, rect, uint64_t{y} * record.width + x, {from}, {to}) ? done : SectorRef();
}

}  // namespace terrane::detail
