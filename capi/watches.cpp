// Watched paths in C: edits report the paths that they break.
#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

uint64_t terrane_world_watch(terrane_world* world, const terrane_path* path, terrane_error* error) {
    if (world == nullptr || path == nullptr) return refuse_null(error), 0;
    return guarded_or<uint64_t>(0, error, [&] { return world->world.watch(path->path); });
}

terrane_code terrane_world_unwatch(terrane_world* world, uint64_t id, terrane_error* error) {
    if (world == nullptr) return refuse_null(error);
    return guarded(error, [&] {
        return world->world.unwatch(id) ? terrane_code{TERRANE_OK} : refuse("there is no watch " + std::to_string(id), error);
    });
}

uint32_t terrane_world_watched(const terrane_world* world) { return world == nullptr ? 0 : static_cast<uint32_t>(world->world.watched()); }

size_t terrane_world_broken(const terrane_world* world, uint64_t* out, size_t capacity) {
    return world == nullptr ? 0 : copy_list<uint64_t>(world->broken, out, capacity);
}
