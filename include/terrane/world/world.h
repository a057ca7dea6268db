// A world: a map, its abstractions, the data prepared for methods, and watched paths.
//
//   World world(load_map("island.map").value());
//   world.set({400, 300}, "lava");
//
// Thread safety: one thread at a time edits a World; any thread may call snapshot() meanwhile, and use and drop snapshots.
// Readers never wait for an edit, and an edit never waits for readers. A second thread that edits during an edit breaks the contract, which
// is checked (assert.h).
//
// Allocation failure (memory.h): the constructor and every call that changes the world throw std::bad_alloc and leave the world unchanged
// and usable. Without exceptions (WebAssembly) the program ends.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "terrane/base/memory.h"
#include "terrane/base/mutex.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/path.h"
#include "terrane/terrain_regions/connected_components.h"
#include "terrane/terrain_regions/terrain_regions.h"
#include "terrane/world/preparation.h"

namespace terrane {

class PreparedData;  // method_interface.h

struct WorldOptions {
    // Sector sizes (RegionOptions) to keep regions for, each once: dta:N needs them. The first also answers connectivity queries. Empty:
    // only methods that search cells work, and an unreachable goal costs a search of all reachable cells.
    std::vector<uint32_t> sectors = {16};
    bool labels = true;          // RegionOptions
    uint32_t threads = 1;        // for building; 0: all cores
    size_t reachable_sets = 16;  // sets of passable terrains whose connected components are cached

    // Allocator of the world, its planners and its prepared data; null: operator new. Must outlive them and every snapshot. A map that
    // was allocated elsewhere is copied; load it under a MemoryScope to avoid that.
    Memory* memory = nullptr;
};

namespace detail {
class DerivedData;

struct WorldData {
    GridSnapshot grid;
    Vector<TerrainRegions> regions;
    std::shared_ptr<ConnectedComponentsCache> component_cache;  // shared by all versions of the world
    Vector<std::shared_ptr<const PreparedData>> prepared;
    std::shared_ptr<DerivedData> derived;
};
}  // namespace detail

// One version of a world. Copying it copies a pointer. Immutable; keeps its version alive. Thread-safe.
class WorldSnapshot {
public:
    const GridSnapshot& grid() const { return data_->grid; }
    GridVersion version() const { return data_->grid.version(); }
    // This version of the map, for one agent.
    Ground ground(const CostTable& costs, Movement movement) const { return {data_->grid, costs, movement}; }
    // Null if the world keeps no regions of that size.
    const TerrainRegions* regions(uint32_t sector) const;
    std::span<const TerrainRegions> all_regions() const { return data_->regions; }

    // The data prepared for a method, profile and movement rule; null if there is none. No method: the first data whose method answers
    // open queries (MethodCapabilities).
    const PreparedData* prepared(const Method& method, const Ground& ground) const;
    std::span<const std::shared_ptr<const PreparedData>> all_prepared() const { return data_->prepared; }

    // The data that queries of a method share without preparation (GridMethod::derives); null if the method has none. The first call for
    // a method and movement rule makes it.
    const PreparedData* derived(const Method& method, const Ground& ground) const;

    // The connected components of a profile's passable terrain, over the first regions. Computed on first use, then cached and updated by
    // edits. Only for worlds with regions.
    ConnectedComponents components(const Ground& ground) const;

private:
    friend class World;
    explicit WorldSnapshot(std::shared_ptr<const detail::WorldData> data) : data_(std::move(data)) {}
    std::shared_ptr<const detail::WorldData> data_;
};

using WatchId = uint64_t;

// The effects of an edit.
struct WorldEdit {
    EditResult grid;
    std::vector<RepairReport> repairs;  // one per sector size
    std::vector<WatchId> broken;        // watched paths with a changed cell on them or adjacent to a diagonal step; ascending
};

class World {
public:
    explicit World(TerrainGrid grid, const WorldOptions& options = {});
    // With existing regions, such as those of a file, one per sector size. Each must belong to this version of this TerrainGrid (as
    // load_saved_world returns them). Regions of an equal map in another TerrainGrid break the contract.
    World(TerrainGrid grid, std::vector<TerrainRegions> regions, const WorldOptions& options);

    // The current version. Holds a lock for the copy of one pointer.
    WorldSnapshot snapshot() const;
    GridSnapshot grid() const { return snapshot().grid(); }

    // Edits (see TerrainGrid). Updates the map, the regions that changed and the prepared data, then publishes them as one version.
    WorldEdit set(Cell cell, Terrain terrain);
    WorldEdit fill(Rect rect, Terrain terrain);
    WorldEdit apply(std::span<const CellEdit> edits);
    // By name; an unknown name is an error and changes nothing.
    Result<WorldEdit> set(Cell cell, std::string_view terrain);
    Result<WorldEdit> fill(Rect rect, std::string_view terrain);

    // Prepares a method for a profile (preparation.h): at once, or with a finished Preparation of this world, to which the edits since
    // are applied. Replaces data for the same method, profile and movement rule. From then on every edit updates the data, which makes
    // edits slower; data that its method cannot update is discarded. Fails if the method refuses, such as tables above max_bytes, and if
    // the preparation is for another world. Call from the thread that edits.
    Result<void> prepare(const CostTable& costs, const PrepareOptions& options = {});
    Result<void> install(Preparation&& preparation);
    // The same with data from elsewhere, such as prepared_path_database (prepared_cpd.h).
    Result<void> install(const std::shared_ptr<const PreparedData>& data);
    // Discards prepared data; no method: as WorldSnapshot::prepared. Returns false if there is none.
    bool discard(const Method& method, const CostTable& costs, Movement movement = Movement::kEightNoCornerCutting);

    // Watches a path: until unwatch(), edits that change one of its cells, or of the cells of its polyline, report it as broken. Copies
    // the cells. Ignores edits since the path was found; check path.still_valid(world) first. Call from the thread that edits.
    WatchId watch(const Path& path);
    // Returns false if there is no such watch.
    bool unwatch(WatchId id);
    size_t watched() const;

    // Memory of the current version: terrain, directories, regions, prepared data, and what queries have shared so far.
    size_t bytes() const;

private:
    struct Watches;
    class Editing;
    WorldEdit publish(EditResult edit);
    void repair(const EditResult& edit, WorldEdit& out);
    void set_data(std::shared_ptr<const detail::WorldData> next);

    Memory* memory_;
    TerrainGrid grid_;
    mutable Mutex mutex_;  // guards only data_
    std::shared_ptr<const detail::WorldData> data_;
    std::shared_ptr<Watches> watches_;
    std::atomic<bool> editing_ = false;  // a call that changes the world is running
};

}  // namespace terrane
