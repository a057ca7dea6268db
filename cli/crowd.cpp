// `terrane crowd`: runs crowds of agents.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "bench/progress.h"
#include "bench/report.h"
#include "bench/samples.h"
#include "cli/common.h"
#include "cli/crowd_traffic.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_picture.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/io/scenario.h"

namespace terrane::cli {

namespace {

constexpr const char* kCrowdFooter = R"(Examples:
  terrane crowd run island.map --agents 200 --profile person --profile deer --gif island.gif
  terrane crowd run maze.map --scen maze-random-1.scen --agents 400 --movement four --profile walker --method lacam --lower-bound
  terrane crowd traffic --gif crossing.gif)";

constexpr const char* kRunFooter = R"(
In every tick, each agent waits or makes one move. A move validator checks all moves: no two agents on one cell, no two that swap cells or
cross on diagonals, no move onto blocked terrain. If a method proposes such a move, the run fails.

Examples:
  terrane crowd run island.map --agents 500 --sides --method whca:16 --png end.png
  terrane crowd run island.map --agents 2000 --method swarm --lifelong --ticks 1000 --gif swarm.gif --every 4
  terrane crowd run island.map --agents 100 --edit 50:200,100,20,10:deep_water --gif flood.gif

Exit: 0 all agents arrived (--lifelong: all ticks ran); 1 some did not arrive, or a move was illegal; 2 bad input.)";

struct RunArguments {
    MapArguments map;
    std::string scenario, method = CrowdMethodSpec{}.name;
    std::vector<std::string> profiles{"person"};
    std::vector<FillEdit> edits;
    std::optional<size_t> agents;
    Movement movement = Movement::kEightNoCornerCutting;
    std::optional<Tick> ticks;
    uint64_t seed = 1, budget = 0;
    bool sides = false, lifelong = false, lower_bound = false;
    std::string gif, png;
    Output output;
    int32_t pixels = 768;
    uint32_t every = 1;
};

// The measurements of a run.
struct Outcome {
    std::vector<double> ms;  // of each tick, without edits
    std::vector<uint32_t> visits;
    std::optional<CrowdFault> fault;
    double prepare_ms = 0, cost = 0, least = 0;  // costs are real; `least` is 0 unless --lower-bound
    Tick makespan = 0;
};

Result<std::vector<CostTable>> compile_profiles(const RunArguments& args, const Catalogue& catalogue) {
    std::vector<CostTable> types;
    for (const std::string& name : args.profiles) {
        const auto profile = find_profile(name);
        if (!profile) return profile.error();
        const auto costs = profile->compile(catalogue);
        if (!costs) return costs.error();
        types.push_back(*costs);
    }
    return types;
}

Result<std::vector<CrowdPlace>> find_places(const RunArguments& args, const World& world, const std::vector<CostTable>& types) {
    const WorldSnapshot now = world.snapshot();
    const size_t agents = args.agents.value_or(100);
    if (args.scenario.empty()) {
        return args.sides ? opposite_sides(now, types, args.movement, agents, args.seed)
                          : random_places(now, types, args.movement, agents, args.seed);
    }
    const auto scenario = load_scenario(args.scenario);
    if (!scenario) return scenario.error();
    return scenario_places(now, types, *scenario, args.agents.value_or(0));
}

// The sum of the costs of optimal paths without other agents: a lower bound.
Cost least_cost(const World& world, const Crowd& crowd) {
    Planner planner(world);
    FindOptions options{.method = find_method("astar").value(), .movement = crowd.movement()};
    Progress progress("each alone", crowd.agents().size());
    Path path;
    Cost sum = 0;
    for (const CrowdAgent& agent_state : crowd.agents()) {
        planner.find(crowd.layout().cell(agent_state.at), crowd.layout().cell(agent_state.goal), crowd.types()[agent_state.type].costs,
                     options, path);
        sum += path.cost;
        progress.advance();
    }
    return sum;
}

// Runs the ticks and records the pictures.
class Runner {
public:
    Runner(const RunArguments& args, World& world, Crowd& crowd)
        : args_(args), world_(world), crowd_(crowd), goals_(crowd, args.seed + 1), scale_(PictureScale::fit(crowd.layout(), args.pixels)) {
        scale_.scale = std::min(scale_.scale, 7);  // draws no grid lines
        if (!args.gif.empty()) film_.emplace(crowd, scale_);
        outcome_.visits.resize(crowd.layout().cells());
    }

