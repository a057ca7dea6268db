#include "cpd/node_order.h"

#include <algorithm>
#include <bit>

namespace terrane::detail {

CellIndexMap::CellIndexMap(const GridLayout& layout, const std::vector<CellId>& cells) : blocks_(block_limit(layout)) {
    for (const CellId id : cells) blocks_[block_of(id)].cells |= uint64_t{1} << in_block(id);
    uint32_t used = 0;
    for (Block& block : blocks_) {
        block.first = used;
        used += static_cast<uint32_t>(std::popcount(block.cells));
    }
    cells.size() > 65536 ? wide_.resize(cells.size()) : narrow_.resize(cells.size());
    for (size_t i = 0; i < cells.size(); ++i) {
        const Block& block = blocks_[block_of(cells[i])];
        const size_t at = block.first + static_cast<size_t>(std::popcount(block.cells & ((uint64_t{1} << in_block(cells[i])) - 1)));
        wide_.empty() ? narrow_[at] = static_cast<uint16_t>(i) : wide_[at] = static_cast<uint32_t>(i);
    }
}

namespace {

// Index of a cell on the Hilbert curve over a square of 2^bits x 2^bits cells.
uint64_t hilbert(uint32_t bits, Cell c) {
    auto x = static_cast<uint32_t>(c.x), y = static_cast<uint32_t>(c.y);
    uint64_t at = 0;
    for (uint32_t s = 1u << (bits - 1); s > 0; s >>= 1) {
        const uint32_t rx = (x & s) != 0 ? 1 : 0, ry = (y & s) != 0 ? 1 : 0;
        at = at * 4 + ((3 * rx) ^ ry);
        x &= s - 1;
        y &= s - 1;
        if (ry != 0) continue;
        if (rx == 1) {
            x = s - 1 - x;
            y = s - 1 - y;
        }
        std::swap(x, y);
    }
    return at;
}

struct Walker {
    const Ground& ground;

    template <class Visit>
    void neighbours(CellId from, Visit&& visit) const {
        const Cell c = ground.layout().cell(from);
        for (const MoveStep& step : ground.rule().steps) {
            const Cell to{c.x + step.offset.x, c.y + step.offset.y};
            if (ground.can_step(c, to)) visit(ground.layout().id(to));
        }
    }
};

// Appends the preorder of a depth-first search from `start` to `out`.
void depth_first(const Walker& walker, CellId start, std::vector<uint8_t>& seen, std::vector<CellId>& stack, std::vector<CellId>& out) {
    stack.push_back(start);
    while (!stack.empty()) {
        const CellId cell = stack.back();
        stack.pop_back();
        if (seen[cell] != 0) continue;
        seen[cell] = 1;
        out.push_back(cell);
        walker.neighbours(cell, [&](CellId to) {
            if (seen[to] == 0) stack.push_back(to);
        });
    }
}

}  // namespace

NodeOrder order_nodes(const Ground& ground, PathOrder order) {
    const GridLayout& layout = ground.grid().layout();
    const Walker walker{ground};
    NodeOrder out;
    std::vector<uint8_t> seen(layout.id_limit(), 0);
    std::vector<CellId> stack;
    const uint32_t bits =
        std::max(1u, static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>(std::max(layout.width, layout.height) - 1))));
    for (int32_t y = 0; y < layout.height; ++y) {
        for (int32_t x = 0; x < layout.width; ++x) {
            const CellId id = layout.id({x, y});
            if (seen[id] != 0 || !ground.costs().passable(ground.grid().at(id))) continue;
            const auto begin = static_cast<ptrdiff_t>(out.cells.size());
            out.first.push_back(static_cast<uint32_t>(begin));
            depth_first(walker, id, seen, stack, out.cells);
            out.component.resize(out.cells.size(), static_cast<uint32_t>(out.first.size() - 1));
            if (order != PathOrder::kHilbert) continue;
            std::sort(out.cells.begin() + begin, out.cells.end(),
                      [&](CellId a, CellId b) { return hilbert(bits, layout.cell(a)) < hilbert(bits, layout.cell(b)); });
        }
    }
    out.first.push_back(static_cast<uint32_t>(out.cells.size()));
    return out;
}

}  // namespace terrane::detail
