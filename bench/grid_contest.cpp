#include "bench/grid_contest.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/baseline_astar.h"
#include "terrane/method/method_interface.h"

namespace terrane {

namespace {

constexpr double kRealTolerance = 1e-6;  // of costs that were summed as floating-point numbers

// Methods that search cells find a path in one piece, so they are not sliced.
class PlannerRunner final : public Runner {
public:
    PlannerRunner(const BenchScene& scene, const World& world, const GridContender& contender)
        : scene_(scene), world_(world), contender_(contender), planner_(world) {
        options_.method = find_method(contender.method).value();
        options_.bound = contender.bound;
        options_.max_expansions = contender.max_expansions;
        options_.movement = scene.movement;
        sliced_ = !searches_cells(options_.method);
    }

    void begin_pass() override {
        if (contender_.warm_up.empty()) return;
        planner_ = Planner(world_);
        FindOptions options = options_;
        options.method = find_method(contender_.warm_up).value();
        for (const auto& query : scene_.queries) find(query, options);
    }

    void begin_problem() override {
        if (contender_.cold) planner_ = Planner(world_);
    }

    void solve(size_t problem, Lap& lap) override {
        const auto& [start, goal] = scene_.queries[problem];
        planner_.begin(start, goal, scene_.costs, options_);
        if (sliced_) {
            while (planner_.run(kFirstMoveSlice) == Status::kBudgetSpent && planner_.ready().empty() &&
                   planner_.expansions() < options_.max_expansions) {
            }
            lap.first();
        }
        planner_.run();
        planner_.path(path_);
        if (!sliced_) lap.first();
    }

    Result<Answer> answer(size_t problem, NamedSamples& extras) override {
        if (path_.method != options_.method.name()) return Error{ErrorCode::kBadValue, {}, 0, "answered by " + path_.method};
        if (contender_.inspect) {
            if (const auto inspected = contender_.inspect(scene_, problem, path_, extras); !inspected) return inspected.error();
        }
        return checked_answer(scene_, problem, path_);
    }

private:
    void find(const std::pair<Cell, Cell>& query, const FindOptions& options) {
        planner_.find(query.first, query.second, scene_.costs, options, path_);
    }

