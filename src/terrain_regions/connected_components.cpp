#include "terrane/terrain_regions/connected_components.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <tuple>

#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"
#include "terrane/base/cost.h"
#include "terrane/search/graph.h"

// Why a local update is correct. Sectors whose records did not change have the same regions, with the same edges to each other, as
// before. So two regions outside the changed sectors stay connected if every part of their path through changed sectors can be
// replaced: if the regions adjacent to the changed sectors that were connected through those still are connected. Conversely, regions
// that become connected do so through the changed sectors. The regions of the changed sectors themselves get new ids.

namespace terrane {

using detail::ComponentAlias;
using detail::ComponentData;
using detail::ComponentGroup;
using detail::ComponentPage;
using detail::kComponentGroup;
using detail::kComponentGroupShift;
using detail::kSectorPage;
using detail::kSectorPageShift;
using detail::SectorRecord;

namespace {

constexpr uint32_t kNoNode = 0xffffffff;
constexpr size_t kMaxAliases = 64;                   // binary search per lookup, copied with every edit
constexpr ComponentId kMaxComponentId = 0xf0000000;  // updates stop here; a build starts at 0

// Union-find over the regions of some sectors. A region is a node: first the regions of the first sector, by number, then those of the
// second. The smallest node of a set is its root.
class RegionUnionFind {
public:
    // Each region is a set of its own. `regions` and `sectors` must outlive this.
    RegionUnionFind(const TerrainRegions& regions, const PassableSet& set, std::span<const uint32_t> sectors)
        : regions_(&regions), cutting_(set.cutting), sectors_(sectors) {
        firsts_.reserve(sectors.size() + 1);
        for (const uint32_t sector : sectors) {
            const auto first = static_cast<uint32_t>(parents_.size());
            const SectorRecord& record = regions.data().record(sector);
            firsts_.push_back(first);
            parents_.resize(first + record.region_count);
            for (uint32_t r = 0; r < record.region_count; ++r) {
                parents_[first + r] = set.contains(record.regions()[r].terrain) ? first + r : kNoNode;
            }
        }
        firsts_.push_back(static_cast<uint32_t>(parents_.size()));
    }

    uint32_t nodes() const { return firsts_.back(); }
    uint32_t first(size_t slot) const { return firsts_[slot]; }  // first node of the sector at this position of the list
    bool passable(uint32_t node) const { return parents_[node] != kNoNode; }

    // Unites the regions of a sector with all adjacent regions of smaller node number. `slot_of` returns a sector's position in the
    // list, or at least the list's size for a sector that is not in it.
    template <class SlotOf>
    void unite(size_t slot, SlotOf&& slot_of) {
        std::array<uint32_t, 9> sides{};
        for (uint32_t side = 0; side < sides.size(); ++side) {
            const size_t there = slot_of(regions_->neighbour(sectors_[slot], side));  // off the map: arbitrary, but no edge leads there
            sides[side] = there < sectors_.size() ? firsts_[there] : kNoNode;
        }
        const SectorRecord& record = regions_->data().record(sectors_[slot]);
        for (uint32_t r = 0; r < record.region_count; ++r) {
            if (passable(firsts_[slot] + r)) unite_region(firsts_[slot] + r, record.edges_of(r), sides);
        }
    }

    // The root of a passable node, with path halving.
    uint32_t find(uint32_t node) {
        while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
        return node;
    }

private:
    void unite_region(uint32_t node, std::span<const RegionEdge> edges, const std::array<uint32_t, 9>& sides) {
        uint32_t own = find(node);
        for (const RegionEdge edge : edges) {
            if (sides[edge.side()] == kNoNode || (edge.diagonal_only() && !cutting_)) continue;
            const uint32_t to = sides[edge.side()] + edge.number();
            if (to > node || !passable(to)) continue;
            const uint32_t other = find(to);
            parents_[std::max(own, other)] = std::min(own, other);
            own = std::min(own, other);
        }
    }

