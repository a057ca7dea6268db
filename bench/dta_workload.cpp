// `terrane bench dta-workload`: the best sector size for a workload. The Dynamic Terrain Abstraction paper leaves it open (section 6): it
// depends on how often and how much the terrain changes, on the number of queries, and on the number of profiles.
//
// A frame is one batch of edits (squares that catch fire, or that are put out again) and some queries, across the map or nearby. Smaller
// sectors give better paths. Larger sectors have fewer regions to search, but more cells to refine and to repair.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "bench/bench.h"
#include "bench/measurements.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/base/rng.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace dta_workload_bench {
namespace {

constexpr uint32_t kSectors[] = {8, 16, 32, 64};
constexpr size_t kCount = std::size(kSectors);
constexpr int kPasses = 3;                       // the best pass of each frame counts
constexpr std::array kMaxRatios = {1.05, 1.01};  // recommended: the fastest size whose mean suboptimality ratio is at most this
constexpr size_t kFarSample = 8;                 // far queries compared with A*; near ones are all compared
constexpr int32_t kNear = 128;                   // cells, per axis

struct Mix {
    uint32_t edits, side;  // squares per frame, cells a side
    uint32_t queries;      // per frame
    uint32_t profiles;
    bool far;  // the scene's own problems; otherwise goals nearby
};

using Edits = std::vector<CellEdit>;
using Queries = std::vector<std::pair<Cell, Cell>>;

// Each profile draws its costs. Profile k blocks those of the catalogue's last three terrains whose bit is set in k, so there are up to
// eight blocked sets.
std::vector<CostTable> profiles(const Catalogue& catalogue, uint32_t count) {
    std::vector<CostTable> out;
    out.reserve(count);
    for (uint32_t k = 0; k < count; ++k) {
        Profile profile = drawn_costs(catalogue, k + 1);
        for (uint32_t bit = 0; bit < 3; ++bit) {
            if ((k >> bit & 1) != 0) profile.blocked(catalogue[static_cast<Terrain>(catalogue.size() - 1 - bit)].name);
        }
        out.push_back(profile.compile(catalogue).value());
    }
    return out;
}

// Returns the edits of each frame: even frames set squares on fire, odd frames restore them.
std::vector<Edits> fires(const GridSnapshot& map, const Mix& mix, size_t frames) {
    Rng rng(mix.edits * 1000 + mix.side);
    std::vector<Edits> out(frames);
    for (size_t f = 0; f < frames; ++f) {
        if (f % 2 == 1) {
            out[f] = out[f - 1];
            for (CellEdit& edit : out[f]) edit.terrain = map.at(edit.cell);
            continue;
        }
        const auto side = static_cast<int32_t>(mix.side);
        out[f].reserve(size_t{mix.edits} * mix.side * mix.side);
        for (uint32_t e = 0; e < mix.edits; ++e) {
            const auto terrain = static_cast<Terrain>(map.catalogue().size() - 1 - rng.below(3));
            const int32_t x = rng.between(0, map.width() - side), y = rng.between(0, map.height() - side);
            for (int32_t i = 0; i < side * side; ++i) out[f].push_back({{x + i % side, y + i / side}, terrain});
        }
    }
    return out;
}

Queries queries_for(const BenchScene& scene, bool far) {
    Queries out = scene.queries;
    if (far) return out;
    Rng rng(5);
    for (auto& [start, goal] : out) {
        const int32_t dx = rng.between(-kNear, kNear), dy = rng.between(-kNear, kNear);
        goal = {std::clamp(start.x + dx, 0, scene.grid.width() - 1), std::clamp(start.y + dy, 0, scene.grid.height() - 1)};
    }
    return out;
}

// Solves the queries with A* after the first fires.
std::vector<Path> optimal_paths(const GridSnapshot& map, std::span<const std::pair<Cell, Cell>> queries,
                                const std::vector<CostTable>& costs, const Edits& fire) {
    TerrainGrid grid = editable(map);
    grid.apply(fire);
    GridSearch search;
    std::vector<Path> out(queries.size());
    for (size_t i = 0; i < out.size(); ++i) {
        search.begin({grid.snapshot(), costs[i % costs.size()], Movement::kEightNoCornerCutting}, queries[i].first, queries[i].second);
        search.run();
        search.path(out[i]);
    }
    return out;
}

std::string edits_text(const Mix& mix) { return mix.edits == 0 ? "none" : fmt::format("{} of {}x{}", mix.edits, mix.side, mix.side); }
std::string queries_text(const Mix& mix) { return fmt::format("{} {}", mix.queries, mix.far ? "far" : "near"); }

// A mix of edits and queries, to be run with each sector size.
struct Workload {
    const BenchScene& scene;
    Mix mix;
    std::vector<CostTable> costs;
    Queries queries;
    std::vector<Edits> frames;  // untimed: the first, which warms up, and the last, which restores the map
    std::vector<Path> optimal;

