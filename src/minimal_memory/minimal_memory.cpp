#include "terrane/minimal_memory/minimal_memory.h"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "base/ceil_div.h"
#include "base/parallel.h"
#include "minimal_memory/minimal_memory_code.h"
#include "minimal_memory/minimal_memory_sector.h"
#include "terrane/base/assert.h"

namespace terrane {

using namespace detail;

namespace {

constexpr uint32_t kRepairCacheSide = 8;  // sectors; an edit of one cell reads 5x5

// Makes the data without pages.
std::shared_ptr<MinimalMemoryData> make_minimal_memory_data(const GridSnapshot& grid, const PassableSet& set, Movement movement,
                                                            const MinimalMemoryOptions& options) {
    auto data = make_scoped_shared<MinimalMemoryData>();
    data->grid = grid;
    data->set = set;
    data->movement = movement;
    data->options = options;
    MinimalMemoryOptions whole = options;
    whole.skip_defaults = false;
    EncodedSector encoded;
    encode_sector(default_sector(options), whole, encoded);
    std::ranges::copy(encoded.bytes, data->default_sector.begin());
    data->sectors_x = ceil_div(static_cast<uint32_t>(grid.width()), options.sector);
    data->sectors_y = ceil_div(static_cast<uint32_t>(grid.height()), options.sector);
    return data;
}

uint32_t sectors_in(const MinimalMemoryData& data, uint32_t page) {
    return std::min(kMinimalMemoryPage, data.sectors() - (page << kMinimalMemoryPageShift));
}

uint64_t stored_edges(const MinimalMemorySector& s) {
    uint64_t sum = 0;
    const uint8_t* region = s.data;
    for (uint32_t r = 0; r < s.regions; ++r, region = s.end_of(region)) sum += s.edges(region);
    return sum;
}

// Adds a page's regions and edges to the totals, or subtracts them.
void count(MinimalMemoryData& data, uint32_t page, bool add) {
    const auto change = [add](auto& total, auto by) { total = add ? total + by : total - by; };
    for (uint32_t s = page << kMinimalMemoryPageShift, end = s + sectors_in(data, page); s < end; ++s) {
        const MinimalMemorySector sector = data.read(s);
        change(data.regions, uint64_t{sector.regions});
        change(data.edges, stored_edges(sector) * (data.options.edges_once ? 2 : 1));
        change(data.widths[sector.regions < 2 ? 0 : static_cast<size_t>(std::bit_width(sector.regions - 1))], 1u);
    }
}

void set_shift(MinimalMemoryData& data) {
    data.shift = 0;
    for (uint32_t w = 0; w < data.widths.size(); ++w) {
        if (data.widths[w] > 0) data.shift = w;
    }
}

// Returns the sectors with cells that changed between passable and blocked, and their neighbours, ascending.
Vector<uint32_t> affected_sectors(const MinimalMemoryData& data, const EditResult& edit) {
    Vector<uint32_t> found;
    const GridLayout& layout = edit.after.layout();
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        if (data.set.contains(before) == data.set.contains(after)) return;
        const Cell c = layout.cell(id);
        const uint32_t sector =
            static_cast<uint32_t>(c.y) / data.options.sector * data.sectors_x + static_cast<uint32_t>(c.x) / data.options.sector;
        if (found.empty() || found.back() != sector) found.push_back(sector);
    });
    const auto sort = [&] {
        std::ranges::sort(found);
        found.erase(std::unique(found.begin(), found.end()), found.end());
    };
    sort();
    const size_t touched = found.size();
    found.reserve(touched * 9);
    for (size_t i = 0; i < touched; ++i) {
        for (uint32_t d = 0; d < kMinimalMemoryDirections; ++d) {
            if (data.has_neighbour(found[i], d)) found.push_back(data.neighbour(found[i], d));
        }
    }
    sort();
    return found;
}

