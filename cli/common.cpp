#include "cli/common.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>

#include "bench/report.h"

namespace terrane::cli {

namespace {

struct PathColour {
    const char* name;
    Rgb colour;
};
constexpr std::array<PathColour, 6> kColours = {{
    {"red", {236, 58, 54}},
    {"yellow", {255, 214, 62}},
    {"violet", {168, 96, 240}},
    {"cyan", {62, 214, 226}},
    {"white", {250, 250, 250}},
    {"pink", {255, 140, 190}},
}};

// Cells of the path on each terrain, most first.
std::vector<std::pair<Terrain, size_t>> terrain_counts(const GridSnapshot& grid, const Path& path) {
    std::map<Terrain, size_t> counts;
    for (const Cell c : path.cells) ++counts[grid.at(c)];
    std::vector<std::pair<Terrain, size_t>> sorted(counts.begin(), counts.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) { return std::pair(b.second, a.first) < std::pair(a.second, b.first); });
    return sorted;
}

std::string shares(const GridSnapshot& grid, const Path& path) {
    std::string text;
    size_t shown = 0, rest = path.cells.size();
    for (const auto& [terrain, cells] : terrain_counts(grid, path)) {
        if (shown++ == 4) break;
        text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", grid.catalogue()[terrain].name,
                            100.0 * static_cast<double>(cells) / static_cast<double>(path.cells.size()));
        rest -= cells;
    }
    return rest > 0 ? text + ", ..." : text;
}

}  // namespace

int fail(const Error& error) {
    fmt::print(stderr, "terrane: {}\n", error.message());
    return kBadInput;
}

std::string preset_names() {
    std::string names;
    for (const Profile& p : Profile::presets()) names += (names.empty() ? "" : ", ") + p.name();
    return names;
}

Result<Profile> find_profile(const std::string& name_or_file) {
    if (const Profile* preset = Profile::preset(name_or_file)) return *preset;
    auto profile = load_profile(name_or_file);
    if (!profile && profile.error().code == ErrorCode::kCannotOpen) {
        return Error{ErrorCode::kUnknownName, name_or_file, 0,
                     "neither a profile by that name (" + preset_names() + ") nor a file that can be read"};
    }
    if (profile && profile->name().empty()) profile->set_name(std::filesystem::path(name_or_file).stem().string());
    return profile;
}

void add_json(CLI::App& verb, std::string& path) {
    verb.add_option("--json", path, "Write the result as JSON to a file ('-': standard output)")->type_name("FILE");
}

// An option that takes one of a few words.
template <class T>
void add_choice(CLI::App& verb, const std::string& flag, T& value, const std::map<std::string, T>& choices, const std::string& help) {
    std::string names;
    for (const auto& [name, unused] : choices) names += (names.empty() ? "" : "|") + name;
    verb.add_option_function<std::string>(
            flag,
            [&value, choices, flag, names](const std::string& text) {
                const auto it = choices.find(text);
                if (it == choices.end()) throw CLI::ValidationError(flag, "'" + text + "' is none of " + names);
                value = it->second;
            },
            help)
        ->type_name(names);
}

void MapArguments::add_letters(CLI::App& verb) {
    add_choice<Letters>(verb, "--letters", letters,
                        {{"guess", Letters::kGuess}, {"octile", Letters::kOctile}, {"terrain", Letters::kTerrain}},
                        "What the map's letters mean: . G @ O T S W, or A, B, C, ... [guess]");
}

void add_movement(CLI::App& verb, Movement& movement) {
    add_choice<Movement>(verb, "--movement", movement,
                         {{"eight", Movement::kEight}, {"cutting", Movement::kCutting}, {"four", Movement::kFour}},
                         "Diagonals unless a corner is in the way, all diagonals, or none [eight]");
}

namespace {

Cell read_cell(const std::string& flag, const std::string& text) {
    Cell cell;
    int used = 0;
    if (std::sscanf(text.c_str(), "%9d,%9d%n", &cell.x, &cell.y, &used) != 2 || static_cast<size_t>(used) != text.size()) {
        throw CLI::ValidationError(flag, "'" + text + "' is no cell: expected X,Y as in 120,80");
    }
    return cell;
}

}  // namespace

CLI::Option* add_cell(CLI::App& verb, const std::string& flag, Cell& cell, const std::string& help) {
    const auto read = [&cell, flag](const std::string& text) { cell = read_cell(flag, text); };
    return verb.add_option_function<std::string>(flag, read, help)->type_name("X,Y");
}

