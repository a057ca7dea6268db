// A grid of terrain that can be edited while others read it.
//
// Cells are kept in tiles of 32x32, one byte each, behind a two-level persistent directory. A
// TerrainGrid is the writer's handle; a GridSnapshot is one version of the map that never changes.
// Taking a snapshot copies a pointer; an edit copies the tiles it touches (and one page of the
// directory for each 256 tiles), whatever the size of the map.
//
// Threads: one thread edits a TerrainGrid at a time; any thread may call snapshot() meanwhile, and
// use and drop snapshots as it likes.
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

// A cell as one number: tile, row, column. Tiles are numbered by rows of a power of two, so that
// neighbours and coordinates are shifts; ids between tiles_x and that power are not used.
using CellId = uint32_t;
inline constexpr CellId kNoCell = 0xffffffff;

// Where the cells of a map of a given size are. A value; costs nothing to copy.
struct GridLayout {
    int32_t width = 0;
    int32_t height = 0;
    uint32_t row_shift = 0;  // log2 of the tile numbers per row of tiles

    GridLayout() = default;
    // Sides 1..kMaxSide.
    GridLayout(int32_t w, int32_t h)
        : width(w), height(h), row_shift(static_cast<uint32_t>(std::bit_width(static_cast<uint32_t>((w - 1) / kTileSide)))) {}

    bool contains(Cell c) const {
        return static_cast<uint32_t>(c.x) < static_cast<uint32_t>(width) && static_cast<uint32_t>(c.y) < static_cast<uint32_t>(height);
    }
    uint64_t cells() const { return static_cast<uint64_t>(width) * static_cast<uint64_t>(height); }
    Rect rect() const { return {0, 0, width, height}; }
    uint32_t tiles_x() const { return static_cast<uint32_t>((width + kTileSide - 1) / kTileSide); }
    uint32_t tiles_y() const { return static_cast<uint32_t>((height + kTileSide - 1) / kTileSide); }
    uint32_t tile_limit() const { return tiles_y() << row_shift; }  // every tile number is below this
    CellId id_limit() const { return tile_limit() * kTileCells; }   // every id is below this

    // Only for cells inside.
    CellId id(Cell c) const {
        const auto x = static_cast<uint32_t>(c.x), y = static_cast<uint32_t>(c.y);
        return ((((y >> 5) << row_shift) | (x >> 5)) << 10) | ((y & 31) << 5) | (x & 31);
    }
    int32_t x(CellId id) const { return static_cast<int32_t>((((id >> 10) & ((1u << row_shift) - 1)) << 5) | (id & 31)); }
    int32_t y(CellId id) const { return static_cast<int32_t>(((id >> (10 + row_shift)) << 5) | ((id >> 5) & 31)); }
    Cell cell(CellId id) const { return {x(id), y(id)}; }

    friend bool operator==(const GridLayout&, const GridLayout&) = default;
};

using GridVersion = uint64_t;  // 0 for a new grid, one more with every edit that changed a cell

namespace detail {

struct Tile {
    std::array<Terrain, kTileCells> cells;  // kOutside past the map's edge
};

inline constexpr uint32_t kPageShift = 8;  // tiles per directory page: 256
inline constexpr uint32_t kPageTiles = 1u << kPageShift;

struct TilePage {
    std::array<const Terrain*, kPageTiles> cells{};             // what searches read; null where no tile is
    std::array<std::shared_ptr<const Tile>, kPageTiles> tiles;  // what keeps it alive
    std::array<GridVersion, kPageTiles> versions{};
};

struct GridRoot {
    GridLayout layout;
    uint64_t grid = 0;  // the same for all versions of a grid, and for no other grid of this process; 0 for the empty world
    GridVersion version = 0;
    std::shared_ptr<const Catalogue> catalogue;
    std::array<uint32_t, 256> histogram{};  // cells of each terrain
    Memory* memory = current_memory();      // where all of it is
    Vector<std::shared_ptr<const TilePage>> pages;
};

}  // namespace detail

// One version of a map. Copying it copies a pointer; it stays the same, and alive, for as long as
// anyone holds it. A default-constructed one is an empty world: every cell is outside.
class GridSnapshot {
public:
    GridSnapshot() = default;

    const GridLayout& layout() const { return root().layout; }
    int32_t width() const { return layout().width; }
    int32_t height() const { return layout().height; }
    GridVersion version() const { return root().version; }
    // Whether both are versions of one TerrainGrid. Version numbers mean nothing between those of two.
    bool same_grid(const GridSnapshot& other) const { return root().grid == other.root().grid; }
    const Catalogue& catalogue() const { return *root().catalogue; }

