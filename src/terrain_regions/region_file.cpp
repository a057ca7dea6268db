// docs/formats.md has the layout. Reading takes three passes: the first checks the lengths, the second allocates and copies, the third
// validates the records.
#include "terrain_regions/region_file.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/checksum.h"
#include "grid/grid_checksum.h"
#include "terrain_regions/sector_record.h"

namespace terrane {

using namespace detail;

// Gives the parser access to the private constructor of TerrainRegions.
class RegionFile {
public:
    static TerrainRegions make(std::shared_ptr<const RegionData> data) { return TerrainRegions(std::move(data)); }
};

namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kLabels = 1;  // the only flag
constexpr uint64_t kRegionBytes = 9;
constexpr uint64_t kMaxWholeMap = uint64_t{1} << 27;  // cells

struct Header {
    uint32_t sector = 0;
    bool labels = false;
};

struct Counts {
    uint32_t regions = 0, edges = 0;
    uint32_t label_bits = 0;
    uint64_t label_words = 0;

    uint64_t bytes() const { return regions * kRegionBytes + (edges + label_words) * 4; }
};

Counts counts_of(const RegionData& data, const Rect& rect, uint32_t regions, uint32_t edges) {
    const uint32_t bits = data.labels && regions > 1 ? std::bit_ceil(static_cast<uint32_t>(std::bit_width(regions - 1))) : 0;
    return {regions, edges, bits, (rect.area() * bits + 31) / 32};
}

// ---- reading

Error refuse(ErrorCode code, std::string_view file, const std::string& reason) {
    return {code, std::string(file), 0, "regions: " + reason};
}

Result<Header> read_header(ByteReader& in, const GridSnapshot& grid, std::string_view file) {
    const uint32_t version = in.u32(), sector = in.u32(), flags = in.u32();
    const uint64_t cells = in.u64();
    if (in.failed()) return refuse(ErrorCode::kTruncated, file, "truncated header");
    if (version != kVersion) {
        return refuse(ErrorCode::kUnsupported, file,
                      "version " + std::to_string(version) + "; this library reads version " + std::to_string(kVersion));
    }
    if ((flags & ~kLabels) != 0) return refuse(ErrorCode::kUnsupported, file, "unsupported flags");
    const bool whole_map = sector == kWholeMap && grid.layout().cells() <= kMaxWholeMap;
    if (!whole_map && (sector < kMinSector || sector > kMaxSector)) {
        return refuse(ErrorCode::kBadValue, file, "no sectors of " + std::to_string(sector) + " cells a side on this map");
    }
    if (cells != grid_checksum(grid)) return refuse(ErrorCode::kBadValue, file, "the map's cells have changed; rebuild the regions");
    return Header{sector, flags == kLabels};
}

Counts read_counts(ByteReader& in, const RegionData& data, uint32_t sector) {
    const uint32_t regions = in.u32(), edges = in.u32();
    return counts_of(data, data.rect(sector), regions, edges);
}

// Checks that the counts of all sectors are possible and add up to the length of the input.
std::optional<Error> check_lengths(ByteReader in, const RegionData& data, std::string_view file) {
    for (uint32_t s = 0; s < data.sectors(); ++s) {
        const Counts counts = read_counts(in, data, s);
        if (!in.failed() && (counts.regions == 0 || counts.regions > data.rect(s).area())) {
            return refuse(
                ErrorCode::kBadValue, file,
                "sector " + std::to_string(s) + " has " + std::to_string(counts.regions) + " regions; expected 1 to its number of cells");
        }
        static_cast<void>(in.take(counts.bytes()));
        if (in.failed()) return refuse(ErrorCode::kTruncated, file, "truncated in sector " + std::to_string(s));
    }
    if (!in.rest().empty()) return refuse(ErrorCode::kTrailing, file, "trailing bytes after the last sector");
    return std::nullopt;
}

SectorRef read_record(ByteReader& in, const RegionData& data, uint32_t sector) {
    const Rect rect = data.rect(sector);
    const Counts counts = read_counts(in, data, sector);
    SectorRecord* record = make_record(counts.regions, counts.edges, counts.label_bits, static_cast<uint32_t>(rect.width),
                                       static_cast<uint32_t>(rect.height), data.grid.version());
    for (uint32_t r = 0; r < counts.regions; ++r) {
        const char* at = in.take(kRegionBytes).data();
        record->regions()[r] = {read_word<uint16_t>(at), read_word<uint16_t>(at + 2), read_word<uint32_t>(at + 4),
                                static_cast<Terrain>(at[8])};
    }
    const std::string_view edges = in.take(uint64_t{counts.edges} * 4);
    for (uint32_t e = 0; e < counts.edges; ++e) record->edges()[e] = {read_word<uint32_t>(edges.data() + size_t{e} * 4)};
    const std::string_view labels = in.take(counts.label_words * 4);
    for (size_t w = 0; w < counts.label_words; ++w) record->labels()[w] = read_word<uint32_t>(labels.data() + w * 4);
    return SectorRef(record);
}

void read_records(ByteReader in, RegionData& data) {
    const uint32_t sectors = data.sectors();
    data.pages.reserve((sectors + kSectorPage - 1) / kSectorPage);
    for (uint32_t first = 0; first < sectors; first += kSectorPage) {
        auto page = make_scoped_shared<SectorPage>();
        for (uint32_t s = first; s < std::min(sectors, first + kSectorPage); ++s) {
            page->sectors[s - first] = read_record(in, data, s);
            const SectorRecord& record = *page->sectors[s - first].get();
            const auto width = static_cast<uint32_t>(std::bit_width(record.region_count - 1));
            data.regions += record.region_count;
            data.edges += record.edge_count;
            data.record_bytes += record.bytes();
            ++data.widths[width];
            data.shift = std::max(data.shift, width);
        }
        data.pages.push_back(std::move(page));
    }
}

// ---- validation; each function returns a reason, or null if the input is valid

const char* check_labels(const SectorRecord& record, const Rect& rect) {
    if (record.label_bits == 0) return nullptr;
    const uint64_t used = rect.area() * record.label_bits % 32;
    if (used > 0 && record.labels()[record.label_words - 1] >> used != 0) return "has labels past its last cell";
    if (record.region_count == uint64_t{1} << record.label_bits) return nullptr;  // every label is valid
    const uint32_t mask = ~0u >> (32 - record.label_bits);
    for (const uint32_t word : std::span(record.labels(), record.label_words)) {
        for (uint32_t bit = 0; bit < 32; bit += record.label_bits) {
            if ((word >> bit & mask) >= record.region_count) return "has a label without a region";
        }
    }
    return nullptr;
}

const char* check_regions(const SectorRecord& record, const Rect& rect, const GridSnapshot& grid) {
    uint32_t edges = 0;
    for (uint32_t r = 0; r < record.region_count; ++r) {
        const Region& region = record.regions()[r];
        if (r == 0 && region.first_edge != 0) return "has a first region that does not start at edge 0";
        if (region.first_edge < edges || region.first_edge > record.edge_count) return "has first edges out of order";
        edges = region.first_edge;
        const Cell at = region.representative();
        if (!rect.contains(at)) return "has a representative outside the sector";
        if (grid.at(at) != region.terrain) return "has a representative on another terrain";
        const auto x = static_cast<uint32_t>(at.x - rect.x), y = static_cast<uint32_t>(at.y - rect.y);
        if (record.label_bits > 0 && record.label(x, y) != r) return "has a representative in another region";
    }
    return nullptr;
}

// Without labels: compares with the regions that a build gives.
const char* check_unlabelled(const SectorRecord& record, const Rect& rect, const GridSnapshot& grid, SectorLabels& scratch) {
    scratch.label(grid, rect);
    const std::span<const Region> built = scratch.regions();
    const auto same = [](const Region& a, const Region& b) { return a.x == b.x && a.y == b.y && a.terrain == b.terrain; };
    const bool equal = std::equal(built.begin(), built.end(), record.regions(), record.regions() + record.region_count, same);
    return equal ? nullptr : "has regions that do not match its cells";
}

// Checks that every edge has a reverse edge. Edge lists are sorted by target sector and number, and regions are visited in that order,
// so the reverse edges of each list are requested from first to last.
class EdgeCheck {
public:
    explicit EdgeCheck(const RegionData& data) : data_(data) {
        first_region_.reserve(data.sectors());
        next_reverse_.reserve(static_cast<size_t>(data.regions));
        for (uint32_t s = 0; s < data.sectors(); ++s) {
            const SectorRecord& record = data.record(s);
            first_region_.push_back(next_reverse_.size());
            for (uint32_t r = 0; r < record.region_count; ++r) next_reverse_.push_back(record.regions()[r].first_edge);
        }
    }

