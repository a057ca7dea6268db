// Which regions can be reached from which: the connected components of a region graph for one set of passable terrains, so
// that an unreachable goal is recognised at once.
//
// Two passable cells are joined where steps over passable cells lead from one to the other: orthogonal steps, or, where
// corners may be cut, diagonal ones too. A diagonal step that keeps the corner rule has an orthogonal way around, so kEight and
// kFour have the same components, and so have all profiles with the same walls.
//
// A Components is one version and never changes; updated() makes the next, which shares all that the edit left alone. Memory:
// 4 bytes a region, 4 a sector, and now and then a few for components that edits have joined.
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

// All that components depend on, besides the map.
struct PassableSet {
    std::array<uint64_t, 4> terrains{};  // a bit for each that may be entered
    bool cutting = false;                // whether cells are joined across corners

    static PassableSet of(const CostTable& costs, Movement movement);
    bool contains(Terrain t) const { return (terrains[t / 64] >> (t % 64) & 1) != 0; }
    friend bool operator==(const PassableSet&, const PassableSet&) = default;
};

using ComponentId = uint32_t;
inline constexpr ComponentId kNoComponent = 0xffffffff;  // of a region that is blocked

namespace detail {

// The components of the regions of kSectorPage sectors.
struct ComponentPage {
    std::array<uint32_t, kSectorPage + 1> first{};  // of each sector in `ids`; then their end
    Vector<ComponentId> ids;
};

inline constexpr uint32_t kComponentGroupShift = 6;  // pages per group: 64, so that an edit copies few pointers whatever the map's size
inline constexpr uint32_t kComponentGroup = 1u << kComponentGroupShift;

struct ComponentGroup {
    std::array<std::shared_ptr<const ComponentPage>, kComponentGroup> pages;
};

// Components that an edit has joined go on under the number of one of them.
struct ComponentAlias {
    ComponentId from = 0;
    ComponentId to = 0;  // never itself the `from` of another
};

struct ComponentRoot {
    TerrainRegions regions;
    PassableSet set;
    uint32_t count = 0;
    ComponentId next = 0;            // all numbers in use are below
    Vector<ComponentAlias> aliases;  // by `from`
    Vector<std::shared_ptr<const ComponentGroup>> groups;

    const ComponentPage& page(uint32_t page) const { return *groups[page >> kComponentGroupShift]->pages[page & (kComponentGroup - 1)]; }
    // As they are stored: of each region of a sector.
    std::span<const ComponentId> ids(uint32_t sector) const {
        const ComponentPage& p = page(sector >> kSectorPageShift);
        const uint32_t first = p.first[sector & (kSectorPage - 1)], last = p.first[(sector & (kSectorPage - 1)) + 1];
        return {p.ids.data() + first, last - first};
    }
};

}  // namespace detail

// Copying it copies a pointer. Any thread may use any copy. Holds on to the version of the regions that it is for.
class Components {
public:
    // Time is linear in regions and edges. Components are numbered by their first regions.
    static Components build(const TerrainRegions& regions, const PassableSet& set);

    // For the regions after an edit of those that this is for; `report` is that of the update that made them. The partition is
    // that of a new build; the numbers need not be. Nothing where a new build is called for, which is the caller's to make,
    // when and if it is needed:
    //   `edit` or `after` is of another history than this;
    //   more than half of the sectors changed (so: always, where one sector is all of the map);
    //   regions that were joined within the sectors that changed are so no longer, nor by way of the sectors around those. They
    //   may have been cut off, or there may be a longer way around: only the whole map can tell;
    //   edits have joined more than a few dozen components since the last build.
    std::optional<Components> updated(const TerrainRegions& after, const EditResult& edit, const RepairReport& report) const;

    // Whether it is for this very version of the regions. What follows is, too: ids of any other version mean nothing here.
    bool valid_for(const TerrainRegions& regions) const { return &regions.root() == &root_->regions.root(); }
    const PassableSet& set() const { return root_->set; }
    GridVersion version() const { return root_->regions.version(); }

    // How many there are.
    uint32_t count() const { return root_->count; }
    // kNoComponent for a region that is blocked. The numbers depend on earlier edits; whether two are equal does not.
    ComponentId component_of(RegionId region) const {
        const TerrainRegions& regions = root_->regions;
        const ComponentId id = root_->ids(regions.sector_of(region))[regions.number_of(region)];
        return root_->aliases.empty() ? id : alias_of(id);
    }
    // False where either is blocked.
    bool joined(RegionId a, RegionId b) const {
        const ComponentId component = component_of(a);
        return component != kNoComponent && component == component_of(b);
    }

    // Pages shared with other versions are counted in full; the regions are not counted.
    size_t bytes() const;

private:
    explicit Components(std::shared_ptr<const detail::ComponentRoot> root) : root_(std::move(root)) {}
    ComponentId alias_of(ComponentId id) const;

    std::shared_ptr<const detail::ComponentRoot> root_;
};

// The cell closest to `goal`, by octile distance, of all that can be reached from `start`: the goal itself if it can be. Ties:
// the smaller y, then the smaller x. A goal off the map counts as the cell of the map closest to it. Nothing where the start is
// blocked or off the map. `components` must be valid for `regions`. Time depends on how far that cell is from the goal.
std::optional<Cell> nearest_reachable(const TerrainRegions& regions, const Components& components, Cell start, Cell goal);

// The components of one world for the sets that were asked for last. Any thread may call get(), while one edits; nothing is
// computed while others wait.
class ReachabilityCache {
public:
    explicit ReachabilityCache(size_t max_sets = 16) : max_sets_(max_sets) {}

    // For this very version. Builds them where they are not at hand, and keeps them unless `regions` are older than others it knows.
    // The set not asked for for the longest time goes when there are more than `max_sets`.
    Components get(const TerrainRegions& regions, const PassableSet& set);

    // To be called after each edit: brings up to date what it can, and drops the rest; all of it where memory runs out.
    void edited(const TerrainRegions& after, const EditResult& edit, const RepairReport& report);

    size_t size() const;

private:
    std::optional<Components> find(const TerrainRegions& regions, const PassableSet& set);
    void carry_over(const TerrainRegions& after, const EditResult& edit, const RepairReport& report);
    void drop_all(GridVersion newest);
    void keep(const Components& components);

    const size_t max_sets_;
    mutable Mutex mutex_;  // guards what follows
    GridVersion newest_ = 0;
    Vector<Components> entries_;  // no two of one set; the last asked for first
};

}  // namespace terrane