    const TerrainRegions* regions_;
    bool cutting_;
    std::span<const uint32_t> sectors_;
    Vector<uint32_t> firsts_;
    Vector<uint32_t> parents_;  // kNoNode if blocked; never larger than the node
};

// Builds a page of ids from ids_of(sector).
template <class IdsOf>
std::shared_ptr<const ComponentPage> make_page(uint32_t page, uint32_t sectors, IdsOf&& ids_of) {
    auto out = make_scoped_shared<ComponentPage>();
    const uint32_t begin = page << kSectorPageShift, count = std::min(kSectorPage, sectors - begin);
    for (uint32_t i = 0; i < kSectorPage; ++i) {
        out->first[i + 1] = out->first[i] + (i < count ? static_cast<uint32_t>(ids_of(begin + i).size()) : 0);
    }
    out->ids.resize(out->first[kSectorPage]);
    for (uint32_t i = 0; i < count; ++i) {
        const std::span<const ComponentId> ids = ids_of(begin + i);
        std::copy(ids.begin(), ids.end(), out->ids.begin() + out->first[i]);
    }
    return out;
}

ComponentId resolve(const Vector<ComponentAlias>& aliases, ComponentId id) {
    const auto it = std::lower_bound(aliases.begin(), aliases.end(), id, [](const ComponentAlias& a, ComponentId i) { return a.from < i; });
    return it != aliases.end() && it->from == id ? it->to : id;
}

// Both ids must be resolved and different.
void add_alias(Vector<ComponentAlias>& aliases, ComponentId from, ComponentId to) {
    for (ComponentAlias& alias : aliases) {
        if (alias.to == from) alias.to = to;
    }
    const auto after =
        std::upper_bound(aliases.begin(), aliases.end(), from, [](ComponentId i, const ComponentAlias& a) { return i < a.from; });
    aliases.insert(after, {from, to});
}

// The sectors that an edit changed and the sectors adjacent to them.
class EditNeighbourhood {
public:
    // `changed` ascending.
    EditNeighbourhood(const TerrainRegions& regions, std::span<const uint32_t> changed) {
        Vector<uint32_t> all;
        all.reserve(changed.size() * 9);
        for (const uint32_t sector : changed) {
            const uint32_t x = sector % regions.sectors_x(), y = sector / regions.sectors_x();
            for (uint32_t ny = y - std::min(y, 1u); ny < std::min(y + 2, regions.sectors_y()); ++ny) {
                for (uint32_t nx = x - std::min(x, 1u); nx < std::min(x + 2, regions.sectors_x()); ++nx) {
                    all.push_back(ny * regions.sectors_x() + nx);
                }
            }
        }
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        sectors_.reserve(all.size());
        std::set_difference(all.begin(), all.end(), changed.begin(), changed.end(), std::back_inserter(sectors_));
        around_ = sectors_.size();
        std::unique_copy(changed.begin(), changed.end(), std::back_inserter(sectors_));
    }

    // The adjacent sectors, ascending; then the changed sectors, ascending.
    std::span<const uint32_t> sectors() const { return sectors_; }
    size_t around() const { return around_; }  // number of adjacent sectors
    std::span<const uint32_t> changed() const { return sectors().subspan(around_); }
    size_t slot_of(uint32_t sector) const {
        const auto middle = sectors_.begin() + static_cast<std::ptrdiff_t>(around_);
        for (const auto& [begin, end] : {std::pair(sectors_.begin(), middle), std::pair(middle, sectors_.end())}) {
            const auto it = std::lower_bound(begin, end, sector);
            if (it != end && *it == sector) return static_cast<size_t>(it - sectors_.begin());
        }
        return sectors_.size();
    }

private:
    Vector<uint32_t> sectors_;
    size_t around_ = 0;
};

// The regions of an EditNeighbourhood before and after the edit. Nodes of the adjacent sectors come first and are the same in both.
class LocalUpdate {
public:
    LocalUpdate(const ComponentData& data, const TerrainRegions& after, std::span<const uint32_t> changed)
        : data_(&data),
          block_(after, changed),
          before_(data.regions, data.set, block_.sectors()),
          now_(after, data.set, block_.sectors()),
          around_(now_.first(block_.around())) {
        TERRANE_ASSERT(before_.first(block_.around()) == around_);
        unite_changed(before_);
        unite_changed(now_);
    }

