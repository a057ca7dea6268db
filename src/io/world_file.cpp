// The layout is in docs/formats.md. The parser makes two passes over the cells: the first validates the tokens, the second allocates and
// fills the grid.
#include "terrane/io/world_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>

#include "base/bytes.h"
#include "base/text.h"
#include "io/map_format_list.h"

namespace terrane {

using detail::ByteReader;
using detail::quote;

namespace {

// Like PNG's signature: a first byte that is not text, and line breaks that detect transfers in text mode.
constexpr std::string_view kMagic("\x89TRN\r\n\x1a\n", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderBytes = 24;  // magic, version, sections, length of the file
constexpr size_t kEntryBytes = 24;   // tag, flags, length, checksum
constexpr size_t kChecksumBytes = 8;
constexpr uint32_t kRequired = 1;  // the only flag
constexpr uint64_t kMaxWorldBytes = uint64_t{4} << 30;
constexpr std::array<char, 4> kCatalogueTag{'C', 'A', 'T', 'A'};
constexpr std::array<char, 4> kCellsTag{'C', 'E', 'L', 'L'};

// A token is a variable-length integer (ByteReader::number): count * 4 + kind.
enum Kind : uint32_t {
    kRun = 0,       // one byte follows: `count` cells of that terrain
    kAbove = 1,     // `count` cells are equal to those directly above
    kLiteral = 2,   // `count` bytes follow, one per cell
    kUnknown3 = 3,  // unused
};
constexpr size_t kShortest = 3;  // shorter runs are written as literals

Error refuse_world(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

// FNV-1a, 64 bits: a change of any single byte changes it.
uint64_t checksum(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
    return hash;
}

struct Section {
    std::array<char, 4> tag{};
    uint32_t flags = 0;
    std::string_view bytes;
};

std::string name_of(const std::array<char, 4>& tag) { return quote({tag.data(), tag.size()}); }

bool printable(const std::array<char, 4>& tag) {
    return std::ranges::all_of(tag, [](char c) { return c > ' ' && c < 0x7f; });
}

// ---- reading

// Reads the header, except its checksum. Returns the number of sections.
Result<size_t> read_header(std::string_view bytes, std::string_view file) {
    if (!is_world_file(bytes)) {
        const bool cut = bytes.size() < kMagic.size() && kMagic.starts_with(bytes);
        return cut ? refuse_world(ErrorCode::kTruncated, file, "the file ends within its signature")
                   : refuse_world(ErrorCode::kBadHeader, file, "not a .terrane file: wrong signature");
    }
    ByteReader in(bytes.substr(kMagic.size()));
    const uint32_t version = in.u32(), sections = in.u32();
    const uint64_t length = in.u64();
    if (in.failed()) return refuse_world(ErrorCode::kTruncated, file, "the file ends in its header");
    if (version != kVersion) {
        return refuse_world(
            ErrorCode::kUnsupported, file,
            "unsupported format version " + std::to_string(version) + ": this library reads version " + std::to_string(kVersion));
    }
    if (sections == 0 || sections > kMaxWorldSections) {
        return refuse_world(ErrorCode::kBadHeader, file, "the header declares " + std::to_string(sections) + " sections, expected 1 to 64");
    }
    if (length != bytes.size()) {
        return refuse_world(length > bytes.size() ? ErrorCode::kTruncated : ErrorCode::kTrailing, file,
                            "the file has " + std::to_string(bytes.size()) + " bytes, its header declares " + std::to_string(length));
    }
    return static_cast<size_t>(sections);
}

Result<std::vector<Section>> read_sections(std::string_view bytes, std::string_view file) {
    const auto count = read_header(bytes, file);
    if (!count) return count.error();
    const size_t table_end = kHeaderBytes + *count * kEntryBytes;
    ByteReader in(bytes);
    static_cast<void>(in.take(table_end));
    if (in.u64() != checksum(bytes.substr(0, std::min(table_end, bytes.size()))) || in.failed()) {
        return refuse_world(ErrorCode::kBadValue, file, "the header does not match its checksum: the file was altered or damaged");
    }
    ByteReader table(bytes.substr(kHeaderBytes, *count * kEntryBytes));
    std::vector<Section> sections;
    for (size_t i = 0; i < *count; ++i) {
        Section section;
        std::ranges::copy(table.take(4), section.tag.begin());
        section.flags = table.u32();
        const uint64_t length = table.u64(), sum = table.u64();
        section.bytes = in.take(length);
        if (in.failed())
            return refuse_world(ErrorCode::kTruncated, file, "section " + name_of(section.tag) + " extends past the end of the file");
        if (sum != checksum(section.bytes)) {
            return refuse_world(ErrorCode::kBadValue, file,
                                "section " + name_of(section.tag) + " does not match its checksum: the file was altered or damaged");
        }
        sections.push_back(section);
    }
    if (!in.rest().empty()) return refuse_world(ErrorCode::kTrailing, file, "the file goes on after its last section");
    return sections;
}

// Checks names and flags. Sections besides the map's two must be wanted by the caller, or not be required.
std::optional<Error> check_tags(const std::vector<Section>& sections, bool others_wanted, std::string_view file) {
    for (size_t i = 0; i < sections.size(); ++i) {
        const Section& s = sections[i];
        if (!printable(s.tag) || (s.flags & ~kRequired) != 0) {
            return refuse_world(ErrorCode::kUnsupported, file,
                                "section " + name_of(s.tag) + " has flags or a name that this version does not know");
        }
        const auto same = [&](const Section& other) { return other.tag == s.tag; };
        if (std::any_of(sections.begin(), sections.begin() + static_cast<ptrdiff_t>(i), same)) {
            return refuse_world(ErrorCode::kBadValue, file, "duplicate section " + name_of(s.tag));
        }
        const bool known = s.tag == kCatalogueTag || s.tag == kCellsTag || others_wanted;
        if (!known && (s.flags & kRequired) != 0) {
            return refuse_world(ErrorCode::kUnsupported, file,
                                "section " + name_of(s.tag) + " is required, but this library does not know it");
        }
    }
    return std::nullopt;
}

Result<std::string_view> find_section(const std::vector<Section>& sections, const std::array<char, 4>& tag, std::string_view file) {
    const auto it = std::ranges::find(sections, tag, &Section::tag);
    if (it == sections.end()) return refuse_world(ErrorCode::kBadHeader, file, "section " + name_of(tag) + " is missing");
    return it->bytes;
}

Result<Catalogue> read_catalogue(std::string_view bytes, std::string_view file) {
    ByteReader in(bytes);
    const uint32_t count = in.u32();
    if (count > kMaxTerrains) return refuse_world(ErrorCode::kTooLarge, file, "a catalogue has at most 255 terrains");
    Catalogue catalogue;
    for (uint32_t i = 0; i < count; ++i) {
        TerrainType type;
        type.name = std::string(in.take(in.u8()));
        type.letter = static_cast<char>(in.u8());
        type.colour.r = in.u8();
        type.colour.g = in.u8();
        type.colour.b = in.u8();
        if (in.failed()) break;
        const auto added = catalogue.add(std::move(type));
        if (!added) return refuse_world(added.error().code, file, added.error().reason);
    }
    if (in.failed()) return refuse_world(ErrorCode::kTruncated, file, "section 'CATA' ends within a terrain");
    if (!in.rest().empty()) return refuse_world(ErrorCode::kTrailing, file, "section 'CATA' goes on after its last terrain");
    return catalogue;
}

// Calls sink(kind, count, bytes) for each token. Returns false if the tokens are invalid: they must encode exactly `cells` cells, without
// kAbove in the first row.
template <class Sink>
bool read_tokens(ByteReader in, uint64_t width, uint64_t cells, Sink&& sink) {
    uint64_t done = 0;
    while (done < cells) {
        const uint64_t token = in.number(), count = token >> 2;
        const auto kind = static_cast<uint32_t>(token & 3);
        if (in.failed() || count == 0 || count > cells - done || kind == kUnknown3 || (kind == kAbove && done < width)) return false;
        const std::string_view bytes = in.take(kind == kRun ? 1 : (kind == kLiteral ? count : 0));
        if (in.failed() || !sink(kind, static_cast<size_t>(count), bytes)) return false;
        done += count;
    }
    return in.rest().empty();
}

struct CellsHeader {
    int32_t width = 0;
    int32_t height = 0;
    uint64_t cells = 0;
};

Result<CellsHeader> read_size(ByteReader& in, const MapOptions& options, std::string_view file) {
    const uint32_t width = in.u32(), height = in.u32();
    if (in.failed()) return refuse_world(ErrorCode::kTruncated, file, "section 'CELL' ends before its size");
    const std::string size = std::to_string(width) + " x " + std::to_string(height);
    if (width == 0 || height == 0) return refuse_world(ErrorCode::kBadValue, file, "a map of " + size + " cells has no cells");
    const uint64_t cells = uint64_t{width} * height;
    if (width > kMaxSide || height > kMaxSide || cells > options.max_cells) {
        return refuse_world(ErrorCode::kTooLarge, file,
                            "a map of " + size + " cells is larger than the limit: " + std::to_string(kMaxSide) + " a side and " +
                                std::to_string(options.max_cells) + " in all");
    }
    return CellsHeader{static_cast<int32_t>(width), static_cast<int32_t>(height), cells};
}

std::vector<Terrain> fill_cells(const ByteReader& in, const CellsHeader& size) {
    std::vector<Terrain> cells(static_cast<size_t>(size.cells));
    const auto width = static_cast<size_t>(size.width);
    Terrain* out = cells.data();
    read_tokens(in, width, size.cells, [&](uint32_t kind, size_t count, std::string_view bytes) {
        if (kind == kRun) std::fill_n(out, count, static_cast<Terrain>(bytes[0]));
        for (size_t i = 0; kind == kAbove && i < count; ++i) out[i] = *(out + i - width);  // source and target may overlap
        if (kind == kLiteral) std::memcpy(out, bytes.data(), count);
        out += count;
        return true;
    });
    return cells;
}

Result<TerrainGrid> read_grid(std::string_view bytes, Catalogue catalogue, const MapOptions& options, std::string_view file) {
    ByteReader in(bytes);
    const auto size = read_size(in, options, file);
    if (!size) return size.error();
    const bool sound = read_tokens(in, static_cast<uint64_t>(size->width), size->cells, [&](uint32_t, size_t, std::string_view terrains) {
        return std::ranges::all_of(terrains, [&](char t) { return static_cast<uint8_t>(t) < catalogue.size(); });
    });
    if (!sound) {
        return refuse_world(ErrorCode::kBadValue, file,
                            "section 'CELL' does not encode " + std::to_string(size->cells) + " cells of the catalogue's terrains");
    }
    return TerrainGrid(size->width, size->height, fill_cells(in, *size), std::move(catalogue));
}

// ---- writing

std::string format_catalogue(const Catalogue& catalogue) {
    std::string out;
    detail::put_u32(out, catalogue.size());
    for (const TerrainType& type : catalogue.types()) {
        out += static_cast<char>(type.name.size());
        out += type.name;
        out += type.letter;
        for (const uint8_t channel : {type.colour.r, type.colour.g, type.colour.b}) out += static_cast<char>(channel);
    }
    return out;
}

// Encodes cells greedily: at each cell the longer of a run and a copy from above.
class CellsWriter {
public:
    CellsWriter(const std::vector<Terrain>& cells, size_t width) : cells_(cells), width_(width) {}

    void write(std::string& out) {
        for (size_t at = 0; at < cells_.size();) {
            const size_t run = run_at(at), above = above_at(at);
            if (std::max(run, above) < kShortest) {
                ++at;
                continue;
            }
            flush(out, at);
            detail::put_number(out, above >= run ? above << 2 | kAbove : run << 2 | kRun);
            if (above < run) out += static_cast<char>(cells_[at]);
            at += std::max(run, above);
            literal_ = at;
        }
        flush(out, cells_.size());
    }

private:
    // Writes the cells from literal_ to `to` as a literal.
    void flush(std::string& out, size_t to) {
        if (to == literal_) return;
        detail::put_number(out, (to - literal_) << 2 | kLiteral);
        out.append(reinterpret_cast<const char*>(&cells_[literal_]), to - literal_);
        literal_ = to;
    }
    size_t run_at(size_t at) const {
        size_t end = at + 1;
        while (end < cells_.size() && cells_[end] == cells_[at]) ++end;
        return end - at;
    }
    size_t above_at(size_t at) const {
        if (at < width_) return 0;
        size_t end = at;
        while (end < cells_.size() && cells_[end] == cells_[end - width_]) ++end;
        return end - at;
    }

    const std::vector<Terrain>& cells_;
    size_t width_;
    size_t literal_ = 0;
};

std::string format_cells(const GridSnapshot& grid) {
    std::string out;
    detail::put_u32(out, static_cast<uint32_t>(grid.width()));
    detail::put_u32(out, static_cast<uint32_t>(grid.height()));
    CellsWriter(grid.cells(), static_cast<size_t>(grid.width())).write(out);
    return out;
}

std::string join_sections(const std::vector<WorldSection>& sections) {
    size_t length = kHeaderBytes + sections.size() * kEntryBytes + kChecksumBytes;
    for (const WorldSection& s : sections) length += s.bytes.size();
    std::string out(kMagic);
    out.reserve(length);
    detail::put_u32(out, kVersion);
    detail::put_u32(out, static_cast<uint32_t>(sections.size()));
    detail::put_u64(out, length);
    for (const WorldSection& s : sections) {
        out.append(s.tag.data(), s.tag.size());
        detail::put_u32(out, s.required ? kRequired : 0);
        detail::put_u64(out, s.bytes.size());
        detail::put_u64(out, checksum(s.bytes));
    }
    detail::put_u64(out, checksum(out));
    for (const WorldSection& s : sections) out += s.bytes;
    return out;
}

}  // namespace

bool is_world_file(std::string_view bytes) { return bytes.starts_with(kMagic); }

Result<TerrainGrid> parse_world(std::string_view bytes, const MapOptions& options, std::string_view file,
                                std::vector<WorldSection>* others) {
    const auto sections = read_sections(bytes, file);
    if (!sections) return sections.error();
    if (auto error = check_tags(*sections, others != nullptr, file)) return *std::move(error);
    const auto names = find_section(*sections, kCatalogueTag, file);
    if (!names) return names.error();
    const auto cells = find_section(*sections, kCellsTag, file);
    if (!cells) return cells.error();
    auto catalogue = read_catalogue(*names, file);
    if (!catalogue) return catalogue.error();
    auto grid = read_grid(*cells, *std::move(catalogue), options, file);
    if (grid && others != nullptr) {
        others->clear();
        for (const Section& s : *sections) {
            if (s.tag != kCatalogueTag && s.tag != kCellsTag) {
                others->push_back({s.tag, (s.flags & kRequired) != 0, std::string(s.bytes)});
            }
        }
    }
    return grid;
}

Result<std::string> format_world(const GridSnapshot& grid, std::span<const WorldSection> others) {
    if (grid.layout().cells() == 0) return refuse_world(ErrorCode::kUnsupported, {}, "a map without cells cannot be written");
    std::vector<WorldSection> sections{{kCatalogueTag, true, format_catalogue(grid.catalogue())}, {kCellsTag, true, format_cells(grid)}};
    for (const WorldSection& s : others) {
        if (!printable(s.tag) || std::ranges::count(sections, s.tag, &WorldSection::tag) > 0) {
            return refuse_world(ErrorCode::kBadValue, {},
                                "section " + name_of(s.tag) + " needs a unique name of four printable characters");
        }
        sections.push_back(s);
    }
    if (sections.size() > kMaxWorldSections) return refuse_world(ErrorCode::kTooLarge, {}, "a world file has at most 64 sections");
    return join_sections(sections);
}

constinit const MapFormat detail::kTerraneFormat{
    .name = "Terrane world",
    .extensions = ".terrane",
    .summary = "compact binary with names, colours and checksums; may contain a world's regions",
    .detect = is_world_file,
    .max_bytes = [](const MapOptions&) { return kMaxWorldBytes; },
    .parse = [](const MapSource& source) { return parse_world(source.bytes, source.options, source.file); },
    .format = [](const GridSnapshot& grid) { return format_world(grid); },
};

}  // namespace terrane
