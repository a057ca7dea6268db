// Explaining a path in C: cost shares, paths through an area, obstacles.
#include "planner_handle.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

// check_out(), with the status TERRANE_NOT_ASKED on failure.
terrane_code check_obstacle(terrane_obstacle* out, terrane_error* error) {
    const terrane_code code = check_out(out, "terrane_obstacle", error);
    if (code != TERRANE_OK) out->status = TERRANE_NOT_ASKED;
    return code;
}

}  // namespace

size_t terrane_path_shares(const terrane_path* path, const terrane_world* world, const terrane_profile* profile, terrane_share* out,
                           size_t capacity, terrane_error* error) {
    if (path == nullptr || world == nullptr || profile == nullptr) return refuse_null(error), 0;
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        const auto ground = ground_of(*world, *profile, TERRANE_EIGHT_NO_CORNER_CUTTING);
        if (!ground) return refuse(ground.error(), error), 0;
        ListWriter writer(out, capacity);
        for (const TerrainShare& s : path_shares(ground->grid(), ground->costs(), path->path.cells))
            writer.add({s.terrain, s.cells, s.cost});
        return writer.count();
    });
}

terrane_code terrane_find_through(terrane_planner* planner, terrane_cell from, terrane_cell to, terrane_rect area,
                                  const terrane_profile* profile, uint32_t movement, terrane_path* path, terrane_error* error) {
    if (planner == nullptr || profile == nullptr || path == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto ground = ground_of(*planner->world, *profile, movement);
        if (!ground) return refuse(ground.error(), error);
        set_path(*path, find_through(*ground, cell_of(from), cell_of(to), rect_of(area)));
        return TERRANE_OK;
    });
}

terrane_code terrane_find_obstacle(terrane_planner* planner, terrane_cell from, terrane_cell to, const terrane_profile* profile,
                                   uint32_t movement, terrane_path* path, terrane_obstacle* out, terrane_error* error) {
    if (planner == nullptr || profile == nullptr) return refuse_null(error);
    if (const terrane_code code = check_obstacle(out, error); code != TERRANE_OK) return code;
    return guarded(error, [&]() -> terrane_code {
        const auto ground = ground_of(*planner->world, *profile, movement);
        if (!ground) return refuse(ground.error(), error);
        Obstacle found = find_obstacle(*ground, cell_of(from), cell_of(to));
        terrane_obstacle result{};
        result.status = status_to(found.status);
        result.reached = found.reached;
        result.blocked = found.blocked;
        result.first = found.blocked > 0 ? cell_to(found.first) : terrane_cell{-1, -1};
        result.first_terrain = found.terrain;
        if (out != nullptr) static_cast<void>(write_struct(result, out));
        if (path != nullptr) set_path(*path, std::move(found.path));
        return TERRANE_OK;
    });
}