// Returns a page with the given sectors rebuilt. `sectors` must be ascending.
MinimalMemoryPage repaired_page(const MinimalMemoryData& before, uint32_t page, std::span<const uint32_t> sectors, SectorMaker& maker) {
    Vector<EncodedSector> all(sectors_in(before, page));
    size_t next = 0;
    for (uint32_t i = 0; i < all.size(); ++i) {
        const uint32_t sector = (page << kMinimalMemoryPageShift) + i;
        if (next < sectors.size() && sectors[next] == sector) {
            all[i] = maker.make(sector);
            ++next;
        } else {
            copy_sector(before, sector, all[i]);
        }
    }
    return make_page(all, before.options);
}

bool same_options(const MinimalMemoryOptions& a, const MinimalMemoryOptions& b) {
    return a.sector == b.sector && a.record_bits == b.record_bits && a.skip_defaults == b.skip_defaults && a.edges_once == b.edges_once &&
           a.labels == b.labels && a.optimise_centres == b.optimise_centres;
}

bool same_page(const MinimalMemoryPage& a, const MinimalMemoryPage& b) {
    return a == b || (page_bytes(a.get()) == page_bytes(b.get()) && std::memcmp(a.get(), b.get(), page_bytes(a.get())) == 0);
}

}  // namespace

MinimalMemory::MinimalMemory() : data_(make_minimal_memory_data({}, {}, Movement::kEightNoCornerCutting, {})) {}

MinimalMemory MinimalMemory::build(const GridSnapshot& grid, const PassableSet& set, Movement movement,
                                   const MinimalMemoryOptions& options) {
    TERRANE_ASSERT(options.sector >= kMinSector && options.sector <= kMaxSector);
    TERRANE_ASSERT(options.record_bits == 16 || options.record_bits == 32);
    TERRANE_ASSERT(set.cutting == cuts_corners(movement));
    auto data = make_minimal_memory_data(grid, set, movement, options);
    const uint32_t pages = ceil_div(data->sectors(), kMinimalMemoryPage);
    data->pages.resize(pages);
    Vector<SectorMaker> makers;
    const uint32_t workers = workers_for(options.threads, pages);
    makers.reserve(workers);
    for (uint32_t i = 0; i < workers; ++i) makers.emplace_back(*data, data->sectors_x, 4);
    Vector<Vector<EncodedSector>> scratch(workers);
    parallel_for(options.threads, pages, [&](uint32_t page, uint32_t worker) {
        Vector<EncodedSector>& sectors = scratch[worker];
        sectors.resize(sectors_in(*data, page));
        for (uint32_t i = 0; i < sectors.size(); ++i) sectors[i] = makers[worker].make((page << kMinimalMemoryPageShift) + i);
        data->pages[page] = make_page(sectors, options);
    });
    for (uint32_t page = 0; page < pages; ++page) count(*data, page, true);
    set_shift(*data);
    return MinimalMemory(std::move(data));
}

std::optional<MinimalMemory> MinimalMemory::updated(const EditResult& edit, MinimalMemoryRepair* report) const {
    if (edit.before.version() != version() || edit.before.layout() != grid().layout()) return std::nullopt;
    auto next = make_scoped_shared<MinimalMemoryData>(*data_);
    next->grid = edit.after;
    const Vector<uint32_t> sectors = affected_sectors(*next, edit);
    MinimalMemoryRepair own;
    MinimalMemoryRepair& out = report != nullptr ? *report : own;
    out = {static_cast<uint32_t>(sectors.size()), 0};
    if (sectors.empty()) return MinimalMemory(std::move(next));
    SectorMaker maker(*next, kRepairCacheSide, kRepairCacheSide);
    for (size_t begin = 0, end = 0; begin < sectors.size(); begin = end) {
        const uint32_t page = sectors[begin] >> kMinimalMemoryPageShift;
        while (end < sectors.size() && sectors[end] >> kMinimalMemoryPageShift == page) ++end;
        MinimalMemoryPage repaired = repaired_page(*data_, page, std::span(sectors).subspan(begin, end - begin), maker);
        count(*next, page, false);
        next->pages[page] = std::move(repaired);
        count(*next, page, true);
        ++out.pages;
    }
    set_shift(*next);
    return MinimalMemory(std::move(next));
}

