#include "crowd/crowd_ground.h"

#include <algorithm>

#include "terrane/base/assert.h"

namespace terrane {

CrowdGround::CrowdGround(const GridSnapshot& grid, std::span<const AgentType> types, Movement movement, std::span<const CellId> extra_cells)
    : grid_(grid), moves_(static_cast<Move>(rule_of(movement).steps.size())) {
    TERRANE_ASSERT(!types.empty() && types.size() <= 0x10000);
    TERRANE_ASSERT(std::ranges::all_of(
        extra_cells, [&](CellId cell) { return cell < grid.layout().id_limit() && grid.layout().contains(grid.layout().cell(cell)); }));
    collect_cells(types, extra_cells);
    link_neighbours();
    types_.reserve(types.size());
    for (const AgentType& type : types) add_type(type, movement);
}

void CrowdGround::collect_cells(std::span<const AgentType> types, std::span<const CellId> extra_cells) {
    std::array<bool, 256> any{};
    for (const AgentType& type : types) {
        for (size_t t = 0; t < 256; ++t) any[t] = any[t] || type.costs.passable(static_cast<Terrain>(t));
    }
    any[kOutside] = false;
    for (uint32_t tile = 0; tile < grid_.layout().tile_limit(); ++tile) {
        if (!grid_.layout().contains(grid_.layout().cell(tile * kTileCells))) continue;
        const Terrain* terrain = grid_.tile_cells(tile);
        for (uint32_t i = 0; i < kTileCells; ++i) {
            if (any[terrain[i]]) cells_.push_back(tile * kTileCells + i);
        }
    }
    cells_.insert(cells_.end(), extra_cells.begin(), extra_cells.end());
    std::sort(cells_.begin(), cells_.end());
    cells_.erase(std::unique(cells_.begin(), cells_.end()), cells_.end());
    cells_.shrink_to_fit();
}

void CrowdGround::link_neighbours() {
    neighbours_.assign(cells_.size() * moves_, kNoSpot);
    std::vector<Spot> by_cell(grid_.layout().id_limit(), kNoSpot);
    for (Spot spot = 0; spot < size(); ++spot) by_cell[cells_[spot]] = spot;
    for (Spot spot = 0; spot < size(); ++spot) {
        const Cell at = grid_.layout().cell(cells_[spot]);
        for (size_t m = 0; m < moves_; ++m) {
            const Cell to{at.x + kMoves[m].x, at.y + kMoves[m].y};
            if (grid_.layout().contains(to)) neighbours_[size_t{spot} * moves_ + m] = by_cell[grid_.layout().id(to)];
        }
    }
}

void CrowdGround::add_type(const AgentType& from, Movement movement) {
    Type& type = types_.emplace_back();
    type.wait = from.wait;
    for (size_t t = 0; t < 256; ++t) type.hundredths[t] = from.costs.hundredths(static_cast<Terrain>(t));
    std::vector<uint8_t> passable(size());
    uint32_t cost = 0;
    bool one_cost = true;
    for (Spot spot = 0; spot < size(); ++spot) {
        const uint32_t here = type.hundredths[grid_.at(cells_[spot])];
        passable[spot] = here != 0 ? 1 : 0;
        one_cost = one_cost && (here == 0 || cost == 0 || here == cost);
        if (here != 0) cost = here;
        type.max_path_cost += Cost{2} * kDiagonal * here;
    }
    if (one_cost && !has_diagonals(movement)) type.step = Cost{2} * kStraight * cost;
    type.legal.resize(size());
    for (Spot spot = 0; spot < size(); ++spot) type.legal[spot] = legal_moves(passable, movement, spot);
    label_components(passable, type);
}

uint8_t CrowdGround::legal_moves(std::span<const uint8_t> passable, Movement movement, Spot from) const {
    const auto open = [&](Spot spot) { return spot != kNoSpot && passable[spot] != 0; };
    uint32_t neighbours = 0;
    for (Move m = 0; m < moves_; ++m) neighbours |= (open(neighbour(from, m)) ? 1u : 0u) << m;
    return static_cast<uint8_t>(terrane::legal_moves(movement, neighbours));
}

void CrowdGround::label_components(std::span<const uint8_t> passable, Type& type) const {
    type.component.assign(size(), kNoComponent);
    std::vector<Spot> stack;
    uint32_t count = 0;
    for (Spot first = 0; first < size(); ++first) {
        if (type.component[first] != kNoComponent || passable[first] == 0) continue;
        type.component[first] = count;
        stack.push_back(first);
        while (!stack.empty()) {
            const Spot at = stack.back();
            stack.pop_back();
            for (uint32_t bits = type.legal[at]; bits != 0; bits &= bits - 1) {
                const Spot to = neighbour(at, static_cast<Move>(std::countr_zero(bits)));
                if (type.component[to] != kNoComponent) continue;
                type.component[to] = count;
                stack.push_back(to);
            }
        }
        ++count;
    }
}

Spot CrowdGround::spot(CellId cell) const {
    const auto found = std::lower_bound(cells_.begin(), cells_.end(), cell);
    return found != cells_.end() && *found == cell ? static_cast<Spot>(found - cells_.begin()) : kNoSpot;
}

Move CrowdGround::move_between(Spot from, Spot to) const {
    for (Move m = 0; m < moves_; ++m) {
        if (neighbour(from, m) == to) return m;
    }
    return kNoMove;
}

std::array<Spot, 2> CrowdGround::sides(Spot from, Move diagonal) const {
    const Move vertical = kMoves[diagonal].y < 0 ? 0 : 2, horizontal = kMoves[diagonal].x > 0 ? 1 : 3;
    return {neighbour(from, vertical), neighbour(from, horizontal)};
}

Cost CrowdGround::step_cost(uint16_t type, Spot from, Move move) const {
    const Type& costs = types_[type];
    if (costs.step != 0) return costs.step;
    const Cost sum = Cost{costs.hundredths[grid_.at(cells_[from])]} + costs.hundredths[grid_.at(cells_[neighbour(from, move)])];
    return sum * (move < 4 ? kStraight : kDiagonal);
}

size_t CrowdGround::bytes() const {
    size_t bytes = cells_.capacity() * sizeof(CellId) + neighbours_.capacity() * sizeof(Spot) + types_.capacity() * sizeof(Type);
    for (const Type& type : types_) bytes += type.legal.capacity() + type.component.capacity() * sizeof(uint32_t);
    return bytes;
}

}  // namespace terrane
