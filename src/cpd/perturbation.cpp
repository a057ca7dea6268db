#include "cpd/perturbation.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>

namespace terrane {

namespace detail {

// Limit on listed endpoints: every query evaluates each of them.
static constexpr size_t kMaxEndpoints = 4096;
// Groups grow until there are no more than this: a search evaluates all of them for every node.
static constexpr size_t kMaxGroups = 32;
static constexpr uint32_t kFirstGroupShift = 3;  // squares of 8x8 cells

static std::vector<CellId> list_cells(const CellBits& bits) {
    std::vector<CellId> cells;
    const std::vector<uint64_t>& words = bits.words();
    for (size_t w = 0; w < words.size(); ++w) {
        for (uint64_t left = words[w]; left != 0; left &= left - 1)
            cells.push_back(static_cast<CellId>(w * 64 + static_cast<size_t>(std::countr_zero(left))));
    }
    return cells;
}

uint32_t PerturbationData::area(CellId cell) const {
    if (!changed[cell]) return kNoChange;
    const uint64_t before = changed.words()[cell / 64] & ((uint64_t{1} << (cell % 64)) - 1);
    return areas[ranks[cell / 64] + static_cast<uint32_t>(std::popcount(before))];
}

void PerturbationData::derive() {
    const std::vector<CellId> cells = list_cells(changed);
    changed_cells = cells.size();
    any_cheaper = std::any_of(cells.begin(), cells.end(), [&](CellId cell) {
        return now_cost(cell) != 0 && (base_cost(cell) == 0 || now_cost(cell) < base_cost(cell));
    });
    const GridBounds before = base.bounds(), after = now.bounds();
    const bool one_blocked = before.cheapest == 0 || after.cheapest == 0;
    min_cost = one_blocked ? std::max(before.cheapest, after.cheapest) : std::min(before.cheapest, after.cheapest);
    max_cost = std::max(before.most_expensive, after.most_expensive);
    label_areas(cells);
    mark_beside_change(cells);
    collect_cheapened_edges(cells);
}

// Labels the 8-connected components of changed cells, numbered by their first cells.
void PerturbationData::label_areas(const std::vector<CellId>& cells) {
    const std::vector<uint64_t>& words = changed.words();
    ranks.assign(words.size(), 0);
    for (size_t w = 1; w < words.size(); ++w) ranks[w] = ranks[w - 1] + static_cast<uint32_t>(std::popcount(words[w - 1]));
    areas.assign(cells.size(), kNoChange);
    area_count = 0;
    const ChangedGrid grid(*this, false);
    const auto rank = [&](CellId cell) {
        const uint64_t below = words[cell / 64] & ((uint64_t{1} << (cell % 64)) - 1);
        return ranks[cell / 64] + static_cast<uint32_t>(std::popcount(below));
    };
    std::vector<CellId> stack;
    for (size_t i = 0; i < cells.size(); ++i) {
        if (areas[i] != kNoChange) continue;
        areas[i] = area_count;
        stack.push_back(cells[i]);
        while (!stack.empty()) {
            const CellId cell = stack.back();
            stack.pop_back();
            for (Move m = 0; m < 8; ++m) {
                const CellId to = grid.neighbour(cell, m);
                if (to == kNoCell || !changed[to] || areas[rank(to)] != kNoChange) continue;
                areas[rank(to)] = area_count;
                stack.push_back(to);
            }
        }
        ++area_count;
    }
}

void PerturbationData::mark_beside_change(const std::vector<CellId>& cells) {
    const auto obstacle = [&](CellId cell) {
        return changed[cell] && base_cost(cell) != 0 && (now_cost(cell) == 0 || now_cost(cell) > base_cost(cell));
    };
    const ChangedGrid grid(*this, false);
    beside_change = CellBits(now.layout().id_limit());
    for (const CellId cell : cells) {
        if (!obstacle(cell)) continue;
        for (Move m = 0; m < 8; ++m) {
            const CellId to = grid.neighbour(cell, m);
            if (to != kNoCell && now_cost(to) != 0 && !obstacle(to)) beside_change.set(to, true);
        }
    }
}

// A cheapened edge has an end that got cheaper, or is a diagonal past a cell that got unblocked, and then both its ends are adjacent to it.
void PerturbationData::collect_cheapened_edges(const std::vector<CellId>& cells) {
    endpoint_groups.clear();
    cheapened_endpoints.clear();
    cheapened_edges.clear();
    if (!any_cheaper) return;
    const ChangedGrid grid(*this, false);
    for (const CellId cell : cells) {
        if (now_cost(cell) == 0 || (base_cost(cell) != 0 && now_cost(cell) > base_cost(cell))) continue;
        cheapened_endpoints.push_back(cell);
        for (Move m = 0; m < 8; ++m) {
            const CellId to = grid.neighbour(cell, m);
            if (to != kNoCell && now_cost(to) != 0) cheapened_endpoints.push_back(to);
        }
    }
    const GridLayout& layout = now.layout();
    uint32_t shift = kFirstGroupShift;
    const auto square_of = [&](CellId cell) { return std::pair{layout.y(cell) >> shift, layout.x(cell) >> shift}; };
    const auto before = [&](CellId a, CellId b) {
        const auto square_a = square_of(a), square_b = square_of(b);
        return square_a != square_b ? square_a < square_b : a < b;
    };
    for (;; ++shift) {
        std::sort(cheapened_endpoints.begin(), cheapened_endpoints.end(), before);
        cheapened_endpoints.erase(std::unique(cheapened_endpoints.begin(), cheapened_endpoints.end()), cheapened_endpoints.end());
        endpoint_groups.clear();
        for (uint32_t i = 0; i < cheapened_endpoints.size(); ++i) {
            if (i == 0 || square_of(cheapened_endpoints[i]) != square_of(cheapened_endpoints[i - 1])) endpoint_groups.push_back({{}, i, 0});
            const Cell c = layout.cell(cheapened_endpoints[i]);
            endpoint_groups.back().rect = hull(endpoint_groups.back().rect, {c, {1, 1}});
            ++endpoint_groups.back().count;
        }
        if (endpoint_groups.size() <= kMaxGroups) break;
    }
    for (const CellId cell : cheapened_endpoints) beside_change.set(cell, true);
    if (cheapened_endpoints.size() > kMaxEndpoints) {
        cheapened_endpoints.clear();
    } else {
        list_cheapened_edges();
    }
}

// Uses the lenient corner rule, which allows every step that strict_corners allows.
void PerturbationData::list_cheapened_edges() {
    std::vector<std::pair<CellId, uint32_t>> index;
    index.reserve(cheapened_endpoints.size());
    for (uint32_t i = 0; i < cheapened_endpoints.size(); ++i) index.emplace_back(cheapened_endpoints[i], i);
    std::sort(index.begin(), index.end());
    const ChangedGrid grid(*this, false);
    for (uint32_t a = 0; a < cheapened_endpoints.size(); ++a) {
        grid.for_each_step(cheapened_endpoints[a], [&](Move move, CellId to, uint64_t cost) {
            if (to < cheapened_endpoints[a]) return;
            if (grid.base_legal(cheapened_endpoints[a], move, to) && grid.base_step(cheapened_endpoints[a], move, to) <= cost) return;
            const auto found = std::lower_bound(index.begin(), index.end(), std::pair{to, uint32_t{0}});
            cheapened_edges.push_back({a, found->second, cost});
        });
    }
}

uint64_t ChangedGrid::now_step(CellId from, Move move, CellId to) const {
    const uint32_t a = data_->now_cost(from), b = data_->now_cost(to);
    if (a == 0 || b == 0) return kInfinite<uint64_t>;
    if (move >= 4 && !has_diagonals(movement())) return kInfinite<uint64_t>;
    if (move >= 4 && !cuts_corners(movement())) {
        const uint32_t beside = kBeside[move % 8];
        for (Move side = 0; side < 4; ++side) {
            if ((beside >> side & 1) != 0 && !is_clear(neighbour(from, side))) return kInfinite<uint64_t>;
        }
    }
    return uint64_t{length(move)} * (a + b);
}

uint32_t ChangedGrid::area_of_step(CellId from, Move move, CellId to) const {
    if (data_->changed[to]) return data_->area(to);
    if (data_->changed[from]) return data_->area(from);
    const uint32_t beside = kBeside[move % 8];
    for (Move side = 0; beside != 0 && side < 4; ++side) {
        if ((beside >> side & 1) == 0) continue;
        const CellId cell = neighbour(from, side);
        if (data_->changed[cell]) return data_->area(cell);
    }
    return kNoChange;
}

}  // namespace detail

static bool differs(const detail::PerturbationData& data, CellId cell) { return data.base_cost(cell) != data.now_cost(cell); }

static void compare_tile(detail::PerturbationData& data, uint32_t tile) {
    const Terrain *base = data.base.grid().tile_cells(tile), *now = data.now.grid().tile_cells(tile);
    if (base == now || std::memcmp(base, now, kTileCells) == 0) return;
    for (uint32_t i = 0; i < kTileCells; ++i) {
        if (base[i] != now[i] && differs(data, tile * kTileCells + i)) data.changed.set(tile * kTileCells + i, true);
    }
}

Perturbation::Perturbation(const PathDatabase& database, const GridSnapshot& now) {
    TERRANE_ASSERT(now.layout() == database.grid().layout());
    auto data = std::make_shared<detail::PerturbationData>();
    data->base = database.ground();
    data->now = data->base.on(now);
    const GridLayout& layout = now.layout();
    data->changed = detail::CellBits(layout.id_limit());
    for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
        for (uint32_t x = 0; x < layout.tiles_x(); ++x) compare_tile(*data, (y << layout.row_shift) | x);
    }
    data->derive();
    data_ = std::move(data);
}

Perturbation Perturbation::updated(const EditResult& edit) const {
    auto data = std::make_shared<detail::PerturbationData>(*data_);
    data->now = data->base.on(edit.after);
    for_each_changed_cell(edit, [&](CellId cell, Terrain, Terrain) { data->changed.set(cell, differs(*data, cell)); });
    data->derive();
    Perturbation result = *this;
    result.data_ = std::move(data);
    return result;
}

const GridSnapshot& Perturbation::now() const { return data_->now.grid(); }
uint64_t Perturbation::changed_cells() const { return data_->changed_cells; }
bool Perturbation::any_cheaper() const { return data_->any_cheaper; }
bool Perturbation::changed(CellId cell) const { return data_->changed[cell]; }

size_t Perturbation::bytes() const {
    return sizeof(*data_) + data_->changed.bytes() + data_->beside_change.bytes() +
           (data_->ranks.capacity() + data_->areas.capacity()) * 4 + data_->endpoint_groups.capacity() * sizeof(detail::EndpointGroup) +
           data_->cheapened_endpoints.capacity() * sizeof(CellId) + data_->cheapened_edges.capacity() * sizeof(detail::CheapenedEdge);
}

}  // namespace terrane
