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

    void reset() override {
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
    }

    Result<Answer> answer(size_t problem, Extras& extras) override {
        const auto& [start, goal] = scene_.queries[problem];
        const auto wrong = [](const std::string& what) { return Error{ErrorCode::kBadValue, {}, 0, what}; };
        if (path_.method != options_.method.name()) return wrong("answered by " + path_.method);
        Answer answer{static_cast<bool>(path_), to_real(path_.cost), static_cast<double>(path_.expansions),
                      static_cast<double>(path_.expansions_first), 0};
        if (!path_) {
            if (path_.status == Status::kUnreachable || path_.status == Status::kBlockedGoal || path_.status == Status::kBlockedStart)
                return answer;
            return wrong(to_string(path_.status));
        }
        if (path_.cells.front() != start || path_.cells.back() != goal) return wrong("wrong start or goal");
        if (path_cost({scene_.grid, scene_.costs, scene_.movement}, path_.cells) != path_.cost) return wrong("illegal path or wrong cost");
        if (path_.bound < static_cast<double>(kInfiniteCost)) answer.bound = path_.bound;
        if (contender_.inspect) {
            if (const auto inspected = contender_.inspect(scene_, problem, path_, extras); !inspected) return inspected.error();
        }
        return answer;
    }

private:
    const BenchScene& scene_;
    const World& world_;
    GridContender contender_;
    FindOptions options_;
    bool sliced_ = false;
    Planner planner_;
    Path path_;
};

class BaselineRunner final : public Runner {
public:
    explicit BaselineRunner(const BenchScene& scene) : scene_(scene), map_(scene.grid, scene.costs) {}

    void solve(size_t problem, Lap& /*lap*/) override {
        result_ = baseline_astar(map_, scene_.queries[problem].first, scene_.queries[problem].second);
    }
    Result<Answer> answer(size_t /*problem*/, Extras& /*extras*/) override {
        return Answer{result_.found, result_.cost, static_cast<double>(result_.expansions), 0, 0};
    }

private:
    const BenchScene& scene_;
    BaselineMap map_;
    BaselineResult result_;
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

Contender planner_contender(const BenchScene& scene, World& world, const GridContender& contender) {
    const Method method = find_method(contender.method).value();
    const auto open = [&scene, &world, contender, method]() -> Result<Opened> {
        auto opened = prepare_only(world, scene.costs, method, contender.max_bytes, scene.movement);
        if (!opened) return opened.error();
        opened->runner = std::make_unique<PlannerRunner>(scene, world, contender);
        return opened;
    };
    return {contender.method, contender.label, open, guarantee(method), 1e-9, contender.sample, contender.passes};
}

Contender baseline_contender(const BenchScene& scene, const GridContender& contender) {
    const auto open = [&scene]() -> Result<Opened> { return Opened{std::make_unique<BaselineRunner>(scene)}; };
    return {kBaselineMethod, contender.label, open, 1, kRealTolerance, contender.sample, contender.passes};
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
    return out;
}

Result<void> run_on_grid(Contest& contest, const BenchScene& scene, const std::vector<GridContender>& contenders,
                         const BenchOptions& options, Progress& progress) {
    World world(editable(scene.grid), sectors_for(contenders));
    std::vector<Contender> all;
    all.reserve(contenders.size() + options.peers.size());
    for (const GridContender& c : contenders)
        all.push_back(c.method == kBaselineMethod ? baseline_contender(scene, c) : planner_contender(scene, world, c));
    for (const Peer& peer : options.peers) all.push_back(peer_contender(scene, peer));
    ContestScene with_groups = contest_scene(scene);
    with_groups.group = scene.group;
    return contest.run(with_groups, all, [&] { progress.advance(); });
}

}  // namespace terrane
