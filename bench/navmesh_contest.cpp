#include "bench/navmesh_contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/progress.h"
#include "bench/stopwatch.h"

namespace terrane {

namespace navmesh_contest_bench {
namespace {

constexpr int kRuns = 2;  // timed runs; the better counts

Error wrong(const NavmeshQuery& query, size_t method, const std::string& what) {
    return {
        ErrorCode::kBadValue, "navmesh", 0,
        fmt::format("{}, {} from {:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}: {}", kNavmeshMethods[method],
                    kNavmeshCreatures[query.creature], query.from.x, query.from.y, query.from.z, query.to.x, query.to.y, query.to.z, what)};
}

class MeshContest {
public:
    MeshContest(const NavmeshAbstraction& regions, std::span<const Creature> creatures)
        : view_(regions.mesh()), creatures_(creatures), detour_(regions.mesh()), planner_(regions) {}

    // Checks all methods, untimed.
    Result<NavmeshAnswer> check(const NavmeshQuery& query) {
        NavmeshAnswer answer{query};
        for (size_t m = 0; m < kNavmeshMethods.size(); ++m) {
            if (const std::string what = m == kDetour ? check_detour(answer) : check_ours(m, answer); !what.empty())
                return wrong(query, m, what);
        }
        return answer;
    }

    double time(const NavmeshQuery& query, size_t method) {
        const Creature& creature = creatures_[query.creature];
        const NavmeshFindOptions options = method == kDetour ? NavmeshFindOptions{} : options_of(method);
        const Stopwatch watch;
        if (method == kDetour) {
            detour_.find(query.from, query.to, creature.detour);
        } else {
            planner_.find(query.from, query.to, creature.filter, options, path_);
        }
        return watch.ms();
    }

private:
    static NavmeshFindOptions options_of(size_t method) {
        NavmeshFindOptions options;
        options.method = find_navmesh_method(kNavmeshMethods[method]).value();
        return options;
    }

    // Both checks return what is wrong with the answer, or an empty string.
    std::string check_detour(NavmeshAnswer& answer) {
        const NavmeshPath path = detour_.find_crossings(answer.query.from, answer.query.to, creatures_[answer.query.creature]);
        answer.detour = path.status;
        if (path.status != Status::kFound) return {};
        if (!answer.query.reachable) return "found, but a flood fill reports unreachable";
        return record(kDetour, path, answer);
    }

    std::string check_ours(size_t method, NavmeshAnswer& answer) {
        const NavmeshQuery& query = answer.query;
        const NavmeshFilter& filter = creatures_[query.creature].filter;
        NavmeshFindOptions options = options_of(method);
        options.crossings = true;
        planner_.find(query.from, query.to, filter, options, path_);
        const Status expected = query.reachable ? Status::kFound : Status::kUnreachable;
        if (path_.status != expected) return fmt::format("{}, but a flood fill reports {}", to_string(path_.status), to_string(expected));
        if (!query.reachable) return {};
        const auto cost = Measure(view_, filter)(path_);
        if (!cost) return "leaves its corridor or enters a blocked polygon";
        const double slack = 1e-4 * cost->high;
        if (path_.cost < cost->low - slack || path_.cost > cost->high + slack)
            return fmt::format("reports cost {:.3f}, but costs {:.3f} to {:.3f}", path_.cost, cost->low, cost->high);
        return record(method, path_, answer);
    }

    static std::string record(size_t method, const NavmeshPath& path, NavmeshAnswer& answer) {
        if (!is_at(path.points.front(), answer.query.from) || !is_at(path.points.back(), answer.query.to)) return "wrong start or goal";
        answer.cost[method] = path.cost;
        answer.length[method] = path.length;
        answer.expansions[method] = static_cast<double>(path.expansions);
        return {};
    }

    // Ignores heights: polygons are flat, the detail mesh that ends are snapped to is not.
    static bool is_at(Vec3 point, Vec3 wanted) { return length(to_mesh_point(point).flat() - to_mesh_point(wanted).flat()) <= kSlack; }

    MeshView view_;
    std::span<const Creature> creatures_;
    DetourSearch detour_;
    NavmeshPlanner planner_;
    NavmeshPath path_;
};

// Alternates between the methods, so that each runs first equally often.
void time_all(MeshContest& contest, size_t number, NavmeshAnswer& answer) {
    answer.ms.fill(1e300);
    for (size_t i = 0; i < kRuns * kNavmeshMethods.size(); ++i) {
        const size_t method = (number + i) % kNavmeshMethods.size();
        answer.ms[method] = std::min(answer.ms[method], contest.time(answer.query, method));
    }
}

}  // namespace
}  // namespace navmesh_contest_bench

Result<std::vector<NavmeshAnswer>> answer_all(const NavmeshAbstraction& regions, std::span<const Creature> creatures,
                                              std::span<const NavmeshQuery> queries) {
    using namespace navmesh_contest_bench;
    MeshContest contest(regions, creatures);
    std::vector<NavmeshAnswer> answers;
    answers.reserve(queries.size());
    Progress progress("navmesh, queries", 2 * queries.size());
    for (const NavmeshQuery& query : queries) {
        const auto answer = contest.check(query);
        if (!answer) return answer.error();
        answers.push_back(*answer);
        progress.advance();
    }
    for (size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].query.reachable) time_all(contest, i, answers[i]);
        progress.advance();
    }
    return answers;
}

}  // namespace terrane
