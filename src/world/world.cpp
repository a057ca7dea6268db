#include "terrane/world/world.h"

#include <algorithm>

#include "base/catch_bad_alloc.h"
#include "grid/line_cells.h"
#include "terrane/base/assert.h"
#include "terrane/method/method_interface.h"
#include "world/preparation_impl.h"

namespace terrane {

namespace {

std::vector<TerrainRegions> build_regions(const GridSnapshot& grid, const WorldOptions& options) {
    std::vector<TerrainRegions> all;
    all.reserve(options.sectors.size());
    for (const uint32_t sector : options.sectors) all.push_back(TerrainRegions::build(grid, {sector, options.labels, options.threads}));
    return all;
}

// Whether the regions belong to this version of this grid; then all cells are equal, without comparing them.
bool is_version_of(const TerrainRegions& regions, const GridSnapshot& map) {
    return regions.grid().same_grid(map) && regions.version() == map.version();
}

bool sectors_are_distinct(const std::vector<TerrainRegions>& regions) {
    for (size_t i = 0; i < regions.size(); ++i) {
        if (std::any_of(regions.begin(), regions.begin() + static_cast<ptrdiff_t>(i),
                        [&](const TerrainRegions& r) { return r.sector() == regions[i].sector(); })) {
            return false;
        }
    }
    return true;
}

// No method: any data whose method answers open queries.
bool serves(const PreparedData& data, const Method& method, const Ground& ground) {
    if (!method) return data.method().capabilities().answers_open_queries && data.serves(data.method().implementation(), ground);
    return data.serves(method.implementation(), ground);
}

// Updates prepared data to the map after an edit. Null if the method cannot.
SharedPrepared update(const PreparedData& data, const EditResult& edit, std::span<const TerrainRegions> regions) {
    const Ground ground = data.ground().on(edit.after);
    const auto job = data.update({edit, ground, regions});
    while (!job->run(kUnlimited)) {
    }
    const auto updated = job->take();
    return updated ? *updated : nullptr;
}

}  // namespace

// Maps tiles to the watched paths that depend on their cells.
struct World::Watches {
    struct Entry {
        WatchId id = 0;
        Vector<CellId> cells;  // ascending and unique; empty: a free slot
    };
    Vector<Entry> entries;
    Vector<uint32_t> free;             // slots
    Vector<Vector<uint32_t>> by_tile;  // slots
    size_t count = 0;
    uint32_t generation = 0;

    // Calls visit(tile, first, last) for the range of cells in each tile.
    template <class Visit>
    static void for_each_tile(const Vector<CellId>& cells, Visit&& visit) {
        for (auto first = cells.begin(); first != cells.end();) {
            const CellId tile = *first / kTileCells;
            const auto last = std::find_if(first, cells.end(), [tile](CellId id) { return id / kTileCells != tile; });
            visit(tile, first, last);
            first = last;
        }
    }

    WatchId add(const GridLayout& layout, const Path& path) {
        Vector<CellId> cells;
        collect_cells(layout, path, cells);
        if (by_tile.size() < layout.tile_limit()) by_tile.resize(layout.tile_limit());
        if (free.empty()) {
            if (entries.size() == entries.capacity()) entries.reserve(std::max<size_t>(8, 2 * entries.size()));
            free.reserve(entries.capacity());  // so that remove() does not allocate
            free.push_back(static_cast<uint32_t>(entries.size()));
            entries.emplace_back();
        }
        const uint32_t slot = free.back();
        for_each_tile(cells, [&](uint32_t tile, auto, auto) { reserve_one(by_tile[tile]); });
        for_each_tile(cells, [&](uint32_t tile, auto, auto) { by_tile[tile].push_back(slot); });
        free.pop_back();
        entries[slot].id = WatchId{++generation} << 32 | slot;
        entries[slot].cells = std::move(cells);
        ++count;
        return entries[slot].id;
    }

    // Reserves memory for one more element: add() allocates everything before it changes anything.
    static void reserve_one(Vector<uint32_t>& list) {
        if (list.size() == list.capacity()) list.reserve(std::max<size_t>(4, 2 * list.size()));
    }

    static void collect_cells(const GridLayout& layout, const Path& path, Vector<CellId>& out) {
        out.clear();
        const auto take = [&](Cell c) {
            if (layout.contains(c)) out.push_back(layout.id(c));
        };
        for (size_t i = 0; i < path.cells.size(); ++i) {
            const Cell c = path.cells[i];
            take(c);
            if (i == 0 || c.x == path.cells[i - 1].x || c.y == path.cells[i - 1].y) continue;
            take({path.cells[i - 1].x, c.y});
            take({c.x, path.cells[i - 1].y});
        }
        for_each_cell_along(path.polyline, take);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }

