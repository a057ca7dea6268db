#include "terrane/world/world.h"

#include <algorithm>

#include "base/attempt.h"
#include "grid/line_cells.h"
#include "terrane/base/assert.h"
#include "terrane/method/method_interface.h"
#include "world/preparation_impl.h"

namespace terrane {

namespace {

std::vector<TerrainRegions> build_all(const GridSnapshot& grid, const WorldOptions& options) {
    std::vector<TerrainRegions> all;
    all.reserve(options.sectors.size());
    for (const uint32_t sector : options.sectors) all.push_back(TerrainRegions::build(grid, {sector, options.labels, options.threads}));
    return all;
}

// The same version of the same grid: so every cell is the same, without a look at them.
bool is_of(const TerrainRegions& regions, const GridSnapshot& map) {
    return regions.grid().same_grid(map) && regions.version() == map.version();
}

bool have_different_sectors(const std::vector<TerrainRegions>& regions) {
    for (size_t i = 0; i < regions.size(); ++i) {
        if (std::any_of(regions.begin(), regions.begin() + static_cast<ptrdiff_t>(i),
                        [&](const TerrainRegions& r) { return r.sector() == regions[i].sector(); })) {
            return false;
        }
    }
    return true;
}

// No method: any that answers open queries.
bool serves(const PreparedData& data, const Method& method, const Ground& ground) {
    if (!method) return data.method().capabilities().answers_open_queries && data.serves(data.method().implementation(), ground);
    return data.serves(method.implementation(), ground);
}

// What was prepared, for the map after an edit. Null where the method refuses.
SharedPrepared update(const PreparedData& data, const EditResult& edit, std::span<const TerrainRegions> regions) {
    const Ground ground = data.ground().on(edit.after);
    const auto job = data.update({edit, ground, regions});
    while (!job->run(kUnlimited)) {
    }
    const auto updated = job->take();
    return updated ? *updated : nullptr;
}

}  // namespace

// Which watched paths depend on which cells, by tile.
struct World::Watches {
    struct Entry {
        WatchId id = 0;
        Vector<CellId> cells;  // ascending, once each; empty: a free slot
    };
    Vector<Entry> entries;
    Vector<uint32_t> free;             // slots
    Vector<Vector<uint32_t>> by_tile;  // slots
    size_t count = 0;
    uint32_t generation = 0;

    // Calls visit(first, last) for the cells of each tile.
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
        take_cells(layout, path, cells);
        if (by_tile.size() < layout.tile_limit()) by_tile.resize(layout.tile_limit());
        if (free.empty()) {
            if (entries.size() == entries.capacity()) entries.reserve(std::max<size_t>(8, 2 * entries.size()));
            free.reserve(entries.capacity());  // so that remove() needs no memory
            free.push_back(static_cast<uint32_t>(entries.size()));
            entries.emplace_back();
        }
        const uint32_t slot = free.back();
        for_each_tile(cells, [&](uint32_t tile, auto, auto) { make_room(by_tile[tile]); });
        for_each_tile(cells, [&](uint32_t tile, auto, auto) { by_tile[tile].push_back(slot); });
        free.pop_back();
        entries[slot].id = WatchId{++generation} << 32 | slot;
        entries[slot].cells = std::move(cells);
        ++count;
        return entries[slot].id;
    }

    // For one more. All memory is taken before anything changes.
    static void make_room(Vector<uint32_t>& list) {
        if (list.size() == list.capacity()) list.reserve(std::max<size_t>(4, 2 * list.size()));
    }

