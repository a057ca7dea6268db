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

// More steps than that are not listed one by one: a query looks at each of them.
static constexpr size_t kMaxOpened = 4096;
// Blocks grow until there are no more than that: a query looks at them for every node.
static constexpr size_t kMaxBlocks = 32;
static constexpr uint32_t kFirstBlockShift = 3;  // squares of 8 cells

static std::vector<CellId> list_cells(const CellBits& bits) {
    std::vector<CellId> cells;
    const std::vector<uint64_t>& words = bits.words();
    for (size_t w = 0; w < words.size(); ++w) {
        for (uint64_t left = words[w]; left != 0; left &= left - 1)
            cells.push_back(static_cast<CellId>(w * 64 + static_cast<size_t>(std::countr_zero(left))));
    }
    return cells;
}

uint32_t PerturbationRoot::area(CellId cell) const {
    if (!changed[cell]) return kNoChange;
    const uint64_t before = changed.words()[cell / 64] & ((uint64_t{1} << (cell % 64)) - 1);
    return areas[ranks[cell / 64] + static_cast<uint32_t>(std::popcount(before))];
}

void PerturbationRoot::derive() {
    const std::vector<CellId> cells = list_cells(changed);
    changed_cells = cells.size();
    any_cheaper = std::any_of(cells.begin(), cells.end(), [&](CellId cell) {
        return now_cost(cell) != 0 && (base_cost(cell) == 0 || now_cost(cell) < base_cost(cell));
    });
    const GridBounds before = base.bounds(), after = now.bounds();
    const bool one_blocked = before.cheapest == 0 || after.cheapest == 0;
    cheapest = one_blocked ? std::max(before.cheapest, after.cheapest) : std::min(before.cheapest, after.cheapest);
    dearest = std::max(before.dearest, after.dearest);
    label_areas(cells);
    mark_beside(cells);
    collect_opened(cells);
}

// Connected by any of the eight moves; numbered by their first cells.
void PerturbationRoot::label_areas(const std::vector<CellId>& cells) {
    const std::vector<uint64_t>& words = changed.words();
    ranks.assign(words.size(), 0);
    for (size_t w = 1; w < words.size(); ++w) ranks[w] = ranks[w - 1] + static_cast<uint32_t>(std::popcount(words[w - 1]));
    areas.assign(cells.size(), kNoChange);
    area_count = 0;
    const ChangedGrid grid(*this, false);
    const auto place = [&](CellId cell) {
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
                if (to == kNoCell || !changed[to] || areas[place(to)] != kNoChange) continue;
                areas[place(to)] = area_count;
                stack.push_back(to);
            }
        }
        ++area_count;
    }
}

void PerturbationRoot::mark_beside(const std::vector<CellId>& cells) {
    const auto obstacle = [&](CellId cell) {
        return changed[cell] && base_cost(cell) != 0 && (now_cost(cell) == 0 || now_cost(cell) > base_cost(cell));
    };
    const ChangedGrid grid(*this, false);
    beside = CellBits(now.layout().id_limit());
    for (const CellId cell : cells) {
        if (!obstacle(cell)) continue;
        for (Move m = 0; m < 8; ++m) {
            const CellId to = grid.neighbour(cell, m);
            if (to != kNoCell && now_cost(to) != 0 && !obstacle(to)) beside.set(to, true);
        }
    }
}

// A step that got cheaper has an end that did, or is past a cell that was opened: then both its ends are beside that one.
void PerturbationRoot::collect_opened(const std::vector<CellId>& cells) {
    blocks.clear();
    opened.clear();
    opened_steps.clear();
    if (!any_cheaper) return;
    const ChangedGrid grid(*this, false);
    for (const CellId cell : cells) {
        if (now_cost(cell) == 0 || (base_cost(cell) != 0 && now_cost(cell) > base_cost(cell))) continue;
        opened.push_back(cell);
        for (Move m = 0; m < 8; ++m) {
            const CellId to = grid.neighbour(cell, m);
            if (to != kNoCell && now_cost(to) != 0) opened.push_back(to);
        }
    }
    const GridLayout& layout = now.layout();
    uint32_t shift = kFirstBlockShift;
    const auto block_of = [&](CellId cell) { return std::pair{layout.y(cell) >> shift, layout.x(cell) >> shift}; };
    const auto before = [&](CellId a, CellId b) {
        const auto block_a = block_of(a), block_b = block_of(b);
        return block_a != block_b ? block_a < block_b : a < b;
    };
    for (;; ++shift) {
        std::sort(opened.begin(), opened.end(), before);
        opened.erase(std::unique(opened.begin(), opened.end()), opened.end());
        blocks.clear();
        for (uint32_t i = 0; i < opened.size(); ++i) {
            if (i == 0 || block_of(opened[i]) != block_of(opened[i - 1])) blocks.push_back({{}, i, 0});
            const Cell c = layout.cell(opened[i]);
            blocks.back().rect = hull(blocks.back().rect, {c.x, c.y, c.x + 1, c.y + 1});
            ++blocks.back().count;
        }
        if (blocks.size() <= kMaxBlocks) break;
    }
    for (const CellId cell : opened) beside.set(cell, true);
    if (opened.size() > kMaxOpened) {
        opened.clear();
    } else {
        list_opened_steps();
    }
}

