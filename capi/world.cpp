// Creation of worlds in C: from cells, files, pictures and generators.
#include "handles.h"
#include "terrane/io/image_map.h"
#include "terrane/mapgen/mapgen.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

constexpr uint32_t kMaxThreads = 256;
constexpr int32_t kAnyColour = 442;  // maximum colour distance: every pixel takes the nearest colour

Error bad_value(std::string reason) { return {ErrorCode::kBadValue, {}, 0, std::move(reason)}; }

std::optional<Error> check_size(int32_t width, int32_t height) {
    const auto ok = [](int32_t side) { return side >= 1 && side <= kMaxSide; };
    if (!ok(width) || !ok(height)) return bad_value("invalid map size: expected 1 to " + std::to_string(kMaxSide) + " cells a side");
    const uint64_t cells = uint64_t{1} * static_cast<uint32_t>(width) * static_cast<uint32_t>(height);
    if (cells <= kMaxMapCells) return std::nullopt;
    return Error{ErrorCode::kTooLarge, {}, 0, "the map is too large: at most " + std::to_string(kMaxMapCells) + " cells on this system"};
}

Result<WorldOptions> world_options_of(const terrane_world_options& all) {
    if ((all.allocate == nullptr) != (all.deallocate == nullptr)) return bad_value("set both `allocate` and `deallocate`, or neither");
    WorldOptions options;
    options.threads = std::clamp(all.threads, 1u, kMaxThreads);
    std::vector<uint32_t> sectors;
    for (const uint32_t sector : all.sectors) {
        if (sector == 0) continue;
        if (sector < kMinSector || sector > kMaxSector)
            return bad_value("invalid sector size " + std::to_string(sector) + ": expected 4 to 128 cells");
        if (std::ranges::find(sectors, sector) != sectors.end())
            return bad_value("sector size " + std::to_string(sector) + " is given twice");
        sectors.push_back(sector);
    }
    if (!sectors.empty()) options.sectors = std::move(sectors);
    if (all.no_regions != 0) options.sectors.clear();
    return options;
}

// Makes a world of the result of load(). Checks the options first.
template <class Load>
terrane_world* make(const terrane_world_options* options, terrane_error* error, Load&& load) {
    return guarded_or<terrane_world*>(nullptr, error, [&]() -> terrane_world* {
        const auto known = options_of(options, "terrane_world_options");
        if (!known) return refuse(known.error(), error), nullptr;
        const terrane_world_options& all = *known;
        auto with = world_options_of(all);
        if (!with) return refuse(with.error(), error), nullptr;
        std::unique_ptr<UserAllocator> allocator = all.allocate == nullptr ? nullptr : std::make_unique<UserAllocator>(all);
        with->memory = allocator.get();
        const MemoryScope scope(with->memory);
        Result<SavedWorld> saved = load();
        if (!saved) return refuse(saved.error(), error), nullptr;
        Result<std::unique_ptr<World>> world = make_world(std::move(*saved), *with);
        if (!world) return refuse(world.error(), error), nullptr;
        return terrane_world::make(std::move(allocator), std::move(*world));
    });
}

Result<SavedWorld> without_regions(Result<TerrainGrid>&& grid) {
    if (!grid) return grid.error();
    return SavedWorld{std::move(*grid), {}};
}

// ---- from cells

Result<Catalogue> catalogue_of(const terrane_terrain* terrains, uint32_t count) {
    if (count == 0) return Catalogue::standard();
    if (terrains == nullptr || count > kMaxTerrains) return bad_value("invalid catalogue: expected 1 to 255 terrains");
    const size_t step = terrains->size;  // may be that of a later version with more fields
    if (!has_size(*terrains)) return wrong_size("terrane_terrain", terrains->size, sizeof(terrane_terrain));
    Catalogue catalogue;
    for (uint32_t i = 0; i < count; ++i) {
        terrane_terrain t;
        std::memcpy(&t, reinterpret_cast<const char*>(terrains) + i * step, sizeof t);
        const auto added = catalogue.add({std::string(text_of(t.name)), t.letter, {t.r, t.g, t.b}});
        if (!added) return added.error();
    }
    return catalogue;
}

