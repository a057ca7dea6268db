// Part of `terrane bench crowd-flow`: the effect of a direction map on a path search. Agents that cross a map of obstacles in both
// directions teach the map. Then single paths are planned on it by A* and weighted A*, each also within the sectors of an abstract path
// (slide 125).
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "bench/contest.h"
#include "bench/crowd_flow.h"
#include "bench/progress.h"
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
    uint32_t divisor() const { return costs_.divisor; }

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

// A direction map, and the searches on it: A* first.
struct MapForm {
    const char* name;
    DirectionMapOptions options;
    struct Search {
        const char* method;
        Weight weight = {1, 1};
        bool corridor = false;
    };
    std::vector<Search> searches;
};

constexpr uint32_t kNever = 1u << 30;  // a map that is never congested, so that its arrows never count

std::vector<MapForm> forms() {
    return {{"none", {.congestion_threshold = kNever}, {{"astar"}}},
            {"full",
             {},
             {{"astar"},
              {"wastar:1.2", {6, 5}},
              {"wastar:1.5", {3, 2}},
              {"dta:16/astar", {1, 1}, true},
              {"dta:16/wastar:1.2", {6, 5}, true},
              {"dta:16/wastar:1.5", {3, 2}, true}}},
            {"compact", {.compact = true}, {{"astar"}, {"wastar:1.5", {3, 2}}}},
            {"100 moves a tile", {.congestion_threshold = 100}, {{"astar"}}},
            {"400 moves a tile", {.congestion_threshold = 400}, {{"astar"}}}};
}

Contender contender_of(const MapForm::Search& search, PathMaker& maker, const std::vector<Query>& queries, const DirectionMap& map) {
    const auto answer = std::make_shared<PathMaker::Answer>();
    const auto open = [&, search, answer]() -> Result<Opened> {
        return Opened{
            make_runner([&, search, answer](size_t i, Lap&) { *answer = maker.find(queries[i], map, search.weight, search.corridor); },
                        [&, answer](size_t, NamedSamples&) -> Result<Answer> {
                            return Answer{.found = !answer->cells.empty(),
                                          .cost = to_real(answer->cost * maker.divisor()),
                                          .expansions = static_cast<double>(answer->expansions)};
                        }),
            {},
            static_cast<double>(map.bytes())};
    };
    return {.method = search.method, .open = open, .guarantee = search.corridor ? kNoGuarantee : search.weight.value()};
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
    const DirectionMap none(maker.layout(), {.congestion_threshold = kNever});
    std::erase_if(queries, [&](const Query& q) { return maker.find(q, none, {}, false).cells.empty(); });
    const std::vector<Query> lessons = draw_queries(world.grid(), costs, quick ? 20 : 300, 22);
    Contest contest({.passes = quick ? 1 : 3});
    Progress progress("crowd-flow, plans", forms().size());
    for (const MapForm& form : forms()) {
        DirectionMap map(maker.layout(), form.options);
        teach(maker, lessons, map);
        std::vector<Contender> contenders;
        for (const MapForm::Search& search : form.searches) contenders.push_back(contender_of(search, maker, queries, map));
        const ContestScene scene{"crowd-flow, plans", {{"plans", side}, {"map", form.name}}, queries.size()};
        if (const auto done = contest.run(scene, contenders); !done) return done;
        progress.advance();
    }
    report.add(contest.rows());
    return {};
}

}  // namespace terrane
