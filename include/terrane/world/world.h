// A world: a map, its abstractions, and who is to be told when it changes.
//
//   World world(load_map("island.map").value());
//   world.set({400, 300}, "lava");
//
// Threads: one thread edits a World at a time; any thread may call snapshot() meanwhile, and use and drop snapshots as it
// likes. Nothing waits for an edit, and an edit waits for nobody.
//
// Memory (memory.h): what cannot be had is std::bad_alloc, from the constructor and from every call that changes the world, which then is
// as it was, and goes on. Without exceptions (WebAssembly) it ends the program.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "terrane/base/memory.h"
#include "terrane/base/mutex.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/path.h"
#include "terrane/terrain_regions/reachability.h"
#include "terrane/terrain_regions/terrain_regions.h"
#include "terrane/world/preparation.h"

namespace terrane {

class PreparedData;  // method_interface.h

struct WorldOptions {
    // The sector sizes (RegionOptions) to keep regions for, once each: what the methods dta:N need. The first one also tells what
    // can be reached from where. None: methods that search cells only, and unreachable goals are found out by looking everywhere.
    std::vector<uint32_t> sectors = {16};
    bool labels = true;          // RegionOptions
    uint32_t threads = 1;        // to build with; 0: as many as the machine has
    size_t reachable_sets = 16;  // sets of passable terrains to keep the components of

    // Where the world, its planners and what is prepared for it are kept; null: operator new. Must outlive them, and every snapshot. A map
    // that was made elsewhere is copied into it: make it under a MemoryScope.
    Memory* memory = nullptr;
};

namespace detail {
struct WorldRoot {
    GridSnapshot grid;
    Vector<TerrainRegions> regions;
    std::shared_ptr<ReachabilityCache> reachability;  // of the world, for all its versions
    Vector<std::shared_ptr<const PreparedData>> prepared;
};
}  // namespace detail

// One version of a world. Copying it copies a pointer; it stays the same, and alive, for as long as anyone holds it.
class WorldSnapshot {
public:
    const GridSnapshot& grid() const { return root_->grid; }
    GridVersion version() const { return root_->grid.version(); }
    // This version of the map, as an agent sees it.
    Ground ground(const CostTable& costs, Movement movement) const { return {root_->grid, costs, movement}; }
    // Null where the world keeps none of that size.
    const TerrainRegions* regions(uint32_t sector) const;
    std::span<const TerrainRegions> all_regions() const { return root_->regions; }

    // What was prepared for a method, profile and rule; null where nothing was. No method: what was prepared first of the methods that
    // answer open queries (MethodCapabilities).
    const PreparedData* prepared(const Method& method, const Ground& ground) const;
    std::span<const std::shared_ptr<const PreparedData>> all_prepared() const { return root_->prepared; }

    // What can be reached from where, for a profile; worked out when first asked for, then kept through edits. Only for worlds that
    // keep regions; for the first of them.
    Components components(const Ground& ground) const;

private:
    friend class World;
    explicit WorldSnapshot(std::shared_ptr<const detail::WorldRoot> root) : root_(std::move(root)) {}
    std::shared_ptr<const detail::WorldRoot> root_;
};

using WatchId = uint64_t;

// What an edit did.
struct WorldEdit {
    EditResult grid;
    std::vector<RepairReport> repairs;  // of each size of sectors
    std::vector<WatchId> broken;        // watched paths with a cell, or a cell beside a diagonal step, that changed; ascending
};

class World {
public:
    explicit World(TerrainGrid grid, const WorldOptions& options = {});
    // With regions that were kept, such as those of a file, one for each size of sectors: each must be of this version of this very grid
    // (true of what load_saved_world gives). Regions of an equal map that is another TerrainGrid are a broken contract.
    World(TerrainGrid grid, std::vector<TerrainRegions> regions, const WorldOptions& options);

    // The current version. Holds a lock for the copy of one pointer.
    WorldSnapshot snapshot() const;
    GridSnapshot grid() const { return snapshot().grid(); }

    // Edits: see TerrainGrid. The map, then its regions are made anew where they changed, and published together.
    WorldEdit set(Cell cell, Terrain terrain);
    WorldEdit fill(Rect rect, Terrain terrain);
    WorldEdit apply(std::span<const CellEdit> edits);
    // By name; an unknown name is an error and changes nothing.
    Result<WorldEdit> set(Cell cell, std::string_view terrain);
    Result<WorldEdit> fill(Rect rect, std::string_view terrain);

    // Prepares a method for a profile (preparation.h): all at once, or with the result of a Preparation of this world, to which the edits
    // since are applied. Replaces what was prepared for the same method, profile and rule. Every edit updates it from then on, and takes
    // longer for it; where the method cannot update it, it is discarded. Refused: what the method refuses, such as tables above max_bytes,
    // and what was prepared for another world. On the thread that edits.
    Result<Done> prepare(const CostTable& costs, const PrepareOptions& options = {});
    Result<Done> keep(Preparation&& preparation);
    // The same with data that a method made otherwise, such as prepared_path_database (cpd_data.h).
    Result<Done> keep(const std::shared_ptr<const PreparedData>& data);
    // Discards it; no method: as WorldSnapshot::prepared. False where nothing was prepared.
    bool forget(const Method& method, const CostTable& costs, Movement movement = Movement::kEight);

    // From now on edits report the path as broken when they change it, until unwatch(). The path is not kept, its cells (and those of its
    // line) are. Edits since the path was found are not looked at: ask path.still_valid(world) first. On the thread that edits.
    WatchId watch(const Path& path);
    // False where there is no such watch.
    bool unwatch(WatchId id);
    size_t watched() const;

    // Every byte of the current version: terrain, directories, regions, what was prepared.
    size_t bytes() const;

private:
    struct Watches;
    WorldEdit publish(EditResult edit);
    void repair(const EditResult& edit, WorldEdit& done);
    void set_root(std::shared_ptr<const detail::WorldRoot> root);

    Memory* memory_;
    TerrainGrid grid_;
    mutable Mutex mutex_;  // guards root_ alone
    std::shared_ptr<const detail::WorldRoot> root_;
    std::shared_ptr<Watches> watches_;
};

}  // namespace terrane