    Result<void> run() {
        const Tick ticks = args_.ticks      ? *args_.ticks
                           : args_.lifelong ? 500
                                            : 10 * static_cast<Tick>(crowd_.layout().width + crowd_.layout().height);
        Progress progress(args_.method, ticks);
        if (const auto filmed = film(); !filmed) return filmed.error();
        while (crowd_.ticks() < ticks && !outcome_.fault && (args_.lifelong || edits_to_come() || !crowd_.all_arrived())) {
            if (const auto edited = edit(); !edited) return edited.error();
            tick();
            if (const auto filmed = film(); !filmed) return filmed.error();
            progress.advance();
        }
        sum_up();
        return {};
    }
    Outcome& outcome() { return outcome_; }

    Result<void> save_pictures() const {
        if (film_) {
            if (const auto saved = save_gif(args_.gif, film_->gif()); !saved) return saved.error();
        }
        if (args_.png.empty()) return {};
        Picture picture = draw_terrain(crowd_.grid(), scale_);
        draw_heat(picture, outcome_.visits, crowd_.layout(), scale_);
        draw_agents(picture, crowd_, scale_);
        return save_png(args_.png, picture);
    }

private:
    bool edits_to_come() const {
        return std::ranges::any_of(args_.edits, [&](const FillEdit& edit) { return edit.tick >= crowd_.ticks(); });
    }

    Result<void> edit() {
        for (const FillEdit& edit : args_.edits) {
            if (edit.tick != crowd_.ticks()) continue;
            if (const auto edited = world_.fill(edit.rect, edit.terrain); !edited) return edited.error();
        }
        return {};
    }

    void tick() {
        const Stopwatch watch;
        outcome_.fault = crowd_.tick();
        outcome_.ms.push_back(watch.ms());
        const GridLayout& layout = crowd_.layout();
        for (AgentId agent = 0; agent < crowd_.agents().size(); ++agent) {
            const CrowdAgent& agent_state = crowd_.agents()[agent];
            const Cell at = layout.cell(agent_state.at);
            if (!agent_state.at_goal())
                ++outcome_.visits[static_cast<size_t>(at.y) * static_cast<size_t>(layout.width) + static_cast<size_t>(at.x)];
            if (args_.lifelong && agent_state.at_goal()) crowd_.set_goal(agent, goals_.next(crowd_, agent_state.type));
        }
    }

    Result<void> film() { return film_ && crowd_.ticks() % args_.every == 0 ? film_->add(crowd_, 6) : Result<void>(); }

    void sum_up() {
        Cost cost = 0;
        for (const CrowdAgent& agent_state : crowd_.agents()) {
            cost += agent_state.cost;
            if (agent_state.at_goal()) outcome_.makespan = std::max(outcome_.makespan, agent_state.arrived);
        }
        outcome_.cost = to_real(cost);
    }

    const RunArguments& args_;
    World& world_;
    Crowd& crowd_;
    RandomGoals goals_;
    PictureScale scale_;
    std::optional<CrowdFilm> film_;
    Outcome outcome_;
};

std::string describe(const CrowdFault& fault, const Crowd& crowd) {
    const Cell from = crowd.layout().cell(fault.from), to = crowd.layout().cell(fault.to);
    const std::string other = fault.other == kNoAgent ? "" : fmt::format(", with agent {}", fault.other);
    return fmt::format("{}: agent {} from {},{} to {},{}{}", to_string(fault.type), fault.agent, from.x, from.y, to.x, to.y, other);
}

// The metrics, under the names that all JSON output uses.
Json metrics(const Crowd& crowd, const RunArguments& args, Outcome& outcome) {
    const CrowdWork work = crowd.method().work();
    const auto agents = static_cast<double>(std::max<size_t>(crowd.agents().size(), 1));
    const double ticks = std::max<double>(crowd.ticks(), 1), total = std::accumulate(outcome.ms.begin(), outcome.ms.end(), 0.0);
    Json json{
        {"problems", crowd.agents().size()}, {"solved", crowd.at_goal()},    {"ticks", crowd.ticks()},
        {"makespan", outcome.makespan},      {"arrivals", crowd.arrivals()}, {"throughput", static_cast<double>(crowd.arrivals()) / ticks},
        {"faults", crowd.faults()},          {"cost_cells", outcome.cost}};
    if (args.lower_bound) json["ratio_mean"] = outcome.least > 0 ? outcome.cost / outcome.least : 1.0;
    json.update({{"expansions", work.expansions},
                 {"plans", work.plans},
                 {"failures", work.failures},
                 {"ms_first", outcome.ms.empty() ? 0 : outcome.ms.front()},
                 {"ms_mean", total / ticks},
                 {"ms_p50", quantile(outcome.ms, 0.5)},
                 {"ms_p99", quantile(outcome.ms, 0.99)},
                 {"ms_max", quantile(outcome.ms, 1)},
                 {"build_ms", outcome.prepare_ms},
                 {"bytes", crowd.method().bytes()},
                 {"bytes_per_agent", static_cast<double>(crowd.method().bytes()) / agents}});
    return json;
}

