#include "terrane/grid/grid.h"

#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "terrane/base/assert.h"

namespace terrane {

using detail::GridData;
using detail::kPageShift;
using detail::kPageTiles;
using detail::Tile;
using detail::TilePage;

namespace {

// The last grid id: one of the library's two mutable statics; the other is the assert handler. Ids are only compared for equality, so
// results do not depend on them.
std::atomic<uint64_t> g_last_grid{0};

// The cells of the map that a tile covers.
Rect tile_rect(const GridLayout& layout, uint32_t tile) {
    const auto left = static_cast<int32_t>(tile & ((1u << layout.row_shift) - 1)) * kTileSide;
    const auto top = static_cast<int32_t>(tile >> layout.row_shift) * kTileSide;
    return intersection({{left, top}, {kTileSide, kTileSide}}, layout.rect());
}

// Calls visit(tile, part) for every tile of the map that intersects `rect`; `part` is the intersection.
template <class Visit>
void for_each_tile(const GridLayout& layout, const Rect& rect, Visit&& visit) {
    for (int32_t ty = rect.y / kTileSide; ty * kTileSide < rect.bottom(); ++ty) {
        for (int32_t tx = rect.x / kTileSide; tx * kTileSide < rect.right(); ++tx) {
            const uint32_t tile = (static_cast<uint32_t>(ty) << layout.row_shift) | static_cast<uint32_t>(tx);
            visit(tile, intersection(rect, tile_rect(layout, tile)));
        }
    }
}

// Builds version 0 of a new grid; `cells_of(tile, rect)` returns each tile.
template <class CellsOf>
std::shared_ptr<const GridData> build_data(const GridLayout& layout, Catalogue catalogue, CellsOf&& cells_of) {
    auto data = make_scoped_shared<GridData>();
    data->layout = layout;
    data->grid = g_last_grid.fetch_add(1, std::memory_order_relaxed) + 1;
    data->catalogue = make_scoped_shared<const Catalogue>(std::move(catalogue));
    Vector<std::shared_ptr<TilePage>> pages((layout.tile_limit() + kPageTiles - 1) >> kPageShift);
    for (auto& page : pages) page = make_scoped_shared<TilePage>();
    for_each_tile(layout, layout.rect(), [&](uint32_t tile, const Rect& rect) {
        TilePage& page = *pages[tile >> kPageShift];
        std::shared_ptr<const Tile> cells = cells_of(tile, rect);
        for (const Terrain t : cells->cells) ++data->histogram[t];
        page.cells[tile & (kPageTiles - 1)] = cells->cells.data();
        page.tiles[tile & (kPageTiles - 1)] = std::move(cells);
    });
    data->pages.assign(pages.begin(), pages.end());
    return data;
}

std::shared_ptr<Tile> outside_tile() {
    auto tile = make_scoped_shared<Tile>();
    tile->cells.fill(kOutside);
    return tile;
}

Terrain* row_of(Tile& tile, const Rect& rect, int32_t y) {
    return &tile.cells[static_cast<size_t>(y & 31) * kTileSide + static_cast<size_t>(rect.x & 31)];
}

}  // namespace

const std::shared_ptr<const GridData>& GridSnapshot::empty_data() {
    static const std::shared_ptr<const GridData> data = [] {
        const MemoryScope scope(nullptr);  // it outlives every Memory
        auto empty = make_scoped_shared<GridData>();
        empty->catalogue = make_scoped_shared<const Catalogue>();
        return empty;
    }();
    return data;
}

void GridSnapshot::copy_row(Cell first, uint32_t count, Terrain* out) const {
    TERRANE_ASSERT(layout().contains(first) && count <= static_cast<uint32_t>(width() - first.x) && out != nullptr);
    for (CellId id = layout().id(first); count > 0;) {
        const uint32_t part = std::min(count, kTileSide - (id & 31));
        std::memcpy(out, tile_cells(id >> 10) + (id & (kTileCells - 1)), part);
        out += part;
        count -= part;
        id = (id & ~31u) + kTileCells;  // the same row of the next tile
    }
}

std::vector<Terrain> GridSnapshot::cells() const {
    std::vector<Terrain> out(static_cast<size_t>(layout().cells()));
    for_each_tile(layout(), layout().rect(), [&](uint32_t tile, const Rect& rect) {
        const Terrain* from = tile_cells(tile);
        for (int32_t y = rect.y; y < rect.bottom(); ++y) {
            const size_t to = static_cast<size_t>(y) * static_cast<size_t>(width()) + static_cast<size_t>(rect.x);
            std::memcpy(&out[to], from + (y & 31) * kTileSide, static_cast<size_t>(rect.width));
        }
    });
    return out;
}

size_t GridSnapshot::bytes() const {
    const size_t pages = data().pages.size() * sizeof(TilePage) + data().pages.capacity() * sizeof(data().pages[0]);
    return sizeof(GridData) + pages + size_t{layout().tiles_x()} * layout().tiles_y() * sizeof(Tile);
}

// An edit in progress: copies pages and tiles on first write.
class TerrainGrid::Transaction {
public:
    explicit Transaction(std::shared_ptr<const GridData> before) : before_(std::move(before)), pages_(before_->pages.size()) {}

