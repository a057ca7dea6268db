#include "bench/changed_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <queue>

namespace terrane {

namespace {

struct Open {
    uint64_t key, g;
    size_t at;
    bool operator<(const Open& other) const { return key != other.key ? key > other.key : g < other.g; }
};

}  // namespace

ChangedMap::ChangedMap(const Ground& ground, bool strict)
    : width_(ground.grid().width()),
      height_(ground.grid().height()),
      costs_(ground.costs()),
      movement_(ground.movement()),
      strict_(strict) {
    for (size_t m = 0; m < 8; ++m) offset_[m] = std::ptrdiff_t{kMoves[m].y} * (width_ + 2) + kMoves[m].x;
    set_now(ground.grid());
    was_ = now_;
}

void ChangedMap::set_now(const GridSnapshot& now) {
    now_.assign(static_cast<size_t>(width_ + 2) * static_cast<size_t>(height_ + 2), 0);
    const std::vector<Terrain> cells = now.cells();
    for (int32_t y = 0; y < height_; ++y) {
        const Terrain* row = cells.data() + static_cast<size_t>(y) * static_cast<size_t>(width_);
        std::transform(row, row + width_, now_.data() + index({0, y}), [&](Terrain t) { return costs_.cost[t]; });
    }
}

Cell ChangedMap::cell(size_t i) const {
    const size_t row = static_cast<size_t>(width_) + 2;
    return {static_cast<int32_t>(i % row) - 1, static_cast<int32_t>(i / row) - 1};
}

// Returns the move's cost under `costs`, or 0 if the move is illegal.
uint64_t ChangedMap::move_cost(const std::vector<uint32_t>& costs, size_t from, Move move) const {
    const auto beside = [&](Move m) { return from + static_cast<size_t>(offset_[m]); };
    const uint32_t here = costs[from], there = costs[beside(move)];
    if (here == 0 || there == 0) return 0;
    if (move < 4) return uint64_t{kStraight} * (here + there);
    if (movement_ == Movement::kFour) return 0;
    if (movement_ == Movement::kEightNoCornerCutting) {
        const auto open = [&](Move m) { return costs[beside(m)] != 0 || (!strict_ && was_[beside(m)] != 0); };
        const Move vertical = kMoves[move].y < 0 ? 0 : 2, horizontal = kMoves[move].x > 0 ? 1 : 3;
        if (!open(vertical) || !open(horizontal)) return 0;
    }
    return uint64_t{kDiagonal} * (here + there);
}

uint64_t ChangedMap::step(Cell from, Cell to) const {
    const Cell by{to.x - from.x, to.y - from.y};
    const auto move = std::ranges::find(kMoves, by);
    return move == kMoves.end() ? 0 : move_cost(now_, index(from), static_cast<Move>(move - kMoves.begin()));
}

// Octile distance over terrain of the lowest cost.
uint64_t ChangedMap::octile_bound(Cell from, Cell to, uint32_t cheapest) const {
    const auto dx = static_cast<uint64_t>(std::abs(from.x - to.x)), dy = static_cast<uint64_t>(std::abs(from.y - to.y));
    const uint64_t diagonal = movement_ == Movement::kFour ? 0 : std::min(dx, dy);
    return uint64_t{2} * cheapest * (kDiagonal * diagonal + kStraight * (dx + dy - 2 * diagonal));
}

// A* to the goal; Dijkstra to all cells if `goal` is null.
void ChangedMap::search(Cell from, const Cell* goal) {
    best_.assign(now_.size(), kNoPath);
    via_.assign(now_.size(), kNoMove);
    if (!passable(from)) return;
    uint32_t cheapest = now_[index(from)];
    for (const uint32_t cost : now_) cheapest = cost == 0 ? cheapest : std::min(cheapest, cost);
    const auto h = [&](Cell c) { return goal == nullptr ? 0 : octile_bound(c, *goal, cheapest); };
    std::priority_queue<Open> open;
    best_[index(from)] = 0;
    open.push({h(from), 0, index(from)});
    while (!open.empty()) {
        const Open top = open.top();
        open.pop();
        if (top.g != best_[top.at]) continue;
        if (goal != nullptr && top.at == index(*goal)) return;
        for (Move m = 0; m < 8; ++m) {
            const uint64_t cost = move_cost(now_, top.at, m);
            const size_t to = top.at + static_cast<size_t>(offset_[m]);
            if (cost == 0 || top.g + cost >= best_[to]) continue;
            best_[to] = top.g + cost;
            via_[to] = m;
            open.push({best_[to] + h(cell(to)), best_[to], to});
        }
    }
}

void ChangedMap::flood(Cell from) { search(from, nullptr); }

uint64_t ChangedMap::find(Cell start, Cell goal, std::vector<Cell>& path) {
    path.clear();
    search(start, &goal);
    if (cost_to(goal) == kNoPath) return kNoPath;
    for (Cell c = goal;;) {
        path.push_back(c);
        if (c == start) break;
        const Cell by = kMoves[via_[index(c)]];
        c = {c.x - by.x, c.y - by.y};
    }
    std::ranges::reverse(path);
    return cost_to(goal);
}

std::vector<Cell> ChangedMap::ball(Cell centre, int32_t hops) const {
    std::vector<Cell> out = {centre};
    std::vector<bool> seen(was_.size());
    seen[index(centre)] = true;
    for (size_t done = 0; hops > 0; --hops) {
        for (const size_t end = out.size(); done < end; ++done) {
            const size_t from = index(out[done]);
            for (Move m = 0; m < 8; ++m) {
                const size_t to = from + static_cast<size_t>(offset_[m]);
                if (seen[to] || move_cost(was_, from, m) == 0) continue;
                seen[to] = true;
                out.push_back(cell(to));
            }
        }
    }
    return out;
}

std::string cpd_fault(const ChangedMap& map, const CpdSearch& search, Cell start, Cell goal, uint64_t optimal, Weight bound) {
    const Status expected = optimal == kNoPath ? Status::kUnreachable : Status::kFound;
    if (search.status() != expected) return to_string(search.status());
    if (optimal == kNoPath) return {};
    std::vector<Cell> path;
    search.path(path);
    if (path.empty() || path.front() != start || path.back() != goal) return "wrong start or goal";
    uint64_t sum = 0;
    for (size_t i = 1; i < path.size(); ++i) {
        const uint64_t step = map.step(path[i - 1], path[i]);
        if (step == 0) return fmt::format("illegal step from {},{} to {},{}", path[i - 1].x, path[i - 1].y, path[i].x, path[i].y);
        sum += step;
    }
    if (sum != search.cost()) return fmt::format("reports cost {}, but its steps cost {}", search.cost(), sum);
    if (sum < optimal) return fmt::format("cost {} is below the optimum {}", sum, optimal);
    if (sum * bound.denominator > optimal * bound.numerator)
        return fmt::format("cost {} exceeds the bound; the optimum is {}", sum, optimal);
    if (search.lower_bound() > optimal) return fmt::format("lower bound {} exceeds the optimum {}", search.lower_bound(), optimal);
    if (sum * bound.denominator > search.lower_bound() * bound.numerator)
        return fmt::format("cost {} is not proven by the lower bound {}", sum, search.lower_bound());
    std::ranges::sort(path, {}, [](Cell c) { return std::pair(c.y, c.x); });
    if (std::ranges::adjacent_find(path) != path.end()) return "visits a cell twice";
    return {};
}

}  // namespace terrane