MinimalMemoryBytes MinimalMemory::bytes() const {
    constexpr size_t kOwnerCounts = 16;  // reference counts of a shared pointer
    MinimalMemoryBytes out;
    out.directory = sizeof(MinimalMemoryData) + data_->pages.capacity() * sizeof(MinimalMemoryPage) +
                    data_->pages.size() * (kOwnerCounts + kMinimalMemoryHeader);
    for (const MinimalMemoryPage& page : data_->pages) {
        out.sectors += size_t{page[4]} * page[5];
        out.labels += page_bytes(page.get()) - kMinimalMemoryHeader - size_t{page[4]} * page[5];  // all data; the rest is subtracted below
    }
    for (uint32_t s = 0; s < sectors(); ++s) {
        const MinimalMemorySector sector = data_->read(s);
        if (data_->is_default(sector)) continue;
        const size_t count = sector.edge_bytes == 2 ? 2 : 0, centres = size_t{sector.regions} * sector.centre_bytes;
        const auto regions = static_cast<size_t>(sector.region(sector.regions) - sector.data);
        out.sectors += count;
        out.centres += centres;
        out.edges += regions - centres;
        out.labels -= count + regions;
    }
    return out;
}

RegionId MinimalMemory::region_of(Cell cell) const {
    if (!grid().layout().contains(cell) || !set().contains(grid().at(cell))) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const MinimalMemorySector s = data_->read(sector);
    if (s.regions == 1) return id(sector, 0);
    if (!options().labels) return search_region_of(cell);
    const Rect rect = data_->rect(sector);
    const auto i = static_cast<size_t>(cell.y - rect.y) * static_cast<size_t>(rect.width) + static_cast<size_t>(cell.x - rect.x);
    return id(sector, read_label(s.region(s.regions), label_bits(s.regions), i));
}

RegionId MinimalMemory::search_region_of(Cell cell, uint64_t* visited) const {
    if (visited != nullptr) *visited = 0;
    if (!grid().layout().contains(cell) || !set().contains(grid().at(cell))) return kNoRegion;
    const uint32_t sector = sector_at(cell);
    const Rect rect = data_->rect(sector);
    const auto index = [&](Cell c) { return static_cast<size_t>(c.y - rect.y) * kMaxSector + static_cast<size_t>(c.x - rect.x); };
    std::bitset<kMaxSector * kMaxSector> centres, seen;
    data_->for_each_centre(sector, [&](uint32_t, Cell at) { centres.set(index({rect.x + at.x, rect.y + at.y})); });
    std::array<uint16_t, kMaxSector * kMaxSector> queue;
    size_t head = 0, tail = 0;
    const auto visit = [&](Cell c) {
        if (!rect.contains(c) || seen[index(c)] || !set().contains(grid().at(c))) return;
        seen.set(index(c));
        queue[tail++] = static_cast<uint16_t>(index(c));
    };
    for (visit(cell); head < tail; ++head) {
        if (visited != nullptr) ++*visited;
        const Cell c{rect.x + queue[head] % static_cast<int32_t>(kMaxSector), rect.y + queue[head] / static_cast<int32_t>(kMaxSector)};
        if (centres[queue[head]]) return id(sector, data_->number_at(sector, {c.x - rect.x, c.y - rect.y}));
        for (size_t move = 0; move < (set().cutting ? 8 : 4); ++move) visit({c.x + kMoves[move].x, c.y + kMoves[move].y});
    }
    return kNoRegion;  // unreachable: every region has a centre
}

bool operator==(const MinimalMemory& a, const MinimalMemory& b) {
    const MinimalMemoryData &x = a.data(), &y = b.data();
    return x.grid.layout() == y.grid.layout() && x.set == y.set && same_options(x.options, y.options) && x.shift == y.shift &&
           x.regions == y.regions && x.edges == y.edges && x.widths == y.widths && std::ranges::equal(x.pages, y.pages, same_page);
}

}  // namespace terrane
