// Helpers of the structure kinds, and the functions that list them.
#pragma once
#include <array>
#include <vector>

#include "selftest/edit_case.h"
#include "terrane/terrain_regions/terrain_regions.h"
#include "terrane/world/world.h"

namespace terrane::selftest {

constexpr std::array<uint32_t, 9> kSectors = {4, 5, 7, 8, 16, 32, 64, 128, kWholeMap};

// Returns a world with the same cells and no history.
inline World copy_of(const GridSnapshot& grid) { return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue())); }

// Makes the same edit in such a copy.
inline void follow(World& world, const EditResult& edit) {
    Edit cells;
    for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain after) { cells.push_back({edit.after.layout().cell(id), after}); });
    world.apply(cells);
}

// Returns a random cell.
inline Cell any_cell(Rng& rng, const GridSnapshot& grid) { return {rng.between(0, grid.width() - 1), rng.between(0, grid.height() - 1)}; }

template <class T>
std::unique_ptr<Structure> make(const Ground& ground, uint32_t choice) {
    return std::make_unique<T>(ground, choice);
}

// structure_kinds() returns all of them.
std::vector<StructureKind> exact_kinds();    // equal to a rebuild
std::vector<StructureKind> bound_kinds();    // admissible
std::vector<StructureKind> crowd_kinds();    // distances, direction maps, reservations
std::vector<StructureKind> navmesh_kinds();  // defined only with TERRANE_HAS_NAVMESH

}  // namespace terrane::selftest
