#include "terrane/grid_search/table_heuristic.h"

#include <new>

namespace terrane::detail {

namespace {

constexpr std::align_val_t kLine{64};  // cache line: holds a row of eight 32-bit columns

struct DeletePage {
    template <class E>
    void operator()(E* page) const {
        ::operator delete[](page, kLine);
    }
};

}  // namespace

template <class E>
CellTable<E>::CellTable(const GridLayout& layout, uint32_t columns) : columns_(columns), pages_(layout.tile_limit()) {
    for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
        for (uint32_t x = 0; x < layout.tiles_x(); ++x) pages_[(y << layout.row_shift) | x] = make_page();
    }
}

template <class E>
typename CellTable<E>::Page CellTable<E>::make_page() const {
    return Page(new (kLine) E[size_t{kTileCells} * columns_](), DeletePage{});
}

template <class E>
size_t CellTable<E>::bytes() const {
    const auto used = static_cast<size_t>(std::count_if(pages_.begin(), pages_.end(), [](const Page& p) { return p != nullptr; }));
    return used * kTileCells * columns_ * sizeof(E) + pages_.capacity() * sizeof(Page);
}

template <class E>
void CellTableEdit<E>::own_page(uint32_t tile) {
    auto page = table_.make_page();
    std::copy_n(table_.pages_[tile].get(), size_t{kTileCells} * table_.columns_, page.get());
    table_.pages_[tile] = std::move(page);
    own_[tile] = true;
}

template class CellTable<uint32_t>;
template class CellTable<uint64_t>;
template class CellTableEdit<uint32_t>;
template class CellTableEdit<uint64_t>;

TableOwner::TableOwner(const Ground& made_for) : ground(made_for), cheapest(made_for.bounds().cheapest) {}

std::shared_ptr<TableOwner> TableOwner::moved_to(const GridSnapshot& after) const {
    auto moved = std::make_shared<TableOwner>(ground.on(after));
    moved->edits = edits + (after.version() != ground.grid().version() ? 1 : 0);
    moved->narrow = narrow;
    moved->wide = wide;
    return moved;
}

std::vector<CellId> cheaper_cells(const EditResult& edit, const CostTable& costs) {
    std::vector<CellId> cheaper;
    for_each_changed_cell(edit, [&](CellId id, Terrain before, Terrain after) {
        const uint32_t old_cost = costs.cost[before], new_cost = costs.cost[after];
        if (new_cost != 0 && (old_cost == 0 || new_cost < old_cost)) cheaper.push_back(id);
    });
    return cheaper;
}

}  // namespace terrane::detail
