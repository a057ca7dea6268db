// `terrane bench navmesh`: section 5.3 of "Pathfinding and Abstraction with Dynamic Terrain Costs" (Sturtevant, Sigurdson, Taylor, Gibson
// 2019) on a generated world: the regions of a Detour mesh, and paths through them against Detour's own.
#include <fmt/format.h>
#include <recastnavigation/DetourNavMeshQuery.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <optional>

#include "bench/bench.h"
#include "bench/navmesh_levels.h"
#include "bench/navmesh_measure.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
#include "navmesh/mesh_view.h"
#include "terrane/navmesh_builder.h"
#include "terrane/navmesh_planner.h"
#include "terrane/navmesh_world.h"
#include "terrane/rng.h"

namespace terrane {

namespace {

constexpr int32_t kMetres = 1000, kQuickMetres = 200;
constexpr size_t kQueries = 5200, kQuickQueries = 60;       // as in the paper; of all creatures together
constexpr double kNearest = 17, kFarthest = 1384.0 / 1000;  // metres, as in the paper; a share of the world's side
constexpr size_t kLengths = 10;                             // classes of distance, with as many queries each
constexpr size_t kMostDraws = 50'000'000;                   // of pairs
constexpr int kRuns = 2;                                    // of the clock: the better counts
constexpr int kBuilds = 5, kRepairs = 200;                  // of the abstraction, for means
constexpr std::array<const char*, 2> kCreatures = {"person", "deer"};
constexpr std::array<const char*, 3> kMethods = {"detour", "dta", "dta+portals"};
constexpr size_t kDetour = 0;

// ---- The world

struct Creature {
    NavmeshFilter filter;
    dtQueryFilter detour;
};

// Detour knows no areas that are blocked, only dear ones; its users keep creatures out by flags. So does this: bit i of a polygon's flags
// says that creature i may enter.
Result<std::vector<Creature>> make_creatures(NavmeshAreas& areas) {
    std::vector<Creature> creatures(kCreatures.size());
    areas.flags.assign(areas.catalogue.size(), 0);
    for (size_t i = 0; i < creatures.size(); ++i) {
        NavmeshFilter& filter = creatures[i].filter;
        const auto costs = Profile::preset(kCreatures[i])->compile(areas.catalogue);
        if (!costs) return costs.error();
        filter.costs = *costs;
        filter.include_flags = static_cast<uint16_t>(1u << i);
        for (size_t area = 0; area < areas.flags.size(); ++area) {
            if (costs->cost[area] != 0) areas.flags[area] |= filter.include_flags;
        }
        to_detour_filter(filter, creatures[i].detour);
    }
    return creatures;
}

template <class Visit>
void for_each_polygon(const NavmeshAbstraction& regions, const MeshView& view, Visit&& visit) {
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t i = 0; i < regions.tile(slot).labels.size(); ++i) visit(view.number(slot, i));
    }
}

// By polygon number: equal where one can be reached from the other, 0 where one may not be. The world has no one-way connections: whoever
// can come can go back.
std::vector<uint32_t> flood(const NavmeshAbstraction& regions, const MeshView& view, const NavmeshFilter& filter) {
    std::vector<uint32_t> parts(regions.id_limit());
    std::vector<PolygonNumber> reached;
    uint32_t count = 0;
    const auto reach = [&](PolygonNumber p) {
        if (parts[p] != 0 || !passes(view, filter, p)) return;
        parts[p] = count;
        reached.push_back(p);
    };
    for_each_polygon(regions, view, [&](PolygonNumber first) {
        if (parts[first] != 0) return;
        ++count;
        reach(first);
        while (!reached.empty()) {
            const PolygonNumber p = reached.back();
            reached.pop_back();
            view.for_each_link(p, [&](uint32_t, const dtLink& link) { reach(view.number(link.ref)); });
        }
    });
    return parts;
}

