// A grid of terrain that one thread edits while others read it.
//
// TerrainGrid is the writer's handle; GridSnapshot is one immutable version of the map. Cells are stored in tiles of 32x32, one byte per
// cell, behind a two-level persistent directory. A snapshot costs the copy of one pointer. An edit copies the tiles it touches and one
// directory page per 256 tiles, whatever the size of the map.
//
// Thread safety: one thread at a time edits a TerrainGrid. Any thread may call snapshot() meanwhile, and use and destroy snapshots.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "terrane/base/memory.h"
#include "terrane/base/mutex.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/terrain.h"

namespace terrane {

inline constexpr int32_t kMaxSide = 32768;  // cells
inline constexpr int32_t kTileSide = 32;    // cells
inline constexpr uint32_t kTileCells = kTileSide * kTileSide;

// A cell's id: tile, row, column. A row of tiles takes a power of two of tile numbers, so that neighbours and coordinates are computed by
// shifts; numbers from tiles_x() up to that power are unused.
using CellId = uint32_t;
inline constexpr CellId kNoCell = 0xffffffff;

// Maps cells to ids for a map of a given size. A small value type.
struct GridLayout {
    int32_t width = 0;
    int32_t height = 0;
    uint32_t row_shift = 0;  // log2 of the number of tile numbers per row of tiles

    GridLayout() = default;
    // Requires sides of 1 to kMaxSide.
    GridLayout(int32_t w, int32_t h)
        : width(w), height(h), row_shift(static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>((w - 1) / kTileSide)))) {}

    bool contains(Cell c) const {
        return static_cast<uint32_t>(c.x) < static_cast<uint32_t>(width) && static_cast<uint32_t>(c.y) < static_cast<uint32_t>(height);
    }
    uint64_t cells() const { return static_cast<uint64_t>(width) * static_cast<uint64_t>(height); }
    Rect rect() const { return {{0, 0}, {width, height}}; }
    uint32_t tiles_x() const { return static_cast<uint32_t>((width + kTileSide - 1) / kTileSide); }
    uint32_t tiles_y() const { return static_cast<uint32_t>((height + kTileSide - 1) / kTileSide); }
    uint32_t tile_limit() const { return tiles_y() << row_shift; }  // every tile number is below this
    CellId id_limit() const { return tile_limit() * kTileCells; }   // every id is below this

    // Requires contains(c).
    CellId id(Cell c) const {
        const auto x = static_cast<uint32_t>(c.x), y = static_cast<uint32_t>(c.y);
        return ((((y >> 5) << row_shift) | (x >> 5)) << 10) | ((y & 31) << 5) | (x & 31);
    }
    int32_t x(CellId id) const { return static_cast<int32_t>((((id >> 10) & ((1u << row_shift) - 1)) << 5) | (id & 31)); }
    int32_t y(CellId id) const { return static_cast<int32_t>(((id >> (10 + row_shift)) << 5) | ((id >> 5) & 31)); }
    Cell cell(CellId id) const { return {x(id), y(id)}; }

    friend bool operator==(const GridLayout&, const GridLayout&) = default;
};

using GridVersion = uint64_t;  // 0 for a new grid; every edit that changes a cell adds 1

namespace detail {

struct Tile {
    std::array<Terrain, kTileCells> cells;  // kOutside past the map's edge
};

inline constexpr uint32_t kPageShift = 8;  // tiles per directory page: 256
inline constexpr uint32_t kPageTiles = 1u << kPageShift;

struct TilePage {
    std::array<const Terrain*, kPageTiles> cells{};             // read by searches; null for unused tile numbers
    std::array<std::shared_ptr<const Tile>, kPageTiles> tiles;  // own the cells
    std::array<GridVersion, kPageTiles> versions{};
};

struct GridData {
    GridLayout layout;
    uint64_t grid = 0;  // identifies a TerrainGrid within this process; shared by its versions; 0 for the empty map
    GridVersion version = 0;
    std::shared_ptr<const Catalogue> catalogue;
    std::array<uint32_t, 256> histogram{};  // cells of each terrain
    Memory* memory = current_memory();      // the allocator of all parts
    Vector<std::shared_ptr<const TilePage>> pages;
};

}  // namespace detail

// One immutable version of a map. Copying it copies a pointer; the version lives as long as any copy. A default-constructed snapshot is
// an empty map: every cell is outside. Thread-safe.
class GridSnapshot {
public:
    GridSnapshot() = default;

    const GridLayout& layout() const { return data().layout; }
    int32_t width() const { return layout().width; }
    int32_t height() const { return layout().height; }
    GridVersion version() const { return data().version; }
    // Whether both are versions of the same TerrainGrid. Version numbers of different grids are not comparable.
    bool same_grid(const GridSnapshot& other) const { return data().grid == other.data().grid; }
    const Catalogue& catalogue() const { return *data().catalogue; }

