// Preparation of methods in C, path databases as files, and the portals of overlays.
#include "handles.h"
#include "terrane/base/file.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/prepared_cpd.h"
#include "terrane/overlay/prepared_overlay.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_preparation {
    std::shared_ptr<const terrane_world> world;
    Preparation preparation;
    bool done = false, installed = false;
};

namespace {

Result<PrepareOptions> prepare_options_of(const terrane_prepare_options* given) {
    const auto known = options_of(given, "terrane_prepare_options");
    if (!known) return known.error();
    const terrane_prepare_options& all = *known;
    const auto movement = movement_of(all.movement);
    if (!movement) return movement.error();
    std::string name(text_of(all.method));
    if (all.lower_bounds > 0) name = (name.empty() ? "overlay:3" : name) + "+lower_bounds:" + std::to_string(all.lower_bounds);
    auto method = method_of(name);
    if (!method) return method.error();
    if (*method && !prepares(*method))
        return Error{ErrorCode::kUnsupported, {}, 0, name + " has nothing to prepare: it answers queries without tables"};
    PrepareOptions options;
    options.method = std::move(*method);
    options.movement = *movement;
    options.max_bytes = static_cast<size_t>(std::min<uint64_t>(all.max_bytes, std::numeric_limits<size_t>::max()));
    return options;
}

// Checked options and the compiled profile.
struct Request {
    PrepareOptions options;
    CostTable costs;
};

Result<Request> request_of(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options) {
    if (world == nullptr || profile == nullptr) return Error{ErrorCode::kBadValue, {}, 0, "world or profile is NULL"};
    auto with = prepare_options_of(options);
    if (!with) return with.error();
    const auto costs = costs_of(*profile, *world);
    if (!costs) return costs.error();
    return Request{std::move(*with), *costs};
}

// Returns use(prepared data), or 0 if nothing is prepared.
template <class Use>
uint64_t with_prepared(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                       terrane_error* error, Use&& use) {
    return guarded_or<uint64_t>(0, error, [&]() -> uint64_t {
        const auto request = request_of(world, profile, options);
        if (!request) return refuse(request.error(), error), 0;
        const WorldSnapshot now = world->world.snapshot();
        const PreparedData* prepared = now.prepared(request->options.method, now.ground(request->costs, request->options.movement));
        return prepared == nullptr ? 0 : use(*prepared);
    });
}

// The bytes of the path database that is prepared.
Result<std::string> database_bytes(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options) {
    const auto request = request_of(world, profile, options);
    if (!request) return request.error();
    const WorldSnapshot now = world->world.snapshot();
    const PreparedData* prepared = now.prepared(request->options.method, now.ground(request->costs, request->options.movement));
    const PreparedCpd* data = prepared == nullptr ? nullptr : prepared->as<PreparedCpd>();
    if (data == nullptr) return Error{ErrorCode::kUnsupported, {}, 0, "no path database is prepared for this profile and movement rule"};
    return format_path_database(data->database);
}

// Installs the database that open(ground) returns.
template <class Open>
terrane_code install_database(terrane_world* world, const terrane_profile* profile, uint32_t movement, terrane_error* error, Open&& open) {
    if (world == nullptr || profile == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto ground = ground_of(*world, *profile, movement);
        if (!ground) return refuse(ground.error(), error);
        const Result<PathDatabase> database = open(*ground);
        if (!database) return refuse(database.error(), error);
        const auto data = prepared_path_database(*database, *ground);
        if (!data) return refuse(data.error(), error);
        const auto installed = world->world.install(*data);
        return installed ? terrane_code{TERRANE_OK} : refuse(installed.error(), error);
    });
}

}  // namespace

terrane_preparation* terrane_prepare_begin(const terrane_world* world, const terrane_profile* profile,
                                           const terrane_prepare_options* options, terrane_error* error) {
    return guarded_or<terrane_preparation*>(nullptr, error, [&]() -> terrane_preparation* {
        const auto request = request_of(world, profile, options);
        if (!request) return refuse(request.error(), error), nullptr;
        return new terrane_preparation{world->share(), Preparation(world->world.snapshot(), request->costs, request->options)};
    });
}

