#include "minimal_memory/minimal_memory_code.h"

#include <algorithm>
#include <bit>

namespace terrane::detail {

namespace {

constexpr uint32_t kMaxRegions32 = 253, kMaxRegions16 = 13;  // regions per record of 32 or 16 bits
constexpr uint32_t kMaxEdges = 255;                          // edges per region, in 8 bits
constexpr uint32_t kMaxNumber = 31;                          // region number in an edge of 8 bits
constexpr size_t kMaxOffset16 = 0xfff;                       // offset in a record of 16 bits

void put(Vector<uint8_t>& out, uint32_t value, uint32_t bytes) {
    for (uint32_t i = 0; i < bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

bool is_stored(const MinimalMemoryEdge& edge, const MinimalMemoryOptions& options) {
    return !options.edges_once || edge.direction >= kMinimalMemoryDirections / 2;
}

uint32_t stored_edges(std::span<const MinimalMemoryEdge> edges, const MinimalMemoryOptions& options) {
    return static_cast<uint32_t>(std::ranges::count_if(edges, [&](const MinimalMemoryEdge& e) { return is_stored(e, options); }));
}

bool fits(const PlainSector& sector, const MinimalMemoryOptions& options) {
    if (sector.regions.size() > (options.record_bits == 16 ? kMaxRegions16 : kMaxRegions32)) return false;
    for (const MinimalMemoryEdge& e : sector.edges) {
        if (is_stored(e, options) && e.number > kMaxNumber) return false;
    }
    for (size_t r = 0; r < sector.regions.size(); ++r) {
        if (stored_edges(sector.edges_of(r), options) > kMaxEdges) return false;
    }
    return true;
}

bool is_default(const PlainSector& sector, const MinimalMemoryOptions& options) {
    return sector.regions.size() == 1 && sector.edges.size() == kMinimalMemoryDirections && sector == default_sector(options);
}

void put_regions(const PlainSector& sector, const MinimalMemoryOptions& options, bool wide, Vector<uint8_t>& out) {
    const uint32_t centre_bytes = wide || options.sector > 16 ? 2 : 1, edge_bytes = wide ? 2 : 1;
    for (size_t r = 0; r < sector.regions.size(); ++r) {
        const Cell c = sector.regions[r].centre;
        put(out, static_cast<uint32_t>(c.y) << (4 * centre_bytes) | static_cast<uint32_t>(c.x), centre_bytes);
        put(out, stored_edges(sector.edges_of(r), options), edge_bytes);
        for (const MinimalMemoryEdge& e : sector.edges_of(r)) {
            if (is_stored(e, options)) put(out, e.direction << (wide ? 13 : 5) | e.number, edge_bytes);
        }
    }
}

void put_labels(const PlainSector& sector, Vector<uint8_t>& out) {
    const uint32_t bits = label_bits(static_cast<uint32_t>(sector.regions.size()));
    const size_t begin = out.size();
    out.resize(begin + (sector.labels.size() * bits + 7) / 8);
    for (size_t i = 0; i < sector.labels.size(); ++i) {
        const uint32_t value = static_cast<uint32_t>(sector.labels[i]) << (i * bits % 8);
        out[begin + i * bits / 8] |= static_cast<uint8_t>(value);
        if (bits == 16) out[begin + i * 2 + 1] = static_cast<uint8_t>(value >> 8);
    }
}

}  // namespace

uint32_t label_bits(uint32_t regions) { return regions < 2 ? 0 : std::bit_ceil(static_cast<uint32_t>(std::bit_width(regions - 1))); }

uint32_t read_label(const uint8_t* labels, uint32_t bits, size_t i) {
    if (bits == 16) return minimal_memory_read(labels + i * 2, 2);
    return static_cast<uint32_t>(labels[i * bits / 8]) >> (i * bits % 8) & ((1u << bits) - 1);
}

PlainSector default_sector(const MinimalMemoryOptions& options) {
    const auto middle = static_cast<int32_t>((options.sector - 1) / 2);
    PlainSector out;
    out.regions = {{{middle, middle}, 0}};
    out.edges.reserve(kMinimalMemoryDirections);
    for (uint32_t d = 0; d < kMinimalMemoryDirections; ++d) out.edges.push_back({d, 0});
    return out;
}

void encode_sector(const PlainSector& sector, const MinimalMemoryOptions& options, EncodedSector& out) {
    out.bytes.clear();
    out.count = kMinimalMemoryDefault;
    if (options.skip_defaults && is_default(sector, options)) return;
    const bool wide = !fits(sector, options);
    out.count = wide ? kMinimalMemoryWide : static_cast<uint32_t>(sector.regions.size());
    if (wide) put(out.bytes, static_cast<uint32_t>(sector.regions.size()), 2);
    put_regions(sector, options, wide, out.bytes);
    if (sector.regions.size() > 1 && !sector.labels.empty()) put_labels(sector, out.bytes);
}

PlainSector decode_sector(const MinimalMemoryData& data, uint32_t sector) {
    const MinimalMemorySector s = data.read(sector);
    PlainSector out;
    out.regions.reserve(s.regions);
    for (uint32_t r = 0; r < s.regions; ++r) {
        out.regions.push_back({data.centre(sector, r), static_cast<uint32_t>(out.edges.size())});
        data.for_each_edge(sector, r, [&](uint32_t direction, uint32_t number) { out.edges.push_back({direction, number}); });
    }
    if (!data.options.labels || s.regions < 2) return out;
    const Rect rect = data.rect(sector);
    out.labels.resize(static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height));
    const uint8_t* labels = s.region(s.regions);
    for (size_t i = 0; i < out.labels.size(); ++i) out.labels[i] = static_cast<uint16_t>(read_label(labels, label_bits(s.regions), i));
    return out;
}

MinimalMemoryPage make_page(std::span<const EncodedSector> sectors, const MinimalMemoryOptions& options) {
    size_t data = 0, last_offset = 0;
    for (const EncodedSector& s : sectors) {
        last_offset = data;
        data += s.bytes.size();
    }
    const uint32_t record = options.record_bits == 16 && kMinimalMemoryHeader + 2 * sectors.size() + last_offset <= kMaxOffset16 ? 2 : 4;
    const size_t size = kMinimalMemoryHeader + record * sectors.size() + data;
    Vector<uint8_t> bytes;
    bytes.reserve(size);
    put(bytes, static_cast<uint32_t>(size), 4);
    put(bytes, record, 1);
    put(bytes, static_cast<uint32_t>(sectors.size()), 1);
    put(bytes, 0, 2);
    auto offset = static_cast<uint32_t>(kMinimalMemoryHeader + record * sectors.size());
    for (const EncodedSector& s : sectors) {
        const uint32_t count = record == 2 && s.count >= kMinimalMemoryDefault ? s.count - kMinimalMemoryDefault + 14 : s.count;
        put(bytes, count << (record == 2 ? 12 : 24) | offset, record);
        offset += static_cast<uint32_t>(s.bytes.size());
    }
    for (const EncodedSector& s : sectors) bytes.insert(bytes.end(), s.bytes.begin(), s.bytes.end());
    const std::shared_ptr<uint8_t[]> page = make_scoped_shared<uint8_t[]>(size);
    std::ranges::copy(bytes, page.get());
    return page;
}

void copy_sector(const MinimalMemoryData& data, uint32_t sector, EncodedSector& out) {
    const uint8_t* page = data.pages[sector >> kMinimalMemoryPageShift].get();
    const MinimalMemorySector s = data.read(sector);
    out.count = data.is_default(s) ? kMinimalMemoryDefault : s.edge_bytes == 2 ? kMinimalMemoryWide : s.regions;
    const auto data_of = [&](uint32_t i) {
        return page + (page[4] == 4 ? minimal_memory_read32(page + kMinimalMemoryHeader + 4 * i) & 0xffffff
                                    : minimal_memory_read(page + kMinimalMemoryHeader + 2 * i, 2) & 0xfff);
    };
    const uint32_t i = sector & (kMinimalMemoryPage - 1);
    out.bytes.assign(data_of(i), i + 1 < page[5] ? data_of(i + 1) : page + page_bytes(page));
}

}  // namespace terrane::detail
