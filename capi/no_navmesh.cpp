// Navigation meshes in C, in a build without them: each function fails.
#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

terrane_code refuse_navmesh(terrane_error* error) {
    return guarded(error, [&] { return refuse({ErrorCode::kUnsupported, {}, 0, "this build has no navigation meshes"}, error); });
}

template <class T>
terrane_code refuse_navmesh(T* out, terrane_error* error, const T& refused = {}) {
    if (out != nullptr) static_cast<void>(write_struct(refused, out, refused));
    return refuse_navmesh(error);
}

}  // namespace

int32_t terrane_navmesh_supported() { return 0; }
terrane_navmesh* terrane_navmesh_build(const terrane_position*, size_t, const uint32_t*, size_t, const uint8_t*, const char*,
                                       const terrane_navmesh_options*, terrane_error* error) {
    return refuse_navmesh(error), nullptr;
}
terrane_navmesh* terrane_navmesh_new(const terrane_navmesh_params*, const char*, terrane_error* error) {
    return refuse_navmesh(error), nullptr;
}
terrane_navmesh* terrane_navmesh_from_bytes(const void*, size_t, const char*, terrane_error* error) {
    return refuse_navmesh(error), nullptr;
}
terrane_navmesh* terrane_navmesh_load(const char*, terrane_error* error) { return refuse_navmesh(error), nullptr; }
void terrane_navmesh_free(terrane_navmesh*) {}
size_t terrane_navmesh_save(const terrane_navmesh*, void*, size_t, terrane_error* error) { return refuse_navmesh(error), 0; }
terrane_code terrane_navmesh_save_file(const terrane_navmesh*, const char*, terrane_error* error) { return refuse_navmesh(error); }
terrane_code terrane_navmesh_get_info(const terrane_navmesh*, terrane_navmesh_info* out, terrane_error* error) {
    return refuse_navmesh(out, error);
}
terrane_code terrane_navmesh_get_area(const terrane_navmesh*, uint32_t, terrane_terrain* out, terrane_error* error) {
    return refuse_navmesh(out, error);
}
size_t terrane_navmesh_triangles(const terrane_navmesh*, terrane_navmesh_triangle*, size_t) { return 0; }
size_t terrane_navmesh_tiles(const terrane_navmesh*, terrane_navmesh_tile*, size_t) { return 0; }
size_t terrane_navmesh_tile_data(const terrane_navmesh*, int32_t, int32_t, int32_t, void*, size_t, terrane_error* error) {
    return refuse_navmesh(error), 0;
}
terrane_code terrane_navmesh_add_tile(terrane_navmesh*, const void*, size_t, terrane_navmesh_tile*, terrane_error* error) {
    return refuse_navmesh(error);
}
terrane_code terrane_navmesh_remove_tile(terrane_navmesh*, int32_t, int32_t, int32_t, terrane_error* error) {
    return refuse_navmesh(error);
}
terrane_code terrane_navmesh_set_area(terrane_navmesh*, terrane_position, terrane_position, uint32_t, uint32_t, uint32_t*,
                                      terrane_error* error) {
    return refuse_navmesh(error);
}
uint32_t terrane_navmesh_add_cylinder(terrane_navmesh*, terrane_position, float, float, terrane_error* error) {
    return refuse_navmesh(error), 0;
}
uint32_t terrane_navmesh_add_box(terrane_navmesh*, terrane_position, terrane_position, terrane_error* error) {
    return refuse_navmesh(error), 0;
}
terrane_code terrane_navmesh_remove_obstacle(terrane_navmesh*, uint32_t, terrane_error* error) { return refuse_navmesh(error); }
terrane_code terrane_navmesh_update(terrane_navmesh*, uint32_t, uint32_t*, terrane_error* error) { return refuse_navmesh(error); }
int32_t terrane_navmesh_up_to_date(const terrane_navmesh*) { return 0; }
uint32_t terrane_navmesh_method_count() { return 0; }
const char* terrane_navmesh_method_usage(uint32_t) { return nullptr; }
const char* terrane_navmesh_method_summary(uint32_t) { return nullptr; }
terrane_code terrane_navmesh_filter_of(const terrane_navmesh*, const terrane_profile*, terrane_navmesh_filter* out, terrane_error* error) {
    return refuse_navmesh(out, error);
}
terrane_navmesh_planner* terrane_navmesh_planner_new(const terrane_navmesh*, terrane_error* error) {
    return refuse_navmesh(error), nullptr;
}
void terrane_navmesh_planner_free(terrane_navmesh_planner*) {}
terrane_navmesh_path* terrane_navmesh_path_new(terrane_error* error) { return refuse_navmesh(error), nullptr; }
void terrane_navmesh_path_free(terrane_navmesh_path*) {}
terrane_code terrane_navmesh_find(terrane_navmesh_planner*, terrane_position, terrane_position, const terrane_navmesh_filter*,
                                  const terrane_navmesh_find_options*, terrane_navmesh_path*, terrane_error* error) {
    return refuse_navmesh(error);
}
terrane_code terrane_navmesh_begin(terrane_navmesh_planner*, terrane_position, terrane_position, const terrane_navmesh_filter*,
                                   const terrane_navmesh_find_options*, terrane_error* error) {
    return refuse_navmesh(error);
}
terrane_status terrane_navmesh_run(terrane_navmesh_planner*, uint32_t) { return TERRANE_NOT_ASKED; }
size_t terrane_navmesh_ready(const terrane_navmesh_planner*, terrane_position*, size_t) { return 0; }
terrane_code terrane_navmesh_take(const terrane_navmesh_planner*, terrane_navmesh_path*, terrane_error* error) {
    return refuse_navmesh(error);
}
terrane_code terrane_navmesh_path_get_info(const terrane_navmesh_path*, terrane_navmesh_path_info* out, terrane_error* error) {
    terrane_navmesh_path_info none{};
    none.status = TERRANE_NOT_ASKED;
    return refuse_navmesh(out, error, none);
}
size_t terrane_navmesh_path_points(const terrane_navmesh_path*, terrane_position*, size_t) { return 0; }
size_t terrane_navmesh_path_polygons(const terrane_navmesh_path*, uint32_t*, size_t) { return 0; }