    const char* sector(uint32_t s) {
        const SectorRecord& record = data_.record(s);
        const uint32_t x = s % data_.sectors_x, y = s / data_.sectors_x;
        for (uint32_t r = 0; r < record.region_count; ++r) {
            uint64_t least = 0;  // minimum of the next edge, without its lowest bit
            for (const RegionEdge edge : record.edges_of(r)) {
                const uint32_t side = edge.side();
                const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // off the map: wraps to a large number
                if (side > 8 || nx >= data_.sectors_x || ny >= data_.sectors_y) return "has an edge off the map";
                if (edge.bits >> 1 < least) return "has edges out of order";
                least = uint64_t{edge.bits >> 1} + 1;
                if (side == RegionEdge::kHere && edge.number() == r) return "has an edge from a region to itself";
                if (!has_reverse(ny * data_.sectors_x + nx, edge, r)) return "has an edge without a reverse edge";
            }
        }
        return nullptr;
    }

private:
    bool has_reverse(uint32_t to, RegionEdge edge, uint32_t from) {
        const SectorRecord& record = data_.record(to);
        if (edge.number() >= record.region_count) return false;
        const std::span<const RegionEdge> edges = record.edges_of(edge.number());
        const RegionEdge* next = record.edges() + next_reverse_[first_region_[to] + edge.number()]++;
        return next != edges.data() + edges.size() && *next == RegionEdge::to(8 - edge.side(), from, edge.diagonal_only());
    }

