// The header documents the layout. Detour's tile data is stored as it is in memory.
#include "terrane/navmesh/navmesh_file.h"

#include <recastnavigation/DetourNavMesh.h>

#include <bit>
#include <optional>
#include <tuple>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "navmesh/building/tile_grid.h"
#include "navmesh/validation/tile_data.h"
#include "terrane/base/file.h"

namespace terrane {

using detail::ByteReader;

static_assert(std::endian::native == std::endian::little, "Detour tile data is stored as it is in memory");

namespace {

// Like PNG's: a non-ASCII byte, and line ends that a text-mode transfer would corrupt.
constexpr std::string_view kMagic("\x89TNM\r\n\x1a\n", 8);
constexpr uint32_t kVersion = 1;
constexpr size_t kFrameBytes = 28;  // not covered by the checksum

Error refuse_file(ErrorCode code, std::string_view file, std::string reason) { return {code, std::string(file), 0, std::move(reason)}; }

// ---- writing

void put_float(std::string& out, float value) { detail::put_u32(out, std::bit_cast<uint32_t>(value)); }

void put_params(std::string& out, const dtNavMeshParams& params) {
    for (const float f : params.orig) put_float(out, f);
    put_float(out, params.tileWidth);
    put_float(out, params.tileHeight);
    detail::put_u32(out, static_cast<uint32_t>(params.maxTiles));
    detail::put_u32(out, static_cast<uint32_t>(params.maxPolys));
}

void put_areas(std::string& out, const Catalogue& areas) {
    detail::put_u32(out, areas.size());
    for (const TerrainType& type : areas.types()) {
        detail::put_fixed(out, type.name.size(), 1);
        out += type.name;
        out += type.letter;
        for (const uint8_t part : {type.colour.r, type.colour.g, type.colour.b}) detail::put_fixed(out, part, 1);
    }
}

// ---- reading

std::optional<Error> check_frame(std::string_view bytes, std::string_view file) {
    if (!bytes.starts_with(kMagic)) {
        const bool cut = bytes.size() < kMagic.size() && kMagic.starts_with(bytes);
        return cut ? refuse_file(ErrorCode::kTruncated, file, "the file ends within its magic bytes")
                   : refuse_file(ErrorCode::kBadHeader, file, "not a Terrane navigation mesh: wrong magic bytes");
    }
    ByteReader in(bytes.substr(kMagic.size()));
    const uint32_t version = in.u32();
    const uint64_t length = in.u64(), sum = in.u64();
    if (in.failed()) return refuse_file(ErrorCode::kTruncated, file, "the file ends within its header");
    if (version != kVersion) {
        return refuse_file(ErrorCode::kUnsupported, file,
                           "unsupported format version " + std::to_string(version) + ": expected " + std::to_string(kVersion));
    }
    if (length != bytes.size()) {
        return refuse_file(length > bytes.size() ? ErrorCode::kTruncated : ErrorCode::kTrailing, file,
                           "the file has " + std::to_string(bytes.size()) + " bytes, but its header states " + std::to_string(length));
    }
    if (detail::checksum(in.rest()) != sum) {
        return refuse_file(ErrorCode::kBadValue, file, "the file does not match its checksum: it was altered or damaged");
    }
    return std::nullopt;
}

class NavmeshReader {
public:
    NavmeshReader(std::string_view bytes, std::string_view file) : in_(bytes), file_(file) {}

    Result<Navmesh> read() {
        if (!read_params()) return bad("invalid mesh parameters");
        if (!read_areas()) return bad("truncated list of areas, or invalid area names");
        auto mesh = detail::make_mesh(params_);
        if (!mesh) return refuse_file(mesh.error().code, file_, mesh.error().reason);
        if (auto error = read_tiles(**mesh)) return *std::move(error);
        return Navmesh(mesh->release(), std::move(areas_));
    }

private:
    Error bad(std::string reason) const { return refuse_file(ErrorCode::kBadValue, file_, std::move(reason)); }

    float read_float() { return std::bit_cast<float>(in_.u32()); }

