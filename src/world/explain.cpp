#include "terrane/world/explain.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "terrane/grid_search/grid_search.h"
#include "terrane/search/best_first.h"
#include "terrane/search/heap_queue.h"
#include "terrane/search/paged_labels.h"

namespace terrane {

namespace {

// Lexicographic costs: blocked cells first, then length. A path has at most 2^30 cells (kMaxSide squared), so the two never overlap.
constexpr uint64_t kStraightLength = 5, kDiagonalLength = 7;
constexpr uint64_t kBlockedPenalty = uint64_t{1} << 33;
static_assert(uint64_t{kMaxSide} * kMaxSide * kDiagonalLength < kBlockedPenalty && uint64_t{kMaxSide} * kMaxSide < (uint64_t{1} << 31));

// All cells of a map; entering a blocked one costs more than any detour. `ground` must outlive the graph.
class ObstacleGraph {
public:
    using Node = CellId;
    using Value = uint64_t;
    using Via = Move;

    explicit ObstacleGraph(const Ground& ground) : ground_(&ground) {}

    template <class Label, class Emit>
    void expand(CellId node, const Label& label, Emit&& emit) const {
        const GridLayout& layout = ground_->layout();
        const Cell c = layout.cell(node);
        std::array<bool, 8> open;
        for (Move m = 0; m < 8; ++m) {
            const Cell to{c.x + kMoves[m].x, c.y + kMoves[m].y};
            open[m] = passable(to);
            if (!layout.contains(to) || (m >= 4 && !diagonal_is_legal(ground_->movement(), open[m - 4u], open[(m - 3u) % 4]))) continue;
            emit(layout.id(to), label.g + (m < 4 ? kStraightLength : kDiagonalLength) + (open[m] ? 0 : kBlockedPenalty), m);
        }
    }
    CellId origin(CellId to, Move move) const {
        const Cell c = ground_->layout().cell(to);
        return ground_->layout().id({c.x - kMoves[move].x, c.y - kMoves[move].y});
    }

private:
    bool passable(Cell c) const { return ground_->passable(c); }