// Pairs of regions with a border, as the paper seems to count: it has 1.8 for each region.
uint64_t count_pairs(const NavmeshAbstraction& regions) {
    uint64_t count = 0;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        for (uint32_t number = 0; number < regions.regions_in(slot).size(); ++number) {
            const NavmeshRegionId id = regions.id(slot, number);
            NavmeshRegionId last = id;  // edges ascend by `to`
            for (const NavmeshEdge& edge : regions.edges_of(id)) {
                if (edge.to > last) ++count;
                last = std::max(last, edge.to);
            }
        }
    }
    return count;
}

// As if random tiles had changed, one by one.
Result<double> repair_ms(NavmeshAbstraction& regions) {
    std::vector<uint32_t> slots;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        if (!regions.regions_in(slot).empty()) slots.push_back(slot);
    }
    Rng rng(11);
    double sum = 0;
    for (int i = 0; i < kRepairs; ++i) {
        const uint32_t slot = slots[rng.below(static_cast<uint32_t>(slots.size()))];
        const NavmeshTileRef ref = regions.mesh().encodePolyId(regions.tile(slot).salt, slot, 0);
        const Stopwatch watch;
        regions.tile_changed(ref);
        sum += watch.ms();
    }
    if (!(regions == NavmeshAbstraction(regions.mesh()))) return Error{ErrorCode::kBadValue, "navmesh", 0, "repaired, it is not as built"};
    return sum / kRepairs;
}

Result<ReportRow> world_row(NavmeshAbstraction& regions, int32_t metres, double mesh_ms) {
    const Stopwatch watch;
    for (int i = 0; i < kBuilds; ++i) static_cast<void>(NavmeshAbstraction(regions.mesh()));
    const double build = watch.ms() / kBuilds;
    const auto repair = repair_ms(regions);
    if (!repair) return repair.error();
    return ReportRow{"abstraction",
                     {{"metres", metres}},
                     {{"tiles", regions.tile_count()},
                      {"polygons", static_cast<double>(regions.polygon_count())},
                      {"regions", static_cast<double>(regions.region_count())},
                      {"edges", static_cast<double>(count_pairs(regions))},
                      {"edges_kept", static_cast<double>(regions.edge_count())},
                      {"build_ms", build},
                      {"repair_ms", *repair},
                      {"bytes", static_cast<double>(regions.bytes())},
                      {"mesh_ms", mesh_ms}}};
}

// ---- Queries

struct Query {
    size_t creature = 0;
    Vec3 from, to;
    double distance = 0;
    bool joined = false;  // there is a path
};

// Between the middles of random polygons that the creature may enter.
void draw_queries(const NavmeshAbstraction& regions, const MeshView& view, const std::vector<uint32_t>& parts, size_t creature,
                  size_t count, double farthest, Rng& rng, std::vector<Query>& out) {
    std::vector<PolygonNumber> polygons;
    for_each_polygon(regions, view, [&](PolygonNumber p) {
        if (parts[p] != 0) polygons.push_back(p);
    });
    std::array<size_t, kLengths> left;
    left.fill(count / kLengths);
    for (size_t i = 0; i < kMostDraws && std::ranges::any_of(left, [](size_t n) { return n > 0; }); ++i) {
        const PolygonNumber a = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const PolygonNumber b = polygons[rng.below(static_cast<uint32_t>(polygons.size()))];
        const Spot from = view.centre(a), to = view.centre(b);
        const double away = distance(from, to), share = (away - kNearest) / (farthest - kNearest);
        if (share < 0 || share >= 1) continue;
        size_t& wanted = left[static_cast<size_t>(share * kLengths)];
        if (wanted == 0) continue;
        --wanted;
        out.push_back({creature, to_vec3(from), to_vec3(to), away, parts[a] == parts[b]});
    }
}

void shuffle(std::vector<Query>& queries, Rng& rng) {
    for (size_t i = queries.size(); i > 1; --i) std::swap(queries[i - 1], queries[rng.below(static_cast<uint32_t>(i))]);
}

// ---- Detour

class DetourSearch {
public:
    static constexpr int kNodes = 65535;  // all that its 16-bit numbers allow
    static constexpr int kMaxPolygons = 8192;

    explicit DetourSearch(const dtNavMesh& mesh)
        : query_(dtAllocNavMeshQuery()), polygons_(kMaxPolygons), refs_(size_t{2} * kMaxPolygons), points_(size_t{6} * kMaxPolygons) {
        query_->init(&mesh, kNodes);
    }

