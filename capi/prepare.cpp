// What is prepared for one creature and method, and kept by the world.
#include "handles.h"
#include "terrane/overlay/overlay_data.h"

using namespace terrane;
using namespace terrane::capi;

struct terrane_preparation {
    const terrane_world* world;
    Preparation preparation;
    bool done = false, kept = false;
};

namespace {

Result<PrepareOptions> prepare_options_of(const terrane_prepare_options* given) {
    const auto known = options_of(given, "terrane_prepare_options");
    if (!known) return known.error();
    const terrane_prepare_options& all = *known;
    const auto movement = movement_of(all.movement);
    if (!movement) return movement.error();
    std::string name(text_of(all.method));
    if (all.certificates > 0) name = (name.empty() ? "overlay:2" : name) + "+certificates:" + std::to_string(all.certificates);
    auto method = method_of(name);
    if (!method) return method.error();
    if (*method && !prepares(*method)) return Error{ErrorCode::kUnsupported, {}, 0, name + " prepares nothing"};
    PrepareOptions options;
    options.method = std::move(*method);
    options.movement = *movement;
    options.max_bytes = static_cast<size_t>(std::min<uint64_t>(all.max_bytes, std::numeric_limits<size_t>::max()));
    return options;
}

// Options, and the costs that they are for.
struct Wanted {
    PrepareOptions options;
    CostTable costs;
};

Result<Wanted> wanted(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options) {
    if (world == nullptr || profile == nullptr) return Error{ErrorCode::kBadValue, {}, 0, "there is no world, or no profile"};
    auto with = prepare_options_of(options);
    if (!with) return with.error();
    const auto costs = costs_of(*profile, *world);
    if (!costs) return costs.error();
    return Wanted{std::move(*with), *costs};
}

// use(what is prepared), or 0 where nothing is.
template <class Use>
uint64_t with_prepared(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options, Use&& use) {
    return guarded_or<uint64_t>(0, nullptr, [&]() -> uint64_t {
        const auto asked = wanted(world, profile, options);
        if (!asked) return 0;
        const WorldSnapshot now = world->world.snapshot();
        const PreparedData* prepared = now.prepared(asked->options.method, now.ground(asked->costs, asked->options.movement));
        return prepared == nullptr ? 0 : use(*prepared);
    });
}

}  // namespace

terrane_preparation* terrane_prepare_begin(const terrane_world* world, const terrane_profile* profile,
                                           const terrane_prepare_options* options, terrane_error* error) {
    return guarded_or<terrane_preparation*>(nullptr, error, [&]() -> terrane_preparation* {
        const auto asked = wanted(world, profile, options);
        if (!asked) return refuse(asked.error(), error), nullptr;
        return new terrane_preparation{world, Preparation(world->world.snapshot(), asked->costs, asked->options)};
    });
}

int32_t terrane_prepare_run(terrane_preparation* preparation, uint32_t budget) {
    if (preparation == nullptr) return 1;
    if (!preparation->done) preparation->done = preparation->preparation.run(budget == 0 ? kUnlimited : budget);
    return preparation->done ? 1 : 0;
}

double terrane_prepare_progress(const terrane_preparation* preparation) {
    if (preparation == nullptr) return 0;
    return preparation->done ? 1 : preparation->preparation.progress();
}

terrane_code terrane_prepare_keep(terrane_preparation* preparation, terrane_world* world, terrane_error* error) {
    if (preparation == nullptr || world == nullptr) return refuse_null(error);
    if (preparation->world != world) return refuse("this was prepared for another world", error);
    if (!preparation->done || preparation->kept) return refuse(preparation->kept ? "this was kept already" : "this is not done yet", error);
    return guarded(error, [&] {
        const auto kept = world->world.keep(std::move(preparation->preparation));
        preparation->kept = true;
        return kept ? terrane_code{TERRANE_OK} : refuse(kept.error(), error);
    });
}

void terrane_prepare_free(terrane_preparation* preparation) { delete preparation; }

uint64_t terrane_prepared_bytes(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options) {
    return with_prepared(world, profile, options, [](const PreparedData& prepared) -> uint64_t { return prepared.bytes(); });
}

int32_t terrane_prepared_forget(terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options) {
    return guarded_or<int32_t>(0, nullptr, [&] {
        const auto asked = wanted(world, profile, options);
        return asked && world->world.forget(asked->options.method, asked->costs, asked->options.movement) ? 1 : 0;
    });
}

size_t terrane_overlay_portals(const terrane_world* world, const terrane_profile* profile, const terrane_prepare_options* options,
                               terrane_cell* out, size_t capacity) {
    ListWriter writer(out, capacity);
    with_prepared(world, profile, options, [&](const PreparedData& prepared) -> uint64_t {
        const OverlayData* data = prepared.as<OverlayData>();
        if (data == nullptr) return 0;
        const detail::OverlayRoot& root = data->overlay.root();
        for (uint32_t s = 0; s < root.segment_count(); ++s) {
            for (const Cell c : root.segments[s]->portals) writer.add(cell_to(c));
        }
        return 0;
    });
    return writer.count();
}
