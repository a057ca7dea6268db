#include "bench/navmesh_contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/progress.h"

namespace terrane {

namespace navmesh_contest_bench {
namespace {

std::string describe(const NavmeshScene& scene, const NavmeshQuery& query) {
    return fmt::format("{} from {:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}", scene.creatures[query.creature].name, query.from.x,
                       query.from.y, query.from.z, query.to.x, query.to.y, query.to.z);
}

Error wrong(const std::string& what) { return {ErrorCode::kBadValue, {}, 0, what}; }

NavmeshFindOptions options_of(const char* method) {
    NavmeshFindOptions options;
    options.method = find_navmesh_method(method).value();
    return options;
}

// Ignores heights: polygons are flat, the detail mesh that ends are snapped to is not.
bool is_at(Vec3 point, Vec3 wanted) { return length(to_mesh_point(point).flat() - to_mesh_point(wanted).flat()) <= kSlack; }

Result<Answer> answer_of(const NavmeshQuery& query, const NavmeshPath& path, NamedSamples& extras) {
    if (!is_at(path.points.front(), query.from) || !is_at(path.points.back(), query.to)) return wrong("wrong start or goal");
    extras["length_metres"].add(path.length);
    return Answer{.found = true, .cost = path.cost, .expansions = static_cast<double>(path.expansions)};
}

class DetourRunner final : public Runner {
public:
    DetourRunner(const NavmeshScene& scene, const std::vector<NavmeshQuery*>& queries)
        : scene_(scene), queries_(queries), detour_(scene.regions->mesh()) {}

    void solve(size_t problem, Lap& /*lap*/) override {
        const NavmeshQuery& query = *queries_[problem];
        detour_.find(query.from, query.to, scene_.creatures[query.creature].detour);
    }
    // Searches once more, for the points where the path enters each polygon.
    Result<Answer> answer(size_t problem, NamedSamples& extras) override {
        NavmeshQuery& query = *queries_[problem];
        const NavmeshPath path = detour_.find_crossings(query.from, query.to, scene_.creatures[query.creature]);
        query.solved = path.status == Status::kFound;
        if (query.solved) return answer_of(query, path, extras);
        if (scene_.detour_may_fail) return Answer{};
        return wrong(fmt::format("{}, but a flood fill reports reachable", to_string(path.status)));
    }

private:
    const NavmeshScene& scene_;
    const std::vector<NavmeshQuery*>& queries_;
    DetourSearch detour_;
};

// Checks that a path leaves off-mesh connections only at their ends.
bool is_traversable(const MeshView& view, const NavmeshPath& path) {
    for (size_t i = 1; i < path.corridor.size(); ++i) {
        const PolygonNumber from = view.number(path.corridor[i - 1]), to = view.number(path.corridor[i]);
        bool open = false;
        view.for_each_link(
            from, [&](uint32_t, const dtLink& link) { open = open || (view.number(link.ref) == to && view.is_traversable(from, link)); });
        if (!open) return false;
    }
    return true;
}

class RegionsRunner final : public Runner {
public:
    RegionsRunner(const NavmeshScene& scene, const std::vector<NavmeshQuery*>& queries, const char* method)
        : scene_(scene), queries_(queries), view_(scene.regions->mesh()), planner_(*scene.regions), options_(options_of(method)) {}

    void solve(size_t problem, Lap& /*lap*/) override { find(problem, options_); }
    // Searches once more, for the points where the path enters each polygon.
    Result<Answer> answer(size_t problem, NamedSamples& extras) override {
        NavmeshFindOptions options = options_;
        options.crossings = true;
        find(problem, options);
        if (path_.status != Status::kFound) return wrong(fmt::format("{}, but a flood fill reports reachable", to_string(path_.status)));
        const NavmeshQuery& query = *queries_[problem];
        const auto cost = Measure(view_, scene_.creatures[query.creature].filter)(path_);
        if (!cost || !is_traversable(view_, path_)) return wrong("leaves its corridor or enters a blocked polygon");
        const double slack = 1e-4 * cost->high;
        if (path_.cost < cost->low - slack || path_.cost > cost->high + slack)
            return wrong(fmt::format("reports cost {:.3f}, but costs {:.3f} to {:.3f}", path_.cost, cost->low, cost->high));
        return answer_of(query, path_, extras);
    }

private:
    void find(size_t problem, const NavmeshFindOptions& options) {
        const NavmeshQuery& query = *queries_[problem];
        planner_.find(query.from, query.to, scene_.creatures[query.creature].filter, options, path_);
    }