// Corners are judged as leniently as any search does.
void PerturbationRoot::list_opened_steps() {
    std::vector<std::pair<CellId, uint32_t>> places;
    places.reserve(opened.size());
    for (uint32_t i = 0; i < opened.size(); ++i) places.emplace_back(opened[i], i);
    std::sort(places.begin(), places.end());
    const ChangedGrid grid(*this, false);
    for (uint32_t a = 0; a < opened.size(); ++a) {
        grid.for_each_step(opened[a], [&](Move move, CellId to, uint64_t cost) {
            if (to < opened[a]) return;
            if (grid.base_legal(opened[a], move, to) && grid.base_step(opened[a], move, to) <= cost) return;
            const auto place = std::lower_bound(places.begin(), places.end(), std::pair{to, uint32_t{0}});
            opened_steps.push_back({a, place->second, cost});
        });
    }
}

uint64_t ChangedGrid::now_step(CellId from, Move move, CellId to) const {
    const uint32_t a = root_->now_cost(from), b = root_->now_cost(to);
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
    if (root_->changed[to]) return root_->area(to);
    if (root_->changed[from]) return root_->area(from);
    const uint32_t beside = kBeside[move % 8];
    for (Move side = 0; beside != 0 && side < 4; ++side) {
        if ((beside >> side & 1) == 0) continue;
        const CellId cell = neighbour(from, side);
        if (root_->changed[cell]) return root_->area(cell);
    }
    return kNoChange;
}

}  // namespace detail

static bool differs(const detail::PerturbationRoot& root, CellId cell) { return root.base_cost(cell) != root.now_cost(cell); }

static void compare_tile(detail::PerturbationRoot& root, uint32_t tile) {
    const Terrain *base = root.base.grid().tile_cells(tile), *now = root.now.grid().tile_cells(tile);
    if (base == now || std::memcmp(base, now, kTileCells) == 0) return;
    for (uint32_t i = 0; i < kTileCells; ++i) {
        if (base[i] != now[i] && differs(root, tile * kTileCells + i)) root.changed.set(tile * kTileCells + i, true);
    }
}

Perturbation::Perturbation(const PathDatabase& database, const GridSnapshot& now) {
    TERRANE_ASSERT(now.layout() == database.grid().layout());
    auto root = std::make_shared<detail::PerturbationRoot>();
    root->base = database.ground();
    root->now = root->base.on(now);
    const GridLayout& layout = now.layout();
    root->changed = detail::CellBits(layout.id_limit());
    for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
        for (uint32_t x = 0; x < layout.tiles_x(); ++x) compare_tile(*root, (y << layout.row_shift) | x);
    }
    root->derive();
    root_ = std::move(root);
}

Perturbation Perturbation::updated(const EditResult& edit) const {
    auto root = std::make_shared<detail::PerturbationRoot>(*root_);
    root->now = root->base.on(edit.after);
    for_each_changed_cell(edit, [&](CellId cell, Terrain, Terrain) { root->changed.set(cell, differs(*root, cell)); });
    root->derive();
    Perturbation result = *this;
    result.root_ = std::move(root);
    return result;
}

const GridSnapshot& Perturbation::now() const { return root_->now.grid(); }
uint64_t Perturbation::changed_cells() const { return root_->changed_cells; }
bool Perturbation::any_cheaper() const { return root_->any_cheaper; }
bool Perturbation::changed(CellId cell) const { return root_->changed[cell]; }

size_t Perturbation::bytes() const {
    return sizeof(*root_) + root_->changed.bytes() + root_->beside.bytes() + (root_->ranks.capacity() + root_->areas.capacity()) * 4 +
           root_->blocks.capacity() * sizeof(detail::OpenedBlock) + root_->opened.capacity() * sizeof(CellId) +
           root_->opened_steps.capacity() * sizeof(detail::OpenedStep);
}

}  // namespace terrane
