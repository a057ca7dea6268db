#include "regions/sector_portals_builder.h"

#include <algorithm>
#include <limits>
#include <new>

namespace terrane::detail {

namespace {

// Distances are stored for all exits of a region with at most this many, otherwise for those at the sector's border: 0.8 KB per region
// instead of 20 KB on random obstacles.
constexpr uint32_t kMostMeasured = 40;
constexpr uint16_t kNoRun = 0xffff;

Cell after(Cell cell, Move move) { return {cell.x + kMoves[move].x, cell.y + kMoves[move].y}; }

}  // namespace

SectorPortals::Owner SectorPortalsBuilder::build(const GridSnapshot& grid, const Rect& rect, Movement movement) {
    movement_ = movement;
    read_cells(grid, rect);
    exits_.clear();
    std::ranges::fill(counts_, 0u);
    for (uint32_t side = 0; side < 4; ++side) find_side_portals(side);
    for (uint32_t side = 4; side < kSides; ++side) find_corner_portal(side);
    find_contacts();
    find_inner_portals();
    const auto order = [](const RegionExit& e) { return std::tuple(e.region, e.side, e.position, e.second); };
    std::ranges::sort(exits_, {}, order);
    return write();
}

const MaskFlood& SectorPortalsBuilder::flood(const GridSnapshot& grid, const Rect& rect, Movement movement, Cell from) {
    movement_ = movement;
    read_cells(grid, rect);
    flood_.run(cells_like(from), from);
    return flood_;
}

void SectorPortalsBuilder::read_cells(const GridSnapshot& grid, const Rect& rect) {
    size_ = rect.size();
    same_terrain_ = kOutside;
    std::ranges::fill(cells_, kOutside);
    const Rect around = intersection(Rect({rect.x - 1, rect.y - 1}, {rect.width + 2, rect.height + 2}), grid.layout().rect());
    for (int32_t y = around.y; y < around.bottom(); ++y) {
        grid.copy_row({around.x, y}, static_cast<uint32_t>(around.width), &cells_[index({around.x - rect.x, y - rect.y})]);
    }
    labels_.label(grid, rect);
    labels_.for_each_run([&](uint32_t row, uint32_t begin, uint32_t end, uint32_t region) {
        std::fill_n(&regions_[index({static_cast<int32_t>(begin), static_cast<int32_t>(row)})], end - begin, static_cast<uint16_t>(region));
    });
}

// The middle of each stretch along which neither the cells of this sector nor those across change; with cut corners, then the cells that
// touch at a corner only. Both sectors find the same portals in the same order.
void SectorPortalsBuilder::find_side_portals(uint32_t side) {
    const bool vertical = side % 2 == 1;
    const int32_t length = vertical ? size_.height : size_.width;
    const int32_t edge = side == 1 ? size_.width - 1 : side == 2 ? size_.height - 1 : 0;
    const auto own = [&](int32_t i) { return vertical ? Cell{edge, i} : Cell{i, edge}; };
    const auto other = [&](int32_t i) { return after(own(i), static_cast<Move>(side)); };
    if (at(other(0)) == kOutside) return;
    for (int32_t first = 0, last = 0; first < length; first = last) {
        while (last < length && at(own(last)) == at(own(first)) && at(other(last)) == at(other(first))) ++last;
        add_exit(own((first + last - 1) / 2), side, static_cast<Move>(side), false, counts_[side]++);
    }
    if (!cuts_corners(movement_)) return;
    const bool is_first = owns_side(side);  // this sector is the one to the west or north
    for (int32_t i = 0; i + 1 < length; ++i) {
        for (const bool forwards : {true, false}) {
            const int32_t from = forwards == is_first ? i : i + 1, to = forwards == is_first ? i + 1 : i;
            const Cell step{other(to).x - own(from).x, other(to).y - own(from).y};
            const auto move = static_cast<Move>(std::ranges::find(kMoves, step) - kMoves.begin());
            if (touch_at_corner_only(own(from), move)) add_exit(own(from), side, move, false, counts_[side]++);
        }
    }
}

void SectorPortalsBuilder::find_corner_portal(uint32_t side) {
    const Cell corner{kMoves[side].x < 0 ? 0 : size_.width - 1, kMoves[side].y < 0 ? 0 : size_.height - 1};
    if (!cuts_corners(movement_) || at(after(corner, static_cast<Move>(side))) == kOutside) return;
    add_exit(corner, side, static_cast<Move>(side), false, counts_[side]++);
}

// Whether neither cell beside the diagonal step has the terrain of one of its ends. Otherwise the regions also share a border.
bool SectorPortalsBuilder::touch_at_corner_only(Cell cell, Move move) const {
    const Terrain from = at(cell), to = at(after(cell, move));
    const Terrain beside = at({cell.x + kMoves[move].x, cell.y}), other = at({cell.x, cell.y + kMoves[move].y});
    return beside != from && beside != to && other != from && other != to;
}

void SectorPortalsBuilder::add_contact(Cell cell, Move move) {
    const Cell other = after(cell, move);
    const uint16_t a = region_of(cell), b = region_of(other);
    if (a < b) contacts_.push_back({a, b, cell, move});
    if (a > b) contacts_.push_back({b, a, other, static_cast<Move>(move ^ 2)});
}

void SectorPortalsBuilder::find_contacts() {
    contacts_.clear();
    if (labels_.regions().size() == 1) return;
    for (int32_t y = 0; y < size_.height; ++y) {
        for (int32_t x = 0; x < size_.width; ++x) {
            const bool right = x + 1 < size_.width, down = y + 1 < size_.height;
            if (right) add_contact({x, y}, 1);
            if (down) add_contact({x, y}, 2);
            if (!cuts_corners(movement_) || !down) continue;
            if (right && touch_at_corner_only({x, y}, 5)) add_contact({x, y}, 5);
            if (x > 0 && touch_at_corner_only({x, y}, 6)) add_contact({x, y}, 6);
        }
    }
    std::ranges::sort(contacts_, {}, &Contact::key);
}

void SectorPortalsBuilder::find_inner_portals() {
    for (size_t first = 0, last = 0; first < contacts_.size(); first = last) {
        const auto same = [&](const Contact& c) { return c.low == contacts_[first].low && c.high == contacts_[first].high; };
        while (last < contacts_.size() && same(contacts_[last])) ++last;
        add_inner_portals(std::span(contacts_).subspan(first, last - first));
    }
}

uint16_t SectorPortalsBuilder::first_of_run(std::span<Contact> contacts, uint16_t contact) const {
    while (contacts[contact].run != contact) contact = contacts[contact].run = contacts[contacts[contact].run].run;
    return contact;
}

// Union-find over the contacts of two regions: those that end at the same corner between cells are contiguous.
void SectorPortalsBuilder::join_runs(std::span<Contact> contacts) {
    const auto ends = [](const Contact& c, auto&& visit) {  // the two ends of the edge between the cells
        const Cell far{c.cell.x + (kMoves[c.move].x > 0 ? 1 : 0), c.cell.y + (kMoves[c.move].y > 0 ? 1 : 0)};
        visit(far);
        visit(kMoves[c.move].x != 0 ? Cell{far.x, far.y + 1} : Cell{far.x + 1, far.y});
    };
    for (const Contact& c : contacts) ends(c, [&](Cell corner) { run_at_[index(corner)] = kNoRun; });
    for (size_t i = 0; i < contacts.size(); ++i) {
        contacts[i].run = static_cast<uint16_t>(i);
        ends(contacts[i], [&](Cell corner) {
            uint16_t& run = run_at_[index(corner)];
            if (run == kNoRun) run = static_cast<uint16_t>(i);
            const uint16_t a = first_of_run(contacts, run), b = first_of_run(contacts, static_cast<uint16_t>(i));
            contacts[std::max(a, b)].run = std::min(a, b);
        });
    }
    for (size_t i = 0; i < contacts.size(); ++i) contacts[i].run = first_of_run(contacts, static_cast<uint16_t>(i));
}

// One portal for each run of the contacts of two regions: the contact closest to the run's mean. Contacts at a corner count only if there
// are no others; they are one run.
void SectorPortalsBuilder::add_inner_portals(std::span<Contact> contacts) {
    const auto diagonal = std::ranges::find_if(contacts, &Contact::diagonal);  // they are last
    if (diagonal != contacts.begin()) {
        contacts = contacts.first(static_cast<size_t>(diagonal - contacts.begin()));
        join_runs(contacts);
    }
    for (size_t first = 0; first < contacts.size(); ++first) {
        if (contacts[first].run != first) continue;
        const auto in_run = [&](const Contact& c) { return c.run == first; };
        int64_t count = 0, sum_x = 0, sum_y = 0;
        const auto twice = [](const Contact& c) {  // the middle between the cells, times 2
            return Cell{2 * c.cell.x + kMoves[c.move].x, 2 * c.cell.y + kMoves[c.move].y};
        };
        for (const Contact& c : contacts) {
            if (!in_run(c)) continue;
            ++count;
            sum_x += twice(c).x;
            sum_y += twice(c).y;
        }
        const Contact* best = nullptr;
        int64_t least = std::numeric_limits<int64_t>::max();
        for (const Contact& c : contacts) {
            if (!in_run(c)) continue;
            const int64_t dx = twice(c).x * count - sum_x, dy = twice(c).y * count - sum_y;
            if (dx * dx + dy * dy >= least) continue;
            least = dx * dx + dy * dy;
            best = &c;
        }
        add_inner_portal(*best);
    }
}

void SectorPortalsBuilder::add_inner_portal(const Contact& contact) {
    const uint32_t position = counts_[kInside]++;
    add_exit(contact.cell, kInside, contact.move, false, position);
    add_exit(after(contact.cell, contact.move), kInside, static_cast<Move>(contact.move ^ 2), true, position);
}

void SectorPortalsBuilder::add_exit(Cell cell, uint32_t side, Move move, bool second, uint32_t position) {
    RegionExit exit{};
    exit.middle_x = static_cast<uint8_t>(2 * cell.x + kMoves[move].x + 1);
    exit.middle_y = static_cast<uint8_t>(2 * cell.y + kMoves[move].y + 1);
    exit.side = static_cast<uint8_t>(side & 15);
    exit.move = static_cast<uint8_t>(move & 15);
    exit.beyond = at(after(cell, move));
    exit.region = static_cast<uint16_t>(region_of(cell) & 0x7fff);
    exit.second = second ? 1 : 0;
    exit.position = static_cast<uint16_t>(position);
    exits_.push_back(exit);
}

// The number of exits of a region whose distances are stored.
uint32_t SectorPortalsBuilder::measured(uint32_t region) const {
    const auto begin = exits_.begin() + first_exit_[region], end = exits_.begin() + first_exit_[region + 1];
    const auto count = static_cast<uint32_t>(end - begin);
    if (count <= kMostMeasured) return count;
    const auto at_border = static_cast<uint32_t>(std::count_if(begin, end, [](const RegionExit& e) { return e.side != kInside; }));
    return at_border <= kMostMeasured ? at_border : 0;
}

SectorPortals::Owner SectorPortalsBuilder::write() {
    const auto regions = static_cast<uint32_t>(labels_.regions().size());
    first_exit_.assign(regions + 1, 0);
    for (const RegionExit& e : exits_) ++first_exit_[e.region + 1u];
    for (uint32_t r = 0; r < regions; ++r) first_exit_[r + 1] = static_cast<uint16_t>(first_exit_[r + 1] + first_exit_[r]);
    size_t distances = 0;
    for (uint32_t r = 0; r < regions; ++r) distances += size_t{measured(r)} * (std::max(measured(r), 1u) - 1) / 2;
    const size_t bytes = sizeof(SectorPortals) + (regions + 1) * sizeof(SectorPortals::RegionRow) + exits_.size() * sizeof(RegionExit) +
                         (exits_.size() + distances) * sizeof(uint16_t);
    Memory* const memory = current_memory();
    auto* portals = new (allocate_from(memory, bytes, alignof(SectorPortals))) SectorPortals;
    portals->memory_ = memory;
    portals->bytes_ = static_cast<uint32_t>(bytes);
    portals->region_count_ = static_cast<uint16_t>(regions);
    portals->exit_count_ = static_cast<uint16_t>(exits_.size());
    portals->inside_ = static_cast<uint16_t>(counts_[kInside]);
    SectorPortals::Owner out(portals);
    std::ranges::copy(exits_, const_cast<RegionExit*>(portals->exits()));
    write_indices(*portals);
    measure(*portals);
    return out;
}

// Indices of exits: the portals that the sector owns, side by side; the second exits of the inner ones; those of the neighbours.
void SectorPortalsBuilder::write_indices(SectorPortals& portals) const {
    uint32_t next = 0;
    const auto place = [&](uint32_t side) {
        portals.first_[side] = static_cast<uint16_t>(next);
        next += counts_[side];
    };
    for (const uint32_t side : {1u, 2u, 5u, 6u, kInside}) place(side);
    next += counts_[kInside];
    for (const uint32_t side : {0u, 3u, 4u, 7u}) place(side);
    auto* indices = const_cast<uint16_t*>(portals.indices());
    for (size_t i = 0; i < exits_.size(); ++i) {
        const RegionExit& e = exits_[i];
        indices[portals.first_[e.side] + e.position + (e.second != 0 ? counts_[kInside] : 0)] = static_cast<uint16_t>(i);
    }
}

void SectorPortalsBuilder::measure(SectorPortals& portals) {
    auto* rows = const_cast<SectorPortals::RegionRow*>(portals.rows());
    auto* distances = const_cast<uint16_t*>(portals.distances());
    uint32_t next = 0;
    for (uint32_t r = 0; r <= portals.regions(); ++r) {
        const bool end = r == portals.regions();
        rows[r] = {next, first_exit_[r], static_cast<uint8_t>(end ? 0 : measured(r)), end ? kOutside : labels_.regions()[r].terrain};
        for (uint32_t i = 1; i < rows[r].measured; ++i) {
            const Cell from = exits_[first_exit_[r] + i].cell();
            const TerrainMask& cells = cells_like(from);
            bool flooded = false;
            for (uint32_t j = 0; j < i; ++j) {
                const Cell to = exits_[first_exit_[r] + j].cell();
                uint64_t length = octile_length(rule_of(movement_), from, to);
                if (flooded || !cells.octile(from, to)) {
                    if (!flooded) flood_.run(cells, from);
                    flooded = true;
                    length = flood_.length(to);
                }
                distances[next++] =
                    static_cast<uint16_t>(std::min<uint64_t>((length + 1) / SectorPortals::kDistanceUnit, SectorPortals::kTooLong));
            }
        }
    }
}

const TerrainMask& SectorPortalsBuilder::cells_like(Cell cell) {
    if (same_terrain_ == at(cell)) return same_;
    same_terrain_ = at(cell);
    same_ = TerrainMask(movement_);
    for (int32_t y = 0; y < size_.height; ++y) {
        for (int32_t x = 0; x < size_.width; ++x) {
            if (at({x, y}) == same_terrain_) same_.add(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
        }
    }
    return same_;
}

}  // namespace terrane::detail