    // All that a game does for a path: localises, finds a corridor, pulls it straight.
    Status find(const Query& query, const dtQueryFilter& filter, int straight_options = 0) {
        const NavmeshFindOptions defaults;
        const float half[3] = {defaults.extents.x, defaults.extents.y, defaults.extents.z};
        float from[3], to[3];
        const dtPolyRef a = localise(query.from, half, filter, from), b = localise(query.to, half, filter, to);
        count_ = point_count_ = 0;
        if (a == 0 || b == 0) return Status::kOutsideMap;
        query_->findPath(a, b, from, to, &filter, polygons_.data(), &count_, kMaxPolygons);
        query_->findStraightPath(from, to, polygons_.data(), count_, points_.data(), nullptr, refs_.data(), &point_count_, 2 * kMaxPolygons,
                                 straight_options);
        return count_ > 0 && polygons_[static_cast<size_t>(count_) - 1] == b ? Status::kFound : Status::kPartial;
    }

    // The same, with a point wherever it enters a polygon; measured.
    NavmeshPath find_crossings(const Query& query, const Creature& creature) {
        NavmeshPath path;
        path.status = find(query, creature.detour, DT_STRAIGHTPATH_ALL_CROSSINGS);
        path.corridor.assign(polygons_.begin(), polygons_.begin() + count_);
        path.points.reserve(static_cast<size_t>(point_count_));
        for (size_t i = 0; i < static_cast<size_t>(point_count_); ++i) {
            path.points.push_back({points_[3 * i], points_[3 * i + 1], points_[3 * i + 2]});
            if (i == 0) continue;
            unsigned char area = 0;
            query_->getAttachedNavMesh()->getPolyArea(refs_[i - 1], &area);
            const double length = length_between(path.points[i - 1], path.points[i]);
            path.length += length;
            path.cost += length * creature.filter.cost(area);
        }
        return path;
    }

private:
    struct Free {
        void operator()(dtNavMeshQuery* query) const { dtFreeNavMeshQuery(query); }
    };

    dtPolyRef localise(const Vec3& point, const float* half, const dtQueryFilter& filter, float* out) const {
        const float wanted[3] = {point.x, point.y, point.z};
        dtPolyRef ref = 0;
        query_->findNearestPoly(wanted, half, &filter, &ref, out);
        return ref;
    }

    std::unique_ptr<dtNavMeshQuery, Free> query_;
    std::vector<dtPolyRef> polygons_, refs_;
    std::vector<float> points_;
    int count_ = 0, point_count_ = 0;
};

// ---- Answers, checked

struct Answer {
    Query query;
    Status detour = Status::kFound;
    // By method.
    std::array<double, 3> cost{}, length{}, expansions{}, ms{};

    bool is_solved() const { return detour == Status::kFound; }  // by Detour
};

Error wrong(const Query& query, size_t method, const std::string& what) {
    return {ErrorCode::kBadValue, "navmesh", 0,
            fmt::format("{}, {} from {:.2f},{:.2f},{:.2f} to {:.2f},{:.2f},{:.2f}: {}", kMethods[method], kCreatures[query.creature],
                        query.from.x, query.from.y, query.from.z, query.to.x, query.to.y, query.to.z, what)};
}

class Contest {
public:
    Contest(const NavmeshAbstraction& regions, std::vector<Creature> creatures)
        : view_(regions.mesh()), creatures_(std::move(creatures)), detour_(regions.mesh()), planner_(regions) {}

    // Without times.
    Result<Answer> check(const Query& query) {
        Answer answer{query};
        for (size_t m = 0; m < kMethods.size(); ++m) {
            if (const std::string what = m == kDetour ? check_detour(answer) : check_ours(m, answer); !what.empty())
                return wrong(query, m, what);
        }
        return answer;
    }

