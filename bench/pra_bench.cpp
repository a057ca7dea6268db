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

#include "bench/bench.h"
#include "bench/clique_picture.h"
#include "bench/grid_contest.h"
#include "hpa/hpa_query.h"
#include "pra/pra_query.h"
#include "terrane/base/rng.h"
#include "terrane/io/picture.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

namespace pra_bench {
namespace {

constexpr const char* kFolder = "out";
constexpr size_t kProblems = 40;  // per map
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

// The rows of the structures.
struct StructureRows {
    MeasuredRows rows;
    Measurements& cliques = rows.at("pra", {{"structure", "cliques"}});
    Measurements& squares = rows.at("pra", {{"structure", "2x2 sectors"}});
    Measurements& entrances = rows.at("hpa:16", {{"structure", "entrances"}});
    Measurements& regions = rows.at("dta:16", {{"structure", "regions"}});
};

Cliques build_cliques(const BenchScene& scene, CliqueRule rule) {
    return Cliques::build(scene.grid, PassableSet::of(scene.costs, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting,
                          {rule});
}

void count(size_t nodes, size_t edges, size_t bytes, Measurements& row) {
    row["nodes"].add(static_cast<double>(nodes));
    row["edges"].add(static_cast<double>(edges));
    row.bytes.add(static_cast<double>(bytes));
}

// Counts all levels together.
void count(const Cliques& cliques, Measurements& row) {
    size_t nodes = 0, edges = 0;
    for (uint32_t level = 1; level <= cliques.levels(); ++level) {
        nodes += cliques.nodes(level);
        edges += cliques.edges(level);
    }
    count(nodes, edges, cliques.bytes(), row);
}

// Different costs, the same blocked set.
CostTable other_costs(const CostTable& costs) {
    CostTable out = costs;
    for (size_t t = 0; t < out.cost.size(); ++t)
        out.cost[t] = out.cost[t] == 0 ? 0 : 100 + (out.cost[t] * 7 + static_cast<uint32_t>(t) * 31) % 300;
    return out;
}

Structures build_structures(const BenchScene& scene, StructureRows& rows) {
    Structures s;
    const Ground ground{scene.grid, scene.costs, scene.movement};
    s.cliques = timed(rows.cliques.build_ms, [&] { return build_cliques(scene, CliqueRule::kCliques); });
    s.squares = timed(rows.squares.build_ms, [&] { return build_cliques(scene, CliqueRule::kSectors); });
    s.entrances = timed(rows.entrances.build_ms, [&] { return EntranceGraph::build(ground); });
    s.regions = timed(rows.regions.build_ms, [&] { return TerrainRegions::build(scene.grid); });
    count(s.cliques, rows.cliques);
    count(s.squares, rows.squares);
    count(s.entrances.node_count(), s.entrances.edge_count(), s.entrances.bytes(), rows.entrances);
    count(s.regions.region_count(), s.regions.edge_count(), s.regions.bytes(), rows.regions);
    const CostTable costs = other_costs(scene.costs);
    timed(rows.entrances["new_profile_ms"], [&] { return s.entrances.recosted(costs); });
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
Result<void> time_repairs(const BenchScene& scene, size_t edits, StructureRows& rows) {
    const Terrain open = common_terrain(scene, true), wall = common_terrain(scene, false);
    if (open == kOutside || wall == kOutside || scene.queries.empty()) return {};
    TerrainGrid grid = editable(scene.grid);
    BenchScene edited = scene;
    edited.grid = grid.snapshot();
    StructureRows unused;
    Structures s = build_structures(edited, unused);
    Rng rng(9);
    for (size_t i = 0; i < edits; ++i) {
        const Cell near = scene.queries[i % scene.queries.size()].first;
        const int32_t x = near.x + rng.between(-4, 4), y = near.y + rng.between(-4, 4);
        const EditResult edit = grid.set({x, y}, scene.costs.passable(grid.snapshot().at(Cell{x, y})) ? wall : open);
        s.cliques = *timed(rows.cliques.repair_ms, [&] { return s.cliques.updated(edit); });
        s.squares = *timed(rows.squares.repair_ms, [&] { return s.squares.updated(edit); });
        s.entrances = *timed(rows.entrances.repair_ms, [&] { return s.entrances.updated(edit); });
        s.regions = *timed(rows.regions.repair_ms, [&] { return s.regions.updated(edit); });
    }
    edited.grid = grid.snapshot();
    if (s.cliques == build_cliques(edited, CliqueRule::kCliques) && s.squares == build_cliques(edited, CliqueRule::kSectors) &&
        s.entrances == EntranceGraph::build({edited.grid, scene.costs, scene.movement}) && s.regions == TerrainRegions::build(edited.grid))
        return {};
    return Error{ErrorCode::kBadValue, scene.name, 0, "repaired structures differ from rebuilt ones"};
}

// ---- Queries

std::string steps_text(size_t steps) {
    const size_t bucket = std::min(steps / kBucket, kBuckets - 1);
    return bucket + 1 < kBuckets ? fmt::format("{} to {}", bucket * kBucket, (bucket + 1) * kBucket - 1)
                                 : fmt::format("{} and more", bucket * kBucket);
}

Contender pra_contender(const BenchScene& scene, const char* method, const char* structure, const Cliques& cliques, uint32_t k) {
    return query_contender<PraQuery>(scene, method, {{"structure", structure}},
                                     [&scene, &cliques, k](PraQuery& query, Cell start, Cell goal) {
                                         query.begin(cliques, {cliques.grid(), scene.costs, cliques.movement()}, start, goal, k);
                                     });
}

Contender hpa_contender(const BenchScene& scene, const char* method, const EntranceGraph& graph, bool smooth) {
    return query_contender<HpaQuery>(scene, method, {},
                                     [&graph, smooth](HpaQuery& query, Cell start, Cell goal) { query.begin(graph, start, goal, smooth); });
}

// Rows by steps of the optimal path.
Result<void> run_scene(BenchScene scene, const Structures& s, Contest& contest) {
    World world(editable(scene.grid));
    LastPrepared last;
    std::vector<size_t> steps(scene.queries.size());
    GridContender astar{"astar"};
    astar.inspect = [&steps](const BenchScene&, size_t problem, const Path& path, NamedSamples&) -> Result<void> {
        steps[problem] = path.cells.size() - 1;
        return {};
    };
    scene.label = nlohmann::ordered_json::object();
    scene.group = [&steps](size_t problem, const Answer&) { return nlohmann::ordered_json{{"steps", steps_text(steps[problem])}}; };
    const std::vector<Contender> contenders = {planner_contender(scene, world, astar, last),
                                               planner_contender(scene, world, {"regions:16"}, last),
                                               planner_contender(scene, world, {"dta:16"}, last),
                                               planner_contender(scene, world, {"dta:16+smooth"}, last),
                                               planner_contender(scene, world, {"minimal_memory:16+trim+smooth"}, last),
                                               hpa_contender(scene, "hpa:16", s.entrances, false),
                                               hpa_contender(scene, "hpa:16+smooth", s.entrances, true),
                                               pra_contender(scene, "pra:inf", "cliques", s.cliques, kWholePath),
                                               pra_contender(scene, "pra:16", "cliques", s.cliques, 16),
                                               pra_contender(scene, "pra:8", "cliques", s.cliques, 8),
                                               pra_contender(scene, "pra:4", "cliques", s.cliques, 4),
                                               pra_contender(scene, "pra:2", "cliques", s.cliques, 2),
                                               pra_contender(scene, "pra:inf", "2x2 sectors", s.squares, kWholePath),
                                               pra_contender(scene, "pra:4", "2x2 sectors", s.squares, 4)};
    return contest.run(contest_scene(scene), contenders);
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
    StructureRows structures;
    Contest contest({.passes = options.quick ? 1 : 3});
    Progress progress("pra", scenes.size());
    for (const BenchScene& scene : scenes) {
        const Structures built = build_structures(scene, structures);
        if (const auto done = time_repairs(scene, options.quick ? 10 : kEdits, structures); !done) return done.error();
        if (const auto done = run_scene(scene, built, contest); !done) return done.error();
        progress.advance();
    }
    Report report{"pra", contest.results().without("steps").rows()};
    report.add(structures.rows.rows());
    if (const auto done = show_levels(scenes, report); !done) return done.error();
    contest.results().sort_by("steps");
    report.add(contest.rows());
    report.notes = {fmt::format(
        "{} maps. repair_ms: one cell blocked or unblocked. new_profile_ms: edge costs recomputed for other costs and the same blocked\n"
        "set; the other structures need no update. speedup: over astar. Picture: out/cliques-levels.png.",
        scenes.size())};
    return report;
}

}  // namespace terrane