    const GridLayout& layout() const { return before_->layout; }
    bool contains(Cell c) const { return layout().contains(c); }

    void set(Cell c, Terrain terrain) {
        const CellId id = layout().id(c);
        if (current(id >> 10)[id & (kTileCells - 1)] != terrain) writable(id >> 10).cells[id & (kTileCells - 1)] = terrain;
    }

    void fill(const Rect& rect, Terrain terrain) {
        for_each_tile(layout(), rect, [&](uint32_t tile, const Rect& part) {
            Tile& cells = writable(tile);
            for (int32_t y = part.y; y < part.bottom(); ++y) {
                std::memset(row_of(cells, part, y), terrain, static_cast<size_t>(part.width));
            }
        });
    }

    // Returns the next version, or null if no cell changed. Fills in `result`.
    std::shared_ptr<const GridData> finish(EditResult& result) {
        auto data = make_scoped_shared<GridData>(*before_);
        data->version = before_->version + 1;
        for (size_t p = 0; p < pages_.size(); ++p) {
            if (pages_[p] && commit_page(static_cast<uint32_t>(p), *data, result)) data->pages[p] = std::move(pages_[p]);
        }
        return result.cells_changed > 0 ? data : nullptr;
    }

private:
    const TilePage& old_page(uint32_t tile) const { return *before_->pages[tile >> kPageShift]; }

    const Terrain* current(uint32_t tile) const {
        const auto& page = pages_[tile >> kPageShift];
        return (page ? *page : old_page(tile)).cells[tile & (kPageTiles - 1)];
    }

    Tile& writable(uint32_t tile) {
        auto& page = pages_[tile >> kPageShift];
        if (!page) page = make_scoped_shared<TilePage>(old_page(tile));
        const uint32_t slot = tile & (kPageTiles - 1);
        if (page->cells[slot] == old_page(tile).cells[slot]) {
            auto copy = make_scoped_shared<Tile>(*page->tiles[slot]);
            page->cells[slot] = copy->cells.data();
            page->tiles[slot] = std::move(copy);
        }
        return const_cast<Tile&>(*page->tiles[slot]);  // not shared until commit() publishes it
    }

    // Keeps the copied tiles of a page that differ from the old ones, and shares the others again. Returns whether any differs.
    bool commit_page(uint32_t p, GridData& data, EditResult& result) {
        TilePage& page = *pages_[p];
        const TilePage& old = *before_->pages[p];
        bool changed = false;
        for (uint32_t slot = 0; slot < kPageTiles; ++slot) {
            if (page.cells[slot] == old.cells[slot]) continue;
            const uint32_t tile = (p << kPageShift) | slot;
            if (count_changes(tile, old.cells[slot], page.cells[slot], data, result)) {
                page.versions[slot] = data.version;
                result.tiles.push_back(tile);
                changed = true;
            } else {
                page.cells[slot] = old.cells[slot];
                page.tiles[slot] = old.tiles[slot];
            }
        }
        return changed;
    }