Json fault_json(const CrowdFault& fault, const Crowd& crowd) {
    Json json{{"fault", to_string(fault.type)},
              {"tick", crowd.ticks()},
              {"agent", fault.agent},
              {"from", cell_json(crowd.layout().cell(fault.from))},
              {"to", cell_json(crowd.layout().cell(fault.to))}};
    if (fault.other != kNoAgent) json["other"] = fault.other;
    return json;
}

Json agents_json(const Crowd& crowd, const RunArguments& args, const std::vector<CrowdPlace>& places) {
    auto json = Json::array();
    for (AgentId agent = 0; agent < crowd.agents().size(); ++agent) {
        const CrowdAgent& agent_state = crowd.agents()[agent];
        const bool there = agent_state.at_goal();
        json.push_back({{"profile", args.profiles[agent_state.type]},
                        {"start", cell_json(places[agent].start)},
                        {"goal", cell_json(crowd.layout().cell(agent_state.goal))},
                        {"at", cell_json(crowd.layout().cell(agent_state.at))},
                        {"goals_met", agent_state.goals_met + (there ? 1 : 0)},
                        {"cost_cells", to_real(agent_state.cost)}});
        if (there) json.back()["arrived"] = agent_state.arrived;
    }
    return json;
}

Json to_json(const Crowd& crowd, const RunArguments& args, const Json& numbers, const Outcome& outcome,
             const std::vector<CrowdPlace>& places) {
    Json json = envelope("crowd run", args.map.file, crowd.layout());
    json.update({{"method", args.method},
                 {"movement", to_string(args.movement)},
                 {"profiles", args.profiles},
                 {"seed", args.seed},
                 {"metrics", numbers}});
    if (outcome.fault) json["fault"] = fault_json(*outcome.fault, crowd);
    if (!args.output.summary) json["agents"] = agents_json(crowd, args, places);
    add_written(json, {args.gif, args.png});
    return json;
}

void print(const Crowd& crowd, const RunArguments& args, const Json& numbers, const Outcome& outcome) {
    const auto number = [&](const char* name) { return format_number(numbers[name].get<double>()); };
    fmt::print("{}: {}x{}, {} agents ({}), {}\n", args.map.file, crowd.layout().width, crowd.layout().height, number("problems"),
               fmt::join(args.profiles, ", "), args.method);
    if (outcome.fault) fmt::print("REFUSED in tick {}: {}\n", crowd.ticks(), describe(*outcome.fault, crowd));
    if (args.lifelong) {
        fmt::print("{} goals reached in {} ticks, {} per tick\n", number("arrivals"), number("ticks"), number("throughput"));
    } else {
        fmt::print("{} of {} arrived, the last after {} ticks{}\n", number("solved"), number("problems"), number("makespan"),
                   crowd.all_arrived() ? "" : fmt::format(" of {}", number("ticks")));
    }
    fmt::print("sum of costs {}{}\n", number("cost_cells"),
               args.lower_bound ? fmt::format(", {:.3f} times the lower bound", numbers["ratio_mean"].get<double>()) : "");
    fmt::print("time per tick: mean {} ms (p50 {}, p99 {}, max {}, first {}){}\n", number("ms_mean"), number("ms_p50"), number("ms_p99"),
               number("ms_max"), number("ms_first"),
               outcome.prepare_ms > 0 ? fmt::format(", after {} ms of preparation", number("build_ms")) : "");
    fmt::print("{} searches, {} without a result, {} expansions; {} bytes per agent\n", number("plans"), number("failures"),
               number("expansions"), number("bytes_per_agent"));
}

