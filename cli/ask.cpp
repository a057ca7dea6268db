// Prepares, runs and times the queries of the command line, and prints their answers as tables, JSON and pictures.
#include <fmt/format.h>

#include <algorithm>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/prepared_cpd.h"

namespace terrane::cli {

namespace {

// The largest number of passable cells for which a query builds a path database without being asked to: about 30 s.
constexpr uint64_t kMostCellsUnasked = 50'000;

// Refuses a method whose path database would take too long to build here.
std::optional<Error> check_size(const GridSnapshot& grid, const CostTable& costs) {
    uint64_t cells = 0;
    for (uint32_t t = 0; t < kOutside; ++t) cells += costs.passable(static_cast<Terrain>(t)) ? grid.count(static_cast<Terrain>(t)) : 0;
    if (cells <= kMostCellsUnasked) return std::nullopt;
    return Error{ErrorCode::kTooLarge,
                 {},
                 0,
                 "building a path database of this map takes long: run 'terrane pathdb build' first, then pass the file with --pathdb"};
}

Result<void> install_database(World& world, const Ground& ground, const std::string& file) {
    const auto database = open_path_database(file, ground, PathFileCheck::kAll);
    if (!database) return database.error();
    const auto data = prepared_path_database(*database, ground);
    if (!data) return data.error();
    return world.install(*data);
}

std::string ratio_text(const Answer& answer) {
    return answer.optimal == 0 ? "1.000"
                               : fmt::format("{:.3f}", static_cast<double>(answer.path.cost) / static_cast<double>(answer.optimal));
}

// The share of the path's cost that its polyline saves.
double saved_by_polyline(const GridSnapshot& grid, const Answer& answer) {
    const double path = exact_cost(grid, answer.costs, answer.path.cells);
    return path > 0 ? 1 - answer.path.polyline_cost / path : 0;
}

// The terrains of the path, or the reason why there is none.
std::string in_words(const GridSnapshot& grid, const Path& path) {
    if (path.status == Status::kPartial)
        return fmt::format("ends at {},{}: {}", path.cells.back().x, path.cells.back().y, terrain_shares(grid, path));
    return path ? terrain_shares(grid, path) : fmt::format("no path: {}", to_string(path.status));
}

}  // namespace

std::string terrain_shares(const GridSnapshot& grid, const Path& path) {
    std::string text;
    size_t shown = 0, rest = path.cells.size();
    for (const auto& [terrain, cells] : terrain_counts(grid, path.cells)) {
        if (shown++ == 4) break;
        text += fmt::format("{}{} {:.0f}%", text.empty() ? "" : ", ", grid.catalogue()[terrain].name,
                            100.0 * static_cast<double>(cells) / static_cast<double>(path.cells.size()));
        rest -= cells;
    }
    return rest > 0 ? text + ", ..." : text;
}

Result<double> prepare(World& world, const CostTable& costs, const FindOptions& options, const std::string& database) {
    const Stopwatch watch;
    const WorldSnapshot now = world.snapshot();
    const Ground ground = now.ground(costs, options.movement);
    const bool uses_database = cpd_search_options(options.method).has_value();
    if (!now.all_regions().empty()) static_cast<void>(now.components(ground));
    if (!proves_bounds(options.method) && options.bound > 0 && guarantee(options.method) > options.bound) {
        return Error{
            ErrorCode::kUnsupported, {}, 0, "this method cannot prove a bound: leave out --method, or use an overlay or cpd method"};
    }
    if (!uses_database && !database.empty())
        return Error{ErrorCode::kUnsupported, {}, 0, "--pathdb needs a cpd method, such as --method cpd"};
    Result<void> done;
    if (!database.empty()) {
        done = install_database(world, ground, database);
    } else if (prepares(options.method) && now.prepared(options.method, ground) == nullptr) {
        if (const auto error = uses_database ? check_size(now.grid(), costs) : std::nullopt) return *error;
        done = world.prepare(costs, {.method = options.method, .movement = options.movement, .threads = 0});
    }
    if (!done) return done.error();
    return watch.ms();
}

Result<Method> find_method_or_default(const std::string& name, const FindOptions& options) {
    if (!name.empty()) return find_method(name);
    const World world(TerrainGrid(1, 1, *Catalogue::standard().find("ground")));
    Planner planner(world);
    planner.begin({}, {}, Profile::presets()[0].compile(world.grid().catalogue()).value(), options);
    return planner.method();
}

std::optional<Error> check_on_map(const GridLayout& layout, const std::string& file, const std::string& flag, Cell cell) {
    if (layout.contains(cell)) return std::nullopt;
    return Error{ErrorCode::kBadValue, file, 0,
                 fmt::format("{} {},{} is outside the map of {} x {} cells", flag, cell.x, cell.y, layout.width, layout.height)};
}

std::vector<uint32_t> sectors_for(const FindOptions& options) {
    if (const auto sector = sector_of(options.method)) return {*sector};
    return options.nearest || !searches_cells(options.method) ? WorldOptions{}.sectors : std::vector<uint32_t>{};
}

namespace {

// That of the command line; if it names none and the map file has an overlay for the agent, the overlay.
Method method_for(const World& world, const CostTable& costs, const Question& question) {
    const WorldSnapshot now = world.snapshot();
    const PreparedData* saved = question.prefers_saved ? now.prepared({}, now.ground(costs, question.options.movement)) : nullptr;
    return saved != nullptr ? saved->method() : question.options.method;
}

}  // namespace

Result<std::vector<Answer>> ask(World& world, const Question& question) {
    std::vector<Answer> answers;
    Planner planner(world);
    FindOptions with = question.options;
    for (const Profile& profile : question.profiles) {
        const auto costs = profile.compile(world.grid().catalogue());
        if (!costs) return costs.error();
        with.method = method_for(world, *costs, question);
        const auto prepared = prepare(world, *costs, with, question.database);
        if (!prepared) return prepared.error();
        Answer answer{profile.name(), {}, *costs};
        const Stopwatch watch;
        planner.find(question.from, question.to, *costs, with, answer.path);
        answer.ms = watch.ms();
        answer.prepare_ms = *prepared;
        if (question.compare && has_cells(answer.path)) {
            Path optimal;
            FindOptions options;
            options.method = find_method("astar").value();
            options.movement = question.options.movement;
            planner.find(question.from, answer.path.cells.back(), *costs, options, optimal);
            answer.optimal = optimal.cost;
        }
        answers.push_back(std::move(answer));
    }
    return answers;
}

std::string answer_table(const GridSnapshot& grid, const std::vector<Answer>& answers, const Question& question) {
    const bool first = !searches_cells(question.options.method);  // the first move is known before the path is complete
    const bool proven = proves_bounds(question.options.method), any_angle = question.options.method.any_angle;
    std::vector<std::string> header{"creature", "colour", "cost", "cells", "expansions"};
    if (first) header.emplace_back("first");
    header.emplace_back("ms");
    if (question.compare) header.emplace_back("ratio");
    if (proven) header.emplace_back("proven");
    if (any_angle) header.insert(header.end(), {"polyline", "saved"});
    const size_t words = header.size();
    header.emplace_back("terrain of the path");
    const std::vector<NamedColour> colours = answer_colours(answers);
    std::vector<std::vector<std::string>> rows{header};
    for (size_t i = 0; i < answers.size(); ++i) {
        const Path& path = answers[i].path;
        const bool found = has_cells(path);
        rows.push_back({answers[i].creature, found ? colours[i].name : "", found ? fmt::format("{:.2f}", to_real(path.cost)) : "",
                        found ? format_number(static_cast<double>(path.cells.size())) : "",
                        format_number(static_cast<double>(path.expansions))});
        if (first) rows.back().push_back(format_number(static_cast<double>(path.expansions_first)));
        rows.back().push_back(fmt::format("{:.2f}", answers[i].ms));
        if (question.compare) rows.back().push_back(found ? ratio_text(answers[i]) : "");
        if (proven) rows.back().push_back(found ? fmt::format("{:.3f}", path.bound) : "");
        if (any_angle) rows.back().push_back(found ? fmt::format("{:.2f}", path.polyline_cost) : "");
        if (any_angle) rows.back().push_back(found ? fmt::format("{:.2f}%", 100 * saved_by_polyline(grid, answers[i])) : "");
        rows.back().push_back(in_words(grid, path));
    }
    return format_table(rows, 2, words);
}

Json answers_json(const GridSnapshot& grid, const std::vector<Answer>& answers, bool summary) {
    auto out = Json::array();
    for (const Answer& a : answers) {
        Json& answer = out.emplace_back(Json{{"profile", a.creature}});
        if (!a.path.method.empty()) answer["method"] = a.path.method;
        add_outcome(answer, a.path);
        answer["expansions"] = a.path.expansions;
        answer["expansions_first"] = a.path.expansions_first;
        answer["find_ms"] = a.ms;
        answer["prepare_ms"] = a.prepare_ms;
        if (!has_cells(a.path)) continue;
        answer["bound"] = a.path.bound;
        if (a.optimal > 0) {
            answer["optimal_cost_cells"] = to_real(a.optimal);
            answer["ratio"] = static_cast<double>(a.path.cost) / static_cast<double>(a.optimal);
        }
        answer["terrains"] = terrains_json(grid, terrain_counts(grid, a.path.cells));
        if (!a.path.polyline.empty()) {
            answer["polyline_cost_cells"] = a.path.polyline_cost;
            answer["polyline_saved"] = saved_by_polyline(grid, a);
        }
        if (summary) continue;
        answer["path"] = cells_json(a.path.cells);
        if (!a.path.polyline.empty()) answer["polyline"] = points_json(a.path.polyline);
    }
    return out;
}

std::vector<NamedColour> creature_colours(const std::vector<std::string>& names) {
    const auto& presets = Profile::presets();
    std::vector<NamedColour> colours;
    for (const std::string& name : names) {
        const auto at = static_cast<size_t>(std::ranges::find(presets, name, &Profile::name) - presets.begin());
        colours.push_back(at < presets.size() ? kCreatureColours[at] : NamedColour{});
    }
    const auto is_free = [&](const NamedColour& c) { return std::ranges::count(colours, c.colour, &NamedColour::colour) == 0; };
    for (size_t i = 0; i < colours.size(); ++i) {
        if (colours[i].name != nullptr) continue;
        const auto free = std::ranges::find_if(kCreatureColours, is_free);
        colours[i] = free != kCreatureColours.end() ? *free : kCreatureColours[i % kCreatureColours.size()];
    }
    return colours;
}

std::vector<NamedColour> answer_colours(const std::vector<Answer>& answers) {
    std::vector<std::string> names;
    names.reserve(answers.size());
    for (const Answer& answer : answers) names.push_back(answer.creature);
    return creature_colours(names);
}

void draw_answer(Picture& picture, const Answer& answer, Rgb colour, PictureScale scale) {
    if (answer.path.polyline.empty()) return draw_path(picture, answer.path.cells, colour, scale);
    draw_line(picture, answer.path.polyline, colour, scale);
}

Picture draw_answers(const GridSnapshot& grid, const std::vector<Answer>& answers, PictureScale scale) {
    Picture picture = draw_terrain(grid, scale);
    const std::vector<NamedColour> colours = answer_colours(answers);
    for (size_t i = 0; i < answers.size(); ++i) draw_answer(picture, answers[i], colours[i].colour, scale);
    return picture;
}

}  // namespace terrane::cli