    // Whether all regions of adjacent sectors that were connected through the changed sectors still are: through the changed sectors,
    // or else through the adjacent ones.
    bool preserves_connectivity() {
        if (still_connected()) return true;
        for (size_t slot = 0; slot < block_.around(); ++slot) unite(now_, slot);
        return still_connected();
    }

    // Merges the components in `next` that are connected now, and numbers the regions of the changed sectors. Returns false if that
    // exceeds the limit of aliases or ids.
    bool relabel(ComponentData& next) {
        ids_.assign(now_.nodes(), kNoComponent);
        for (size_t slot = 0; slot < block_.around(); ++slot) merge_components(slot, next);
        if (next.aliases.size() > kMaxAliases) return false;
        for (uint32_t node = around_; node < before_.nodes(); ++node) {
            if (before_.passable(node) && before_.find(node) == node) --next.count;  // was a component inside the changed sectors
        }
        for (uint32_t node = around_; node < now_.nodes(); ++node) {
            if (!now_.passable(node)) continue;
            const uint32_t found = now_.find(node);
            if (found == node) ++next.count;
            ids_[node] = found == node ? next.next++ : ids_[found];
        }
        return next.next <= kMaxComponentId;
    }

    // Replaces the pages that contain changed sectors.
    void replace_pages(ComponentData& next) const {
        const std::span<const uint32_t> changed = block_.changed();
        std::shared_ptr<ComponentGroup> group;
        for (size_t i = 0; i < changed.size();) {
            const uint32_t page = changed[i] >> kSectorPageShift;
            auto made = make_page(page, next.regions.sectors(), [&](uint32_t sector) { return ids(sector); });
            auto& owner = next.groups[page >> kComponentGroupShift];
            if (owner != group) owner = group = make_scoped_shared<ComponentGroup>(*owner);
            group->pages[page & (kComponentGroup - 1)] = std::move(made);
            while (i < changed.size() && changed[i] >> kSectorPageShift == page) ++i;
        }
    }

private:
    void unite(RegionUnionFind& sets, size_t slot) const {
        sets.unite(slot, [this](uint32_t sector) { return block_.slot_of(sector); });
    }
    void unite_changed(RegionUnionFind& sets) const {
        for (size_t slot = block_.around(); slot < block_.sectors().size(); ++slot) unite(sets, slot);
    }

    // The ids of a sector's regions: new ones if it changed.
    std::span<const ComponentId> ids(uint32_t sector) const {
        const std::span<const uint32_t> changed = block_.changed();
        const auto it = std::lower_bound(changed.begin(), changed.end(), sector);
        if (it == changed.end() || *it != sector) return data_->ids(sector);
        const size_t slot = block_.around() + static_cast<size_t>(it - changed.begin());
        return std::span(ids_).subspan(now_.first(slot), now_.first(slot + 1) - now_.first(slot));
    }

    bool still_connected() {
        for (uint32_t node = 0; node < around_; ++node) {
            if (before_.passable(node) && now_.find(node) != now_.find(before_.find(node))) return false;
        }
        return true;
    }

    // Merges the component of each region of an adjacent sector with those of the regions that it is connected with now.
    void merge_components(size_t slot, ComponentData& next) {
        uint32_t node = now_.first(slot);
        for (const ComponentId id : data_->ids(block_.sectors()[slot])) {
            ids_[node] = id;
            const ComponentId other = now_.passable(node) ? ids_[now_.find(node)] : id;
            const ComponentId a = resolve(next.aliases, id), b = resolve(next.aliases, other);
            if (a != b && next.aliases.size() <= kMaxAliases) {
                add_alias(next.aliases, std::max(a, b), std::min(a, b));
                --next.count;
            }
            ++node;
        }
    }