    Workload(const BenchScene& of, const Mix& m, size_t timed)
        : scene(of),
          mix(m),
          costs(profiles(of.grid.catalogue(), m.profiles)),
          queries(queries_for(of, m.far)),
          frames(fires(of.grid, m, timed + 2)),
          optimal(optimal_paths(of.grid, std::span(queries).first(m.far ? std::min(kFarSample, queries.size()) : queries.size()), costs,
                                frames[0])) {}

    Result<const Measurements*> run(uint32_t sector, MeasuredRows& rows) const;
    Result<void> check(const World& world, Planner& planner, const FindOptions& options, Samples& ratios) const;
};

// Checks every answer and the repaired regions.
Result<void> Workload::check(const World& world, Planner& planner, const FindOptions& options, Samples& ratios) const {
    const WorldSnapshot now = world.snapshot();
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::kBadValue, scene.name, 0, fmt::format("{}: {}", options.method.name(), what)};
    };
    if (now.all_regions()[0] != TerrainRegions::build(now.grid(), {sector_of(options.method).value()}))
        return wrong("repaired regions differ from rebuilt ones");
    Path path;
    for (size_t i = 0; i < optimal.size(); ++i) {
        const CostTable& table = costs[i % costs.size()];
        planner.find(queries[i].first, queries[i].second, table, options, path);
        if (path.status != optimal[i].status) return wrong(to_string(path.status));
        if (!path || optimal[i].cost == 0) continue;
        if (path.cost < optimal[i].cost || path_cost({now.grid(), table, options.movement}, path.cells) != path.cost)
            return wrong("wrong path");
        ratios.add(static_cast<double>(path.cost) / static_cast<double>(optimal[i].cost));
    }
    return {};
}

Result<const Measurements*> Workload::run(uint32_t sector, MeasuredRows& rows) const {
    World world(editable(scene.grid), WorldOptions{{sector}});
    Planner planner(world);
    FindOptions options;
    options.method = find_method(fmt::format("dta:{}+smooth", sector)).value();
    Measurements& row =
        rows.at(options.method.name(), {{"edits", edits_text(mix)}, {"queries", queries_text(mix)}, {"profiles", mix.profiles}});
    BestTimes editing, searching;
    Path path;
    for (int pass = 0; pass < kPasses; ++pass, editing.restart(), searching.restart()) {
        world.apply(frames.front());
        if (pass == 0) {
            if (const auto checked = check(world, planner, options, row.ratio); !checked) return checked.error();
        }
        size_t query = 0;
        for (size_t f = 1; f + 1 < frames.size(); ++f) {
            editing.time([&] {
                if (mix.edits > 0) world.apply(frames[f]);
            });
            searching.time([&] {
                for (uint32_t q = 0; q < mix.queries; ++q, ++query) {
                    const auto [start, goal] = queries[query % queries.size()];
                    planner.find(start, goal, costs[query % costs.size()], options, path);
                }
            });
        }
        world.apply(frames.back());
    }
    row["edit_ms"] = editing.samples();
    row["query_ms"] = searching.samples();
    for (size_t f = 0; f < row["edit_ms"].count(); ++f) row.ms.add(row["edit_ms"].values()[f] + row["query_ms"].values()[f]);
    return &row;
}

