// What the verbs share. A verb adds itself to the program and, when chosen, returns an exit code.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "terrane/terrane.h"
#include "terrane/world_file.h"

namespace terrane::cli {

// 0: done. 1: an honest no (unreachable, falls short). 2: bad input.
enum Exit : int { kDone = 0, kNo = 1, kBadInput = 2 };

using Run = std::function<int()>;

// Each adds one verb; `run` is set when the verb is the one that was asked for.
void add_bench(CLI::App& app, Run& run);
void add_demo(CLI::App& app, Run& run);
void add_gen(CLI::App& app, Run& run);
void add_import(CLI::App& app, Run& run);
void add_info(CLI::App& app, Run& run);
void add_path(CLI::App& app, Run& run);
void add_reach(CLI::App& app, Run& run);
void add_scen(CLI::App& app, Run& run);

// Prints "terrane: island.map:7: ..." and returns kBadInput.
int fail(const Error& error);

// A preset's name or a file.
Result<Profile> find_profile(const std::string& name_or_file);
// "person, deer, outlaw, walker"
std::string preset_names();

// Options that several verbs have.
void add_json(CLI::App& verb, std::string& path);
struct MapArguments {
    std::string file;
    Letters letters = Letters::kGuess;
    void add_letters(CLI::App& verb);
    Result<TerrainGrid> load() const { return load_world(file, {letters, MapOptions{}.max_cells}); }
};
void add_movement(CLI::App& verb, Movement& movement);
// "X,Y"
CLI::Option* add_cell(CLI::App& verb, const std::string& flag, Cell& cell, const std::string& help);
CLI::Option* add_cells(CLI::App& verb, const std::string& flag, std::vector<Cell>& cells, const std::string& help);

// A question put to the planner for several creatures, and the answers: what `path` and `demo` do.
struct Answer {
    std::string creature;
    Path path;
    CostTable costs;
    double ms = 0;
};
struct Question {
    Cell from, to;
    std::vector<Profile> profiles;
    SearchOptions options;
    std::string heuristic = "octile";  // or "landmarks:8", "embedding:5": built for each profile before the clock starts
};
Result<std::vector<Answer>> ask(const GridSnapshot& grid, const Question& question);

// A line for each answer: creature, cost, cells, expansions, time, share per terrain.
std::string answer_table(const GridSnapshot& grid, const std::vector<Answer>& answers);
nlohmann::ordered_json answer_json(const GridSnapshot& grid, const std::vector<Answer>& answers);

// The colour of the i-th answer's path.
Rgb answer_colour(size_t i);

// The map with the answers' paths in the colours that the tables name.
Picture draw_answers(const GridSnapshot& grid, const std::vector<Answer>& answers, PictureScale scale);

}  // namespace terrane::cli