    bool count_changes(uint32_t tile, const Terrain* old_cells, const Terrain* new_cells, GridData& data, EditResult& result) const {
        uint32_t rows = 0, columns = 0;  // a bit for each with a changed cell
        for (uint32_t i = 0; i < kTileCells; ++i) {
            if (old_cells[i] == new_cells[i]) continue;
            --data.histogram[old_cells[i]];
            ++data.histogram[new_cells[i]];
            ++result.cells_changed;
            rows |= 1u << (i / kTileSide);
            columns |= 1u << (i % kTileSide);
        }
        if (rows == 0) return false;
        const Cell corner = layout().cell(tile * kTileCells);
        const Cell first{corner.x + std::countr_zero(columns), corner.y + std::countr_zero(rows)};
        const Cell last{corner.x + 31 - std::countl_zero(columns), corner.y + 31 - std::countl_zero(rows)};
        result.bounds = hull(result.bounds, Rect::spanning(first, last));
        return true;
    }

    std::shared_ptr<const GridData> before_;
    Vector<std::shared_ptr<TilePage>> pages_;
};

TerrainGrid::TerrainGrid(int32_t width, int32_t height, Terrain fill, Catalogue catalogue) {
    TERRANE_ASSERT(width >= 1 && width <= kMaxSide && height >= 1 && height <= kMaxSide);
    TERRANE_ASSERT(fill < catalogue.size());
    const GridLayout layout(width, height);
    auto whole = make_scoped_shared<Tile>();
    whole->cells.fill(fill);
    data_ = build_data(layout, std::move(catalogue), [&](uint32_t, const Rect& rect) -> std::shared_ptr<const Tile> {
        if (rect.width == kTileSide && rect.height == kTileSide) return whole;  // shared until edited
        auto tile = outside_tile();
        for (int32_t y = rect.y; y < rect.bottom(); ++y) {
            std::memset(row_of(*tile, rect, y), fill, static_cast<size_t>(rect.width));
        }
        return tile;
    });
}

TerrainGrid::TerrainGrid(int32_t width, int32_t height, std::span<const Terrain> cells, Catalogue catalogue) {
    TERRANE_ASSERT(width >= 1 && width <= kMaxSide && height >= 1 && height <= kMaxSide);
    const GridLayout layout(width, height);
    TERRANE_ASSERT(cells.size() == layout.cells());
    const uint32_t terrains = catalogue.size();
    data_ = build_data(layout, std::move(catalogue), [&](uint32_t, const Rect& rect) {
        auto tile = outside_tile();
        for (int32_t y = rect.y; y < rect.bottom(); ++y) {
            const size_t from = static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(rect.x);
            std::memcpy(row_of(*tile, rect, y), &cells[from], static_cast<size_t>(rect.width));
        }
        return tile;
    });
    for (uint32_t t = terrains; t < kOutside; ++t) TERRANE_ASSERT(data_->histogram[t] == 0);
    static_cast<void>(terrains);
}

TerrainGrid::TerrainGrid(TerrainGrid&& other) noexcept : data_(std::move(other.data_)) {}

TerrainGrid& TerrainGrid::operator=(TerrainGrid&& other) noexcept {
    data_ = std::move(other.data_);
    return *this;
}

GridSnapshot TerrainGrid::snapshot() const {
    const std::lock_guard lock(mutex_);
    TERRANE_ASSERT(data_ != nullptr);  // not moved from
    return GridSnapshot(data_);
}

EditResult TerrainGrid::commit(Transaction& transaction) {
    EditResult result;
    result.before = result.after = GridSnapshot(data_);
    if (auto data = transaction.finish(result)) {
        result.after = GridSnapshot(data);
        set_data(std::move(data));
    }
    return result;
}

void TerrainGrid::set_data(std::shared_ptr<const GridData> data) {
    const std::lock_guard lock(mutex_);
    data_.swap(data);
}

void TerrainGrid::rollback_to(const GridSnapshot& version) { set_data(version.data_); }

void TerrainGrid::copy_into_scope() {
    if (data_->memory == current_memory()) return;
    auto data = make_scoped_shared<GridData>(*data_);
    data->memory = current_memory();
    data->catalogue = make_scoped_shared<const Catalogue>(*data_->catalogue);
    std::shared_ptr<const Tile> from, to;  // consecutive slots often share one tile
    for (auto& shared : data->pages) {
        auto page = make_scoped_shared<TilePage>(*shared);
        for (uint32_t slot = 0; slot < kPageTiles; ++slot) {
            if (page->cells[slot] == nullptr) continue;
            if (page->tiles[slot] != from) {
                from = page->tiles[slot];
                to = make_scoped_shared<const Tile>(*from);
            }
            page->cells[slot] = to->cells.data();
            page->tiles[slot] = to;
        }
        shared = std::move(page);
    }
    set_data(std::move(data));
}

EditResult TerrainGrid::set(Cell cell, Terrain terrain) {
    const CellEdit edit{cell, terrain};
    return apply({&edit, 1});
}

EditResult TerrainGrid::fill(Rect rect, Terrain terrain) {
    TERRANE_ASSERT(data_ != nullptr && terrain < data_->catalogue->size());
    Transaction transaction(data_);
    const Rect inside = intersection(rect, data_->layout.rect());
    if (!inside.empty()) transaction.fill(inside, terrain);
    EditResult result = commit(transaction);
    result.cells_outside = rect.area() - inside.area();
    return result;
}

EditResult TerrainGrid::apply(std::span<const CellEdit> edits) {
    TERRANE_ASSERT(data_ != nullptr);
    Transaction transaction(data_);
    uint64_t outside = 0;
    for (const CellEdit& edit : edits) {
        TERRANE_ASSERT(edit.terrain < data_->catalogue->size());
        if (transaction.contains(edit.cell)) {
            transaction.set(edit.cell, edit.terrain);
        } else {
            ++outside;
        }
    }
    EditResult result = commit(transaction);
    result.cells_outside = outside;
    return result;
}

Result<Terrain> TerrainGrid::find_terrain(std::string_view name) const {
    if (const auto terrain = data_->catalogue->find(name)) return *terrain;
    return Error{ErrorCode::kUnknownName, {}, 0, "no terrain named '" + std::string(name) + "' in this map's catalogue"};
}

Result<EditResult> TerrainGrid::set(Cell cell, std::string_view terrain) {
    const auto id = find_terrain(terrain);
    if (!id) return id.error();
    return set(cell, *id);
}

Result<EditResult> TerrainGrid::fill(Rect rect, std::string_view terrain) {
    const auto id = find_terrain(terrain);
    if (!id) return id.error();
    return fill(rect, *id);
}

EditResult edit_between(const GridSnapshot& before, const GridSnapshot& after) {
    TERRANE_ASSERT(before.same_grid(after) && before.version() <= after.version());
    EditResult edit;
    edit.before = before;
    edit.after = after;
    if (&before.data() == &after.data()) return edit;
    const GridLayout& layout = after.layout();
    for (uint32_t y = 0; y < layout.tiles_y(); ++y) {
        for (uint32_t x = 0; x < layout.tiles_x(); ++x) {
            const uint32_t tile = y << layout.row_shift | x;
            if (after.tile_version(tile) > before.version()) edit.tiles.push_back(tile);
        }
    }
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
        const Cell c = layout.cell(id);
        edit.bounds = hull(edit.bounds, {c, {1, 1}});
        ++edit.cells_changed;
    });
    return edit;
}

}  // namespace terrane