    bool remove(WatchId id) {
        const auto slot = static_cast<uint32_t>(id);
        if (slot >= entries.size() || entries[slot].id != id || id == 0) return false;
        Entry& entry = entries[slot];
        for_each_tile(entry.cells, [&](uint32_t tile, auto, auto) { std::erase(by_tile[tile], slot); });
        entry.id = 0;
        entry.cells.clear();
        free.push_back(slot);
        --count;
        return true;
    }

    std::vector<WatchId> broken_by(const EditResult& edit) const {
        std::vector<WatchId> broken;
        for (const uint32_t tile : edit.tiles) {
            if (tile >= by_tile.size()) continue;
            const Terrain *before = edit.before.tile_cells(tile), *after = edit.after.tile_cells(tile);
            for (const uint32_t slot : by_tile[tile]) {
                const Vector<CellId>& cells = entries[slot].cells;
                const auto first = std::lower_bound(cells.begin(), cells.end(), tile * kTileCells);
                const bool hit = std::any_of(first, cells.end(), [&](CellId id) {
                    return id / kTileCells == tile && before[id % kTileCells] != after[id % kTileCells];
                });
                if (hit) broken.push_back(entries[slot].id);
            }
        }
        std::sort(broken.begin(), broken.end());
        broken.erase(std::unique(broken.begin(), broken.end()), broken.end());
        return broken;
    }
};

// For the duration of a call that changes the world: its allocator, and the check that no other thread changes it.
class World::Editing {
public:
    explicit Editing(World& world)
        : scope_(world.memory_), flag_(world.editing_), one_thread_edits_(!flag_.exchange(true, std::memory_order_relaxed)) {
        TERRANE_ASSERT(one_thread_edits_);
    }
    ~Editing() {
        if (one_thread_edits_) flag_.store(false, std::memory_order_relaxed);
    }
    Editing(const Editing&) = delete;
    Editing& operator=(const Editing&) = delete;

private:
    MemoryScope scope_;
    std::atomic<bool>& flag_;
    bool one_thread_edits_;
};

namespace detail {

// Data of GridMethod::derive for one version of the map, by method and movement rule. Thread-safe.
class DerivedData {
public:
    const PreparedData* get(const Method& method, const Ground& ground) {
        const std::lock_guard lock(mutex_);
        for (const SharedPrepared& data : all_) {
            if (data->serves(method.implementation(), ground)) return data.get();
        }
        all_.push_back(method.implementation().derive(method, ground));
        return all_.back().get();
    }
    std::shared_ptr<DerivedData> updated(const EditResult& edit, std::span<const TerrainRegions> regions) const {
        auto next = make_scoped_shared<DerivedData>();
        const std::lock_guard lock(mutex_);
        for (const SharedPrepared& data : all_) {
            if (auto after = update(*data, edit, regions)) next->all_.push_back(std::move(after));
        }
        return next;
    }
    size_t bytes() const {
        const std::lock_guard lock(mutex_);
        size_t sum = 0;
        for (const SharedPrepared& data : all_) sum += data->bytes();
        return sum;
    }

private:
    mutable Mutex mutex_;
    Vector<SharedPrepared> all_;
};

}  // namespace detail

const TerrainRegions* WorldSnapshot::regions(uint32_t sector) const {
    for (const TerrainRegions& r : data_->regions) {
        if (r.sector() == sector) return &r;
    }
    return nullptr;
}

const PreparedData* WorldSnapshot::prepared(const Method& method, const Ground& ground) const {
    for (const auto& data : data_->prepared) {
        if (serves(*data, method, ground)) return data.get();
    }
    return nullptr;
}

const PreparedData* WorldSnapshot::derived(const Method& method, const Ground& ground) const {
    return method.implementation().derives() ? data_->derived->get(method, ground) : nullptr;
}

ConnectedComponents WorldSnapshot::components(const Ground& ground) const {
    TERRANE_ASSERT(!data_->regions.empty());
    const MemoryScope scope(data_->grid.data().memory);
    return data_->component_cache->get(data_->regions[0], PassableSet::of(ground.costs(), ground.movement()));
}

World::World(TerrainGrid grid, const WorldOptions& options) : World(std::move(grid), {}, options) {}

World::World(TerrainGrid grid, std::vector<TerrainRegions> regions, const WorldOptions& options)
    : memory_(options.memory), grid_(std::move(grid)) {
    const MemoryScope scope(memory_);
    grid_.copy_into_scope();
    const GridSnapshot map = grid_.snapshot();
    TERRANE_ASSERT(std::all_of(regions.begin(), regions.end(), [&](const TerrainRegions& r) { return is_version_of(r, map); }));
    if (regions.empty()) regions = build_regions(map, options);
    TERRANE_ASSERT(sectors_are_distinct(regions));
    auto next = make_scoped_shared<detail::WorldData>();
    next->grid = map;
    next->regions.assign(regions.begin(), regions.end());
    next->component_cache = make_scoped_shared<ConnectedComponentsCache>(options.reachable_sets);
    next->derived = make_scoped_shared<detail::DerivedData>();
    data_ = std::move(next);
    watches_ = make_scoped_shared<Watches>();
}

WorldSnapshot World::snapshot() const {
    const std::lock_guard lock(mutex_);
    return WorldSnapshot(data_);
}

void World::set_data(std::shared_ptr<const detail::WorldData> next) {
    const std::lock_guard lock(mutex_);
    data_.swap(next);
}

void World::repair(const EditResult& edit, WorldEdit& out) {
    const std::shared_ptr<const detail::WorldData> before = snapshot().data_;
    auto next = make_scoped_shared<detail::WorldData>(*before);
    next->grid = edit.after;
    out.repairs.resize(next->regions.size());
    for (size_t i = 0; i < next->regions.size(); ++i) next->regions[i] = *before->regions[i].updated(edit, &out.repairs[i]);
    for (auto& data : next->prepared) data = update(*data, edit, next->regions);
    std::erase(next->prepared, nullptr);
    next->derived = before->derived->updated(edit, next->regions);
    out.broken = watches_->broken_by(edit);
    set_data(next);
    if (!next->regions.empty()) next->component_cache->edited(next->regions[0], edit, out.repairs[0]);
}

WorldEdit World::publish(EditResult edit) {
    WorldEdit out;
    if (edit.cells_changed > 0) {
        detail::catch_bad_alloc([&] { repair(edit, out); },
                                [&] {
                                    grid_.rollback_to(edit.before);
                                    detail::throw_bad_alloc();
                                });
    }
    out.grid = std::move(edit);
    return out;
}

WorldEdit World::set(Cell cell, Terrain terrain) {
    const Editing editing(*this);
    return publish(grid_.set(cell, terrain));
}

WorldEdit World::fill(Rect rect, Terrain terrain) {
    const Editing editing(*this);
    return publish(grid_.fill(rect, terrain));
}

WorldEdit World::apply(std::span<const CellEdit> edits) {
    const Editing editing(*this);
    return publish(grid_.apply(edits));
}

Result<WorldEdit> World::set(Cell cell, std::string_view terrain) {
    const Editing editing(*this);
    auto edit = grid_.set(cell, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<WorldEdit> World::fill(Rect rect, std::string_view terrain) {
    const Editing editing(*this);
    auto edit = grid_.fill(rect, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<void> World::prepare(const CostTable& costs, const PrepareOptions& options) {
    Preparation preparation(snapshot(), costs, options);
    preparation.run();
    return install(std::move(preparation));
}

Result<void> World::install(Preparation&& preparation) {
    Preparation::Impl& impl = *preparation.impl_;
    TERRANE_ASSERT(impl.job == nullptr);
    if (!grid().same_grid(impl.grid))
        return Error{ErrorCode::kBadValue, {}, 0, "the preparation is for another world; make it from a snapshot of this one"};
    if (!impl.result) return impl.result.error();
    return install(*impl.result);
}

Result<void> World::install(const std::shared_ptr<const PreparedData>& data) {
    const Editing editing(*this);
    const GridSnapshot now = grid(), then = data->ground().grid();
    if (!now.same_grid(then)) return Error{ErrorCode::kBadValue, {}, 0, "the data is for another world; prepare it for this one"};
    auto next = make_scoped_shared<detail::WorldData>(*snapshot().data_);
    const auto current = &now.data() == &then.data() ? data : update(*data, edit_between(then, now), next->regions);
    if (current == nullptr)
        return Error{ErrorCode::kUnsupported, {}, 0, data->method().name() + " cannot follow the edits since; prepare it again"};
    std::erase_if(next->prepared, [&](const auto& p) { return serves(*p, current->method(), current->ground()); });
    next->prepared.push_back(current);
    set_data(std::move(next));
    return {};
}

bool World::discard(const Method& method, const CostTable& costs, Movement movement) {
    const Editing editing(*this);
    auto next = make_scoped_shared<detail::WorldData>(*snapshot().data_);
    const Ground ground(next->grid, costs, movement);
    if (std::erase_if(next->prepared, [&](const auto& p) { return serves(*p, method, ground); }) == 0) return false;
    set_data(std::move(next));
    return true;
}

WatchId World::watch(const Path& path) {
    const Editing editing(*this);
    return watches_->add(grid().layout(), path);
}

bool World::unwatch(WatchId id) {
    const Editing editing(*this);
    return watches_->remove(id);
}
size_t World::watched() const { return watches_->count; }

size_t World::bytes() const {
    const WorldSnapshot now = snapshot();
    size_t sum = sizeof(World) + now.grid().bytes();
    for (const TerrainRegions& r : now.all_regions()) sum += r.bytes();
    for (const auto& p : now.all_prepared()) sum += p->bytes();
    return sum + now.data_->derived->bytes();
}

}  // namespace terrane
