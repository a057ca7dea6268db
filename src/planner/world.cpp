#include "terrane/world.h"

#include <algorithm>

#include "planner/preparation.h"
#include "terrane/assert.h"
#include "world/line_cells.h"

namespace terrane {

namespace {

std::vector<TerrainRegions> build_all(const GridSnapshot& grid, const WorldOptions& options) {
    std::vector<TerrainRegions> all;
    all.reserve(options.sectors.size());
    for (const uint32_t sector : options.sectors) all.push_back(TerrainRegions::build(grid, {sector, options.labels, options.threads}));
    return all;
}

}  // namespace

// Which watched paths depend on which cells, by tile.
struct World::Watches {
    struct Entry {
        WatchId id = 0;
        std::vector<CellId> cells;  // ascending, once each; empty: a free slot
    };
    std::vector<Entry> entries;
    std::vector<uint32_t> free;                  // slots
    std::vector<std::vector<uint32_t>> by_tile;  // slots
    size_t count = 0;
    uint32_t generation = 0;

    // Calls visit(first, last) for the cells of each tile.
    template <class Visit>
    static void for_each_tile(const std::vector<CellId>& cells, Visit&& visit) {
        for (auto first = cells.begin(); first != cells.end();) {
            const CellId tile = *first / kTileCells;
            const auto last = std::find_if(first, cells.end(), [tile](CellId id) { return id / kTileCells != tile; });
            visit(tile, first, last);
            first = last;
        }
    }

    WatchId add(const GridLayout& layout, const Path& path) {
        uint32_t slot = static_cast<uint32_t>(entries.size());
        if (free.empty()) {
            entries.emplace_back();
        } else {
            slot = free.back();
            free.pop_back();
        }
        Entry& entry = entries[slot];
        entry.id = WatchId{++generation} << 32 | slot;
        take_cells(layout, path, entry.cells);
        if (by_tile.size() < layout.tile_limit()) by_tile.resize(layout.tile_limit());
        for_each_tile(entry.cells, [&](uint32_t tile, auto, auto) { by_tile[tile].push_back(slot); });
        ++count;
        return entry.id;
    }

    static void take_cells(const GridLayout& layout, const Path& path, std::vector<CellId>& out) {
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
                const std::vector<CellId>& cells = entries[slot].cells;
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

const PreparedMethod* WorldSnapshot::prepared(const Method& method, const CostTable& costs, Movement movement) const {
    for (const auto& p : root_->prepared) {
        if (p->serves(method, costs, movement)) return p.get();
    }
    return nullptr;
}

Components WorldSnapshot::components(const CostTable& costs, Movement movement) const {
    TERRANE_ASSERT(!root_->regions.empty());
    return root_->reachability->get(root_->regions[0], PassableSet::of(costs, movement));
}

World::World(TerrainGrid grid, const WorldOptions& options) : World(std::move(grid), {}, options) {}

World::World(TerrainGrid grid, std::vector<TerrainRegions> regions, const WorldOptions& options)
    : grid_(std::move(grid)), watches_(std::make_shared<Watches>()) {
    const GridSnapshot map = grid_.snapshot();
    if (regions.empty()) regions = build_all(map, options);
    root_ = std::make_shared<const detail::WorldRoot>(
        detail::WorldRoot{map, std::move(regions), std::make_shared<ReachabilityCache>(options.reachable_sets), {}});
}

WorldSnapshot World::snapshot() const {
    const std::lock_guard lock(mutex_);
    return WorldSnapshot(root_);
}

void World::set_root(std::shared_ptr<const detail::WorldRoot> root) {
    const std::lock_guard lock(mutex_);
    root_.swap(root);
}

WorldEdit World::publish(EditResult edit) {
    WorldEdit done;
    const std::shared_ptr<const detail::WorldRoot> before = snapshot().root_;
    if (edit.cells_changed > 0) {
        auto root = std::make_shared<detail::WorldRoot>(*before);
        root->grid = edit.after;
        done.repairs.resize(root->regions.size());
        for (size_t i = 0; i < root->regions.size(); ++i) root->regions[i] = *before->regions[i].updated(edit, &done.repairs[i]);
        for (auto& prepared : root->prepared) prepared = std::make_shared<const PreparedMethod>(prepared->updated(edit));
        set_root(root);
        if (!root->regions.empty()) root->reachability->edited(root->regions[0], edit, done.repairs[0]);
        done.broken = watches_->broken_by(edit);
    }
    done.grid = std::move(edit);
    return done;
}

WorldEdit World::set(Cell cell, Terrain terrain) { return publish(grid_.set(cell, terrain)); }
WorldEdit World::fill(Rect rect, Terrain terrain) { return publish(grid_.fill(rect, terrain)); }
WorldEdit World::apply(std::span<const CellEdit> edits) { return publish(grid_.apply(edits)); }

Result<WorldEdit> World::set(Cell cell, std::string_view terrain) {
    auto edit = grid_.set(cell, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<WorldEdit> World::fill(Rect rect, std::string_view terrain) {
    auto edit = grid_.fill(rect, terrain);
    if (!edit) return edit.error();
    return publish(std::move(*edit));
}

Result<Done> World::prepare(const CostTable& costs, const PrepareOptions& options) {
    Preparation preparation(grid(), costs, options);
    preparation.run();
    return keep(std::move(preparation));
}

Result<Done> World::keep(Preparation&& preparation) {
    TERRANE_ASSERT(preparation.impl_->done);
    if (preparation.impl_->error) return *preparation.impl_->error;
    PreparedMethod made = std::move(preparation.impl_->made);
    const size_t most = preparation.impl_->options.max_bytes, needed = made.overlay ? made.overlay->table_bytes() : 0;
    if (most != 0 && needed > most) {
        return Error{ErrorCode::kTooLarge,
                     {},
                     0,
                     "preparing " + made.method.name + " takes at least " + std::to_string(needed) + " bytes, more than the " +
                         std::to_string(most) + " allowed"};
    }
    const GridSnapshot now = grid();
    if (&now.root() != &preparation.impl_->grid.root()) made = made.updated(edit_between(preparation.impl_->grid, now));
    forget(made.method, made.costs, made.movement);
    auto root = std::make_shared<detail::WorldRoot>(*snapshot().root_);
    root->prepared.push_back(std::make_shared<const PreparedMethod>(std::move(made)));
    set_root(std::move(root));
    return Done{};
}

bool World::forget(const Method& method, const CostTable& costs, Movement movement) {
    auto root = std::make_shared<detail::WorldRoot>(*snapshot().root_);
    if (std::erase_if(root->prepared, [&](const auto& p) { return p->serves(method, costs, movement); }) == 0) return false;
    set_root(std::move(root));
    return true;
}

WatchId World::watch(const Path& path) { return watches_->add(grid().layout(), path); }
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
