// What the benches of path databases on changed maps share: maps small enough to build a database for, the obstacles of the paper's two
// experiments, and how answers are checked.
// Based on: Shi, Harabor, Maheo, "Dynamic Pathfinding in Video Games", sections 5.1 to 5.3.
//
// How the text is read here. An obstacle's centre is the cell 3/4 along the optimal path of the map as it is by then, counted in steps and
// rounded down; its radius is min(15, steps / 16), rounded down, of that same path. Obstacles are added one by one until the optimal cost
// is above the original (experiment 1: every optimal path of the unchanged map is cut) or more than 15% above it (experiment 2). A problem
// is dropped when no path is left, or when its path is too short for a centre between start and goal; start and goal themselves are never
// blocked: balls leave them out. Steps past the corner of a new obstacle are legal, past that of an old wall they are not.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/bench.h"
#include "bench/changed_map.h"
#include "terrane/cpd/pathdb_search.h"

namespace terrane {

// ---- Maps

struct CpdScene {
    std::string family, name;
    GridSnapshot grid;
    CostTable costs;
    Terrain wall = 0;                             // a terrain that is blocked
    std::vector<std::pair<Cell, Cell>> problems;  // all of them solvable
};

// How many of what.
struct CpdScale {
    size_t maps = 0;         // of a family
    size_t problems = 0;     // of a map
    uint32_t max_cells = 0;  // passable, of a map
    int32_t window = 0;      // cells a side, where a family's maps are larger; and of maps of our own
};

// With a folder: of each family in it (dao, da2, wc3maps512, rooms, mazes; if there is none of these, the folder is one), the maps with
// 2,000 to max_cells passable cells, evenly chosen by size, and problems evenly chosen from their scenarios. Families whose maps are all
// larger: windows in the middle of maps evenly chosen by name, with random problems. Without a folder: maps of our own.
Result<std::vector<CpdScene>> cpd_scenes(const BenchOptions& options, const CpdScale& scale);
// "dao: arena, lak303d; ..."
std::string cpd_scene_names(std::span<const CpdScene> scenes);

// ---- Obstacles

enum class Ball : uint8_t {
    kHops,    // within that many moves on the unchanged map: walls shelter what is behind them
    kEuclid,  // within that distance, whatever is in between
};
const char* to_string(Ball ball);

struct CpdInstance {
    Cell start, goal;
    GridSnapshot now;
    uint64_t original = 0, optimal = 0;  // costs: of the unchanged map, and of this one
    size_t obstacles = 0;
};

// `percent`: how much dearer the optimal path must be, 0 for any amount. Nothing where the problem is dropped.
std::optional<CpdInstance> place_obstacles(const CpdScene& scene, std::pair<Cell, Cell> problem, uint32_t percent, Ball ball);

// ---- Methods and answers

struct CpdMethod {
    const char* name;
    PathdbVariant variant;
    const char* paper;  // what the paper calls it
};
inline constexpr std::array<CpdMethod, 5> kCpdMethods = {{
    {"cpd", PathdbVariant::kEarly, "Opt"},
    {"cpd:1.1", PathdbVariant::kWeighted, "Weighted"},
    {"cpd/nosp", PathdbVariant::kNoPull, "No SP"},
    {"cpd/focal", PathdbVariant::kFocal, "Focal"},
    {"cpd/branching", PathdbVariant::kBranching, "Branching"},
}};

// What is wrong with the answer of a search that has ended; empty where nothing is. `optimal`: of `map`, kNoWay where there is no path.
std::string answer_fault(const ChangedMap& map, const PathdbSearch& search, Cell start, Cell goal, uint64_t optimal, Weight bound);

// On all processors, with a progress bar.
Result<PathDatabase> build_for(const CpdScene& scene, Movement movement = Movement::kEight);

double average(const std::vector<double>& values);

}  // namespace terrane