Result<SavedWorld> from_cells(int32_t width, int32_t height, const uint8_t* cells, Result<Catalogue> catalogue) {
    if (auto wrong = check_size(width, height)) return std::move(*wrong);
    if (!catalogue) return catalogue.error();
    if (cells == nullptr) return bad_value("cells is NULL");
    const std::span<const Terrain> all(cells, static_cast<size_t>(width) * static_cast<size_t>(height));
    const auto unknown = std::ranges::find_if(all, [&](Terrain t) { return t >= catalogue->size(); });
    if (unknown == all.end()) return SavedWorld{TerrainGrid(width, height, all, std::move(*catalogue)), {}};
    const auto at = static_cast<size_t>(unknown - all.begin()), row = static_cast<size_t>(width);
    return bad_value("cell " + std::to_string(at % row) + "," + std::to_string(at / row) + " has terrain " + std::to_string(*unknown) +
                     ": the catalogue has " + std::to_string(catalogue->size()));
}

// ---- from pictures and files

TerrainGrid merged(const TerrainGrid& grid, uint32_t merge) {
    const GridSnapshot map = grid.snapshot();
    std::vector<Terrain> cells = map.cells();
    merge_small_areas(cells, map.width(), map.height(), merge);
    return {map.width(), map.height(), cells, map.catalogue()};
}

Palette standard_palette() {
    Palette palette = Palette::of(Catalogue::standard());
    palette.transparent = palette.catalogue.find("black");
    return palette;
}

Result<SavedWorld> from_pixels(int32_t width, int32_t height, const uint8_t* rgba, uint32_t merge) {
    if (auto wrong = check_size(width, height)) return std::move(*wrong);
    if (rgba == nullptr) return bad_value("rgba is NULL");
    static_assert(sizeof(Rgba) == 4);
    Image image{width, height, std::vector<Rgba>(static_cast<size_t>(width) * static_cast<size_t>(height))};
    std::memcpy(image.pixels.data(), rgba, image.pixels.size() * sizeof(Rgba));
    auto grid = map_from_image(image, standard_palette(), kAnyColour);
    if (!grid) return grid.error();
    return SavedWorld{merge > 1 ? merged(*grid, merge) : std::move(*grid), {}};
}

// A string of the i-th map format; null if i is out of range.
const char* text_of_format(uint32_t i, const char* MapFormat::*text) {
    return i < map_formats().size() ? map_formats()[i]->*text : nullptr;
}

Result<SavedWorld> from_bytes(std::string_view bytes, std::string_view name) {
    const Palette palette = standard_palette();
    return parse_saved_world(bytes, {.palette = &palette, .tolerance = kAnyColour}, name);
}

Result<SavedWorld> from_file(std::string_view file) {
    const Palette palette = standard_palette();
    return load_saved_world(std::string(file), {.palette = &palette, .tolerance = kAnyColour});
}

// ---- generated

// The value, or `fallback` if it is 0.
int32_t or_default(int32_t value, int32_t fallback) { return value != 0 ? value : fallback; }

template <class Options>
Options sized(const terrane_generator& g) {
    Options options;
    options.width = or_default(g.width, options.width);
    options.height = or_default(g.height, options.height);
    options.seed = g.seed;
    return options;
}

