// Questions about reachability in C: the nearest of several cells, costs to many goals, all cells within a cost.
#include "planner_handle.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

static_assert(kInfiniteCost == TERRANE_NO_PATH);

std::vector<Cell> cells_of(const terrane_cell* cells, size_t count) {
    std::vector<Cell> all;
    all.reserve(count);
    for (const terrane_cell& c : std::span(cells, count)) all.push_back(cell_of(c));
    return all;
}

// Runs the search that begin(search, ground) begins, then calls take(search). Replaces the planner's flood.
template <class Begin, class Take>
terrane_code search(terrane_planner& planner, const terrane_profile& profile, uint32_t movement, terrane_error* error, Begin&& begin,
                    Take&& take) {
    const auto ask = [&]() -> terrane_code {
        const auto ground = ground_of(*planner.world, profile, movement);
        if (!ground) return refuse(ground.error(), error);
        const MemoryScope scope(ground->grid().data().memory);
        planner.has_flood = false;
        if (!planner.reach) planner.reach.emplace();
        planner.reach_version = ground->grid().version();
        begin(*planner.reach, *ground);
        planner.reach->run();
        take(*planner.reach);
        return TERRANE_OK;
    };
    const auto fail = [&] {  // after bad_alloc the state of a search is unspecified
        planner.reach.reset();
        return refuse_no_memory(error);
    };
    return detail::catch_bad_alloc(ask, fail);
}

// Completes a path of the planner's search.
void set_found(terrane_path& out, const terrane_planner& planner, Path found) {
    found.expansions_first = found.expansions;
    found.version = planner.reach_version;
    found.method = "dijkstra";
    set_path(out, std::move(found));
}

terrane_code refuse_no_flood(terrane_error* error) { return refuse("the planner has no flood: call terrane_flood first", error); }

// Searches the nearest goal and writes the path to it. `goals` are cells or a terrain.
template <class Goals>
terrane_code nearest(terrane_planner& planner, terrane_cell from, const Goals& goals, const terrane_profile& profile, uint32_t movement,
                     terrane_path& path, terrane_error* error) {
    return search(
        planner, profile, movement, error, [&](GridSearch& s, const Ground& ground) { s.begin_nearest(ground, cell_of(from), goals); },
        [&](const GridSearch& s) {
            Path found;
            s.path(found);
            set_found(path, planner, std::move(found));
        });
}

}  // namespace

terrane_code terrane_find_nearest(terrane_planner* planner, terrane_cell from, const terrane_cell* goals, size_t count,
                                  const terrane_profile* profile, uint32_t movement, terrane_path* path, terrane_error* error) {
    if (planner == nullptr || profile == nullptr || path == nullptr || (goals == nullptr && count > 0)) return refuse_null(error);
    return guarded(error, [&] { return nearest(*planner, from, cells_of(goals, count), *profile, movement, *path, error); });
}

terrane_code terrane_find_nearest_terrain(terrane_planner* planner, terrane_cell from, uint32_t terrain, const terrane_profile* profile,
                                          uint32_t movement, terrane_path* path, terrane_error* error) {
    if (planner == nullptr || profile == nullptr || path == nullptr) return refuse_null(error);
    return guarded(error, [&] {
        const uint32_t terrains = planner->world->world.grid().catalogue().size();
        if (terrain >= terrains) return refuse_terrain(terrain, terrains, error);
        return nearest(*planner, from, static_cast<Terrain>(terrain), *profile, movement, *path, error);
    });
}

terrane_code terrane_find_costs(terrane_planner* planner, terrane_cell from, const terrane_cell* goals, size_t count,
                                const terrane_profile* profile, uint32_t movement, uint64_t* out, terrane_error* error) {
    if (planner == nullptr || profile == nullptr || ((goals == nullptr || out == nullptr) && count > 0)) return refuse_null(error);
    return guarded(error, [&] {
        const std::vector<Cell> cells = cells_of(goals, count);
        return search(
            *planner, *profile, movement, error, [&](GridSearch& s, const Ground& ground) { s.begin_many(ground, cell_of(from), cells); },
            [&](const GridSearch& s) { std::ranges::transform(cells, out, [&](Cell c) { return s.cost_to(c); }); });
    });
}

terrane_code terrane_flood(terrane_planner* planner, terrane_cell from, uint64_t max_cost, const terrane_profile* profile,
                           uint32_t movement, terrane_error* error) {
    if (planner == nullptr || profile == nullptr) return refuse_null(error);
    const Cost limit = max_cost == 0 ? kInfiniteCost : max_cost;
    return guarded(error, [&] {
        return search(
            *planner, *profile, movement, error, [&](GridSearch& s, const Ground& ground) { s.begin_flood(ground, cell_of(from), limit); },
            [&](const GridSearch&) { planner->has_flood = true; });
    });
}

size_t terrane_flood_cells(const terrane_planner* planner, terrane_reached_cell* out, size_t capacity, terrane_error* error) {
    if (planner == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        if (!planner->has_flood) return refuse_no_flood(error), 0;
        if (out == nullptr) return static_cast<size_t>(planner->reach->expansions());  // each cell is expanded once
        std::vector<ReachedCell> reached;
        planner->reach->reached(reached);
        ListWriter writer(out, capacity);
        for (const ReachedCell& r : reached) writer.add({cell_to(r.cell), r.cost});
        return writer.count();
    });
}

size_t terrane_flood_costs(const terrane_planner* planner, uint64_t* out, size_t capacity, terrane_error* error) {
    if (planner == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        if (!planner->has_flood) return refuse_no_flood(error), 0;
        planner->reach->costs({out, out == nullptr ? 0 : capacity});
        return static_cast<size_t>(planner->watcher.layout.cells());
    });
}

terrane_code terrane_flood_path(const terrane_planner* planner, terrane_cell to, terrane_path* path, terrane_error* error) {
    if (planner == nullptr || path == nullptr) return refuse_null(error);
    return guarded(error, [&] {
        if (!planner->has_flood) return refuse_no_flood(error);
        Path found;
        planner->reach->path_to(cell_of(to), found);
        set_found(*path, *planner, std::move(found));
        return terrane_code{TERRANE_OK};
    });
}