    const NavmeshScene& scene_;
    const std::vector<NavmeshQuery*>& queries_;
    MeshView view_;
    NavmeshPlanner planner_;
    NavmeshFindOptions options_;
    NavmeshPath path_;
};

// Checks that no method finds a path to an unreachable goal.
Result<void> check_unreachable(const NavmeshScene& scene) {
    DetourSearch detour(scene.regions->mesh());
    NavmeshPlanner planner(*scene.regions);
    NavmeshPath path;
    for (const NavmeshQuery& query : scene.queries) {
        if (query.reachable) continue;
        const Creature& creature = scene.creatures[query.creature];
        for (const char* method : kNavmeshMethods) {
            const bool is_detour = method == kNavmeshMethods[0];
            if (!is_detour) planner.find(query.from, query.to, creature.filter, options_of(method), path);
            const Status status = is_detour ? detour.find(query.from, query.to, creature.detour) : path.status;
            if (is_detour ? status != Status::kFound : status == Status::kUnreachable) continue;
            return Error{ErrorCode::kBadValue, scene.name, 0,
                         fmt::format("{} {}: {}, but a flood fill reports unreachable", method, describe(scene, query), to_string(status))};
        }
    }
    return {};
}

// The share of the queries that cost less than Detour's path.
double cheaper(const Measurements& row) {
    const auto less = std::ranges::count_if(row.ratio.values(), [](double ratio) { return ratio < 1 - 1e-6; });
    return row.ratio.empty() ? std::nan("") : static_cast<double>(less) / static_cast<double>(row.ratio.count());
}

}  // namespace
}  // namespace navmesh_contest_bench

Contest navmesh_contest() {
    Contest contest({.first_costs = FirstCosts::kReference, .cost_metric = "cost_metres"});
    contest.results().show("ms_95", [](const Measurements& row) { return mean_95(row.ms); });
    contest.results().show("speedup_95", [](const Measurements& row) { return row.with_reference.ratio_95(); });
    contest.results().show("cheaper", navmesh_contest_bench::cheaper);
    return contest;
}

Result<void> run_on_navmesh(Contest& contest, NavmeshScene& scene) {
    using namespace navmesh_contest_bench;
    if (const auto checked = check_unreachable(scene); !checked) return checked.error();
    std::vector<NavmeshQuery*> queries;  // the reachable ones
    for (NavmeshQuery& query : scene.queries) {
        if (query.reachable) queries.push_back(&query);
    }
    std::vector<Contender> contenders;
    for (const char* method : kNavmeshMethods) {
        contenders.push_back({.method = method, .open = [&scene, &queries, method]() -> Result<Opened> {
                                  if (method == kNavmeshMethods[0]) return Opened{std::make_unique<DetourRunner>(scene, queries)};
                                  return Opened{std::make_unique<RegionsRunner>(scene, queries, method)};
                              }});
    }
    ContestScene problems{.name = scene.name, .problems = queries.size()};
    problems.describe = [&](size_t problem) { return describe(scene, *queries[problem]); };
    problems.group = [&](size_t problem, const Answer&) {
        return scene.labels(static_cast<size_t>(queries[problem] - scene.queries.data()));
    };
    Progress progress(scene.name, contenders.size());
    return contest.run(problems, contenders, [&] { progress.advance(); });
}

}  // namespace terrane