    // kOutside for cells off the map.
    Terrain at(Cell c) const { return layout().contains(c) ? at(layout().id(c)) : kOutside; }
    // Requires the id of a cell on the map.
    Terrain at(CellId id) const { return tile_cells(id >> 10)[id & (kTileCells - 1)]; }

    // The number of cells with this terrain. O(1).
    uint32_t count(Terrain t) const { return t == kOutside ? 0 : data().histogram[t]; }

    // The 1024 cells of a tile in row-major order; valid while the snapshot lives. Requires a tile of the map.
    const Terrain* tile_cells(uint32_t tile) const {
        return data().pages[tile >> detail::kPageShift]->cells[tile & (detail::kPageTiles - 1)];
    }
    // The version of the map that last changed this tile.
    GridVersion tile_version(uint32_t tile) const {
        return data().pages[tile >> detail::kPageShift]->versions[tile & (detail::kPageTiles - 1)];
    }

    // Copies `count` cells of a row, from `first` to the right. All of them must be on the map.
    void copy_row(Cell first, uint32_t count, Terrain* out) const;

    // All width * height cells in row-major order.
    std::vector<Terrain> cells() const;

    // Memory held, in bytes: one byte per cell of every tile, and the directory. Versions share unchanged tiles; each counts them in
    // full.
    size_t bytes() const;

    const detail::GridData& data() const { return *data_; }

private:
    friend class TerrainGrid;
    explicit GridSnapshot(std::shared_ptr<const detail::GridData> data) : data_(std::move(data)) {}

    static const std::shared_ptr<const detail::GridData>& empty_data();
    std::shared_ptr<const detail::GridData> data_ = empty_data();
};

struct CellEdit {
    Cell cell;
    Terrain terrain = 0;
};

// The result of an edit. Cells that already had the terrain do not count as changed. An edit that changes no cell creates no version.
struct EditResult {
    GridSnapshot before;
    GridSnapshot after;  // the same version as `before` if nothing changed
    uint64_t cells_changed = 0;
    uint64_t cells_outside = 0;   // in the request, but off the map: ignored
    Rect bounds;                  // of the changed cells
    std::vector<uint32_t> tiles;  // of the changed cells, ascending
};

// Returns the difference of two versions of one grid as a single edit. Requires before.same_grid(after) and `before` not newer. Compares
// the versions of all tiles, and the cells of the changed ones.
EditResult edit_between(const GridSnapshot& before, const GridSnapshot& after);

// Calls visit(id, terrain before, terrain after) for every changed cell, tile by tile in row-major order.
template <class Visit>
void for_each_changed_cell(const EditResult& edit, Visit&& visit) {
    for (const uint32_t tile : edit.tiles) {
        const Terrain *before = edit.before.tile_cells(tile), *after = edit.after.tile_cells(tile);
        for (uint32_t row = 0; row < kTileCells; row += kTileSide) {
            if (std::equal(before + row, before + row + kTileSide, after + row)) continue;
            for (uint32_t i = row; i < row + kTileSide; ++i) {
                if (before[i] != after[i]) visit(CellId{tile * kTileCells + i}, before[i], after[i]);
            }
        }
    }
}

// An editable map. See the top of this file for its thread safety.
class TerrainGrid {
public:
    // Fills every cell with `fill`. Requires sides of 1 to kMaxSide and a terrain of the catalogue.
    TerrainGrid(int32_t width, int32_t height, Terrain fill, Catalogue catalogue = Catalogue::standard());

    // Copies width * height cells in row-major order. All must be terrains of the catalogue.
    TerrainGrid(int32_t width, int32_t height, std::span<const Terrain> cells, Catalogue catalogue = Catalogue::standard());

    TerrainGrid(TerrainGrid&& other) noexcept;
    TerrainGrid& operator=(TerrainGrid&& other) noexcept;

    // The current version. Thread-safe; holds a lock for the copy of one pointer.
    GridSnapshot snapshot() const;

    // Edits. `terrain` must be in the catalogue. Cells off the map are ignored and counted in cells_outside. Strong exception guarantee.
    EditResult set(Cell cell, Terrain terrain);
    EditResult fill(Rect rect, Terrain terrain);
    EditResult apply(std::span<const CellEdit> edits);  // in order: the last edit of a cell wins

    // The same by terrain name. An unknown name is an error and changes nothing.
    Result<EditResult> set(Cell cell, std::string_view terrain);
    Result<EditResult> fill(Rect rect, std::string_view terrain);

    int32_t width() const { return snapshot().width(); }
    int32_t height() const { return snapshot().height(); }

private:
    friend class World;
    class Transaction;
    Result<Terrain> find_terrain(std::string_view name) const;
    EditResult commit(Transaction& transaction);
    void set_data(std::shared_ptr<const detail::GridData> data);
    void copy_into_scope();                         // copies the map into the current MemoryScope if it has another allocator
    void rollback_to(const GridSnapshot& version);  // undoes all edits since `version`

    mutable Mutex mutex_;  // guards data_ only
    std::shared_ptr<const detail::GridData> data_;
};

}  // namespace terrane