int run_crowd(const RunArguments& args) {
    const auto spec = find_crowd_method(args.method);
    if (!spec) return fail(spec.error());
    CrowdMethodSpec method = *spec;
    method.seed = args.seed;
    method.budget = args.budget;
    if (const auto known = check_budget(method); !known) return fail(known.error());
    auto opened = args.map.open({16});
    if (!opened) return fail(opened.error());
    World& world = *opened->world;
    if (const auto error = check_edits(args.edits, world.grid(), args.map.file)) return fail(*error);
    const auto types = compile_profiles(args, world.grid().catalogue());
    if (!types) return fail(types.error());
    const auto places = find_places(args, world, *types);
    if (!places) return fail(places.error());

    const Stopwatch watch;
    const bool prepares = method.factory->uses_overlays;
    for (const CostTable& costs : prepares ? *types : std::vector<CostTable>{}) {
        if (const auto done = world.prepare(costs, {.movement = args.movement, .threads = 0}); !done) return fail(done.error());
    }
    const double prepare_ms = prepares ? watch.ms() : 0;
    Crowd crowd(world, *types, make_crowd_method(method), {.movement = args.movement});
    for (const CrowdPlace& place : *places) crowd.add(place.start, place.goal, place.type);
    const double least = args.lower_bound ? to_real(least_cost(world, crowd)) : 0;

    Runner runner(args, world, crowd);
    if (const auto done = runner.run(); !done) return fail(done.error());
    Outcome& outcome = runner.outcome();
    outcome.prepare_ms = prepare_ms;
    outcome.least = least;
    const Json numbers = metrics(crowd, args, outcome);
    if (const auto saved = runner.save_pictures(); !saved) return fail(saved.error());
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(crowd, args, numbers, outcome, *places)); !saved)
            return fail(saved.error());
    }
    if (args.output.prints_text()) print(crowd, args, numbers, outcome);
    return !outcome.fault && (args.lifelong || crowd.all_arrived()) ? kDone : kNo;
}

std::string method_help() {
    std::string help;
    for (const CrowdMethodFactory* method : crowd_methods()) help += fmt::format("\n{}: {}", method->info.usage, method->info.summary);
    return help;
}

void add_run(CLI::App& crowd, Run& run) {
    const auto args = std::make_shared<RunArguments>();
    CLI::App* verb = crowd.add_subcommand("run", "Move agents to their goals, tick by tick");
    args->map.add_to(*verb)->required();
    add_whole(*verb, "--agents", args->agents, "Number of agents [100; with --scen: one per problem]", 1, kMaxAgents);
    add_method(*verb, args->method, method_help());
    add_profiles(*verb, args->profiles, "; assigned to the agents in turn");
    CLI::Option* scenario = add_input(*verb, "--scen", args->scenario, "Read starts and goals from a scenario file, in its order");
    verb->add_flag("--sides", args->sides, "Send agents from each side of the map to the other, instead of between random cells")
        ->excludes(scenario);
    add_seed(*verb, args->seed, "starts, goals and tie-breaking");
    add_movement(*verb, args->movement);
    verb->add_flag("--lifelong", args->lifelong, "Give each agent that arrives a new random goal");
    add_whole(*verb, "--ticks", args->ticks, "Stop after N ticks [10 times width plus height; with --lifelong: 500]", 1, 10'000'000);
    add_budget(*verb, args->budget, "of the whole run (lacam) or of each tick (swarm) [the method's own]");
    add_timed_edits(*verb, args->edits);
    verb->add_flag("--lower-bound", args->lower_bound,
                   "Also compute a lower bound on the sum of costs: each agent's optimal path without other agents");
    add_gif(*verb, args->gif, args->every, "agents in the colour of their profile, pale after arrival");
    add_png(*verb, args->png, "the final state, with cells tinted by visits");
    add_pixels(*verb, args->pixels);
    add_json_with_summary(*verb, args->output);
    verb->footer(kRunFooter);
    verb->callback([args, &run] { run = [args] { return run_crowd(*args); }; });
}

}  // namespace

void add_crowd(CLI::App& app, Run& run) {
    CLI::App* verb = app.add_subcommand("crowd", "Simulate many agents without collisions");
    verb->require_subcommand(1);
    verb->footer(kCrowdFooter);
    add_run(*verb, run);
    add_crowd_traffic(*verb, run);
}

}  // namespace terrane::cli