    const ComponentData* data_;
    EditNeighbourhood block_;
    RegionUnionFind before_, now_;
    uint32_t around_;          // number of nodes of the adjacent sectors
    Vector<ComponentId> ids_;  // by node of now_; aliases are not resolved
};

uint32_t octile(Cell a, Cell b) {
    const auto dx = static_cast<uint32_t>(std::abs(a.x - b.x)), dy = static_cast<uint32_t>(std::abs(a.y - b.y));
    return kStraight * std::max(dx, dy) + (kDiagonal - kStraight) * std::min(dx, dy);
}

Cell closest_in(const Rect& rect, Cell c) {
    return {std::clamp(c.x, rect.x, rect.right() - 1), std::clamp(c.y, rect.y, rect.bottom() - 1)};
}

// Calls visit(i) for i = from, from - 1, from + 1, ... within [low, high), until both calls of a pair return false.
template <class Visit>
void outwards(int32_t from, int32_t low, int32_t high, Visit&& visit) {
    bool on = visit(from);
    for (int32_t k = 1; on; ++k) {
        on = from - k >= low && visit(from - k);
        if (from + k < high && visit(from + k)) on = true;
    }
}

// Finds the cell of a component that is closest to a goal, in growing rings of sectors around the goal.
class NearestCell {
public:
    NearestCell(const TerrainRegions& regions, const ConnectedComponents& components, ComponentId wanted, Cell goal)
        : regions_(regions), components_(components), wanted_(wanted), goal_(goal) {}

    Cell run() {
        const auto side = static_cast<int32_t>(regions_.data().side);
        const int32_t x = goal_.x / side, y = goal_.y / side;
        // Distance from the goal to the nearest cell outside its sector; every further ring of sectors adds `side`.
        const int32_t out = std::min({goal_.x % side + 1, goal_.y % side + 1, side - goal_.x % side, side - goal_.y % side});
        scan_sector(x, y);
        for (int32_t ring = 1; kStraight * static_cast<uint64_t>(out + (ring - 1) * side) <= distance_; ++ring) {
            for (int32_t sx = x - ring; sx <= x + ring; ++sx) {
                scan_sector(sx, y - ring);
                scan_sector(sx, y + ring);
            }
            for (int32_t sy = y - ring + 1; sy < y + ring; ++sy) {
                scan_sector(x - ring, sy);
                scan_sector(x + ring, sy);
            }
        }
        return best_;
    }

private:
    void scan_sector(int32_t sx, int32_t sy) {
        const auto x = static_cast<uint32_t>(sx), y = static_cast<uint32_t>(sy);
        if (x >= regions_.sectors_x() || y >= regions_.sectors_y()) return;
        const uint32_t sector = y * regions_.sectors_x() + x;
        const Rect rect = regions_.sector_rect(sector);
        if (octile(closest_in(rect, goal_), goal_) > distance_ || !find_members(sector)) return;
        if (regions_.data().record(sector).label_bits > 0 || members_.size() == 1) {
            const SectorRecord& record = regions_.data().record(sector);
            scan(rect, [&](uint32_t cx, uint32_t cy) { return members_[record.label(cx, cy)]; });
        } else {
            const auto width = static_cast<size_t>(rect.width);
            flood(sector, rect);
            scan(rect, [&](uint32_t cx, uint32_t cy) { return cells_[cy * width + cx]; });
        }
    }

    // Marks the sector's regions that belong to the component. Returns false if there are none.
    bool find_members(uint32_t sector) {
        const uint32_t count = regions_.regions_in(sector);
        members_.assign(count, false);
        bool any = false;
        for (uint32_t r = 0; r < count; ++r) {
            if (components_.component_of(regions_.id(sector, r)) == wanted_) any = members_[r] = true;
        }
        return any;
    }

    // Marks the cells of those regions if there are no labels: floods from the representatives over cells of the same terrain.
    void flood(uint32_t sector, const Rect& rect) {
        const auto width = static_cast<size_t>(rect.width);
        cells_.assign(width * static_cast<size_t>(rect.height), false);
        const auto visit = [&](Cell c, Terrain terrain) {
            if (!rect.contains(c) || regions_.grid().at(c) != terrain) return;
            const size_t i = static_cast<size_t>(c.y - rect.y) * width + static_cast<size_t>(c.x - rect.x);
            if (!cells_[i]) stack_.push_back(c);
            cells_[i] = true;
        };
        for (uint32_t r = 0; r < members_.size(); ++r) {
            if (!members_[r]) continue;
            const Region& region = regions_.region(regions_.id(sector, r));
            visit(region.representative(), region.terrain);
            while (!stack_.empty()) {
                const Cell c = stack_.back();
                stack_.pop_back();
                for (const Cell step : {Cell{0, -1}, Cell{1, 0}, Cell{0, 1}, Cell{-1, 0}})
                    visit({c.x + step.x, c.y + step.y}, region.terrain);
            }
        }
    }