    double time(const Query& query, size_t method) {
        const Creature& creature = creatures_[query.creature];
        const NavmeshFindOptions options = method == kDetour ? NavmeshFindOptions{} : options_of(method);
        const Stopwatch watch;
        if (method == kDetour) {
            detour_.find(query, creature.detour);
        } else {
            planner_.find(query.from, query.to, creature.filter, options, path_);
        }
        return watch.ms();
    }

private:
    static NavmeshFindOptions options_of(size_t method) {
        NavmeshFindOptions options;
        options.method = find_navmesh_method(kMethods[method]).value();
        return options;
    }

    // What is wrong with the answer; empty where nothing is.
    std::string check_detour(Answer& answer) {
        const NavmeshPath path = detour_.find_crossings(answer.query, creatures_[answer.query.creature]);
        answer.detour = path.status;
        if (path.status != Status::kFound) return {};
        if (!answer.query.joined) return "found, but a flood says unreachable";
        return keep(kDetour, path, answer);
    }

    std::string check_ours(size_t method, Answer& answer) {
        const Query& query = answer.query;
        const NavmeshFilter& filter = creatures_[query.creature].filter;
        NavmeshFindOptions options = options_of(method);
        options.crossings = true;
        planner_.find(query.from, query.to, filter, options, path_);
        const Status expected = query.joined ? Status::kFound : Status::kUnreachable;
        if (path_.status != expected) return fmt::format("{}, but a flood says {}", to_string(path_.status), to_string(expected));
        if (!query.joined) return {};
        const auto cost = Measure(view_, filter)(path_);
        if (!cost) return "leads where it may not";
        const double slack = 1e-4 * cost->high;
        if (path_.cost < cost->low - slack || path_.cost > cost->high + slack)
            return fmt::format("says {:.3f}, costs {:.3f} to {:.3f}", path_.cost, cost->low, cost->high);
        return keep(method, path_, answer);
    }

    static std::string keep(size_t method, const NavmeshPath& path, Answer& answer) {
        if (!is_at(path.points.front(), answer.query.from) || !is_at(path.points.back(), answer.query.to))
            return "begins or ends elsewhere";
        answer.cost[method] = path.cost;
        answer.length[method] = path.length;
        answer.expansions[method] = static_cast<double>(path.expansions);
        return {};
    }

    // Heights aside: polygons are flat, the ground that ends are moved to is not.
    static bool is_at(Vec3 point, Vec3 wanted) { return length(to_spot(point).flat() - to_spot(wanted).flat()) <= kSlack; }

    MeshView view_;
    std::vector<Creature> creatures_;
    DetourSearch detour_;
    NavmeshPlanner planner_;
    NavmeshPath path_;
};

// One method after the other, each first as often as the others.
void time_all(Contest& contest, size_t number, Answer& answer) {
    answer.ms.fill(1e300);
    for (size_t i = 0; i < kRuns * kMethods.size(); ++i) {
        const size_t method = (number + i) % kMethods.size();
        answer.ms[method] = std::min(answer.ms[method], contest.time(answer.query, method));
    }
}

Result<std::vector<Answer>> answer_all(Contest& contest, const std::vector<Query>& queries) {
    std::vector<Answer> answers;
    answers.reserve(queries.size());
    Progress progress("navmesh, queries", 2 * queries.size());
    for (const Query& query : queries) {
        const auto answer = contest.check(query);
        if (!answer) return answer.error();
        answers.push_back(*answer);
        progress.advance();
    }
    for (size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].query.joined) time_all(contest, i, answers[i]);
        progress.advance();
    }
    return answers;
}

// ---- Rows

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Half the width of the mean's 95% confidence interval.
double half_interval(const std::vector<double>& values) {
    const double middle = mean(values);
    double squares = 0;
    for (const double v : values) squares += (v - middle) * (v - middle);
    const auto n = static_cast<double>(values.size());
    return n < 2 ? 0 : 1.96 * std::sqrt(squares / (n - 1) / n);
}

using Answers = std::vector<const Answer*>;

template <class Of>
std::vector<double> values(const Answers& answers, Of&& of) {
    std::vector<double> out;
    out.reserve(answers.size());
    for (const Answer* a : answers) out.push_back(of(*a));
    return out;
}

