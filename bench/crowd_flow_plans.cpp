// Part of `terrane bench crowd-flow`: the effect of a direction map on a path search. Agents that cross a map of obstacles in both
// directions teach the map. Then single paths are planned on it by A* and weighted A*, each also within the sectors of an abstract path
// (slide 125).
#include <algorithm>
#include <string>
#include <vector>

#include "bench/crowd_flow.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/grid/octile.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace crowd_flow_plans_bench {
namespace {

constexpr int32_t kSector = 16;  // cells

// A DirectionMapGraph restricted to the sectors of a corridor.
class CorridorGraph {
public:
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;

    // `inside`: one flag per sector, row by row; empty: the whole map.
    CorridorGraph(const DirectionMapGraph<uint64_t>& graph, const std::vector<char>& inside, int32_t sectors_x)
        : graph_(graph), inside_(&inside), sectors_x_(sectors_x) {}

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        graph_.expand(node, label, [&](CellId to, uint64_t g, Move move) {
            if (inside_->empty() || (*inside_)[sector_of(to)] != 0) emit(to, g, move);
        });
    }
    CellId origin(CellId to, Move move) const { return graph_.origin(to, move); }

private:
    size_t sector_of(CellId cell) const {
        const GridLayout& layout = graph_.layout();
        return static_cast<size_t>(layout.y(cell) / kSector) * static_cast<size_t>(sectors_x_) +
               static_cast<size_t>(layout.x(cell) / kSector);
    }

    DirectionMapGraph<uint64_t> graph_;
    const std::vector<char>* inside_;
    int32_t sectors_x_;
};

struct Query {
    Cell from, to;
};

// Runs the searches and owns their scratch memory.
class PathMaker {
public:
    PathMaker(const World& world, const CostTable& costs) : grid_(world.grid()), costs_(costs), planner_(world) {
        cheapest_ = grid_bounds(grid_, costs).cheapest;
    }

    const GridLayout& layout() const { return grid_.layout(); }

    struct Answer {
        uint64_t cost = 0, expansions = 0;
        std::vector<Cell> cells;
    };

    // Costs include the direction map. With `corridor`, the expansions of the abstract search count, too.
    Answer find(const Query& q, const DirectionMap& map, Weight weight, bool corridor) {
        Answer answer;
        std::vector<char> inside;
        if (corridor) inside = sectors_of_abstract_path(q, answer.expansions);
        const CorridorGraph graph({{grid_, costs_, Movement::kEightNoCornerCutting}, map}, inside,
                                  (layout().width + kSector - 1) / kSector);
        const OctileHeuristic<GridLayout, uint64_t> h(layout(), q.to, cheapest_, rule_of(Movement::kEightNoCornerCutting));
        labels_.reset(layout().id_limit());
        queue_.reset();
        BestFirst search(graph, h, OneGoal<CellId>{layout().id(q.to)}, labels_, queue_, weight, kInfinite<uint64_t>, NoObserver{},
                         ExpandOnce{});
        search.start(layout().id(q.from), 0, kNoMove);
        static_cast<void>(search.run());
        answer.cost = search.reached() ? search.goal_cost() : 0;
        answer.expansions += search.expansions();
        if (search.reached()) {
            search.walk_back(
                layout().id(q.to), [&](CellId c) { return c == layout().id(q.from); },
                [&](CellId c) { answer.cells.push_back(layout().cell(c)); });
            std::ranges::reverse(answer.cells);
        }
        return answer;
    }

private:
    std::vector<char> sectors_of_abstract_path(const Query& q, uint64_t& expansions) {
        FindOptions options;
        options.method = find_method("dta:16").value();
        planner_.find(q.from, q.to, costs_, options, path_);
        expansions += path_.expansions;
        const int32_t across = (layout().width + kSector - 1) / kSector, down = (layout().height + kSector - 1) / kSector;
        std::vector<char> inside(static_cast<size_t>(across) * static_cast<size_t>(down));
        for (const Cell c : path_.cells)
            inside[static_cast<size_t>(c.y / kSector) * static_cast<size_t>(across) + static_cast<size_t>(c.x / kSector)] = 1;
        return inside;
    }

    GridSnapshot grid_;
    CostTable costs_;
    Planner planner_;
    Path path_;
    uint32_t cheapest_ = 0;
    PagedLabels<CellId, uint64_t, Move> labels_;
    HeapQueue<CellId, uint64_t> queue_;
};

std::vector<Query> draw_queries(const GridSnapshot& grid, const CostTable& costs, size_t count, uint64_t seed) {
    Rng rng(seed);
    std::vector<Query> queries;
    const auto draw = [&](bool right) {
        for (;;) {
            const int32_t x = rng.between(0, grid.width() / 6), y = rng.between(0, grid.height() - 1);
            const Cell cell{right ? grid.width() - 1 - x : x, y};
            if (costs.passable(grid.at(cell))) return cell;
        }
    };
    while (queries.size() < count) {
        const bool right = queries.size() % 2 == 0;
        const Cell from = draw(!right), to = draw(right);
        queries.push_back({from, to});
    }
    return queries;
}