    // Scans rows outwards from the one closest to the goal, and cells of a row likewise, while they can improve the result.
    template <class IsMember>
    void scan(const Rect& rect, IsMember&& is_member) {
        const Cell from = closest_in(rect, goal_);
        outwards(from.y, rect.y, rect.bottom(), [&](int32_t y) {
            if (octile({from.x, y}, goal_) > distance_) return false;
            outwards(from.x, rect.x, rect.right(), [&](int32_t x) {
                if (octile({x, y}, goal_) > distance_) return false;
                if (!is_member(static_cast<uint32_t>(x - rect.x), static_cast<uint32_t>(y - rect.y))) return true;
                offer({x, y});
                return false;
            });
            return true;
        });
    }

    void offer(Cell c) {
        const uint32_t distance = octile(c, goal_);
        if (std::tie(distance, c.y, c.x) >= std::tie(distance_, best_.y, best_.x)) return;
        distance_ = distance;
        best_ = c;
    }

    const TerrainRegions& regions_;
    const ConnectedComponents& components_;
    ComponentId wanted_;
    Cell goal_;
    Cell best_;
    uint32_t distance_ = kInfinite<uint32_t>;  // of best_
    Vector<bool> members_;
    Vector<bool> cells_;
    std::vector<Cell> stack_;
};

}  // namespace

PassableSet PassableSet::of(const CostTable& costs, Movement movement) {
    PassableSet set;
    set.cutting = cuts_corners(movement);
    for (uint32_t t = 0; t < kOutside; ++t) {
        if (costs.passable(static_cast<Terrain>(t))) set.terrains[t / 64] |= uint64_t{1} << (t % 64);
    }
    return set;
}

ConnectedComponents ConnectedComponents::build(const TerrainRegions& regions, const PassableSet& set) {
    Vector<uint32_t> sectors(regions.sectors());
    std::iota(sectors.begin(), sectors.end(), 0u);
    RegionUnionFind sets(regions, set, sectors);
    for (uint32_t s = 0; s < sectors.size(); ++s) sets.unite(s, [](uint32_t sector) { return sector; });

    auto data = make_scoped_shared<ComponentData>();
    data->regions = regions;
    data->set = set;
    Vector<ComponentId> ids(sets.nodes(), kNoComponent);
    for (uint32_t node = 0; node < ids.size(); ++node) {
        if (sets.passable(node)) ids[node] = sets.find(node) == node ? data->count++ : ids[sets.find(node)];
    }
    data->next = data->count;

    const auto ids_of = [&](uint32_t sector) {
        return std::span<const ComponentId>(ids).subspan(sets.first(sector), sets.first(sector + 1) - sets.first(sector));
    };
    constexpr uint32_t kGroupSectors = kSectorPage * kComponentGroup;
    data->groups.reserve((regions.sectors() + kGroupSectors - 1) / kGroupSectors);
    for (uint32_t begin = 0; begin < regions.sectors(); begin += kGroupSectors) {
        auto group = make_scoped_shared<ComponentGroup>();
        for (uint32_t p = 0; p < kComponentGroup && begin + p * kSectorPage < regions.sectors(); ++p) {
            group->pages[p] = make_page(begin / kSectorPage + p, regions.sectors(), ids_of);
        }
        data->groups.push_back(std::move(group));
    }
    return ConnectedComponents(std::move(data));
}

std::optional<ConnectedComponents> ConnectedComponents::updated(const TerrainRegions& after, const EditResult& edit,
                                                                const RepairReport& report) const {
    const TerrainRegions& before = data_->regions;
    if (&edit.before.data() != &before.grid().data() || &edit.after.data() != &after.grid().data()) return std::nullopt;
    if (after.sector() != before.sector() || report.sectors.size() * 2 > after.sectors()) return std::nullopt;
    LocalUpdate update(*data_, after, report.sectors);
    if (!update.preserves_connectivity()) return std::nullopt;
    auto next = make_scoped_shared<ComponentData>(*data_);
    next->regions = after;
    if (!update.relabel(*next)) return std::nullopt;
    update.replace_pages(*next);
    return ConnectedComponents(std::move(next));
}

ComponentId ConnectedComponents::alias_of(ComponentId id) const { return resolve(data_->aliases, id); }

size_t ConnectedComponents::bytes() const {
    size_t bytes = sizeof(ComponentData) + data_->aliases.capacity() * sizeof(ComponentAlias) +
                   data_->groups.capacity() * sizeof(data_->groups[0]) + data_->groups.size() * sizeof(ComponentGroup);
    for (uint32_t page = 0; page * kSectorPage < data_->regions.sectors(); ++page) {
        bytes += sizeof(ComponentPage) + data_->page(page).ids.capacity() * sizeof(ComponentId);
    }
    return bytes;
}

std::optional<Cell> nearest_reachable(const TerrainRegions& regions, const ConnectedComponents& components, Cell start, Cell goal) {
    TERRANE_ASSERT(components.valid_for(regions));
    const RegionId region = regions.region_of(start);
    const ComponentId wanted = region != kNoRegion ? components.component_of(region) : kNoComponent;
    if (wanted == kNoComponent) return std::nullopt;
    return NearestCell(regions, components, wanted, closest_in(regions.grid().layout().rect(), goal)).run();
}

ConnectedComponents ConnectedComponentsCache::get(const TerrainRegions& regions, const PassableSet& set) {
    if (const auto known = find(regions, set)) return *known;
    ConnectedComponents made = ConnectedComponents::build(regions, set);
    insert(made);
    return made;
}

std::optional<ConnectedComponents> ConnectedComponentsCache::find(const TerrainRegions& regions, const PassableSet& set) {
    const std::lock_guard lock(mutex_);
    for (auto it = entries_.begin(); it != entries_.end(); ++it) {
        if (!(it->set() == set) || !it->valid_for(regions)) continue;
        std::rotate(entries_.begin(), it, it + 1);
        return entries_.front();
    }
    return std::nullopt;
}

void ConnectedComponentsCache::insert(const ConnectedComponents& components) {
    std::optional<ConnectedComponents> replaced, evicted;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    if (components.version() < newest_) return;
    newest_ = components.version();
    const auto same =
        std::find_if(entries_.begin(), entries_.end(), [&](const ConnectedComponents& c) { return c.set() == components.set(); });
    if (same != entries_.end()) {
        replaced = std::move(*same);
        entries_.erase(same);
    }
    entries_.insert(entries_.begin(), components);
    if (entries_.size() > max_sets_) {
        evicted = std::move(entries_.back());
        entries_.pop_back();
    }
}

void ConnectedComponentsCache::edited(const TerrainRegions& after, const EditResult& edit, const RepairReport& report) {
    detail::catch_bad_alloc([&] { carry_over(after, edit, report); }, [&] { drop_all(after.version()); });
}

void ConnectedComponentsCache::drop_all(GridVersion newest) {
    Vector<ConnectedComponents> dropped;  // destroyed after the lock is released
    const std::lock_guard lock(mutex_);
    newest_ = std::max(newest_, newest);
    entries_.swap(dropped);
}

void ConnectedComponentsCache::carry_over(const TerrainRegions& after, const EditResult& edit, const RepairReport& report) {
    Vector<ConnectedComponents> known;
    {
        const std::lock_guard lock(mutex_);
        known = entries_;
    }
    Vector<ConnectedComponents> carried;
    carried.reserve(known.size());
    for (const ConnectedComponents& components : known) {
        if (auto next = components.updated(after, edit, report)) carried.push_back(std::move(*next));
    }
    Vector<ConnectedComponents> kept;
    kept.reserve(max_sets_ + 1);
    const std::lock_guard lock(mutex_);
    newest_ = std::max(newest_, after.version());
    for (const ConnectedComponents& entry : entries_) {
        const auto next =
            std::find_if(carried.begin(), carried.end(), [&](const ConnectedComponents& c) { return c.set() == entry.set(); });
        if (entry.valid_for(after) || entry.version() > after.version()) {  // another thread has inserted it already
            kept.push_back(entry);
        } else if (next != carried.end()) {
            kept.push_back(*next);
        }
    }
    entries_.swap(kept);
}

size_t ConnectedComponentsCache::size() const {
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

}  // namespace terrane
