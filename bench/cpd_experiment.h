// Shared by the benches of path databases on changed maps: maps small enough for a database, the obstacles of the paper's two experiments,
// and checks of answers.
// Based on: Shi, Harabor, Maheo, "Dynamic Pathfinding in Video Games", sections 5.1 to 5.3.
//
// Our reading of the text. An obstacle is centred on the cell 3/4 along the optimal path of the current map, counted in steps and rounded
// down. Its radius is min(15, steps / 16) of that path, rounded down. Obstacles are added one at a time until the optimal cost exceeds the
// original (experiment 1: every optimal path of the unchanged map is cut) or exceeds it by more than 15% (experiment 2). A problem is
// dropped if no path is left or if its path has no cell between start and goal. Obstacles never cover start or goal. Diagonal moves may cut
// the corners of new obstacles, but not those of the original map.
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
#include "bench/contest.h"
#include "terrane/cpd/cpd_search.h"

namespace terrane {

// ---- Maps

struct CpdScene {
    std::string family, name;
    GridSnapshot grid;
    CostTable costs;
    Terrain wall = 0;                             // a blocked terrain
    std::vector<std::pair<Cell, Cell>> problems;  // all solvable
};

// Size of the experiment.
struct CpdScale {
    size_t maps = 0;         // per family
    size_t problems = 0;     // per map
    uint32_t max_cells = 0;  // passable cells per map
    int32_t window = 0;      // side of generated maps and of the part cut from larger maps, in cells
};

// With a folder: for each family in it (dao, da2, wc3maps512, rooms, mazes; otherwise the folder is one family), maps with 2,000 to
// max_cells passable cells, evenly chosen by size, with problems evenly chosen from their scenarios. If all maps of a family are larger,
// cuts the middle from maps evenly chosen by name and draws random problems. Without a folder: generated maps.
Result<std::vector<CpdScene>> cpd_scenes(const BenchOptions& options, const CpdScale& scale);
// Returns "dao: arena, lak303d; ...".
std::string cpd_scene_names(std::span<const CpdScene> scenes);

// ---- Obstacles

enum class Ball : uint8_t {
    kHops,    // at most that many moves away on the unchanged map, so obstacles shelter cells behind them
    kEuclid,  // at most that distance away, regardless of obstacles
};
const char* to_string(Ball ball);

struct CpdInstance {
    Cell start, goal;
    GridSnapshot now;
    uint64_t original = 0, optimal = 0;  // optimal costs on the unchanged and on the changed map
    size_t obstacles = 0;
};

// `percent`: required increase of the optimal cost; 0: any increase. Returns nothing if the problem is dropped.
std::optional<CpdInstance> place_obstacles(const CpdScene& scene, std::pair<Cell, Cell> problem, uint32_t percent, Ball ball);

// ---- Methods and answers

struct CpdMethod {
    const char* name;
    CpdVariant variant;
    const char* paper;  // name in the paper
};
inline constexpr std::array<CpdMethod, 5> kCpdMethods = {{
    {"cpd", CpdVariant::kEarly, "Opt"},
    {"cpd:1.1", CpdVariant::kWeighted, "Weighted"},
    {"cpd/nosp", CpdVariant::kNoPull, "No SP"},
    {"cpd/focal", CpdVariant::kFocal, "Focal"},
    {"cpd/branching", CpdVariant::kBranching, "Branching"},
}};

// A problem on a changed map, for contests.
struct CpdProblem {
    Cell start, goal;
    const Perturbation* perturbation;
    uint64_t optimal;  // cost on the changed map
};

// Searches with a path database; `map` checks the answers. The arguments must outlive it. Measures further: walked (1 if the search needed
// no expansion), and with `ratio`, ratio_mean, for contests without an optimal contender.
Contender cpd_contender(const CpdMethod& method, const CpdSearchOptions& options, const PathDatabase& database,
                        std::span<const CpdProblem> problems, ChangedMap& map, bool ratio);
// What a contest needs of such problems; `name` is for errors.
ContestScene cpd_contest_scene(const std::string& name, nlohmann::ordered_json label, std::span<const CpdProblem> problems);

// Builds with all cores and a progress bar.
Result<PathDatabase> build_for(const CpdScene& scene, Movement movement = Movement::kEightNoCornerCutting);

}  // namespace terrane
