// parse_path_database: accepted databases are safe to search, and read back the same. The first byte selects a map. Corrects the fields
// that identify the map and the header's checksum, which would otherwise reject every mutated input.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksum.h"
#include "require.h"
#include "terrane/base/rng.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/grid/grid_graph.h"

namespace terrane {

namespace {

constexpr uint64_t kBudget = 2000;  // expansions, more than these maps have cells
constexpr size_t kHeaderLength = 12, kFileLength = 16, kSize = 32, kMovement = 40, kNodes = 44, kChecksums = 52, kTargets = 68;

struct Map {
    GridSnapshot grid;
    CostTable costs;
    Movement movement = Movement::kEightNoCornerCutting;
    std::string own;     // the database of this map
    GridSnapshot later;  // after edits: some cells blocked, some opened, some cheaper
};

// One cell; two rooms; patches of different costs; noise.
Map make_map(uint32_t kind) {
    constexpr Cell kSizes[] = {{1, 1}, {12, 6}, {9, 7}, {7, 8}};
    const Cell size = kSizes[kind];
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < size.y; ++y) {
        for (int32_t x = 0; x < size.x; ++x) {
            const auto noise = static_cast<Terrain>(mix64(static_cast<uint64_t>(y * 64 + x)) % 3);
            cells.push_back(kind == 1   ? static_cast<Terrain>(x == 5 && y != 3 ? 0 : 1)
                            : kind == 2 ? static_cast<Terrain>((x / 4 + y / 3) % 4)
                            : kind == 3 ? noise
                                        : Terrain{1});
        }
    }
    Map map;
    map.grid = TerrainGrid(size.x, size.y, cells).snapshot();
    const Catalogue& catalogue = map.grid.catalogue();
    map.costs = Profile().blocked(catalogue[0].name).cost(catalogue[2].name, 2.5).compile(catalogue).value();
    map.movement = static_cast<Movement>(kind % 3);
    map.own = format_path_database(build_path_database({map.grid, map.costs, map.movement}).value());
    for (size_t i = 1; i < cells.size(); i += 5) cells[i] = static_cast<Terrain>(i % 3);
    map.later = TerrainGrid(size.x, size.y, cells).snapshot();
    return map;
}

void put(std::string& bytes, size_t at, uint64_t value) {
    for (size_t i = 0; i < 8; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void fix_checksums(std::string& bytes, const Map& map) {
    if (bytes.size() < kTargets) return;
    put(bytes, kFileLength, bytes.size());
    bytes.replace(kSize, kMovement + 1 - kSize, map.own, kSize, kMovement + 1 - kSize);
    bytes.replace(kNodes, 4, map.own, kNodes, 4);
    bytes.replace(kChecksums, kTargets - kChecksums, map.own, kChecksums, kTargets - kChecksums);
    const auto header = detail::read_word<uint32_t>(bytes.data() + kHeaderLength);
    if (header < kTargets + 8 || header > bytes.size()) return;
    put(bytes, header - 8, detail::checksum(std::string_view(bytes).substr(0, header - 8)));
}

// Hashes the first moves between all pairs of cells. Rows that are not `intact` may contain any valid moves.
uint64_t hash_moves(const PathDatabase& database, bool intact) {
    const GridLayout& layout = database.grid().layout();
    const auto id = [&](uint64_t cell) {
        return layout.id({static_cast<int32_t>(cell) % layout.width, static_cast<int32_t>(cell) / layout.width});
    };
    uint64_t hash = 0;
    for (uint64_t to = 0; to < layout.cells(); ++to) {
        const PathDatabase::Towards towards = database.towards(id(to));
        for (uint64_t from = 0; from < layout.cells(); ++from) {
            const Move move = towards(id(from));
            require(move <= kNoMove, "a move is valid");
            const Move other = database.first_move(id(from), id(to));
            require(other <= kNoMove && (other == move || !intact), "both lookups agree");
            hash = mix64(hash ^ move);
        }
    }
    return hash;
}

// Paths are legal, lead from start to goal and have the reported cost, whatever the rows contain.
void search(const Map& map, const PathDatabase& database, const GridSnapshot& now, Cell from, Cell to) {
    const Perturbation perturbation(database, now);
    CpdSearch search;
    std::vector<Cell> cells;
    for (const CpdVariant variant :
         {CpdVariant::kEarly, CpdVariant::kWeighted, CpdVariant::kNoPull, CpdVariant::kFocal, CpdVariant::kBranching}) {
        const bool strict = variant != CpdVariant::kEarly;
        search.begin(database, perturbation, from, to, {variant, {11, 10}, strict});
        if (search.run(kBudget) != Status::kFound) continue;
        search.path(cells);
        require(!cells.empty() && cells.front() == from && cells.back() == to, "a path leads from start to goal");
        const Movement rule = strict || map.movement == Movement::kFour ? map.movement : Movement::kEightCutCorners;
        Cost cost = 0;
        for (size_t i = 0; i + 1 < cells.size(); ++i) {
            const Cost step = Ground(now, map.costs, rule).step_cost(cells[i], cells[i + 1]);
            require(step != kInfiniteCost, "every step of a path is legal");
            cost += step;
        }
        require(cost == search.cost() * map.costs.divisor, "a path has the reported cost");
    }
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    if (size == 0) return 0;
    static const std::array<Map, 4> kMaps = {make_map(0), make_map(1), make_map(2), make_map(3)};
    const Map& map = kMaps[data[0] % 4];
    std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    fix_checksums(bytes, map);
    const auto database = parse_path_database(bytes, {map.grid, map.costs, map.movement}, PathFileCheck::kHeader, "fuzz.pathdb");
    if (!database) return require_valid_error(database.error(), "fuzz.pathdb"), 0;
    const bool intact = parse_path_database(bytes, {map.grid, map.costs, map.movement}, PathFileCheck::kAll).has_value();
    const uint64_t moves = hash_moves(*database, intact);
    const auto again = parse_path_database(format_path_database(*database), {map.grid, map.costs, map.movement}, PathFileCheck::kAll);
    require(again.has_value(), "accepted input can be written and read back");
    require(hash_moves(*again, intact) == moves, "the moves are the same");
    const Cell corner{map.grid.width() - 1, map.grid.height() - 1};
    for (const GridSnapshot& now : {map.grid, map.later}) {
        search(map, *database, now, {0, 0}, corner);
        search(map, *database, now, {corner.x, 0}, {corner.x / 2, corner.y});
    }
    return 0;
}