// Returns the fastest size whose ratio is at most `max_ratio`; if there is none, the size with the lowest ratio.
size_t recommended(const std::vector<const Measurements*>& all, double max_ratio) {
    size_t best = all.size();
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i]->ratio.mean() <= max_ratio && (best == all.size() || all[i]->ms.mean() < all[best]->ms.mean())) best = i;
    }
    if (best < all.size()) return best;
    return static_cast<size_t>(std::ranges::min_element(all, {}, [](const Measurements* m) { return m->ratio.mean(); }) - all.begin());
}

std::vector<Mix> mixes(bool quick) {
    if (quick) return {{1, 1, 1, 1, true}, {10, 5, 2, 4, false}};
    std::vector<Mix> out;
    for (const bool far : {true, false}) {
        for (const uint32_t profiles : {1u, 8u}) {
            for (const uint32_t queries : {1u, 10u}) {
                out.push_back({0, 0, queries, profiles, far});
                for (const uint32_t edits : {1u, 10u, 100u}) {
                    for (const uint32_t side : {1u, 5u, 20u}) out.push_back({edits, side, queries, profiles, far});
                }
            }
        }
    }
    return out;
}

// A table of recommended sector sizes, one line per mix.
class Advice {
public:
    void add(const Mix& mix, const std::vector<const Measurements*>& all) {
        std::vector<std::string> line{edits_text(mix), queries_text(mix), std::to_string(mix.profiles)};
        for (const Measurements* m : all)
            line.push_back(fmt::format("{} ({:.1f}%)", format_number(m->ms.mean()), 100 * (m->ratio.mean() - 1)));
        for (const double ratio : kMaxRatios) line.push_back(std::to_string(kSectors[recommended(all, ratio)]));
        lines_.push_back(std::move(line));
    }
    std::string text() const { return format_table(lines_); }

private:
    std::vector<std::vector<std::string>> lines_{
        {"edits per frame", "queries", "profiles", "dta:8, ms per frame", "dta:16", "dta:32", "dta:64", "within 5%", "within 1%"}};
};

}  // namespace
}  // namespace dta_workload_bench

Result<Report> bench_dta_workload(const BenchOptions& options) {
    using namespace dta_workload_bench;
    const auto scenes = bench_scenes(options);
    if (!scenes) return scenes.error();
    const BenchScene& scene = scenes->front();
    const std::vector<Mix> all_mixes = mixes(options.quick);
    MeasuredRows rows;
    Advice advice;
    Progress progress("dta-workload", all_mixes.size() * kCount);
    for (const Mix& mix : all_mixes) {
        const Workload workload(scene, mix, options.quick ? 4 : mix.queries == 1 ? 20 : 6);
        std::vector<const Measurements*> all;
        all.reserve(kCount);
        for (const uint32_t sector : kSectors) {
            const auto measured = workload.run(sector, rows);
            if (!measured) return measured.error();
            all.push_back(*measured);
            progress.advance();
        }
        advice.add(mix, all);
    }
    Report report{"dta-workload", rows.rows()};
    report.notes = {
        fmt::format("{}. A frame is one batch of edits (even frames set squares on fire, odd frames put them out) and its queries: "
                    "complete paths,\n"
                    "far (the scene's problems) or near (within {} cells per axis), for each profile in turn. In parentheses: mean excess "
                    "over the\n"
                    "optimal cost, from {} far or {} near queries. The last columns recommend a sector size: the fastest within that "
                    "excess, or the\n"
                    "one with the best paths.",
                    scene.name, kNear, std::min(kFarSample, scene.queries.size()), scene.queries.size()),
        advice.text()};
    return report;
}

}  // namespace terrane