Result<TerrainGrid> generate_grid(const terrane_generator& g) {
    switch (g.kind) {
        case TERRANE_ISLAND: {
            auto options = sized<IslandOptions>(g);
            options.polygon = g.detail;
            return generate_island(options);
        }
        case TERRANE_ROOMS: {
            auto options = sized<RoomsOptions>(g);
            options.room = or_default(g.detail, options.room);
            return generate_rooms(options);
        }
        case TERRANE_MAZE: {
            auto options = sized<MazeOptions>(g);
            options.corridor = or_default(g.detail, options.corridor);
            return generate_maze(options);
        }
        case TERRANE_RANDOM: {
            auto options = sized<RandomOptions>(g);
            options.density = or_default(g.detail, options.density);
            return generate_random(options);
        }
        case TERRANE_SCATTER: {
            auto options = sized<ScatterOptions>(g);
            options.terrains = or_default(g.terrains, options.terrains);
            return generate_scatter(options);
        }
        case TERRANE_VORONOI: {
            auto options = sized<VoronoiOptions>(g);
            options.sites = or_default(g.detail, options.sites);
            options.terrains = or_default(g.terrains, options.terrains);
            return generate_voronoi(options);
        }
        default:
            return bad_value("invalid generator kind " + std::to_string(g.kind) + ": expected 0 to " + std::to_string(TERRANE_VORONOI));
    }
}

Result<SavedWorld> generate(const terrane_generator& g) {
    if (auto wrong = check_size(or_default(g.width, 1), or_default(g.height, 1))) return std::move(*wrong);
    return without_regions(generate_grid(g));
}

Result<SavedWorld> copy_of(const terrane_world* world) {
    if (world == nullptr) return bad_value("world is NULL");
    const GridSnapshot map = world->world.grid();
    return SavedWorld{TerrainGrid(map.width(), map.height(), map.cells(), map.catalogue()), {}};
}

}  // namespace

terrane_world* terrane_world_from_cells(int32_t width, int32_t height, const uint8_t* cells, const terrane_terrain* terrains,
                                        uint32_t terrain_count, const terrane_world_options* options, terrane_error* error) {
    return make(options, error, [&] { return from_cells(width, height, cells, catalogue_of(terrains, terrain_count)); });
}

terrane_world* terrane_world_from_bytes(const void* bytes, size_t size, const char* name, const terrane_world_options* options,
                                        terrane_error* error) {
    if (bytes == nullptr && size > 0) return refuse_null(error), nullptr;
    return make(options, error, [&] { return from_bytes({static_cast<const char*>(bytes), size}, text_or_empty(name)); });
}

terrane_world* terrane_world_load(const char* file, const terrane_world_options* options, terrane_error* error) {
    if (file == nullptr) return refuse_null(error), nullptr;
    return make(options, error, [&] { return from_file(file); });
}

uint32_t terrane_map_format_count(void) { return static_cast<uint32_t>(map_formats().size()); }
const char* terrane_map_format_name(uint32_t i) { return text_of_format(i, &MapFormat::name); }
const char* terrane_map_format_extensions(uint32_t i) { return text_of_format(i, &MapFormat::extensions); }
const char* terrane_map_format_summary(uint32_t i) { return text_of_format(i, &MapFormat::summary); }
const char* terrane_map_format_missing(uint32_t i) { return text_of_format(i, &MapFormat::missing); }

terrane_world* terrane_world_from_pixels(int32_t width, int32_t height, const uint8_t* rgba, uint32_t merge,
                                         const terrane_world_options* options, terrane_error* error) {
    return make(options, error, [&] { return from_pixels(width, height, rgba, merge); });
}

terrane_world* terrane_world_generate(const terrane_generator* generator, const terrane_world_options* options, terrane_error* error) {
    return make(options, error, [&]() -> Result<SavedWorld> {
        auto with = options_of(generator, "terrane_generator");
        if (!with) return with.error();
        if (generator == nullptr) with->seed = IslandOptions{}.seed;
        return generate(*with);
    });
}

terrane_world* terrane_world_copy(const terrane_world* world, const terrane_world_options* options, terrane_error* error) {
    return make(options, error, [&] { return copy_of(world); });
}

void terrane_world_free(terrane_world* world) { terrane_world::free(world); }