CLI::Option* add_cells(CLI::App& verb, const std::string& flag, std::vector<Cell>& cells, const std::string& help) {
    const auto read = [&cells, flag](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) cells.push_back(read_cell(flag, text));
    };
    return verb.add_option_function<std::vector<std::string>>(flag, read, help)->type_name("X,Y");
}

namespace {

struct Heuristics {
    std::optional<DifferentialHeuristic> landmarks;
    std::optional<EmbeddingHeuristic> embedding;
};

Result<Heuristics> build_heuristic(const std::string& name, const GridSnapshot& grid, const CostTable& costs, Movement movement) {
    unsigned count = 0;
    int used = 0;
    Heuristics built;
    if (name == "octile") return built;
    const bool landmarks = std::sscanf(name.c_str(), "landmarks:%4u%n", &count, &used) == 1;
    const bool embedding = !landmarks && std::sscanf(name.c_str(), "embedding:%4u%n", &count, &used) == 1;
    if ((!landmarks && !embedding) || static_cast<size_t>(used) != name.size() || count < 1 ||
        count > (landmarks ? kMaxLandmarks : kMaxDimensions)) {
        return Error{ErrorCode::kUnknownName,
                     {},
                     0,
                     "no heuristic '" + name + "'; there are: octile, landmarks:N (1 to 256), embedding:N (1 to 64)"};
    }
    if (landmarks) built.landmarks = DifferentialHeuristic::build(grid, costs, movement, {count, 0});
    if (embedding) built.embedding = EmbeddingHeuristic::build(grid, costs, movement, {count});
    return built;
}

}  // namespace

Result<std::vector<Answer>> ask(const GridSnapshot& grid, const Question& question) {
    std::vector<Answer> answers;
    GridSearch search;
    for (const Profile& profile : question.profiles) {
        const auto costs = profile.compile(grid.catalogue());
        if (!costs) return costs.error();
        const auto heuristics = build_heuristic(question.heuristic, grid, *costs, question.options.movement);
        if (!heuristics) return heuristics.error();
        SearchOptions options = question.options;
        options.landmarks = heuristics->landmarks ? &*heuristics->landmarks : nullptr;
        options.embedding = heuristics->embedding ? &*heuristics->embedding : nullptr;
        const auto start = std::chrono::steady_clock::now();
        search.begin(grid, *costs, question.from, question.to, options);
        search.run();
        Answer answer{profile.name(), {}, *costs};
        search.path(answer.path);
        answer.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        answers.push_back(std::move(answer));
    }
    return answers;
}

std::string answer_table(const GridSnapshot& grid, const std::vector<Answer>& answers) {
    std::vector<std::vector<std::string>> rows{{"creature", "line", "cost", "cells", "expansions", "ms", "where it walks"}};
    for (size_t i = 0; i < answers.size(); ++i) {
        const auto& [creature, path, costs, ms] = answers[i];
        rows.push_back({creature, path ? kColours[i % kColours.size()].name : "", path ? fmt::format("{:.2f}", to_real(path.cost)) : "",
                        path ? format_number(static_cast<double>(path.cells.size())) : "",
                        format_number(static_cast<double>(path.expansions)), fmt::format("{:.2f}", ms),
                        path ? shares(grid, path) : fmt::format("no path: {}", to_string(path.status))});
    }
    return format_table(rows, 2, 6);
}

nlohmann::ordered_json answer_json(const GridSnapshot& grid, const std::vector<Answer>& answers) {
    auto out = nlohmann::ordered_json::array();
    for (const Answer& a : answers) {
        auto terrains = nlohmann::ordered_json::object();
        for (const auto& [terrain, cells] : terrain_counts(grid, a.path)) terrains[grid.catalogue()[terrain].name] = cells;
        auto cells = nlohmann::ordered_json::array();
        for (const Cell c : a.path.cells) cells.push_back({c.x, c.y});
        out.push_back({{"creature", a.creature},
                       {"status", to_string(a.path.status)},
                       {"cost", to_real(a.path.cost)},
                       {"cost_units", a.path.cost},
                       {"bound", a.path.bound},
                       {"expansions", a.path.expansions},
                       {"ms", a.ms},
                       {"terrains", terrains},
                       {"cells", cells}});
    }
    return out;
}

Rgb answer_colour(size_t i) { return kColours[i % kColours.size()].colour; }

Picture draw_answers(const GridSnapshot& grid, const std::vector<Answer>& answers, PictureScale scale) {
    Picture picture = draw_terrain(grid, scale);
    for (size_t i = 0; i < answers.size(); ++i) draw_path(picture, answers[i].path.cells, answer_colour(i), scale);
    return picture;
}

}  // namespace terrane::cli