void add_times(size_t method, const Answers& answers, Metrics& out) {
    std::vector<double> ms = values(answers, [&](const Answer& a) { return a.ms[method]; });
    out.emplace_back("ms_mean", mean(ms));
    out.emplace_back("ms_95", half_interval(ms));
    out.emplace_back("ms_p50", quantile(ms, 0.5));
    out.emplace_back("ms_p99", quantile(ms, 0.99));
    if (method == kDetour) return;
    // The delta method for the ratio of two means, of pairs.
    const double ours = mean(ms), ratio = mean(values(answers, [](const Answer&a) { return a.ms[kDetour]; })) / ours;
    const std::vector<double> rest = values(answers, [&](const Answer& a) { return a.ms[kDetour] - ratio * a.ms[method]; });
    out.emplace_back("speedup", ratio);
    out.emplace_back("speedup_95", half_interval(rest) / ours);
}

void add_costs(size_t method, const Answers& answers, Metrics& out) {
    out.emplace_back("cost", mean(values(answers, [&](const Answer& a) { return a.cost[method]; })));
    out.emplace_back("length", mean(values(answers, [&](const Answer& a) { return a.length[method]; })));
    if (method == kDetour) return;
    const std::vector<double> ratios = values(answers, [&](const Answer& a) { return a.cost[method] / a.cost[kDetour]; });
    const auto cheaper = std::ranges::count_if(ratios, [](double r) { return r < 1 - 1e-6; });
    out.emplace_back("ratio_mean", mean(ratios));
    out.emplace_back("ratio_max", *std::ranges::max_element(ratios));
    out.emplace_back("cheaper", static_cast<double>(cheaper) / static_cast<double>(ratios.size()));
}

void add_rows(const std::string& profile, const std::string& which, const Answers& answers, Report& report) {
    if (answers.empty()) return;
    const bool solved = std::ranges::all_of(answers, &Answer::is_solved);
    for (size_t m = 0; m < kMethods.size(); ++m) {
        ReportRow row{kMethods[m], {{"profile", profile}, {"queries", which}}, {{"timed", static_cast<double>(answers.size())}}};
        add_times(m, answers, row.metrics);
        if (solved) add_costs(m, answers, row.metrics);
        if (m != kDetour) row.metrics.emplace_back("expansions", mean(values(answers, [&](const Answer& a) { return a.expansions[m]; })));
        report.rows.push_back(std::move(row));
    }
}

// What became of the queries of one creature.
ReportRow outcome_row(size_t creature, const std::vector<Answer>& answers) {
    double queries = 0, unreachable = 0, cut = 0;
    for (const Answer& a : answers) {
        if (a.query.creature != creature) continue;
        ++queries;
        if (!a.query.joined) ++unreachable;
        if (a.query.joined && a.detour != Status::kFound) ++cut;
    }
    return {"all",
            {{"profile", kCreatures[creature]}},
            {{"queries", queries}, {"unreachable", unreachable}, {"found_by_ours", queries - unreachable}, {"cut_short_by_detour", cut}}};
}

// Ascending by the distance of their ends.
Answers longer_half(const Answers& answers) { return {answers.begin() + static_cast<ptrdiff_t>(answers.size() / 2), answers.end()}; }

void add_profile_rows(const std::string& profile, Answers answers, Report& report) {
    std::ranges::sort(answers, {}, [](const Answer* a) { return a->query.distance; });
    Answers solved;
    std::ranges::copy_if(answers, std::back_inserter(solved), &Answer::is_solved);
    add_rows(profile, "solved by Detour", solved, report);
    add_rows(profile, "their longer half", longer_half(solved), report);
    if (solved.size() < answers.size()) add_rows(profile, "longer half of all", longer_half(answers), report);
}

void add_query_rows(const std::vector<Answer>& answers, Report& report) {
    for (size_t c = 0; c < kCreatures.size(); ++c) report.rows.push_back(outcome_row(c, answers));
    Answers both;
    std::array<Answers, kCreatures.size()> each;
    for (const Answer& a : answers) {
        if (!a.query.joined) continue;
        both.push_back(&a);
        each[a.query.creature].push_back(&a);
    }
    add_profile_rows("both", both, report);
    for (size_t c = 0; c < kCreatures.size(); ++c) add_profile_rows(kCreatures[c], each[c], report);
}

