// `terrane bench pra`: the clique abstraction and PRA*, as on slides 84 to 97 of Sturtevant's "Abstraction in Pathfinding". Counts the
// nodes of each level, and compares PRA*(inf), PRA*(k) and HPA* with A* and terrain regions: expansions, suboptimality, times. Draws a
// picture into out/.
// Based on: Sturtevant, Buro 2005 (AAAI); Botea, Mueller, Schaeffer 2004 (JOGD).
//
// The slides' map is not published with them, so levels are counted on a map of similar size. Path lengths are steps of the optimal path.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

#include "bench/bench.h"
#include "bench/clique_picture.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "bench/stopwatch.h"
#include "hpa/hpa_query.h"
#include "pra/pra_query.h"
#include "terrane/base/rng.h"
#include "terrane/io/picture.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace pra_bench {
namespace {

constexpr const char* kFolder = "out";
constexpr size_t kProblems = 40;  // per map
constexpr int kPasses = 3;        // the best pass of each problem counts
constexpr uint64_t kSlice = 64;   // expansions between checks for the first cells
constexpr size_t kEdits = 100;    // per map, for repairs
constexpr size_t kBucket = 64;    // steps: problems are grouped by the length of their optimal paths
constexpr size_t kBuckets = 9;    // the last one takes all longer paths
constexpr uint64_t kSlideCells = 16807;
constexpr std::array<double, 4> kSlideNodes = {16807, 5212, 1919, 771};

// ---- Maps

constexpr int32_t kSide = 512;

// Random pairs of connected cells.
std::vector<std::pair<Cell, Cell>> connected_pairs(const Cliques& cliques, size_t count) {
    Rng rng(7);
    const GridSnapshot& grid = cliques.grid();
    const auto cell = [&] {
        const int32_t x = rng.between(0, grid.width() - 1);
        return Cell{x, rng.between(0, grid.height() - 1)};
    };
    std::vector<std::pair<Cell, Cell>> out;
    for (int tries = 0; out.size() < count && tries < 100000; ++tries) {
        const Cell start = cell(), goal = cell();
        if (cliques.connected(start, goal)) out.emplace_back(start, goal);
    }
    return out;
}

BenchScene own_scene(std::string name, const TerrainGrid& grid, const Profile& profile, size_t problems) {
    BenchScene scene{std::move(name), grid.snapshot(), {}, {}, {}, {}};
    scene.costs = profile.compile(scene.grid.catalogue()).value();
    scene.queries = connected_pairs(
        Cliques::build(scene.grid, PassableSet::of(scene.costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting),
        problems);
    return scene;
}

// Sixteen costs; water is blocked.
Profile islander() { return drawn_costs(Catalogue::standard(), 1).blocked("water").blocked("deep_water").blocked("river"); }

TerrainGrid island(int32_t side, uint64_t seed) {
    IslandOptions options;
    options.width = options.height = side;
    options.seed = seed;
    return generate_island(options).value();
}

std::vector<BenchScene> own_scenes(bool quick) {
    const int32_t side = quick ? 128 : kSide;
    const size_t problems = quick ? 5 : 2 * kProblems;
    const Profile& walker = *Profile::preset("walker");
    std::vector<BenchScene> out;
    out.reserve(4);
    out.push_back(own_scene("rooms", generate_rooms({.width = side, .height = side, .room = 16}).value(), walker, problems));
    out.push_back(own_scene("random 20%", generate_random({.width = side, .height = side, .density = 20}).value(), walker, problems));
    out.push_back(own_scene("maze of 8", generate_maze({.width = side, .height = side, .corridor = 8}).value(), walker, problems));
    out.push_back(own_scene("island", island(side, 1), islander(), problems));
    return out;
}

// ---- Structures and their costs

struct Structures {
    Cliques cliques, squares;
    EntranceGraph entrances;
    TerrainRegions regions;
};

// Sums over the maps.
struct StructureTally {
    double build_ms = 0, recost_ms = 0, repair_ms = 0, bytes = 0, nodes = 0, edges = 0;
};
enum StructureKind : uint8_t { kOfCliques, kOfSquares, kOfEntrances, kOfRegions, kStructures };
using StructureTallies = std::array<StructureTally, kStructures>;

Cliques build_cliques(const BenchScene& scene, CliqueRule rule) {
    return Cliques::build(scene.grid, PassableSet::of(scene.costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting,
                          {rule});
}

template <class Build>
auto timed(double& ms, Build&& build) {
    const Stopwatch watch;
    auto out = build();
    ms += watch.ms();
    return out;
}

// Counts all levels together.
void count_cliques(const Cliques& cliques, StructureTally& tally) {
    for (uint32_t level = 1; level <= cliques.levels(); ++level) {
        tally.nodes += static_cast<double>(cliques.nodes(level));
        tally.edges += static_cast<double>(cliques.edges(level));
    }
    tally.bytes += static_cast<double>(cliques.bytes());
}

// Different costs, the same blocked set.
CostTable other_costs(const CostTable& costs) {
    CostTable out = costs;
    for (size_t t = 0; t < out.cost.size(); ++t)
        out.cost[t] = out.cost[t] == 0 ? 0 : 100 + (out.cost[t] * 7 + static_cast<uint32_t>(t) * 31) % 300;
    return out;
}

Structures build_structures(const BenchScene& scene, StructureTallies& tallies) {
    Structures s;
    s.cliques = timed(tallies[kOfCliques].build_ms, [&] { return build_cliques(scene, CliqueRule::kCliques); });
    s.squares = timed(tallies[kOfSquares].build_ms, [&] { return build_cliques(scene, CliqueRule::kSectors); });
    s.entrances = timed(tallies[kOfEntrances].build_ms, [&] {
        return EntranceGraph::build({scene.grid, scene.costs, Movement::kEightNoCornerCutting});
    });
    s.regions = timed(tallies[kOfRegions].build_ms, [&] { return TerrainRegions::build(scene.grid); });
    count_cliques(s.cliques, tallies[kOfCliques]);
    count_cliques(s.squares, tallies[kOfSquares]);
    tallies[kOfEntrances].nodes += static_cast<double>(s.entrances.node_count());
    tallies[kOfEntrances].edges += static_cast<double>(s.entrances.edge_count());
    tallies[kOfEntrances].bytes += static_cast<double>(s.entrances.bytes());
    tallies[kOfRegions].nodes += static_cast<double>(s.regions.region_count());
    tallies[kOfRegions].edges += static_cast<double>(s.regions.edge_count());
    tallies[kOfRegions].bytes += static_cast<double>(s.regions.bytes());
    const CostTable costs = other_costs(scene.costs);
    timed(tallies[kOfEntrances].recost_ms, [&] { return s.entrances.recosted(costs); });
    return s;
}

// Returns the most common terrain on the map that is passable, or that is blocked.
Terrain common_terrain(const BenchScene& scene, bool passable) {
    uint32_t best = kOutside;
    for (uint32_t t = 0; t < kOutside; ++t) {
        const auto terrain = static_cast<Terrain>(t);
        if (scene.costs.passable(terrain) != passable || scene.grid.count(terrain) == 0) continue;
        if (best == kOutside || scene.grid.count(terrain) > scene.grid.count(static_cast<Terrain>(best))) best = t;
    }
    return static_cast<Terrain>(best);
}

// Blocks and unblocks random cells near passable ones, then compares the repaired structures with rebuilt ones.
Result<void> time_repairs(const BenchScene& scene, size_t edits, StructureTallies& tallies) {
    const Terrain open = common_terrain(scene, true), wall = common_terrain(scene, false);
    if (open == kOutside || wall == kOutside || scene.queries.empty()) return {};
    TerrainGrid grid = editable(scene.grid);
    BenchScene copy = scene;
    copy.grid = grid.snapshot();
    StructureTallies unused;
    Structures s = build_structures(copy, unused);
    Rng rng(9);
    StructureTallies sums;
    for (size_t i = 0; i < edits; ++i) {
        const Cell near = scene.queries[i % scene.queries.size()].first;
        const int32_t x = near.x + rng.between(-4, 4), y = near.y + rng.between(-4, 4);
        const EditResult edit = grid.set({x, y}, scene.costs.passable(grid.snapshot().at(Cell{x, y})) ? wall : open);
        s.cliques = *timed(sums[kOfCliques].repair_ms, [&] { return s.cliques.updated(edit); });
        s.squares = *timed(sums[kOfSquares].repair_ms, [&] { return s.squares.updated(edit); });
        s.entrances = *timed(sums[kOfEntrances].repair_ms, [&] { return s.entrances.updated(edit); });
        s.regions = *timed(sums[kOfRegions].repair_ms, [&] { return s.regions.updated(edit); });
    }
    for (size_t i = 0; i < kStructures; ++i) tallies[i].repair_ms += sums[i].repair_ms / static_cast<double>(edits);
    const PassableSet set = PassableSet::of(scene.costs, Movement::kEightNoCornerCutting);
    if (s.cliques == Cliques::build(grid.snapshot(), set, Movement::kEightNoCornerCutting) &&
        s.squares == Cliques::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, {CliqueRule::kSectors}) &&
        s.entrances == EntranceGraph::build({grid.snapshot(), scene.costs, Movement::kEightNoCornerCutting}) &&
        s.regions == TerrainRegions::build(grid.snapshot()))
        return {};
    return Error{ErrorCode::kBadValue, scene.name, 0, "repaired structures differ from rebuilt ones"};
}

void add_structure_rows(const StructureTallies& tallies, size_t maps, Report& report) {
    constexpr std::array<std::pair<const char*, const char*>, kStructures> kNames = {
        {{"pra", "cliques"}, {"pra", "2x2 sectors"}, {"hpa:16", "entrances"}, {"dta:16", "regions"}}};
    const auto n = static_cast<double>(maps);
    for (size_t i = 0; i < kStructures; ++i) {
        const StructureTally& t = tallies[i];
        report.rows.push_back({kNames[i].first,
                               {{"structure", kNames[i].second}},
                               {{"nodes", t.nodes / n},
                                {"edges", t.edges / n},
                                {"bytes", t.bytes / n},
                                {"build_ms", t.build_ms / n},
                                {"repair_ms", t.repair_ms / n},
                                {"new_profile_ms", t.recost_ms / n}}});
    }
}

// ---- Queries

// A method on a map: a sliced query and its answer.
struct Contender {
    const char* method;
    const char* structure;  // of pra
    std::function<void(Cell, Cell)> begin;
    std::function<Status(uint64_t)> run;
    std::function<bool()> can_walk;  // whether the first cells are ready
    std::function<void(Path&)> answer;

    void find(Cell start, Cell goal, Path& out) const {
        begin(start, goal);
        run(kUnlimited);
        answer(out);
    }
};

template <class Query>
void take(const Query& query, Status status, const BenchScene& scene, Path& out) {
    out.status = status;
    out.expansions = query.expansions();
    out.expansions_first = query.expansions_first();
    out.cells = query.cells();
    out.cost = path_cost({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, out.cells);
}

// The contenders of one map, and what they search with.
class ContenderSet {
public:
    ContenderSet(const BenchScene& scene, const Structures& structures)
        : scene_(scene), structures_(structures), world_(editable(scene.grid)), planner_(world_) {}

    std::vector<Contender> contenders() {
        return {by_planner("astar"),  // first: baseline of the others
                by_planner("dta:16"),
                by_planner("dta:16+smooth"),
                by_hpa("hpa:16", false),
                by_hpa("hpa:16+smooth", true),
                by_pra("pra:inf", "cliques", kWholePath),
                by_pra("pra:16", "cliques", 16),
                by_pra("pra:8", "cliques", 8),
                by_pra("pra:4", "cliques", 4),
                by_pra("pra:2", "cliques", 2),
                by_pra("pra:inf", "2x2 sectors", kWholePath),
                by_pra("pra:4", "2x2 sectors", 4)};
    }

private:
    Contender by_planner(const char* method) {
        FindOptions options;
        options.method = find_method(method).value();
        return {method,
                "",
                [this, options](Cell start, Cell goal) { planner_.begin(start, goal, scene_.costs, options); },
                [this](uint64_t budget) { return planner_.run(budget); },
                [this] { return !planner_.ready().empty(); },
                [this](Path& out) { planner_.path(out); }};
    }
    template <class Query>
    Contender by_query(const char* method, const char* structure, Query& query, std::function<void(Cell, Cell)> begin) {
        return {method,
                structure,
                std::move(begin),
                [&](uint64_t budget) { return query.run(budget); },
                [&] { return query.ready() > 0; },
                [this, &query](Path& out) { take(query, query.run(0), scene_, out); }};
    }
    Contender by_hpa(const char* method, bool smooth) {
        return by_query(method, "", hpa_,
                        [this, smooth](Cell start, Cell goal) { hpa_.begin(structures_.entrances, start, goal, smooth); });
    }
    Contender by_pra(const char* method, const char* structure, uint32_t k) {
        const Cliques& cliques = structure == std::string_view("cliques") ? structures_.cliques : structures_.squares;
        return by_query(method, structure, pra_, [this, k, &cliques](Cell start, Cell goal) {
            pra_.begin(cliques, {cliques.grid(), scene_.costs, cliques.movement()}, start, goal, k);
        });
    }

    const BenchScene& scene_;
    const Structures& structures_;
    World world_;
    Planner planner_;
    HpaQuery hpa_;
    PraQuery pra_;
};

// Problems with optimal paths of similar length.
struct LengthTally {
    double problems = 0, steps = 0, ratio = 0, expansions = 0, first = 0;
};

// One contender, over all maps.
struct Tally {
    const char* method = "";
    const char* structure = "";
    std::vector<double> ratios, ms, ms_first;
    double expansions = 0, first = 0, solved = 0;
    std::array<LengthTally, kBuckets> lengths;
};

Result<double> ratio_of(const BenchScene& scene, const Contender& contender, Cell start, Cell goal, const Path& path, const Path& optimal) {
    const auto wrong = [&](const std::string& what) {
        return Error{ErrorCode::kBadValue, scene.name, 0,
                     fmt::format("{} from {},{} to {},{}: {}", contender.method, start.x, start.y, goal.x, goal.y, what)};
    };
    if (path.status != optimal.status) return wrong(to_string(path.status));
    if (!path) return 0.0;
    if (path.cells.front() != start || path.cells.back() != goal) return wrong("wrong start or goal");
    if (path_cost({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, path.cells) != path.cost || path.cost < optimal.cost)
        return wrong("wrong path");
    return optimal.cost == 0 ? 1.0 : static_cast<double>(path.cost) / static_cast<double>(optimal.cost);
}

void add(const Path& path, double ratio, size_t steps, Tally& tally) {
    tally.ratios.push_back(ratio);
    tally.expansions += static_cast<double>(path.expansions);
    tally.first += static_cast<double>(path.expansions_first);
    ++tally.solved;
    LengthTally& length = tally.lengths[std::min(steps / kBucket, kBuckets - 1)];
    ++length.problems;
    length.steps += static_cast<double>(steps);
    length.ratio += ratio;
    length.expansions += static_cast<double>(path.expansions);
    length.first += static_cast<double>(path.expansions_first);
}

struct Times {
    double ms = 1e300, first = 1e300;
};

// Runs in slices until the first cells are ready, then to the end.
Times time_one(const Contender& contender, Cell start, Cell goal, Path& path) {
    const Stopwatch watch;
    contender.begin(start, goal);
    while (contender.run(kSlice) == Status::kBudgetSpent && !contender.can_walk()) {
    }
    const double first = watch.ms();
    contender.run(kUnlimited);
    contender.answer(path);
    return {watch.ms(), first};
}

// Checks all answers before timing.
Result<void> run_scene(const BenchScene& scene, const Structures& structures, int passes, std::vector<Tally>& tallies) {
    ContenderSet set(scene, structures);
    const std::vector<Contender> contenders = set.contenders();
    tallies.resize(contenders.size());
    std::vector<Path> optimal(scene.queries.size());
    Path path;
    for (size_t c = 0; c < contenders.size(); ++c) {
        tallies[c].method = contenders[c].method;
        tallies[c].structure = contenders[c].structure;
        for (size_t q = 0; q < scene.queries.size(); ++q) {
            const auto [start, goal] = scene.queries[q];
            contenders[c].find(start, goal, path);
            if (c == 0) optimal[q] = path;
            const auto ratio = ratio_of(scene, contenders[c], start, goal, path, optimal[q]);
            if (!ratio) return ratio.error();
            if (path) add(path, *ratio, optimal[q].cells.size() - 1, tallies[c]);
        }
        for (const auto& [start, goal] : scene.queries) {
            Times best;
            for (int p = 0; p < passes; ++p) {
                const Times now = time_one(contenders[c], start, goal, path);
                best = {std::min(best.ms, now.ms), std::min(best.first, now.first)};
            }
            tallies[c].ms.push_back(best.ms);
            tallies[c].ms_first.push_back(best.first);
        }
    }
    return {};
}

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

nlohmann::ordered_json scene_of(const Tally& tally) {
    nlohmann::ordered_json scene;
    if (*tally.structure != '\0') scene["structure"] = tally.structure;
    return scene;
}

void add_query_rows(std::vector<Tally>& tallies, Report& report) {
    const double astar_ms = mean(tallies[0].ms);
    for (Tally& t : tallies) {
        const double n = std::max(1.0, t.solved);
        report.rows.push_back({t.method,
                               scene_of(t),
                               {{"problems", static_cast<double>(t.ms.size())},
                                {"solved", t.solved},
                                {"expansions", t.expansions / n},
                                {"expansions_first", t.first / n},
                                {"ratio_mean", mean(t.ratios)},
                                {"ratio_p99", quantile(t.ratios, 0.99)},
                                {"ratio_max", quantile(t.ratios, 1)},
                                {"ms_mean", mean(t.ms)},
                                {"ms_p99", quantile(t.ms, 0.99)},
                                {"ms_first", mean(t.ms_first)},
                                {"speedup", astar_ms / std::max(1e-9, mean(t.ms))}}});
    }
}

void add_length_rows(const std::vector<Tally>& tallies, Report& report) {
    for (const Tally& t : tallies) {
        for (size_t b = 0; b < kBuckets; ++b) {
            const LengthTally& length = t.lengths[b];
            if (length.problems == 0) continue;
            nlohmann::ordered_json scene = scene_of(t);
            scene["steps"] =
                b + 1 < kBuckets ? fmt::format("{} to {}", b * kBucket, (b + 1) * kBucket - 1) : fmt::format("{} and more", b * kBucket);
            report.rows.push_back({t.method,
                                   scene,
                                   {{"problems", length.problems},
                                    {"expansions", length.expansions / length.problems},
                                    {"expansions_first", length.first / length.problems},
                                    {"ratio_mean", length.ratio / length.problems}}});
        }
    }
}

// ---- Pictures

Result<void> save(const char* name, const Picture& picture) { return save_png((std::filesystem::path(kFolder) / name).string(), picture); }

// Returns the map with the number of cells closest to that of the slides' map, among those small enough to draw.
const BenchScene* sample_of(const std::vector<BenchScene>& scenes) {
    const BenchScene* best = nullptr;
    uint64_t least = kSlideCells;
    for (const BenchScene& scene : scenes) {
        if (std::max(scene.grid.width(), scene.grid.height()) > kCliquePanel) continue;
        const uint64_t cells =
            Cliques::build(scene.grid, PassableSet::of(scene.costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting)
                .nodes(0);
        const uint64_t off = cells > kSlideCells ? cells - kSlideCells : kSlideCells - cells;
        if (off < least) best = &scene;
        least = std::min(least, off);
    }
    return best;
}

// Counts the nodes of each level for both rules on a map like the slides'; draws those of cliques.
Result<void> show_levels(const std::vector<BenchScene>& scenes, Report& report) {
    const BenchScene own = own_scene("small island", island(192, 3), islander(), 0);
    const BenchScene* given = sample_of(scenes);
    const BenchScene& sample = given != nullptr ? *given : own;
    for (const CliqueRule rule : {CliqueRule::kCliques, CliqueRule::kSectors}) {
        const char* name = rule == CliqueRule::kCliques ? "cliques" : "2x2 sectors";
        const Cliques cliques = build_cliques(sample, rule);
        double below = 0;
        for (uint32_t level = 0; level <= cliques.levels(); ++level) {
            const auto nodes = static_cast<double>(cliques.nodes(level));
            Metrics metrics{{"nodes", nodes}};
            if (level > 0) metrics.emplace_back("edges", static_cast<double>(cliques.edges(level)));
            if (level > 0) metrics.emplace_back("fall", below / nodes);
            report.rows.push_back({"pra", {{"map", sample.name}, {"structure", name}, {"level", level}}, metrics});
            below = nodes;
        }
        if (rule != CliqueRule::kCliques) continue;
        if (const auto done = save("cliques-levels.png", draw_clique_levels(cliques)); !done) return done;
    }
    for (size_t level = 0; level < kSlideNodes.size(); ++level) {
        Metrics metrics{{"nodes", kSlideNodes[level]}};
        if (level > 0) metrics.emplace_back("fall", kSlideNodes[level - 1] / kSlideNodes[level]);
        report.paper.push_back({"pra", {{"map", "slides 86 to 89"}, {"level", level}}, metrics});
    }
    return {};
}

}  // namespace
}  // namespace pra_bench

Result<Report> bench_pra(const BenchOptions& options) {
    using namespace pra_bench;
    std::error_code error;
    std::filesystem::create_directories(kFolder, error);
    if (error) return Error{ErrorCode::kCannotOpen, kFolder, 0, "cannot create this folder: " + error.message()};
    std::vector<BenchScene> scenes;
    if (options.maps.empty()) {
        scenes = own_scenes(options.quick);
    } else {
        auto given = bench_scenes(options, kProblems);
        if (!given) return given.error();
        scenes = std::move(*given);
    }
    Report report{"pra", {}, {}};
    StructureTallies structures;
    std::vector<Tally> tallies;
    Progress progress("pra", scenes.size());
    for (const BenchScene& scene : scenes) {
        const Structures made = build_structures(scene, structures);
        if (const auto done = time_repairs(scene, options.quick ? 10 : kEdits, structures); !done) return done.error();
        if (const auto done = run_scene(scene, made, options.quick ? 1 : kPasses, tallies); !done) return done.error();
        progress.advance();
    }
    add_query_rows(tallies, report);
    add_structure_rows(structures, scenes.size(), report);
    if (const auto done = show_levels(scenes, report); !done) return done.error();
    add_length_rows(tallies, report);
    report.notes = {fmt::format(
        "{} maps. repair_ms: one cell blocked or unblocked. new_profile_ms: edge costs recomputed for other costs and the same blocked\n"
        "set; the other structures need no update. speedup: over astar. Picture: out/cliques-levels.png.",
        scenes.size())};
    return report;
}

}  // namespace terrane