    static void take_cells(const GridLayout& layout, const Path& path, Vector<CellId>& out) {
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
        for_each_cell_along(path.line, take);
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

const TerrainRegions* WorldSnapshot::regions(uint32_t sector) const {
    for (const TerrainRegions& r : root_->regions) {
        if (r.sector() == sector) return &r;
    }
    return nullptr;
}

const PreparedData* WorldSnapshot::prepared(const Method& method, const Ground& ground) const {
    for (const auto& data : root_->prepared) {
        if (serves(*data, method, ground)) return data.get();
    }
    return nullptr;
}

Components WorldSnapshot::components(const Ground& ground) const {
    TERRANE_ASSERT(!root_->regions.empty());
    const MemoryScope scope(root_->grid.root().memory);
    return root_->reachability->get(root_->regions[0], PassableSet::of(ground.costs(), ground.movement()));
}

World::World(TerrainGrid grid, const WorldOptions& options) : World(std::move(grid), {}, options) {}

World::World(TerrainGrid grid, std::vector<TerrainRegions> regions, const WorldOptions& options)
    : memory_(options.memory), grid_(std::move(grid)) {
    const MemoryScope scope(memory_);
    grid_.move_in();
    const GridSnapshot map = grid_.snapshot();
    TERRANE_ASSERT(std::all_of(regions.begin(), regions.end(), [&](const TerrainRegions& r) { return is_of(r, map); }));
    if (regions.empty()) regions = build_all(map, options);
    TERRANE_ASSERT(have_different_sectors(regions));
    auto root = share<detail::WorldRoot>();
    root->grid = map;
    root->regions.assign(regions.begin(), regions.end());
    root->reachability = share<ReachabilityCache>(options.reachable_sets);
    root_ = std::move(root);
    watches_ = share<Watches>();
}

WorldSnapshot World::snapshot() const {
    const std::lock_guard lock(mutex_);
    return WorldSnapshot(root_);
}

void World::set_root(std::shared_ptr<const detail::WorldRoot> root) {
    const std::lock_guard lock(mutex_);
    root_.swap(root);
}

void World::repair(const EditResult& edit, WorldEdit& done) {
    const std::shared_ptr<const detail::WorldRoot> before = snapshot().root_;
    auto root = share<detail::WorldRoot>(*before);
    root->grid = edit.after;
    done.repairs.resize(root->regions.size());
    for (size_t i = 0; i < root->regions.size(); ++i) root->regions[i] = *before->regions[i].updated(edit, &done.repairs[i]);
    for (auto& data : root->prepared) data = update(*data, edit, root->regions);
    std::erase(root->prepared, nullptr);
    done.broken = watches_->broken_by(edit);
    set_root(root);
    if (!root->regions.empty()) root->reachability->edited(root->regions[0], edit, done.repairs[0]);
}

WorldEdit World::publish(EditResult edit) {
    WorldEdit done;
    if (edit.cells_changed > 0) {
        detail::attempt([&] { repair(edit, done); },
                        [&] {
                            grid_.go_back(edit.before);
                            detail::no_memory();
                        });
    }
    done.grid = std::move(edit);
    return done;
}

WorldEdit World::set(Cell cell, Terrain terrain) {
    const MemoryScope scope(memory_);
    return publish(grid_.set(cell, terrain));
}

WorldEdit World::fill(Rect rect, Terrain terrain) {
    const MemoryScope scope(memory_);
    return publish(grid_.fill(rect, terrain));
}

WorldEdit World::apply(std::span<const CellEdit> edits) {
    const MemoryScope scope(memory_);
    return publish(grid_.apply(edits));
}

Result<WorldEdit> World::set(Cell cell, std::string_view terrain) {
    const MemoryScope scope(memory_);
    auto edit = grid_.set(cell, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<WorldEdit> World::fill(Rect rect, std::string_view terrain) {
    const MemoryScope scope(memory_);
    auto edit = grid_.fill(rect, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<Done> World::prepare(const CostTable& costs, const PrepareOptions& options) {
    Preparation preparation(snapshot(), costs, options);
    preparation.run();
    return keep(std::move(preparation));
}

Result<Done> World::keep(Preparation&& preparation) {
    Preparation::Impl& given = *preparation.impl_;
    TERRANE_ASSERT(given.job == nullptr);
    if (!grid().same_grid(given.grid)) return Error{ErrorCode::kBadValue, {}, 0, "the preparation was made for another world"};
    if (!given.made) return given.made.error();
    return keep(*given.made);
}

Result<Done> World::keep(const std::shared_ptr<const PreparedData>& given) {
    const MemoryScope scope(memory_);
    const GridSnapshot now = grid(), then = given->ground().grid();
    if (!now.same_grid(then)) return Error{ErrorCode::kBadValue, {}, 0, "the data was prepared for another world"};
    auto root = share<detail::WorldRoot>(*snapshot().root_);
    const auto data = &now.root() == &then.root() ? given : update(*given, edit_between(then, now), root->regions);
    if (data == nullptr) return Error{ErrorCode::kUnsupported, {}, 0, given->method().name() + " cannot be updated to the edits since"};
    std::erase_if(root->prepared, [&](const auto& p) { return serves(*p, data->method(), data->ground()); });
    root->prepared.push_back(data);
    set_root(std::move(root));
    return Done{};
}

bool World::forget(const Method& method, const CostTable& costs, Movement movement) {
    const MemoryScope scope(memory_);
    auto root = share<detail::WorldRoot>(*snapshot().root_);
    const Ground ground(root->grid, costs, movement);
    if (std::erase_if(root->prepared, [&](const auto& p) { return serves(*p, method, ground); }) == 0) return false;
    set_root(std::move(root));
    return true;
}

WatchId World::watch(const Path& path) {
    const MemoryScope scope(memory_);
    return watches_->add(grid().layout(), path);
}

bool World::unwatch(WatchId id) { return watches_->remove(id); }
size_t World::watched() const { return watches_->count; }

size_t World::bytes() const {
    const WorldSnapshot now = snapshot();
    size_t sum = sizeof(World) + now.grid().bytes();
    for (const TerrainRegions& r : now.all_regions()) sum += r.bytes();
    for (const auto& p : now.all_prepared()) sum += p->bytes();
    return sum;
}

}  // namespace terrane
