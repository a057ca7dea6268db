// terrane_world_from_bytes, and the use of an untrusted world: reads it, edits it, finds paths, saves it and reads it back. Corrects
// checksums first; skips inputs that declare more than 2^16 cells.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrane/io/image_map.h"
#include "terrane/io/tiled_map.h"
#include "terrane/world/world_io.h"
#include "terrane_c.h"
#include "world_checksums.h"

namespace terrane {

namespace {

constexpr uint64_t kCells = 1 << 16;

bool too_large(const std::string& bytes) {
    const auto too = [](const auto& read) { return !read && read.error().code == ErrorCode::kTooLarge; };
    TiledOptions tiled;
    tiled.max_cells = kCells;
    return too(parse_saved_world(bytes, {Letters::kGuess, kCells})) || too(parse_tiled(bytes, tiled)) || too(decode_png(bytes, kCells));
}

terrane_world* open(const std::string& bytes) {
    terrane_world_options options{};
    options.size = sizeof options;
    options.sectors[0] = 8;
    terrane_error error{};
    error.size = sizeof error;
    terrane_world* world = terrane_world_from_bytes(bytes.data(), bytes.size(), "fuzz", &options, &error);
    require((world == nullptr) == (error.code != TERRANE_OK), "an error has a code");
    require(world != nullptr || error.message[0] != 0, "an error has a reason");
    require(world != nullptr || error.code != TERRANE_NO_MEMORY, "a small file takes little memory");
    return world;
}

std::string saved(const terrane_world* world) {
    std::string bytes(terrane_world_save(world, "terrane", nullptr, 0, nullptr), '\0');
    require(!bytes.empty() && terrane_world_save(world, "terrane", bytes.data(), bytes.size(), nullptr) == bytes.size(),
            "a world can be saved");
    return bytes;
}

void query(terrane_world* world, const terrane_world_info& info) {
    terrane_profile* deer = terrane_profile_preset("deer", nullptr);
    terrane_planner* planner = terrane_planner_new(world, nullptr);
    terrane_path* path = terrane_path_new(nullptr);
    for (const char* method : {"dta:8", "astar"}) {
        terrane_find_options options{};
        options.size = sizeof options;
        options.max_expansions = 2000;
        std::copy_n(method, std::string_view(method).size(), options.method);
        require(terrane_find(planner, {0, 0}, {info.width - 1, info.height - 1}, deer, &options, path, nullptr) == TERRANE_OK,
                "a query runs");
    }
    terrane_path_free(path);
    terrane_planner_free(planner);
    terrane_profile_free(deer);
}

uint64_t checksum_of(const terrane_world* world) {
    terrane_world_info info{};
    info.size = sizeof info;
    terrane_world_get_info(world, &info, nullptr);
    return info.checksum;
}

void use(terrane_world* world) {
    terrane_world_info info{};
    info.size = sizeof info;
    terrane_world_get_info(world, &info, nullptr);
    const auto width = static_cast<size_t>(info.width), height = static_cast<size_t>(info.height);
    require(width >= 1 && height >= 1 && width * height <= kCells && info.terrains >= 1, "a world has a size");
    std::vector<uint8_t> cells(width * height);
    require(terrane_world_read(world, {0, 0, info.width, info.height}, cells.data(), cells.size()) == cells.size(), "cells can be read");
    for (const uint8_t cell : cells) require(cell < info.terrains, "a cell is a terrain");
    query(world, info);
    require(terrane_world_fill(world, {info.width / 2, -3, 2, info.height}, cells.back(), nullptr, nullptr) == TERRANE_OK,
            "an edit succeeds");
    terrane_world* again = open(saved(world));
    require(again != nullptr && checksum_of(again) == checksum_of(world), "a saved world reads back the same");
    terrane_world_free(again);
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.starts_with("\x89TRN")) bytes = fix_world_checksums(std::move(bytes));
    if (too_large(bytes)) return 0;
    terrane_world* world = open(bytes);
    if (world != nullptr) use(world);
    terrane_world_free(world);
    return 0;
}
