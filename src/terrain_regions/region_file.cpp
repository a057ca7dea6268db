// The layout is in docs/formats.md. Reading is two passes over the bytes and one over what was made of them: the first adds up
// lengths, the second takes memory and copies, the last looks whether a search could go wrong.
#include "terrain_regions/region_file.h"

#include <algorithm>
#include <bit>

#include "base/bytes.h"
#include "base/checksum.h"
#include "grid/grid_checksum.h"
#include "terrain_regions/sector_record.h"

namespace terrane {

using namespace detail;

// The door of TerrainRegions for those that make them of bytes.
class RegionFile {
public:
    static TerrainRegions make(std::shared_ptr<const RegionRoot> root) { return TerrainRegions(std::move(root)); }
};

namespace {

constexpr uint32_t kVersion = 1;
constexpr uint32_t kLabels = 1;  // the only flag there is
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

uint64_t cells_in(const Rect& rect) {
    return static_cast<uint64_t>(rect.right - rect.left) * static_cast<uint64_t>(rect.bottom - rect.top);
}

Counts counts_of(const RegionRoot& root, const Rect& rect, uint32_t regions, uint32_t edges) {
    const uint32_t bits = root.labels && regions > 1 ? std::bit_ceil(static_cast<uint32_t>(std::bit_width(regions - 1))) : 0;
    return {regions, edges, bits, (cells_in(rect) * bits + 31) / 32};
}

// ---- reading

Error refuse(ErrorCode code, std::string_view file, const std::string& reason) {
    return {code, std::string(file), 0, "regions: " + reason};
}

Result<Header> read_header(ByteReader& in, const GridSnapshot& grid, std::string_view file) {
    const uint32_t version = in.u32(), sector = in.u32(), flags = in.u32();
    const uint64_t cells = in.u64();
    if (in.failed()) return refuse(ErrorCode::kTruncated, file, "they end in their header");
    if (version != kVersion) {
        return refuse(ErrorCode::kUnsupported, file,
                      "version " + std::to_string(version) + "; this library reads version " + std::to_string(kVersion));
    }
    if ((flags & ~kLabels) != 0) return refuse(ErrorCode::kUnsupported, file, "they have flags that this version does not know");
    const bool whole_map = sector == kWholeMap && grid.layout().cells() <= kMaxWholeMap;
    if (!whole_map && (sector < kMinSector || sector > kMaxSector)) {
        return refuse(ErrorCode::kBadValue, file, "no sectors of " + std::to_string(sector) + " cells a side on this map");
    }
    if (cells != grid_checksum(grid)) return refuse(ErrorCode::kBadValue, file, "they were made for other cells than the map's");
    return Header{sector, flags == kLabels};
}

// Without sectors.
std::shared_ptr<RegionRoot> make_loaded_root(const GridSnapshot& grid, const Header& header) {
    auto root = share<RegionRoot>();
    const auto width = static_cast<uint32_t>(grid.width()), height = static_cast<uint32_t>(grid.height());
    root->grid = grid;
    root->sector = header.sector;
    root->labels = header.labels;
    root->side = header.sector == kWholeMap ? std::max({width, height, 1u}) : header.sector;
    root->sectors_x = (width + root->side - 1) / root->side;
    root->sectors_y = (height + root->side - 1) / root->side;
    return root;
}

Counts read_counts(ByteReader& in, const RegionRoot& root, uint32_t sector) {
    const uint32_t regions = in.u32(), edges = in.u32();
    return counts_of(root, root.rect(sector), regions, edges);
}

// Whether the counts of all sectors can be, and make exactly the bytes that are there.
std::optional<Error> check_lengths(ByteReader in, const RegionRoot& root, std::string_view file) {
    for (uint32_t s = 0; s < root.sectors(); ++s) {
        const Counts counts = read_counts(in, root, s);
        if (!in.failed() && (counts.regions == 0 || counts.regions > cells_in(root.rect(s)))) {
            return refuse(ErrorCode::kBadValue, file,
                          "sector " + std::to_string(s) + " cannot have " + std::to_string(counts.regions) + " regions");
        }
        static_cast<void>(in.take(counts.bytes()));
        if (in.failed()) return refuse(ErrorCode::kTruncated, file, "they end within sector " + std::to_string(s));
    }
    if (!in.rest().empty()) return refuse(ErrorCode::kTrailing, file, "they go on after the last sector");
    return std::nullopt;
}

SectorRef read_record(ByteReader& in, const RegionRoot& root, uint32_t sector) {
    const Rect rect = root.rect(sector);
    const Counts counts = read_counts(in, root, sector);
    SectorRecord* record = make_record(counts.regions, counts.edges, counts.label_bits, static_cast<uint32_t>(rect.right - rect.left),
                                       static_cast<uint32_t>(rect.bottom - rect.top), root.grid.version());
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

void read_records(ByteReader in, RegionRoot& root) {
    const uint32_t sectors = root.sectors();
    root.pages.reserve((sectors + kSectorPage - 1) / kSectorPage);
    for (uint32_t first = 0; first < sectors; first += kSectorPage) {
        auto page = share<SectorPage>();
        for (uint32_t s = first; s < std::min(sectors, first + kSectorPage); ++s) {
            page->sectors[s - first] = read_record(in, root, s);
            const SectorRecord& record = *page->sectors[s - first].get();
            const auto width = static_cast<uint32_t>(std::bit_width(record.region_count - 1));
            root.regions += record.region_count;
            root.edges += record.edge_count;
            root.record_bytes += record.bytes();
            ++root.widths[width];
            root.shift = std::max(root.shift, width);
        }
        root.pages.push_back(std::move(page));
    }
}

// ---- checking; each gives a reason, or null where all is well

const char* check_labels(const SectorRecord& record, const Rect& rect) {
    if (record.label_bits == 0) return nullptr;
    const uint64_t used = cells_in(rect) * record.label_bits % 32;
    if (used > 0 && record.labels()[record.label_words - 1] >> used != 0) return "has labels past its last cell";
    if (record.region_count == uint64_t{1} << record.label_bits) return nullptr;  // no label can be wrong
    const uint32_t mask = ~0u >> (32 - record.label_bits);
    for (const uint32_t word : std::span(record.labels(), record.label_words)) {
        for (uint32_t bit = 0; bit < 32; bit += record.label_bits) {
            if ((word >> bit & mask) >= record.region_count) return "has a label of no region";
        }
    }
    return nullptr;
}

const char* check_regions(const SectorRecord& record, const Rect& rect, const GridSnapshot& grid) {
    uint32_t edges = 0;
    for (uint32_t r = 0; r < record.region_count; ++r) {
        const Region& region = record.regions()[r];
        if (r == 0 && region.first_edge != 0) return "does not begin with its first edge";
        if (region.first_edge < edges || region.first_edge > record.edge_count) return "has first edges out of order";
        edges = region.first_edge;
        const Cell at = region.representative();
        if (!rect.contains(at)) return "has a representative off the sector";
        if (grid.at(at) != region.terrain) return "has a representative on another terrain";
        const auto x = static_cast<uint32_t>(at.x - rect.left), y = static_cast<uint32_t>(at.y - rect.top);
        if (record.label_bits > 0 && record.label(x, y) != r) return "has a representative in another region";
    }
    return nullptr;
}

// Where there are no labels: the regions as they would be built.
const char* check_unlabelled(const SectorRecord& record, const Rect& rect, const GridSnapshot& grid, SectorLabels& scratch) {
    scratch.label(grid, rect);
    const std::span<const Region> built = scratch.regions();
    const auto same = [](const Region& a, const Region& b) { return a.x == b.x && a.y == b.y && a.terrain == b.terrain; };
    const bool equal = std::equal(built.begin(), built.end(), record.regions(), record.regions() + record.region_count, same);
    return equal ? nullptr : "has other regions than its cells make";
}

// Follows every edge of all sectors, and finds its like the other way. Lists are sorted by the sector and the number that they lead to, and
// regions are looked at in that very order, so each list's edges are asked for from its first to its last.
class EdgeCheck {
public:
    explicit EdgeCheck(const RegionRoot& root) : root_(root) {
        first_region_.reserve(root.sectors());
        back_.reserve(static_cast<size_t>(root.regions));
        for (uint32_t s = 0; s < root.sectors(); ++s) {
            const SectorRecord& record = root.record(s);
            first_region_.push_back(back_.size());
            for (uint32_t r = 0; r < record.region_count; ++r) back_.push_back(record.regions()[r].first_edge);
        }
    }

    const char* sector(uint32_t s) {
        const SectorRecord& record = root_.record(s);
        const uint32_t x = s % root_.sectors_x, y = s / root_.sectors_x;
        for (uint32_t r = 0; r < record.region_count; ++r) {
            uint64_t least = 0;  // that the next edge may be, without its lowest bit
            for (const RegionEdge edge : record.edges_of(r)) {
                const uint32_t side = edge.side();
                const uint32_t nx = x + side % 3 - 1, ny = y + side / 3 - 1;  // past the edge: wraps round to a large number
                if (side > 8 || nx >= root_.sectors_x || ny >= root_.sectors_y) return "has an edge off the map";
                if (edge.bits >> 1 < least) return "has edges out of order";
                least = uint64_t{edge.bits >> 1} + 1;
                if (side == RegionEdge::kHere && edge.number() == r) return "has an edge from a region to itself";
                if (!leads_back(ny * root_.sectors_x + nx, edge, r)) return "has an edge that does not lead back";
            }
        }
        return nullptr;
    }

private:
    bool leads_back(uint32_t to, RegionEdge edge, uint32_t from) {
        const SectorRecord& record = root_.record(to);
        if (edge.number() >= record.region_count) return false;
        const std::span<const RegionEdge> edges = record.edges_of(edge.number());
        const RegionEdge* next = record.edges() + back_[first_region_[to] + edge.number()]++;
        return next != edges.data() + edges.size() && *next == RegionEdge::to(8 - edge.side(), from, edge.diagonal_only());
    }

    const RegionRoot& root_;
    Vector<size_t> first_region_;  // of each sector, in back_
    Vector<uint32_t> back_;        // of each region: the next edge that must be led back by
};

std::optional<Error> check(const RegionRoot& root, std::string_view file) {
    SectorLabels scratch;
    const auto found = [&](uint32_t s, const char* reason) {
        return refuse(ErrorCode::kBadValue, file, "sector " + std::to_string(s) + ' ' + reason);
    };
    for (uint32_t s = 0; s < root.sectors(); ++s) {
        const SectorRecord& record = root.record(s);
        const Rect rect = root.rect(s);
        const char* wrong = check_labels(record, rect);
        if (wrong == nullptr) wrong = check_regions(record, rect, root.grid);
        if (wrong == nullptr && !root.labels) wrong = check_unlabelled(record, rect, root.grid, scratch);
        if (wrong != nullptr) return found(s, wrong);
    }
    EdgeCheck edges(root);  // after all first edges are known to be well
    for (uint32_t s = 0; s < root.sectors(); ++s) {
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
    const RegionRoot& root = regions.root();
    std::string out;
    out.reserve(20 + root.sectors() * size_t{8} + static_cast<size_t>(root.record_bytes));
    put_u32(out, kVersion);
    put_u32(out, root.sector);
    put_u32(out, root.labels ? kLabels : 0);
    put_u64(out, grid_checksum(root.grid));
    for (uint32_t s = 0; s < root.sectors(); ++s) {
        const SectorRecord& record = root.record(s);
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
    auto root = make_loaded_root(grid, *header);
    if (auto error = check_lengths(in, *root, file)) return *std::move(error);
    read_records(in, *root);
    if (auto error = check(*root, file)) return *std::move(error);
    return RegionFile::make(std::move(root));
}

}  // namespace terrane
