// The layout is in docs/formats.md: a header that ends with its own checksum, then the rows as they are in memory.
#include "terrane/cpd/path_database_file.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/bytes.h"
#include "base/checksum.h"
#include "base/mapped_file.h"
#include "cpd/path_database_data.h"
#include "grid/grid_checksum.h"
#include "terrane/base/file.h"

namespace terrane {

using detail::ByteReader;

namespace {

// Like PNG's signature: a first byte that is no text, and line ends that a transfer in text mode would corrupt.
constexpr std::string_view kMagic("\x89TPD\r\n\x1a\n", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kFixedBytes = 68;  // header bytes before the targets
constexpr size_t kChecksumBytes = 8;
constexpr size_t kAlignment = 64;  // of the rows

struct Header {
    PathFileInfo info;
    uint64_t rows_checksum = 0;
    std::string_view targets;  // runs of cells in row-major order; none if `everywhere`
};

Error refuse(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

uint64_t costs_checksum(const GridSnapshot& grid, const CostTable& costs) {
    uint64_t hash = 0;
    for (uint32_t t = 0; t < kOutside; ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (grid.count(terrain) > 0) hash = detail::mix_word(hash, uint64_t{t} << 32 | costs.hundredths(terrain));
    }
    return hash;
}

std::string size_text(int32_t width, int32_t height) { return std::to_string(width) + " x " + std::to_string(height); }

// ---- targets: alternating gaps and runs of cells, in row-major order

std::string format_targets(const PathTargets& targets, const GridLayout& layout) {
    std::vector<uint64_t> cells;
    cells.reserve(targets.cells.size());
    for (const Cell c : targets.cells)
        cells.push_back(static_cast<uint64_t>(c.y) * static_cast<uint64_t>(layout.width) + static_cast<uint64_t>(c.x));
    std::ranges::sort(cells);
    std::string out;
    uint64_t written = 0;  // cells before this one are encoded
    for (size_t i = 0; i < cells.size();) {
        size_t end = i + 1;
        while (end < cells.size() && cells[end] == cells[end - 1] + 1) ++end;
        detail::put_number(out, cells[i] - written);
        detail::put_number(out, end - i);
        written = cells[end - 1] + 1;
        i = end;
    }
    return out;
}

// Calls visit(first, count) for each run. Returns false if a run is empty or off the map, or if the runs do not have info.targets cells in
// total.
template <class Visit>
bool read_targets(const PathFileInfo& info, std::string_view bytes, Visit&& visit) {
    ByteReader in(bytes);
    const uint64_t cells = static_cast<uint64_t>(info.width) * static_cast<uint64_t>(info.height);
    uint64_t at = 0, seen = 0;
    while (seen < info.targets) {
        const uint64_t gap = in.number(), run = in.number();
        if (in.failed() || run == 0 || (gap == 0 && seen > 0) || gap + run > cells - at || run > info.targets - seen) return false;
        visit(at + gap, run);
        at += gap + run;
        seen += run;
    }
    return in.rest().find_first_not_of('\0') == std::string_view::npos;
}

// Extends the bounding rectangle of the targets by a run.
void add_bounds(PathFileInfo& info, uint64_t first, uint64_t count) {
    const auto width = static_cast<uint64_t>(info.width);
    const auto top = static_cast<int32_t>(first / width), rows = static_cast<int32_t>((first + count - 1) / width) + 1 - top;
    const Rect run =
        rows > 1 ? Rect({0, top}, {info.width, rows}) : Rect({static_cast<int32_t>(first % width), top}, {static_cast<int32_t>(count), 1});
    info.target_bounds = hull(info.target_bounds, run);
}

PathTargets targets_of(const Header& header) {
    if (header.info.everywhere) return PathTargets::everywhere();
    std::vector<Cell> cells;
    cells.reserve(header.info.targets);
    const auto width = static_cast<uint64_t>(header.info.width);
    static_cast<void>(read_targets(header.info, header.targets, [&](uint64_t first, uint64_t count) {
        for (uint64_t i = first; i < first + count; ++i)
            cells.push_back({static_cast<int32_t>(i % width), static_cast<int32_t>(i / width)});
    }));
    return PathTargets::these(std::move(cells));
}

// ---- writing

std::string format_header(const PathDatabase& database, std::string_view rows) {
    const PathTargets goals = detail::path_targets(database);
    const std::string targets = goals.all ? std::string() : format_targets(goals, database.grid().layout());
    const size_t length = (kFixedBytes + targets.size() + kChecksumBytes + kAlignment - 1) / kAlignment * kAlignment;
    const GridSnapshot& grid = database.grid();
    std::string out(kMagic);
    out.reserve(length);
    detail::put_u32(out, kVersion);
    detail::put_u32(out, static_cast<uint32_t>(length));
    detail::put_u64(out, length + rows.size());
    detail::put_u64(out, detail::checksum(rows));
    detail::put_u32(out, static_cast<uint32_t>(grid.width()));
    detail::put_u32(out, static_cast<uint32_t>(grid.height()));
    detail::put_fixed(out, static_cast<uint64_t>(database.ground().movement()), 1);
    detail::put_fixed(out, static_cast<uint64_t>(database.encoding()), 1);
    detail::put_fixed(out, static_cast<uint64_t>(database.order()), 1);
    detail::put_fixed(out, goals.all ? 1 : 0, 1);
    detail::put_u32(out, database.nodes());
    detail::put_u32(out, database.targets());
    detail::put_u64(out, detail::grid_checksum(grid));
    detail::put_u64(out, costs_checksum(grid, database.ground().costs()));
    out += targets;
    out.resize(length - kChecksumBytes);
    detail::put_u64(out, detail::checksum(out));
    return out;
}

// ---- reading

// Checks that the header is complete and matches its checksum.
std::optional<Error> check_frame(std::string_view bytes, std::string_view file) {
    if (!bytes.starts_with(kMagic)) {
        const bool cut = bytes.size() < kMagic.size() && kMagic.starts_with(bytes);
        return cut ? refuse(ErrorCode::kTruncated, file, "truncated: the file ends within its signature")
                   : refuse(ErrorCode::kBadHeader, file, "not a path database: wrong signature");
    }
    ByteReader in(bytes.substr(kMagic.size()));
    const uint32_t version = in.u32(), header = in.u32();
    const uint64_t length = in.u64();
    if (in.failed()) return refuse(ErrorCode::kTruncated, file, "truncated: the file ends within its header");
    if (version != kVersion) {
        return refuse(ErrorCode::kUnsupported, file,
                      "unsupported format version " + std::to_string(version) + ": expected " + std::to_string(kVersion));
    }
    if (length != bytes.size()) {
        return refuse(length > bytes.size() ? ErrorCode::kTruncated : ErrorCode::kTrailing, file,
                      "the file has " + std::to_string(bytes.size()) + " bytes, but its header says " + std::to_string(length));
    }
    if (header < kFixedBytes + kChecksumBytes || header % kAlignment != 0 || header > bytes.size()) {
        return refuse(ErrorCode::kBadHeader, file, "invalid header length of " + std::to_string(header) + " bytes");
    }
    const std::string_view covered = bytes.substr(0, header - kChecksumBytes);
    if (detail::read_word<uint64_t>(covered.data() + covered.size()) != detail::checksum(covered)) {
        return refuse(ErrorCode::kBadValue, file, "the header does not match its checksum: the file was altered or damaged");
    }
    return std::nullopt;
}

// Reads an enumerator. Returns false if it is greater than `last`.
template <class Enum>
bool read_enum(ByteReader& in, Enum last, Enum& out) {
    const uint8_t value = in.u8();
    out = static_cast<Enum>(value);
    return value <= static_cast<uint8_t>(last);
}

Result<Header> read_header(std::string_view bytes, std::string_view file) {
    if (auto error = check_frame(bytes, file)) return *std::move(error);
    const auto length = detail::read_word<uint32_t>(bytes.data() + kMagic.size() + 4);
    ByteReader in(bytes.substr(0, length - kChecksumBytes));
    static_cast<void>(in.take(kMagic.size()));
    Header header;
    PathFileInfo& info = header.info;
    info.version = in.u32();
    info.header_bytes = in.u32();
    info.file_bytes = in.u64();
    header.rows_checksum = in.u64();
    const uint32_t width = in.u32(), height = in.u32();
    const bool known = read_enum(in, Movement::kFour, info.movement) && read_enum(in, PathEncoding::kSmall, info.encoding) &&
                       read_enum(in, PathOrder::kHilbert, info.order);
    const uint8_t everywhere = in.u8();
    info.nodes = in.u32();
    info.targets = in.u32();
    info.map_checksum = in.u64();
    info.costs_checksum = in.u64();
    header.targets = in.rest();
    if (!known || info.order == PathOrder::kChoose || everywhere > 1) {
        return refuse(ErrorCode::kUnsupported, file, "the header has a movement rule, encoding or order that this version does not know");
    }
    if (width == 0 || height == 0 || width > kMaxSide || height > kMaxSide || info.nodes > uint64_t{width} * height ||
        info.targets > info.nodes || (everywhere == 1 && info.targets != info.nodes)) {
        return refuse(ErrorCode::kBadValue, file, "the map size, node count and target count of the header contradict each other");
    }
    info.width = static_cast<int32_t>(width);
    info.height = static_cast<int32_t>(height);
    info.everywhere = everywhere == 1;
    if (info.everywhere) info.target_bounds = {{0, 0}, {info.width, info.height}};
    PathFileInfo listed = info;
    listed.targets = info.everywhere ? 0 : info.targets;
    if (!read_targets(listed, header.targets, [&](uint64_t first, uint64_t count) { add_bounds(info, first, count); })) {
        return refuse(ErrorCode::kBadValue, file, "the header does not list " + std::to_string(listed.targets) + " targets");
    }
    return header;
}

std::optional<Error> check_rows(const Header& header, std::string_view bytes, PathFileCheck check, std::string_view file) {
    if (check == PathFileCheck::kHeader ||
        detail::checksum(bytes.substr(static_cast<size_t>(header.info.header_bytes))) == header.rows_checksum) {
        return std::nullopt;
    }
    return refuse(ErrorCode::kBadValue, file, "the rows do not match their checksum: the file was altered or damaged");
}

std::optional<Error> check_ground(const PathFileInfo& info, const Ground& ground, std::string_view file) {
    if (info.width != ground.grid().width() || info.height != ground.grid().height()) {
        return refuse(ErrorCode::kBadValue, file,
                      "built for a map of " + size_text(info.width, info.height) + " cells; this one has " +
                          size_text(ground.grid().width(), ground.grid().height()));
    }
    if (info.map_checksum != detail::grid_checksum(ground.grid())) {
        return refuse(ErrorCode::kBadValue, file, "built for another map of the same size: the cells differ");
    }
    if (info.costs_checksum != costs_checksum(ground.grid(), ground.costs())) {
        return refuse(ErrorCode::kBadValue, file, "built for another profile: the terrain costs differ");
    }
    if (info.movement != ground.movement()) {
        return refuse(ErrorCode::kBadValue, file,
                      std::string("built for movement '") + to_string(info.movement) + "', not '" + to_string(ground.movement()) + "'");
    }
    return std::nullopt;
}

// `owner` keeps the bytes alive.
Result<PathDatabase> read_database(std::string_view bytes, std::shared_ptr<const void> owner, const Ground& ground, PathFileCheck check,
                                   std::string_view file) {
    const auto header = read_header(bytes, file);
    if (!header) return header.error();
    const PathFileInfo& info = header->info;
    if (auto error = check_ground(info, ground, file)) return *std::move(error);
    if (auto error = check_rows(*header, bytes, check, file)) return *std::move(error);
    auto database = detail::path_database_from_image(ground, info.encoding, info.order, targets_of(*header),
                                                     bytes.substr(static_cast<size_t>(info.header_bytes)), std::move(owner));
    if (!database) return refuse(database.error().code, file, database.error().reason);
    if (database->nodes() != info.nodes || database->targets() != info.targets) {
        return refuse(ErrorCode::kBadValue, file, "the node or target count of the header does not match the map");
    }
    return database;
}

}  // namespace

Result<void> save_path_database(const PathDatabase& database, const std::string& path) {
    const std::string_view rows = detail::path_image(database);
    const std::string header = format_header(database, rows);
    return write_file(path, std::array<std::string_view, 2>{header, rows});
}

std::string format_path_database(const PathDatabase& database) {
    const std::string_view rows = detail::path_image(database);
    std::string bytes = format_header(database, rows);
    bytes += rows;
    return bytes;
}

Result<PathDatabase> open_path_database(const std::string& path, const Ground& ground, PathFileCheck check) {
    auto mapped = detail::MappedFile::open(path);
    if (!mapped) return mapped.error();
    const std::string_view bytes = (*mapped)->bytes();
    return read_database(bytes, *std::move(mapped), ground, check, path);
}

Result<PathDatabase> parse_path_database(std::string bytes, const Ground& ground, PathFileCheck check, std::string_view file) {
    const auto owner = std::make_shared<const std::string>(std::move(bytes));
    return read_database(*owner, owner, ground, check, file);
}

Result<PathFileInfo> inspect_path_database(const std::string& path, PathFileCheck check) {
    const auto mapped = detail::MappedFile::open(path);
    if (!mapped) return mapped.error();
    const std::string_view bytes = (*mapped)->bytes();
    auto header = read_header(bytes, path);
    if (!header) return header.error();
    if (auto error = check_rows(*header, bytes, check, path)) return *std::move(error);
    return header->info;
}

}  // namespace terrane