int32_t terrane_prepare_run(terrane_preparation* preparation, uint32_t budget) {
    if (preparation == nullptr) return 1;
    if (!preparation->done) preparation->done = preparation->preparation.run(budget_of(budget));
    return preparation->done ? 1 : 0;
}

double terrane_prepare_progress(const terrane_preparation* preparation) {
    if (preparation == nullptr) return 0;
    return preparation->done ? 1 : preparation->preparation.progress();
}

terrane_code terrane_prepare_install(terrane_preparation* preparation, terrane_world* world, terrane_error* error) {
    if (preparation == nullptr || world == nullptr) return refuse_null(error);
    if (preparation->world.get() != world) return refuse("the preparation is for another world", error);
    if (preparation->installed) return refuse("the preparation is already installed", error);
    if (!preparation->done) return refuse("the preparation is not finished: call terrane_prepare_run until it returns 1", error);
    return guarded(error, [&] {
        const auto installed = world->world.install(std::move(preparation->preparation));
        preparation->installed = true;
        return installed ? terrane_code{TERRANE_OK} : refuse(installed.error(), error);
    });
}

void terrane_prepare_free(terrane_preparation* preparation) { delete preparation; }

uint64_t terrane_prepared_bytes(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                                terrane_error* error) {
    return with_prepared(world, profile, options, error, [](const PreparedData& prepared) -> uint64_t { return prepared.bytes(); });
}

int32_t terrane_prepared_discard(terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                                 terrane_error* error) {
    return guarded_or<int32_t>(0, error, [&]() -> int32_t {
        const auto request = request_of(world, profile, options);
        if (!request) return refuse(request.error(), error), 0;
        return world->world.discard(request->options.method, request->costs, request->options.movement) ? 1 : 0;
    });
}

size_t terrane_path_database_save(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                                  void* out, size_t capacity, terrane_error* error) {
    return guarded_or<size_t>(0, error, [&]() -> size_t {
        const auto bytes = database_bytes(world, profile, options);
        if (!bytes) return refuse(bytes.error(), error), 0;
        if (out != nullptr && bytes->size() <= capacity) std::memcpy(out, bytes->data(), bytes->size());
        return bytes->size();
    });
}

terrane_code terrane_path_database_save_file(const terrane_world* world, const terrane_profile* profile,
                                             const terrane_prepare_options* options, const char* file, terrane_error* error) {
    if (file == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto bytes = database_bytes(world, profile, options);
        if (!bytes) return refuse(bytes.error(), error);
        const auto saved = write_file(file, *bytes);
        return saved ? terrane_code{TERRANE_OK} : refuse(saved.error(), error);
    });
}

terrane_code terrane_path_database_install(terrane_world* world, const terrane_profile* profile, uint32_t movement, const void* bytes,
                                           size_t size, const char* name, terrane_error* error) {
    if (bytes == nullptr && size > 0) return refuse_null(error);
    return install_database(world, profile, movement, error, [&](const Ground& ground) {
        return parse_path_database(std::string(static_cast<const char*>(bytes), size), ground, PathFileCheck::kAll, text_or_empty(name));
    });
}

terrane_code terrane_path_database_load(terrane_world* world, const terrane_profile* profile, uint32_t movement, const char* file,
                                        terrane_error* error) {
    if (file == nullptr) return refuse_null(error);
    return install_database(world, profile, movement, error, [&](const Ground& ground) { return open_path_database(file, ground); });
}

size_t terrane_overlay_portals(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                               terrane_cell* out, size_t capacity, terrane_error* error) {
    ListWriter writer(out, capacity);
    with_prepared(world, profile, options, error, [&](const PreparedData& prepared) -> uint64_t {
        const PreparedOverlay* data = prepared.as<PreparedOverlay>();
        if (data == nullptr) return 0;
        const detail::OverlayData& overlay = data->overlay.data();
        for (uint32_t s = 0; s < overlay.segment_count(); ++s) {
            for (const Cell c : overlay.segments[s]->portals) writer.add(cell_to(c));
        }
        return 0;
    });
    return writer.count();
}
