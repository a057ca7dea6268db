// Shared by the verbs: arguments, files, tables, exit codes. A verb adds itself to the program and returns an exit code when it runs.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/stopwatch.h"
#include "cli/arguments.h"
#include "cli/json_output.h"
#include "terrane/io/picture.h"
#include "terrane/terrane.h"
#include "terrane/world/planner.h"
#include "terrane/world/world_io.h"

namespace terrane::cli {

// 0: success. 1: a negative answer (unreachable, check failed). 2: bad input.
enum Exit : int { kDone = 0, kNo = 1, kBadInput = 2 };

using Run = std::function<int()>;

// Each adds one verb, which sets `run` if the command line names it.
void add_bench(CLI::App& app, Run& run);
void add_crowd(CLI::App& app, Run& run);
void add_demo(CLI::App& app, Run& run);
void add_gen(CLI::App& app, Run& run);
void add_import(CLI::App& app, Run& run);
void add_info(CLI::App& app, Run& run);
void add_methods(CLI::App& app, Run& run);
void add_navmesh(CLI::App& app, Run& run);  // only with TERRANE_HAS_NAVMESH
void add_weighted_regions(CLI::App& app, Run& run);
void add_path(CLI::App& app, Run& run);
void add_pathdb(CLI::App& app, Run& run);
void add_reach(CLI::App& app, Run& run);
void add_scen(CLI::App& app, Run& run);
void add_selftest(CLI::App& app, Run& run);
void add_studio(CLI::App& app, Run& run);  // only with TERRANE_HAS_STUDIO (sockets)
void add_why(CLI::App& app, Run& run);
void add_world(CLI::App& app, Run& run);

// All of the above.
void add_verbs(CLI::App& app, Run& run);

// Parses the command line, runs its verb and returns the exit code. Prints errors only if `loud`.
int run_program(CLI::App& app, const Run& run, int argc, char** argv, bool loud = true);

// How to type this program in the current folder: its name if the shell finds it, else its path.
std::string own_command();

// Prints "terrane: island.map:7: ..." and returns kBadInput.
int fail(const Error& error);

// A preset's name or a file.
Result<Profile> find_profile(const std::string& name_or_file);

struct OpenedWorld {
    std::unique_ptr<World> world;
    double load_ms = 0;
    bool built = false;   // regions that the file does not keep
    double build_ms = 0;  // of those
};
struct MapArguments {
    std::string file;
    Letters letters = Letters::kGuess;
    // The map as an argument of this name, and --letters.
    CLI::Option* add_to(CLI::App& verb, const std::string& name = "map", const std::string& what = "The map");
    MapOptions options() const { return {.letters = letters}; }
    Result<TerrainGrid> load() const { return load_map(file, options()); }
    // With regions of these sizes.
    Result<OpenedWorld> open(const std::vector<uint32_t>& sectors) const;
};
// 16 -> "16", kWholeMap -> "map".
std::string sector_name(uint32_t sector);
// Whether a map of this size can have such sectors.
std::optional<Error> check_sector(uint32_t sector, const GridSnapshot& grid, const std::string& file);
// Prepares options.method for a profile, and its connected components, so that queries need not; returns the milliseconds.
Result<double> prepare(World& world, const CostTable& costs, const FindOptions& options, const std::string& database);

// The method of this name; of no name, the one that the library chooses for these options where nothing is prepared.
Result<Method> find_method_or_default(const std::string& name, const FindOptions& options);
// Refuses a cell that is not on the map: "--to 9,9 is outside the map of 5 x 3 cells".
std::optional<Error> check_on_map(const GridLayout& layout, const std::string& file, const std::string& flag, Cell cell);

// The sizes of sectors that a world must keep regions of to be asked so.
std::vector<uint32_t> sectors_for(const FindOptions& options);

// A question put to the planner for several creatures, and the answers: what `path` and `demo` do.
struct Answer {
    std::string creature;
    Path path;
    CostTable costs;
    double ms = 0;
    double prepare_ms = 0;
    Cost optimal = 0;  // from the path's first cell to its last, where it was asked for and there is a path
};
struct Question {
    Cell from, to;
    std::vector<Profile> profiles;
    FindOptions options;
    std::string database;        // file of the path database of a cpd method; empty: build it
    bool prefers_saved = false;  // overlays of the map file answer instead of options.method
    bool compare = false;        // with A*
};
Result<std::vector<Answer>> ask(World& world, const Question& question);

// A line for each answer: creature, cost, cells, expansions, time, share per terrain.
std::string answer_table(const GridSnapshot& grid, const std::vector<Answer>& answers, const Question& question);
// The list "answers" of `path` and `pathdb path`; without cells and points if `summary`.
Json answers_json(const GridSnapshot& grid, const std::vector<Answer>& answers, bool summary);

// A colour for each creature's path: a preset's own, as in the studio, and the first free one for others.
std::vector<NamedColour> creature_colours(const std::vector<std::string>& names);
std::vector<NamedColour> answer_colours(const std::vector<Answer>& answers);

// "road 71%, grass 20%, ...": the share of a path's cells on each terrain.
std::string terrain_shares(const GridSnapshot& grid, const Path& path);

// An answer's path, or its line where it has one.
void draw_answer(Picture& picture, const Answer& answer, Rgb colour, PictureScale scale);

// The map with the answers' paths in the colours that the tables name.
Picture draw_answers(const GridSnapshot& grid, const std::vector<Answer>& answers, PictureScale scale);

}  // namespace terrane::cli