    const Ground* ground_;
};

std::vector<Cell> cells_of(const Rect& rect) {
    std::vector<Cell> cells;
    if (rect.empty()) return cells;
    cells.reserve(static_cast<size_t>(rect.width) * static_cast<size_t>(rect.height));
    for (int32_t y = rect.y; y < rect.bottom(); ++y) {
        for (int32_t x = rect.x; x < rect.right(); ++x) cells.push_back({x, y});
    }
    return cells;
}

void search_all(const Ground& ground, Cell start, std::span<const Cell> goals, GridSearch& search) {
    search.begin_many(ground, start, goals);
    search.run();
}

// The cell with the least sum of the costs of both searches (ties: the first); null if there is none.
const Cell* cheapest_meeting(const GridSearch& from_start, const GridSearch& from_goal, std::span<const Cell> cells) {
    const Cell* best = nullptr;
    Cost least = kInfiniteCost;
    for (const Cell& c : cells) {
        const Cost to = from_start.cost_to(c), from = from_goal.cost_to(c);
        if (to == kInfiniteCost || from == kInfiniteCost || to + from >= least) continue;
        best = &c;
        least = to + from;
    }
    return best;
}

void concatenate(const GridSearch& from_start, const GridSearch& from_goal, const Cell* meeting, Path& path) {
    path.status = Status::kUnreachable;
    if (meeting != nullptr) {
        Path rest;
        from_start.path_to(*meeting, path);
        from_goal.path_to(*meeting, rest);
        path.cells.insert(path.cells.end(), rest.cells.rbegin() + 1, rest.cells.rend());
        path.cost += rest.cost;
    }
    path.expansions = path.expansions_first = from_start.expansions() + from_goal.expansions();
}

// Ends a search through obstacles: at the cells reachable from the start, or the start itself.
struct Reachable {
    const GridSearch* flood;
    GridLayout layout;
    CellId start;
    bool operator()(CellId cell) const { return cell == start || flood->cost_to(layout.cell(cell)) != kInfiniteCost; }
};

// Finds the path through the fewest blocked cells: backwards from the goal to the reachable cells, then along the flood. Both ends are on
// the map.
void search_through_obstacles(const Ground& ground, Cell start, Cell goal, const GridSearch& flood, Path& path) {
    const GridLayout& layout = ground.grid().layout();
    const CellId last = layout.id(goal);
    PagedLabels<CellId, uint64_t, Move> labels;
    HeapQueue<CellId, uint64_t> queue;
    labels.reset(layout.id_limit());
    BestFirst search(ObstacleGraph(ground), ZeroHeuristic{}, Reachable{&flood, layout, layout.id(start)}, labels, queue, {},
                     kInfinite<uint64_t>, NoObserver{}, ExpandOnce{});
    search.start(last, 0, kNoMove);
    search.run();
    const Cell meeting = layout.cell(search.goal_node());
    flood.path_to(meeting, path);
    if (!path.cells.empty()) path.cells.pop_back();  // the second half begins with it
    search.walk_back(
        search.goal_node(), [&](CellId id) { return id == last; }, [&](CellId id) { path.cells.push_back(layout.cell(id)); });
    path.status = Status::kPartial;
    path.cost = 0;
    path.expansions = flood.expansions() + search.expansions();
}

// Counts the blocked cells on the path.
void count_blocked(const GridSnapshot& grid, const CostTable& costs, Obstacle& out) {
    for (const Cell c : out.path.cells) {
        if (costs.passable(grid.at(c))) continue;
        if (out.blocked++ > 0) continue;
        out.first = c;
        out.terrain = grid.at(c);
    }
}

}  // namespace

std::vector<TerrainShare> path_shares(const GridSnapshot& grid, const CostTable& costs, std::span<const Cell> cells) {
    std::vector<TerrainShare> shares;
    if (path_cost({grid, costs, Movement::kEightCutCorners}, cells) == kInfiniteCost) return shares;
    std::array<TerrainShare, 256> all{};
    for (size_t i = 0; i < cells.size(); ++i) {
        ++all[grid.at(cells[i])].cells;
        if (i == 0) continue;
        const bool straight = cells[i].x == cells[i - 1].x || cells[i].y == cells[i - 1].y;
        for (const Cell c : {cells[i - 1], cells[i]}) {
            all[grid.at(c)].cost += Cost{straight ? kStraight : kDiagonal} * costs.hundredths(grid.at(c));
        }
    }
    for (uint32_t t = 0; t < all.size(); ++t) {
        all[t].terrain = static_cast<Terrain>(t);
        if (all[t].cells > 0) shares.push_back(all[t]);
    }
    std::ranges::sort(
        shares, [](const TerrainShare& a, const TerrainShare& b) { return a.cost != b.cost ? a.cost > b.cost : a.terrain < b.terrain; });
    return shares;
}

Path find_through(const Ground& ground, Cell start, Cell goal, const Rect& area) {
    Path path;
    path.status = ground.check_ends(start, goal);
    if (path.status == Status::kFound) {
        const std::vector<Cell> cells = cells_of(intersection(area, ground.grid().layout().rect()));
        GridSearch from_start, from_goal;  // step costs are symmetric
        search_all(ground, start, cells, from_start);
        search_all(ground, goal, cells, from_goal);
        concatenate(from_start, from_goal, cheapest_meeting(from_start, from_goal, cells), path);
    }
    path.version = ground.grid().version();
    return path;
}

Obstacle find_obstacle(const Ground& ground, Cell start, Cell goal) {
    Obstacle out;
    out.status = ground.check_ends(start, goal);
    out.path.status = out.status;
    if (out.status != Status::kOutsideMap) {
        GridSearch flood;
        flood.begin_flood(ground, start);
        flood.run();
        out.reached = flood.expansions();  // each cell is expanded once
        flood.path_to(goal, out.path);
        if (out.status == Status::kFound) out.status = out.path.status;
        if (out.status != Status::kFound) search_through_obstacles(ground, start, goal, flood, out.path);
        count_blocked(ground.grid(), ground.costs(), out);
    }
    out.path.expansions_first = out.path.expansions;
    out.path.version = ground.grid().version();
    return out;
}

}  // namespace terrane
