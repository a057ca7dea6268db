// Worlds in C: queries, edits and saving.
#include "base/text.h"
#include "grid/grid_checksum.h"
#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

// Writes the effects of an edit to `out`, if it is not null, and stores the repaired sectors and the broken watches.
void report(terrane_world& world, WorldEdit done, terrane_edit* out) {
    terrane_edit result{};
    result.cells = static_cast<uint32_t>(done.grid.cells_changed);
    result.version = done.grid.after.version();
    result.broken = done.broken.size();
    for (const RepairReport& r : done.repairs) {
        result.sectors += static_cast<uint32_t>(r.sectors.size()) - r.sectors_reconnected;
        result.reconnected += r.sectors_reconnected;
    }
    if (out != nullptr) static_cast<void>(write_struct(result, out));
    world.broken = std::move(done.broken);
    world.repaired.clear();
    if (!done.repairs.empty()) world.repaired = std::move(done.repairs[0].sectors);
}

// Reads out.size() cells of row `y` from column `x` on.
void read_row(const GridSnapshot& grid, int32_t x, int64_t y, std::span<uint8_t> out) {
    std::ranges::fill(out, kOutside);
    if (y < 0 || y >= grid.height()) return;
    const auto row = static_cast<int32_t>(y);
    const Rect seen = intersection({{x, row}, {static_cast<int32_t>(out.size()), 1}}, grid.layout().rect());
    if (!seen.empty()) grid.copy_row(seen.corner(), static_cast<uint32_t>(seen.width), out.data() + (int64_t{seen.x} - x));
}

Result<std::string> saved(const terrane_world& world, std::string_view format) {
    if (format == "terrane") return format_world(world.world.snapshot());  // with its regions
    const std::string name = "world." + std::string(format);
    for (const MapFormat* each : map_formats()) {
        if (each->format != nullptr && each->has_extension(name) && format.find('.') == std::string_view::npos)
            return each->format(world.world.grid());
    }
    return Error{ErrorCode::kUnsupported,
                 {},
                 0,
                 "no map format " + detail::quote(format) + ": expected the extension, without its dot, of one of " +
                     list_map_formats(MapAccess::kWrite)};
}

}  // namespace

terrane_code terrane_world_get_info(const terrane_world* world, terrane_world_info* out, terrane_error* error) {
    if (world == nullptr) return answer_null(out, error);
    const GridSnapshot grid = world->world.grid();
    terrane_world_info info{};
    info.width = grid.width();
    info.height = grid.height();
    info.terrains = grid.catalogue().size();
    info.version = grid.version();
    info.bytes = world->world.bytes();
    info.checksum = detail::grid_checksum(grid);
    return answer(info, out, "terrane_world_info", error);
}

terrane_code terrane_world_get_terrain(const terrane_world* world, uint32_t terrain, terrane_terrain* out, terrane_error* error) {
    if (world == nullptr) return answer_null(out, error);
    const GridSnapshot grid = world->world.grid();
    if (terrain >= grid.catalogue().size()) return refuse_terrain(terrain, grid.catalogue().size(), error);
    const TerrainType& type = grid.catalogue()[static_cast<Terrain>(terrain)];
    terrane_terrain result{};
    static_assert(sizeof result.name == kMaxTerrainName + 1);
    type.name.copy(result.name, kMaxTerrainName);
    result.letter = type.letter;
    result.r = type.colour.r;
    result.g = type.colour.g;
    result.b = type.colour.b;
    return answer(result, out, "terrane_terrain", error);
}

int32_t terrane_world_find_terrain(const terrane_world* world, const char* name) {
    if (world == nullptr) return -1;
    const auto found = world->world.grid().catalogue().find(text_or_empty(name));
    return found ? *found : -1;
}

size_t terrane_world_read(const terrane_world* world, terrane_rect rect, uint8_t* out, size_t capacity) {
    const Rect wanted = rect_of(rect);
    if (world == nullptr || wanted.empty()) return 0;
    const auto width = static_cast<uint64_t>(wanted.width), cells = wanted.area();
    const GridSnapshot grid = world->world.grid();
    uint64_t left = out == nullptr ? 0 : std::min<uint64_t>(cells, capacity);
    for (int64_t y = wanted.y; left > 0; ++y) {
        const auto part = static_cast<size_t>(std::min(width, left));
        read_row(grid, wanted.x, y, {out, part});
        out += part;
        left -= part;
    }
    return static_cast<size_t>(std::min<uint64_t>(cells, std::numeric_limits<size_t>::max()));
}

terrane_code terrane_world_fill(terrane_world* world, terrane_rect rect, uint32_t terrain, terrane_edit* out, terrane_error* error) {
    if (world == nullptr) return refuse_null(error);
    if (const terrane_code code = check_out(out, "terrane_edit", error); code != TERRANE_OK) return code;
    return guarded(error, [&]() -> terrane_code {
        const GridSnapshot grid = world->world.grid();
        if (terrain >= grid.catalogue().size()) return refuse_terrain(terrain, grid.catalogue().size(), error);
        report(*world, world->world.fill(intersection(rect_of(rect), grid.layout().rect()), static_cast<Terrain>(terrain)), out);
        return TERRANE_OK;
    });
}

terrane_code terrane_world_apply(terrane_world* world, const terrane_cell_edit* edits, size_t count, terrane_edit* out,
                                 terrane_error* error) {
    if (world == nullptr || (edits == nullptr && count > 0)) return refuse_null(error);
    if (const terrane_code code = check_out(out, "terrane_edit", error); code != TERRANE_OK) return code;
    return guarded(error, [&]() -> terrane_code {
        const uint32_t terrains = world->world.grid().catalogue().size();
        std::vector<CellEdit> all;
        all.reserve(count);
        for (const terrane_cell_edit& e : std::span(edits, count)) {
            if (e.terrain >= terrains) return refuse_terrain(e.terrain, terrains, error);
            all.push_back({{e.x, e.y}, static_cast<Terrain>(e.terrain)});
        }
        report(*world, world->world.apply(all), out);
        return TERRANE_OK;
    });
}

size_t terrane_world_repaired(const terrane_world* world, terrane_rect* out, size_t capacity) {
    if (world == nullptr || world->repaired.empty()) return 0;
    const WorldSnapshot now = world->world.snapshot();
    ListWriter writer(out, capacity);
    for (const uint32_t sector : world->repaired) writer.add(rect_to(now.all_regions()[0].sector_rect(sector)));
    return writer.count();
}

size_t terrane_world_save(const terrane_world* world, const char* format, void* out, size_t capacity, terrane_error* error) {
    if (world == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        const auto bytes = saved(*world, text_or_empty(format));
        if (!bytes) return refuse(bytes.error(), error), 0;
        if (out != nullptr && bytes->size() <= capacity) std::memcpy(out, bytes->data(), bytes->size());
        return bytes->size();
    });
}

terrane_code terrane_world_save_file(const terrane_world* world, const char* file, terrane_error* error) {
    if (world == nullptr || file == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const std::string path(file);
        const auto written = path.ends_with(".terrane") ? save_world(path, world->world.snapshot()) : save_map(path, world->world.grid());
        return written ? terrane_code{TERRANE_OK} : refuse(written.error(), error);
    });
}
