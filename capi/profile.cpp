// Profiles in C: the terrain costs of an agent type.
#include "base/text.h"
#include "handles.h"

using namespace terrane;
using namespace terrane::capi;

namespace {

// A cost that is out of range here is also out of range for Profile, which reports it when it is compiled.
bool in_range(uint32_t hundredths) { return hundredths <= kMaxTerrainCost; }

// "person, deer, ..."
std::string presets() {
    std::string names;
    for (const Profile& preset : Profile::presets()) names.append(names.empty() ? "" : ", ").append(preset.name());
    return names;
}

}  // namespace

terrane_profile* terrane_profile_new(const char* name, terrane_error* error) {
    return guarded_or<terrane_profile*>(nullptr, error, [&] { return new terrane_profile{Profile(std::string(text_or_empty(name)))}; });
}

terrane_profile* terrane_profile_preset(const char* name, terrane_error* error) {
    return guarded_or<terrane_profile*>(nullptr, error, [&]() -> terrane_profile* {
        const Profile* preset = Profile::preset(text_or_empty(name));
        if (preset != nullptr) return new terrane_profile{*preset};
        return refuse(Error{ErrorCode::kUnknownName, {}, 0, "no preset " + detail::quote(text_or_empty(name)) + ": expected " + presets()},
                      error),
               nullptr;
    });
}

terrane_profile* terrane_profile_parse(const char* text, size_t size, const char* name, terrane_error* error) {
    if (text == nullptr && size > 0) return refuse_null(error), nullptr;
    return guarded_or<terrane_profile*>(nullptr, error, [&]() -> terrane_profile* {
        auto profile = parse_profile({text, size}, text_or_empty(name));
        if (!profile) return refuse(profile.error(), error), nullptr;
        return new terrane_profile{std::move(*profile)};
    });
}

void terrane_profile_free(terrane_profile* profile) { delete profile; }

void terrane_profile_cost(terrane_profile* profile, const char* terrain, uint32_t hundredths) {
    if (profile == nullptr) return;
    const auto add = [&] {
        if (in_range(hundredths)) {
            profile->profile.rule(text_or_empty(terrain), hundredths);
        } else {
            profile->profile.cost(text_or_empty(terrain), hundredths / 100.0);
        }
    };
    detail::catch_bad_alloc(add, [&] { profile->out_of_memory = true; });
}

void terrane_profile_otherwise(terrane_profile* profile, uint32_t hundredths) {
    if (profile == nullptr) return;
    if (in_range(hundredths)) {
        profile->profile.otherwise_rule(hundredths);
    } else {
        profile->profile.otherwise(hundredths / 100.0);
    }
}

terrane_code terrane_profile_costs(const terrane_profile* profile, const terrane_world* world, uint32_t out[256], terrane_error* error) {
    if (profile == nullptr || world == nullptr || out == nullptr) return refuse_null(error);
    return guarded(error, [&]() -> terrane_code {
        const auto costs = costs_of(*profile, *world);
        if (!costs) return refuse(costs.error(), error);
        for (uint32_t t = 0; t < 256; ++t) out[t] = costs->hundredths(static_cast<Terrain>(t));
        return TERRANE_OK;
    });
}