    // kOutside for cells that are not on the map.
    Terrain at(Cell c) const { return layout().contains(c) ? at(layout().id(c)) : kOutside; }
    // Only for ids of cells inside.
    Terrain at(CellId id) const { return tile_cells(id >> 10)[id & (kTileCells - 1)]; }

    // How many cells have this terrain.
    uint32_t count(Terrain t) const { return t == kOutside ? 0 : root().histogram[t]; }

    // The 1024 cells of a tile by rows; valid while the snapshot lives. Only for tiles of the map.
    const Terrain* tile_cells(uint32_t tile) const {
        return root().pages[tile >> detail::kPageShift]->cells[tile & (detail::kPageTiles - 1)];
    }
    // The version of the map that last changed this tile.
    GridVersion tile_version(uint32_t tile) const {
        return root().pages[tile >> detail::kPageShift]->versions[tile & (detail::kPageTiles - 1)];
    }

    // `count` cells of a row, from `first` to the right, all of them on the map.
    void copy_row(Cell first, uint32_t count, Terrain* out) const;

    // Every cell by rows, width * height of them.
    std::vector<Terrain> cells() const;

    // What is kept in memory: a byte for each cell of every tile, and the directory. Shared with other versions where they are the same.
    size_t bytes() const;

    const detail::GridRoot& root() const { return *root_; }

private:
    friend class TerrainGrid;
    explicit GridSnapshot(std::shared_ptr<const detail::GridRoot> root) : root_(std::move(root)) {}

    static const std::shared_ptr<const detail::GridRoot>& empty_root();
    std::shared_ptr<const detail::GridRoot> root_ = empty_root();
};

struct CellEdit {
    Cell cell;
    Terrain terrain = 0;
};

// What an edit did. Cells that already had the terrain do not count as changed; an edit that
// changes nothing makes no new version.
struct EditResult {
    GridSnapshot before;
    GridSnapshot after;  // of the same version as `before` where nothing changed
    uint64_t cells_changed = 0;
    uint64_t cells_outside = 0;   // asked for, but not on the map: ignored
    Rect bounds;                  // of the changed cells
    std::vector<uint32_t> tiles;  // of the changed cells, ascending
};

// One edit that makes all the changes between two versions of one grid (same_grid), the older one first. Looks at the version of every
// tile, and at the cells of those that changed.
EditResult edit_between(const GridSnapshot& before, const GridSnapshot& after);

// Calls visit(cell id, terrain before, terrain after) for every cell that an edit changed, tile by tile, by rows.
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

class TerrainGrid {
public:
    // Every cell the same. Sides 1..kMaxSide and a terrain of the catalogue are the caller's contract.
    TerrainGrid(int32_t width, int32_t height, Terrain fill, Catalogue catalogue = Catalogue::standard());

    // From rows of cells: width * height terrains of the catalogue.
    TerrainGrid(int32_t width, int32_t height, std::span<const Terrain> cells, Catalogue catalogue = Catalogue::standard());

    TerrainGrid(TerrainGrid&& other) noexcept;
    TerrainGrid& operator=(TerrainGrid&& other) noexcept;

    // The current version. Safe on any thread; holds a lock for the copy of one pointer.
    GridSnapshot snapshot() const;

    // Edits. `terrain` must be in the catalogue. Cells off the map are ignored and counted.
    EditResult set(Cell cell, Terrain terrain);
    EditResult fill(Rect rect, Terrain terrain);
    EditResult apply(std::span<const CellEdit> edits);  // in order: the last edit of a cell wins

    // By name; an unknown name is an error and changes nothing.
    Result<EditResult> set(Cell cell, std::string_view terrain);
    Result<EditResult> fill(Rect rect, std::string_view terrain);

    int32_t width() const { return snapshot().width(); }
    int32_t height() const { return snapshot().height(); }

private:
    friend class World;
    class Transaction;
    Result<Terrain> find_terrain(std::string_view name) const;
    EditResult commit(Transaction& transaction);
    void set_root(std::shared_ptr<const detail::GridRoot> root);
    void move_in();                             // copies the map into the memory of this scope, where it is in another
    void go_back(const GridSnapshot& version);  // drops the edits since

    mutable Mutex mutex_;  // guards root_ alone
    std::shared_ptr<const detail::GridRoot> root_;
};

}  // namespace terrane