    const BenchScene& scene_;
    const World& world_;
    GridContender contender_;
    FindOptions options_;
    bool sliced_ = false;
    Planner planner_;
    Path path_;
};

WorldOptions sectors_for(const std::vector<GridContender>& contenders) {
    WorldOptions options;
    for (const GridContender& contender : contenders) {
        if (contender.method == kBaselineMethod) continue;
        const auto sector = sector_of(find_method(contender.method).value());
        if (sector && std::ranges::count(options.sectors, *sector) == 0) options.sectors.push_back(*sector);
    }
    return options;
}

}  // namespace

Result<Answer> checked_answer(const BenchScene& scene, size_t problem, const Path& path) {
    const auto& [start, goal] = scene.queries[problem];
    const auto wrong = [](const std::string& what) { return Error{ErrorCode::kBadValue, {}, 0, what}; };
    Answer answer{static_cast<bool>(path), to_real(path.cost), static_cast<double>(path.expansions),
                  static_cast<double>(path.expansions_first)};
    if (!path) {
        if (path.status == Status::kUnreachable || path.status == Status::kBlockedGoal || path.status == Status::kBlockedStart)
            return answer;
        return wrong(to_string(path.status));
    }
    if (path.cells.front() != start || path.cells.back() != goal) return wrong("wrong start or goal");
    if (path_cost({scene.grid, scene.costs, scene.movement}, path.cells) != path.cost) return wrong("illegal path or wrong cost");
    if (path.bound >= 1 && path.bound < static_cast<double>(kInfiniteCost)) answer.bound = path.bound;
    return answer;
}

Result<Opened> prepare_only(World& world, const CostTable& costs, const Method& method, size_t max_bytes, Movement movement) {
    const WorldSnapshot now = world.snapshot();
    for (const auto& before : now.all_prepared()) world.discard(before->method(), before->ground().costs(), before->ground().movement());
    if (!prepares(method)) return Opened{};
    const Stopwatch watch;
    const auto prepared = world.prepare(costs, {.method = method, .movement = movement, .max_bytes = max_bytes});
    if (!prepared) return prepared.error();
    const double ms = watch.ms();
    return Opened{nullptr, ms, static_cast<double>(world.snapshot().all_prepared().front()->bytes())};
}

Contender planner_contender(const BenchScene& scene, World& world, const GridContender& contender, LastPrepared& last) {
    const std::string& name = contender.prepare.empty() ? contender.method : contender.prepare;
    const auto open = [&scene, &world, &last, contender, name]() -> Result<Opened> {
        if (last.method != name || last.max_bytes != contender.max_bytes) {
            const auto opened = prepare_only(world, scene.costs, find_method(name).value(), contender.max_bytes, scene.movement);
            if (!opened) return opened.error();
            last = {name, contender.max_bytes, opened->build_ms, opened->bytes};
        }
        return Opened{std::make_unique<PlannerRunner>(scene, world, contender), last.build_ms, last.bytes};
    };
    const bool bounded = contender.bound > 0 && contender.max_expansions == kUnlimited;
    return {.method = contender.method,
            .label = contender.label,
            .open = open,
            .guarantee = bounded ? contender.bound : guarantee(find_method(contender.method).value()),
            .sample = contender.sample,
            .passes = contender.passes};
}

Contender baseline_contender(const BenchScene& scene, const GridContender& contender) {
    const auto open = [&scene]() -> Result<Opened> {
        const auto result = std::make_shared<BaselineResult>();
        return Opened{make_runner(
            [&scene, result, map = BaselineMap(scene.grid, scene.costs)](size_t problem, Lap& lap) {
                *result = baseline_astar(map, scene.queries[problem].first, scene.queries[problem].second);
                lap.first();
            },
            [result](size_t, NamedSamples&) -> Result<Answer> {
                const auto expansions = static_cast<double>(result->expansions);
                return Answer{result->found, result->cost, expansions, expansions};
            })};
    };
    return {.method = kBaselineMethod,
            .label = contender.label,
            .open = open,
            .guarantee = 1,
            .tolerance = kRealTolerance,
            .sample = contender.sample,
            .passes = contender.passes};
}

std::unique_ptr<Runner> search_runner(const BenchScene& scene, const SearchOptions& options,
                                      std::function<void(const GridSearch&, NamedSamples&)> inspect) {
    const auto search = std::make_shared<GridSearch>();
    const auto path = std::make_shared<Path>();
    return make_runner(
        [&scene, options, search, path](size_t problem, Lap& lap) {
            search->begin({scene.grid, scene.costs, scene.movement}, scene.queries[problem].first, scene.queries[problem].second, options);
            search->run();
            search->path(*path);
            lap.first();
        },
        [&scene, search, path, inspect = std::move(inspect)](size_t problem, NamedSamples& extras) {
            if (inspect) inspect(*search, extras);
            return checked_answer(scene, problem, *path);
        });
}

Contender search_contender(const BenchScene& scene, const std::string& method,
                           const std::function<void(const GridSearch&, NamedSamples&)>& inspect) {
    SearchOptions options;
    options.method = find_method(method).value();
    const auto open = [&scene, options, inspect]() -> Result<Opened> { return Opened{search_runner(scene, options, inspect)}; };
    return {.method = method, .open = open, .guarantee = guarantee(options.method)};
}

ContestScene contest_scene(const BenchScene& scene) {
    ContestScene out;
    out.name = scene.name;
    out.label = scene.label.is_null() ? nlohmann::ordered_json{{"map", scene.name}} : scene.label;
    out.problems = scene.queries.size();
    out.describe = [&scene](size_t problem) {
        const auto& [start, goal] = scene.queries[problem];
        return fmt::format("from {},{} to {},{}", start.x, start.y, goal.x, goal.y);
    };
    out.group = scene.group;
    return out;
}

Result<void> run_on_grid(Contest& contest, const BenchScene& scene, const std::vector<GridContender>& contenders, Progress& progress,
                         const std::vector<Peer>& peers) {
    World world(editable(scene.grid), sectors_for(contenders));
    LastPrepared last;
    std::vector<Contender> all;
    all.reserve(contenders.size() + peers.size());
    // Our integer costs differ from real ones by 3e-7.
    const bool real_reference = contenders.front().method == kBaselineMethod;
    for (const GridContender& c : contenders)
        all.push_back(c.method == kBaselineMethod ? baseline_contender(scene, c) : planner_contender(scene, world, c, last));
    for (Contender& c : all) c.tolerance = real_reference ? kRealTolerance : c.tolerance;
    for (const Peer& peer : peers) all.push_back(peer_contender(scene, peer));
    return contest.run(contest_scene(scene), all, [&] { progress.advance(); });
}

}  // namespace terrane