    bool read_params() {
        for (float& f : params_.orig) f = read_float();
        params_.tileWidth = read_float();
        params_.tileHeight = read_float();
        params_.maxTiles = static_cast<int>(in_.u32());
        params_.maxPolys = static_cast<int>(in_.u32());
        return !in_.failed() && detail::valid_params(params_);
    }

    bool read_areas() {
        const uint32_t count = in_.u32();
        if (count > kMaxNavmeshAreas) return false;
        for (uint32_t i = 0; i < count; ++i) {
            TerrainType type;
            type.name = std::string(in_.take(in_.u8()));
            type.letter = static_cast<char>(in_.u8());
            type.colour.r = in_.u8();
            type.colour.g = in_.u8();
            type.colour.b = in_.u8();
            if (in_.failed() || !areas_.add(std::move(type))) return false;
        }
        return !in_.failed();
    }

    std::optional<Error> read_tiles(dtNavMesh& mesh) {
        const uint32_t count = in_.u32();
        if (count == 0 || count > static_cast<uint32_t>(params_.maxTiles)) return bad("no tiles, or more than the mesh parameters allow");
        std::vector<uint32_t> sizes;
        if (static_cast<uint64_t>(count) * 4 > in_.rest().size()) return bad("truncated list of tiles");
        sizes.reserve(count);
        for (uint32_t i = 0; i < count; ++i) sizes.push_back(in_.u32());
        std::optional<std::tuple<int, int, int>> last;
        for (const uint32_t size : sizes) {
            const std::string_view bytes = in_.take(size);
            if (in_.failed()) return bad("truncated tile data");
            if (auto error = add_tile(mesh, bytes, last)) return error;
        }
        if (!in_.rest().empty()) return refuse_file(ErrorCode::kTrailing, file_, "extra bytes after the last tile");
        return std::nullopt;
    }

    // `last` is the location of the previous tile.
    std::optional<Error> add_tile(dtNavMesh& mesh, std::string_view bytes, std::optional<std::tuple<int, int, int>>& last) {
        auto tile = detail::copy_valid_tile(bytes, params_);
        if (!tile) return refuse_file(tile.error().code, file_, tile.error().reason);
        const dtMeshHeader& header = detail::header_of(*tile);
        const std::tuple here(header.y, header.x, header.layer);
        if (last && !(*last < here)) return bad("tiles are not sorted, or two have the same location");
        last = here;
        if (!detail::add_tile(mesh, *tile)) return bad("Detour rejected a tile");
        return std::nullopt;
    }

    ByteReader in_;
    std::string_view file_;
    dtNavMeshParams params_{};
    Catalogue areas_;
};

}  // namespace

std::string format_navmesh(const Navmesh& navmesh) {
    const auto tiles = detail::tiles_in_order(navmesh.mesh());
    std::string body;
    put_params(body, *navmesh.mesh().getParams());
    put_areas(body, navmesh.areas());
    detail::put_u32(body, static_cast<uint32_t>(tiles.size()));
    for (const dtMeshTile* tile : tiles) detail::put_u32(body, static_cast<uint32_t>(tile->dataSize));
    for (const dtMeshTile* tile : tiles) detail::append_tile_data(body, *tile);
    std::string out(kMagic);
    out.reserve(kFrameBytes + body.size());
    detail::put_u32(out, kVersion);
    detail::put_u64(out, kFrameBytes + body.size());
    detail::put_u64(out, detail::checksum(body));
    return out += body;
}

Result<void> save_navmesh(const Navmesh& navmesh, const std::string& path) { return write_file(path, format_navmesh(navmesh)); }

Result<Navmesh> parse_navmesh(std::string_view bytes, std::string_view file) {
    if (auto error = check_frame(bytes, file)) return *std::move(error);
    return NavmeshReader(bytes.substr(kFrameBytes), file).read();
}

Result<Navmesh> load_navmesh(const std::string& path) {
    const auto bytes = read_file(path, kMaxNavmeshBytes);
    if (!bytes) return bytes.error();
    return parse_navmesh(*bytes, path);
}

}  // namespace terrane