Move move_between(Cell a, Cell b) { return static_cast<Move>(std::ranges::find(kMoves, Cell{b.x - a.x, b.y - a.y}) - kMoves.begin()); }

// Agents plan one after the other, and each teaches the map.
void teach(PathMaker& maker, const std::vector<Query>& queries, DirectionMap& map) {
    for (const Query& q : queries) {
        const auto cells = maker.find(q, map, {}, false).cells;
        for (size_t i = 1; i < cells.size(); ++i) map.learn(maker.layout().id(cells[i - 1]), move_between(cells[i - 1], cells[i]));
        map.decay();
    }
}

struct Contender {
    const char* method;
    DirectionMapOptions map;
    Weight weight;
    bool corridor;
    const char* form;
};

std::vector<Contender> contenders() {
    const DirectionMapOptions full{}, compact{.compact = true}, busy{.congestion_threshold = 100}, busiest{.congestion_threshold = 400};
    return {{"astar", full, {1, 1}, false, "full"},
            {"wastar:1.2", full, {6, 5}, false, "full"},
            {"wastar:1.5", full, {3, 2}, false, "full"},
            {"dta:16/astar", full, {1, 1}, true, "full"},
            {"dta:16/wastar:1.2", full, {6, 5}, true, "full"},
            {"dta:16/wastar:1.5", full, {3, 2}, true, "full"},
            {"astar", compact, {1, 1}, false, "compact"},
            {"wastar:1.5", compact, {3, 2}, false, "compact"},
            {"astar", busy, {1, 1}, false, "100 moves a tile"},
            {"astar", busiest, {1, 1}, false, "400 moves a tile"}};
}

struct PlanResult {
    double expansions = 0, ratio = 0, ms = 0;
};

// Means over the queries. `reference`: the optimal cost of each query on this direction map; filled by the first call.
PlanResult measure_plan(PathMaker& maker, const std::vector<Query>& queries, const DirectionMap& map, const Contender& c,
                        std::vector<uint64_t>& reference) {
    PlanResult sum;
    const bool first = reference.empty();
    for (size_t i = 0; i < queries.size(); ++i) {
        const Stopwatch watch;
        const auto answer = maker.find(queries[i], map, c.weight, c.corridor);
        sum.ms += watch.ms();
        if (first) reference.push_back(answer.cost);
        sum.expansions += static_cast<double>(answer.expansions);
        sum.ratio += static_cast<double>(answer.cost) / static_cast<double>(reference[i]);
    }
    const auto n = static_cast<double>(queries.size());
    return {sum.expansions / n, sum.ratio / n, sum.ms / n};
}

}  // namespace
}  // namespace crowd_flow_plans_bench

Result<void> measure_plans(bool quick, Report& report) {
    using namespace crowd_flow_plans_bench;
    const int32_t side = quick ? 128 : 512;
    auto grid = generate_voronoi({.width = side, .height = side, .seed = 3, .sites = side * side / 150, .terrains = 4});
    if (!grid) return grid.error();
    const CostTable costs = Profile("unit").blocked("trees").compile(grid->snapshot().catalogue()).value();
    World world(std::move(grid).value(), {.sectors = {kSector}});
    PathMaker maker(world, costs);
    std::vector<Query> queries = draw_queries(world.grid(), costs, quick ? 10 : 100, 21);
    const DirectionMap none(maker.layout(), {.congestion_threshold = 1u << 30});  // never congested, so arrows never count
    std::erase_if(queries, [&](const Query& q) { return maker.find(q, none, {}, false).cells.empty(); });
    const std::vector<Query> lessons = draw_queries(world.grid(), costs, quick ? 20 : 300, 22);
    std::vector<uint64_t> plain;
    const Contender without{"astar", {}, {1, 1}, false, "none"};
    const PlanResult base = measure_plan(maker, queries, none, without, plain);
    const auto add = [&](const Contender& c, const PlanResult& r, double full_expansions, size_t bytes) {
        report.rows.push_back({c.method,
                               {{"plans", side}, {"map", c.form}},
                               {{"problems", static_cast<double>(queries.size())},
                                {"expansions", r.expansions},
                                {"ratio_mean", r.ratio},
                                {"speedup", full_expansions / r.expansions},
                                {"ms_mean", r.ms},
                                {"bytes", static_cast<double>(bytes)}}});
    };
    Progress progress("crowd-flow, plans", contenders().size());
    std::string form;
    double full_expansions = 0;
    std::vector<uint64_t> reference;
    DirectionMap map;
    for (const Contender& c : contenders()) {
        if (form != c.form) {
            form = c.form;
            map = DirectionMap(maker.layout(), c.map);
            teach(maker, lessons, map);
            reference.clear();
        }
        const PlanResult r = measure_plan(maker, queries, map, c, reference);
        if (full_expansions == 0) {
            full_expansions = r.expansions;
            add(without, base, full_expansions, 0);
        }
        add(c, r, full_expansions, map.bytes());
        progress.advance();
    }
    return {};
}

}  // namespace terrane
