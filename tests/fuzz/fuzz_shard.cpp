// Assembling the shards of a path database: accepted shards are safe to search, and read back the same. Corrects the identification of the
// build and the checksum, which would otherwise reject every mutated input.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/checksum.h"
#include "require.h"
#include "terrane/base/file.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/path_database_shards.h"

namespace terrane {

namespace {

constexpr size_t kHead = 28;  // magic, version, shards, number, fingerprint

std::string folder() {
    const char* memory = "/dev/shm";  // if it exists
    const std::filesystem::path place = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path().c_str();
    return (place / ("terrane-fuzz-shard-" + std::to_string(getpid()))).string();
}

GridSnapshot make_map() {
    std::vector<Terrain> cells(11 * 9, 1);
    for (size_t i = 0; i < cells.size(); i += 7) cells[i] = static_cast<Terrain>(i % 3);
    return TerrainGrid(11, 9, cells).snapshot();
}

CostTable make_costs(const Catalogue& catalogue) {
    return Profile().blocked(catalogue[0].name).cost(catalogue[2].name, 2.5).compile(catalogue).value();
}

// A build of one shard in a separate folder.
struct Build {
    const GridSnapshot grid = make_map();
    const CostTable costs = make_costs(grid.catalogue());
    const PathDatabaseShards shards =
        PathDatabaseShards::open(PathDatabasePlan::make({grid, costs, Movement::kEightNoCornerCutting}, {}).value(), folder(), 1).value();
    const std::string file = shards.folder() + "/shard-0000";
    std::string own;  // the valid content of the file

    Build() {
        PathDatabasePlan::Scratch scratch;
        require(shards.make(0, scratch).has_value(), "a shard can be built");
        own = read_file(file, 1 << 20).value();
    }
    Build(const Build&) = delete;
    Build& operator=(const Build&) = delete;
    ~Build() { static_cast<void>(shards.remove()); }
};

void require_moves(const PathDatabase& database) {
    const GridLayout& layout = database.grid().layout();
    for (int32_t to = 0; to < 99; ++to) {
        const PathDatabase::Towards towards = database.towards(layout.id({to % 11, to / 11}));
        for (int32_t from = 0; from < 99; ++from) require(towards(layout.id({from % 11, from / 11})) <= kNoMove, "a move is valid");
    }
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    static const Build with;
    std::string bytes(reinterpret_cast<const char*>(data), size);
    if (bytes.size() >= kHead + 8) {
        bytes.replace(0, kHead, with.own, 0, kHead);
        bytes.resize(bytes.size() - 8);
        detail::put_u64(bytes, detail::checksum(bytes));
    }
    require(write_file(with.file, bytes).has_value(), "a file can be written");
    const auto database = with.shards.assemble();
    if (!database) {
        require(database.error().file.starts_with(with.shards.folder()), "an error names its file");
        return require_valid_error(database.error(), database.error().file.c_str()), 0;
    }
    require_moves(*database);
    const auto again =
        parse_path_database(format_path_database(*database), {with.grid, with.costs, Movement::kEightNoCornerCutting}, PathFileCheck::kAll);
    require(again.has_value(), "an assembled database can be written and read back");
    return 0;
}