void add_paper_rows(Report& report) {
    report.paper.push_back({"abstraction", {{"metres", kMetres}}, {{"polygons", 102'193}, {"regions", 7338}, {"edges", 13'298}}});
    const nlohmann::ordered_json scene{{"profile", "Unreal's"}, {"queries", "all"}};
    report.paper.push_back({"detour", scene, {{"timed", 5200}, {"ms_mean", 5.64}, {"ms_95", 0.12}, {"length", 777.22}}});
    report.paper.push_back({"dta", scene, {{"timed", 5200}, {"ms_mean", 1.68}, {"ms_95", 0.03}, {"length", 823.71}, {"speedup", 3.36}}});
}

std::vector<std::string> notes() {
    return {
        "World: the middle of a generated island, as dense in polygons as to come near the paper's number. edges: pairs of regions with "
        "a border, as the paper seems to count; edges_kept: each way, one for each stretch of a border. build_ms: of the abstraction, "
        "mean of 5; repair_ms: of a tile and its joins, mean of 200 random ones; both on one core. mesh_ms: world and mesh (Recast), on "
        "all cores.",
        "Queries: as many for each profile, from 17 m to 1.384 times the world's side apart, as many in each tenth of that. "
        "cut_short_by_detour: with 65,535 nodes, the most that it can have, it gives up before the goal. What is blocked is so by "
        "flags, for Detour too. All of our answers were checked before the clock: statuses against a flood, paths from border to border.",
        "ms: localising both ends, searching, straightening; the better of 2 runs, each query by one method after the other. The longer "
        "half is that by the distance of the ends; that of all has queries that Detour spends its nodes on and does not solve. ms_95, "
        "speedup_95: half of the 95% confidence interval of the mean, and of the ratio of Detour's mean to this one (delta method).",
        "cost: length in each polygon times the cost of its area, of the straightened path, measured in the same way for all. length: in "
        "metres; an Unreal unit is a centimetre. ratio: to Detour's cost. cheaper: than Detour's, share of queries.",
    };
}

Result<Navmesh> build_world(int32_t metres, const NavmeshAreas& areas) {
    const auto source = generate_navmesh_source({.metres = metres});
    if (!source) return source.error();
    NavmeshBuildOptions options;
    options.threads = 0;
    Progress progress("navmesh, tiles", 0);
    return build_navmesh(*source, options, areas, [&](uint32_t, uint32_t) { progress.advance(); });
}

std::vector<Query> draw_all(const NavmeshAbstraction& regions, const std::vector<Creature>& creatures, size_t count, int32_t metres) {
    const MeshView view(regions.mesh());
    Rng rng(29);
    std::vector<Query> queries;
    for (size_t c = 0; c < creatures.size(); ++c) {
        const std::vector<uint32_t> parts = flood(regions, view, creatures[c].filter);
        draw_queries(regions, view, parts, c, count / creatures.size(), kFarthest * metres, rng, queries);
    }
    shuffle(queries, rng);
    return queries;
}

}  // namespace

Result<Report> bench_navmesh(const BenchOptions& options) {
    const int32_t metres = options.quick ? kQuickMetres : kMetres;
    NavmeshAreas areas;
    auto creatures = make_creatures(areas);
    if (!creatures) return creatures.error();
    const Stopwatch watch;
    const auto navmesh = build_world(metres, areas);
    if (!navmesh) return navmesh.error();
    const double mesh_ms = watch.ms();

    NavmeshAbstraction regions(navmesh->mesh());
    const auto world = world_row(regions, metres, mesh_ms);
    if (!world) return world.error();
    const std::vector<Query> queries = draw_all(regions, *creatures, options.quick ? kQuickQueries : kQueries, metres);
    Contest contest(regions, std::move(*creatures));
    const auto answers = answer_all(contest, queries);
    if (!answers) return answers.error();

    Report report{"navmesh", {*world}, {}, notes()};
    add_query_rows(*answers, report);
    if (const auto added = add_navmesh_levels(options, report); !added) return added.error();
    add_paper_rows(report);
    return report;
}

}  // namespace terrane
