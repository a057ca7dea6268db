// Connected components of the region graph, for one set of passable terrains. They answer in constant time whether a goal is reachable.
//
// Two passable cells are connected if steps over passable cells lead from one to the other: orthogonal steps, or, where corners may be
// cut, also diagonal steps. A diagonal step that obeys the corner rule has an orthogonal detour. So kEightNoCornerCutting and kFour have
// the same components, and so have all profiles with the same passable terrains.
//
// A ConnectedComponents is one immutable version; updated() returns the next version, which shares the unchanged pages. Memory: 4 bytes
// per region, 4 per sector, and a few more for components that edits have merged.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "terrane/base/memory.h"
#include "terrane/base/mutex.h"
#include "terrane/grid/ground.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

// Everything that the connected components depend on, except the map.
struct PassableSet {
    std::array<uint64_t, 4> terrains{};  // one bit per passable terrain
    bool cutting = false;                // whether steps may cut corners, so that cells are connected across them

    static PassableSet of(const CostTable& costs, Movement movement);
    bool contains(Terrain t) const { return (terrains[t / 64] >> (t % 64) & 1) != 0; }
    friend bool operator==(const PassableSet&, const PassableSet&) = default;
};

using ComponentId = uint32_t;
inline constexpr ComponentId kNoComponent = 0xffffffff;  // of a blocked region

namespace detail {

// The component ids of the regions of kSectorPage sectors.
struct ComponentPage {
    std::array<uint32_t, kSectorPage + 1> first{};  // first index in `ids` by sector, plus the end
    Vector<ComponentId> ids;
};

inline constexpr uint32_t kComponentGroupShift = 6;  // 64 pages per group, so that an edit copies few pointers on any map size
inline constexpr uint32_t kComponentGroup = 1u << kComponentGroupShift;

struct ComponentGroup {
    std::array<std::shared_ptr<const ComponentPage>, kComponentGroup> pages;
};

// When an edit merges components, the ids of all but one become aliases.
struct ComponentAlias {
    ComponentId from = 0;
    ComponentId to = 0;  // never an alias itself
};

struct ComponentData {
    TerrainRegions regions;
    PassableSet set;
    uint32_t count = 0;
    ComponentId next = 0;            // the next unused id
    Vector<ComponentAlias> aliases;  // sorted by `from`
    Vector<std::shared_ptr<const ComponentGroup>> groups;

    const ComponentPage& page(uint32_t page) const { return *groups[page >> kComponentGroupShift]->pages[page & (kComponentGroup - 1)]; }
    // The stored ids, before aliases are resolved, of each region of a sector.
    std::span<const ComponentId> ids(uint32_t sector) const {
        const ComponentPage& p = page(sector >> kSectorPageShift);
        const uint32_t first = p.first[sector & (kSectorPage - 1)], last = p.first[(sector & (kSectorPage - 1)) + 1];
        return {p.ids.data() + first, last - first};
    }
};

}  // namespace detail

// Immutable and thread-safe; copies share the data. Holds the version of the regions that it is valid for.
class ConnectedComponents {
public:
    // Union-find over all regions; time is linear in regions and edges. Components are numbered by their first regions.
    static ConnectedComponents build(const TerrainRegions& regions, const PassableSet& set);

    // The components for the regions after `edit`; `report` is that of the TerrainRegions::updated() call that returned `after`. The
    // partition equals that of a new build; the ids may differ. Returns nothing if the caller must rebuild, when needed:
    //   `edit` or `after` belongs to another history than this;
    //   more than half of the sectors changed (always the case if one sector covers the map);
    //   regions that were connected through the changed sectors no longer are, neither through those nor through the adjacent sectors.
    //   Only a search of the whole map can tell a split from a longer detour;
    //   edits have merged more than a few dozen components since the last build.
    std::optional<ConnectedComponents> updated(const TerrainRegions& after, const EditResult& edit, const RepairReport& report) const;

    // Whether it is for exactly this version of the regions. Region ids of any other version are invalid here.
    bool valid_for(const TerrainRegions& regions) const { return &regions.data() == &data_->regions.data(); }
    const PassableSet& set() const { return data_->set; }
    GridVersion version() const { return data_->regions.version(); }

    // Number of components.
    uint32_t count() const { return data_->count; }
    // kNoComponent for a blocked region. Ids depend on earlier edits; whether two ids are equal does not.
    ComponentId component_of(RegionId region) const {
        const TerrainRegions& regions = data_->regions;
        const ComponentId id = data_->ids(regions.sector_of(region))[regions.number_of(region)];
        return data_->aliases.empty() ? id : alias_of(id);
    }
    // Whether a path connects the two regions; false if either is blocked.
    bool connected(RegionId a, RegionId b) const {
        const ComponentId component = component_of(a);
        return component != kNoComponent && component == component_of(b);
    }

    // Counts pages shared with other versions in full; without the regions.
    size_t bytes() const;

private:
    explicit ConnectedComponents(std::shared_ptr<const detail::ComponentData> data) : data_(std::move(data)) {}
    ComponentId alias_of(ComponentId id) const;

    std::shared_ptr<const detail::ComponentData> data_;
};

// The cell closest to `goal`, by octile distance, among all cells that are reachable from `start`: the goal itself if it is reachable.
// Ties: the smaller y, then the smaller x. A goal off the map is clamped to the map. Returns nothing if the start is blocked or off the
// map. `components` must be valid for `regions`. The time grows with the distance of that cell from the goal.
std::optional<Cell> nearest_reachable(const TerrainRegions& regions, const ConnectedComponents& components, Cell start, Cell goal);

// The connected components of one world for the most recently used passable sets. Any number of threads may call get() while one thread
// calls edited(). Nothing is computed while the lock is held.
class ConnectedComponentsCache {
public:
    explicit ConnectedComponentsCache(size_t max_sets = 16) : max_sets_(max_sets) {}

    // The components for exactly this version. Builds them on a miss and caches them, unless `regions` is older than the newest known
    // version. Evicts the least recently used set if there are more than `max_sets`.
    ConnectedComponents get(const TerrainRegions& regions, const PassableSet& set);

    // Call after each edit: updates the entries where possible and drops the others. Drops all of them if an allocation fails.
    void edited(const TerrainRegions& after, const EditResult& edit, const RepairReport& report);

    size_t size() const;

private:
    std::optional<ConnectedComponents> find(const TerrainRegions& regions, const PassableSet& set);
    void carry_over(const TerrainRegions& after, const EditResult& edit, const RepairReport& report);
    void drop_all(GridVersion newest);
    void insert(const ConnectedComponents& components);

    const size_t max_sets_;
    mutable Mutex mutex_;  // guards the following members
    GridVersion newest_ = 0;
    Vector<ConnectedComponents> entries_;  // at most one per set; most recently used first
};

}  // namespace terrane
