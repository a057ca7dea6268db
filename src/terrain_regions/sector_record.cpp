#include "terrain_regions/sector_record.h"

#include <algorithm>
#include <cstring>

#include "base/ceil_div.h"

namespace terrane::detail {

namespace {

// The Memory of a record that did not come from operator new is stored in front of it: a member would enlarge all records.
constexpr size_t kAllocatorHeader = 8;
static_assert(kAllocatorHeader >= sizeof(Memory*) && kAllocatorHeader >= alignof(SectorRecord));

// Bits per cell label; a power of two, so that no label crosses a word boundary.
uint32_t bits_for(uint32_t regions) { return regions == 1 ? 0 : std::bit_ceil(static_cast<uint32_t>(std::bit_width(regions - 1))); }

// Writes `value` to the cells [begin, end) of packed labels; the cells must be 0.
void fill_labels(uint32_t* words, uint32_t bits, size_t begin, size_t end, uint32_t value) {
    uint32_t pattern = value;
    for (uint32_t filled = bits; filled < 32; filled *= 2) pattern |= pattern << filled;
    const size_t first = begin * bits, last = end * bits;
    const uint32_t head = ~0u << (first % 32), tail = last % 32 == 0 ? ~0u : (1u << (last % 32)) - 1;
    const size_t from = first / 32, to = (last - 1) / 32;
    for (size_t w = from; w <= to; ++w) words[w] |= pattern & (w == from ? head : ~0u) & (w == to ? tail : ~0u);
}

void set_edges(SectorRecord& record, std::span<const uint64_t> keys) {
    uint32_t next = 0;
    for (uint32_t r = 0; r < record.region_count; ++r) {
        record.regions()[r].first_edge = next;
        while (next < keys.size() && keys[next] >> 32 == r) ++next;
    }
    for (uint32_t i = 0; i < keys.size(); ++i) record.edges()[i] = {static_cast<uint32_t>(keys[i])};
}

}  // namespace

std::shared_ptr<RegionData> make_region_data(const GridSnapshot& grid, uint32_t sector, bool labels) {
    auto data = make_scoped_shared<RegionData>();
    const auto width = static_cast<uint32_t>(grid.width()), height = static_cast<uint32_t>(grid.height());
    data->grid = grid;
    data->sector = sector;
    data->labels = labels;
    data->side = sector == kWholeMap ? std::max({width, height, 1u}) : sector;
    data->sectors_x = ceil_div(width, data->side);
    data->sectors_y = ceil_div(height, data->side);
    return data;
}

void SectorRef::destroy(const SectorRecord* record) {
    const size_t header = record->custom_allocator ? kAllocatorHeader : 0, bytes = header + record->bytes();
    record->~SectorRecord();
    char* block = reinterpret_cast<char*>(const_cast<SectorRecord*>(record)) - header;
    deallocate_to(header > 0 ? *reinterpret_cast<Memory**>(block) : nullptr, block, bytes, kAllocatorHeader);
}

SectorRecord* make_record(uint32_t regions, uint32_t edges, uint32_t label_bits, uint32_t width, uint32_t height, GridVersion version) {
    const size_t words = (size_t{width} * height * label_bits + 31) / 32;
    const size_t bytes = sizeof(SectorRecord) + regions * sizeof(Region) + edges * sizeof(RegionEdge) + words * 4;
    Memory* memory = current_memory();
    const size_t header = memory != nullptr ? kAllocatorHeader : 0;
    auto* block = static_cast<char*>(allocate_from(memory, header + bytes, kAllocatorHeader));
    if (header > 0) new (block) Memory*(memory);
    auto* record = new (block + header) SectorRecord;
    record->custom_allocator = header > 0;
    record->region_count = regions;
    record->edge_count = edges;
    record->label_bits = static_cast<uint16_t>(label_bits);
    record->label_words = static_cast<uint32_t>(words);
    record->width = width;
    record->version = version;
    std::fill_n(record->labels(), words, 0u);
    return record;
}

SectorRef label_record(SectorLabels& labels, EdgeCollector& edges, const GridSnapshot& grid, const Rect& rect) {
    labels.label(grid, rect);
    edges.clear();
    labels.inner_edges(edges);
    const std::span<const uint64_t> keys = edges.sorted();
    const auto count = static_cast<uint32_t>(labels.regions().size());
    const auto width = static_cast<uint32_t>(rect.width), height = static_cast<uint32_t>(rect.height);
    SectorRecord* record = make_record(count, static_cast<uint32_t>(keys.size()), bits_for(count), width, height, grid.version());
    std::copy(labels.regions().begin(), labels.regions().end(), record->regions());
    set_edges(*record, keys);
    if (record->label_bits > 0) {
        labels.for_each_run([&](uint32_t row, uint32_t begin, uint32_t end, uint32_t region) {
            if (region > 0)
                fill_labels(record->labels(), record->label_bits, size_t{row} * width + begin, size_t{row} * width + end, region);
        });
    }
    return SectorRef(record);
}

void read_border(const SectorRecord& record, const Rect& rect, uint32_t side, BorderLabels& out) {
    const auto width = static_cast<uint32_t>(rect.width), height = static_cast<uint32_t>(rect.height);
    const uint32_t x = side % 3 == 2 ? width - 1 : 0, y = side / 3 == 2 ? height - 1 : 0;
    const bool row = side % 3 == 1, column = side / 3 == 1;
    const uint32_t length = row ? width : column ? height : 1;
    out.resize(length);
    for (uint32_t i = 0; i < length; ++i) out[i] = record.label(row ? i : x, column ? i : y);
}

void add_border_edges(const BorderLabels& own, const BorderLabels& other, uint32_t side, EdgeCollector& edges) {
    if (own.size() == 1 && side % 2 == 0) return edges.add(own[0], side, other[0], true);  // a corner
    for (size_t i = 0; i < own.size(); ++i) {
        edges.add(own[i], side, other[i], false);
        if (i > 0) edges.add(own[i], side, other[i - 1], true);
        if (i + 1 < own.size()) edges.add(own[i], side, other[i + 1], true);
    }
}

SectorRef with_edges(const SectorRecord& from, const Rect& rect, std::span<const uint64_t> keys, bool labels, GridVersion version) {
    const auto width = static_cast<uint32_t>(rect.width), height = static_cast<uint32_t>(rect.height);
    const uint32_t bits = labels ? from.label_bits : 0;
    SectorRecord* record = make_record(from.region_count, static_cast<uint32_t>(keys.size()), bits, width, height, version);
    std::copy_n(from.regions(), from.region_count, record->regions());
    set_edges(*record, keys);
    std::copy_n(from.labels(), record->label_words, record->labels());
    return SectorRef(record);
}

bool same(const SectorRecord& a, const SectorRecord& b) {
    if (&a == &b) return true;
    return a.region_count == b.region_count && a.edge_count == b.edge_count && a.label_bits == b.label_bits && a.width == b.width &&
           a.label_words == b.label_words && std::equal(a.regions(), a.regions() + a.region_count, b.regions()) &&
           std::equal(a.edges(), a.edges() + a.edge_count, b.edges()) && std::equal(a.labels(), a.labels() + a.label_words, b.labels());
}

}  // namespace terrane::detail