    const RegionData& data_;
    Vector<size_t> first_region_;    // by sector: first index in next_reverse_
    Vector<uint32_t> next_reverse_;  // by region: the next edge that must be requested as a reverse edge
};

std::optional<Error> check(const RegionData& data, std::string_view file) {
    SectorLabels scratch;
    const auto found = [&](uint32_t s, const char* reason) {
        return refuse(ErrorCode::kBadValue, file, "sector " + std::to_string(s) + ' ' + reason);
    };
    for (uint32_t s = 0; s < data.sectors(); ++s) {
        const SectorRecord& record = data.record(s);
        const Rect rect = data.rect(s);
        const char* wrong = check_labels(record, rect);
        if (wrong == nullptr) wrong = check_regions(record, rect, data.grid);
        if (wrong == nullptr && !data.labels) wrong = check_unlabelled(record, rect, data.grid, scratch);
        if (wrong != nullptr) return found(s, wrong);
    }
    EdgeCheck edges(data);  // only after all first edges are validated
    for (uint32_t s = 0; s < data.sectors(); ++s) {
        if (const char* wrong = edges.sector(s)) return found(s, wrong);
    }
    return std::nullopt;
}

}  // namespace

std::array<char, 4> region_tag(uint32_t sector) {
    const auto digit = [](uint32_t n) { return static_cast<char>('0' + n % 10); };
    return {'R', digit(sector / 100), digit(sector / 10), digit(sector)};
}

std::optional<uint32_t> region_tag_sector(const std::array<char, 4>& tag) {
    for (uint32_t sector = 0; sector <= kMaxSector; ++sector) {
        if ((sector == kWholeMap || sector >= kMinSector) && tag == region_tag(sector)) return sector;
    }
    return std::nullopt;
}

std::string format_regions(const TerrainRegions& regions) {
    const RegionData& data = regions.data();
    std::string out;
    out.reserve(20 + data.sectors() * size_t{8} + static_cast<size_t>(data.record_bytes));
    put_u32(out, kVersion);
    put_u32(out, data.sector);
    put_u32(out, data.labels ? kLabels : 0);
    put_u64(out, grid_checksum(data.grid));
    for (uint32_t s = 0; s < data.sectors(); ++s) {
        const SectorRecord& record = data.record(s);
        put_u32(out, record.region_count);
        put_u32(out, record.edge_count);
        for (const Region& r : std::span(record.regions(), record.region_count)) {
            put_u32(out, uint32_t{r.y} << 16 | r.x);
            put_u32(out, r.first_edge);
            out += static_cast<char>(r.terrain);
        }
        for (const RegionEdge e : std::span(record.edges(), record.edge_count)) put_u32(out, e.bits);
        for (const uint32_t word : std::span(record.labels(), record.label_words)) put_u32(out, word);
    }
    return out;
}

Result<TerrainRegions> parse_regions(std::string_view bytes, const GridSnapshot& grid, std::string_view file) {
    ByteReader in(bytes);
    const auto header = read_header(in, grid, file);
    if (!header) return header.error();
    auto data = make_region_data(grid, header->sector, header->labels);
    if (auto error = check_lengths(in, *data, file)) return *std::move(error);
    read_records(in, *data);
    if (auto error = check(*data, file)) return *std::move(error);
    return RegionFile::make(std::move(data));
}

}  // namespace terrane
