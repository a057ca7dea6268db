#include "io/named.h"

#include <algorithm>

#include "io/letters.h"
#include "terrane/base/rng.h"

namespace terrane::detail {

namespace {

bool has_all(const Catalogue& catalogue, std::span<const NamedTerrain> terrains) {
    return std::ranges::all_of(terrains, [&](const NamedTerrain& t) { return catalogue.find(t.name).has_value(); });
}

// A pseudo-random colour, neither dark nor pale, determined by the name.
Rgb generated_colour(std::string_view name) {
    uint64_t bits = 0;
    for (const char c : name) bits = mix64(bits + static_cast<uint8_t>(c));
    const auto channel = [&](int shift) { return static_cast<uint8_t>(72 + (bits >> shift) % 136); };
    return {channel(0), channel(16), channel(32)};
}

// The next letter used by neither the catalogue nor the standard one: `T` to `~`, then `!` to `@`. 0 if none is left.
char free_letter(const Catalogue& catalogue) {
    const auto taken = [&](char c) { return catalogue.find_letter(c) || Catalogue::standard().find_letter(c); };
    for (char c = kFirstLetter; c <= kLastLetter; ++c) {
        if (!taken(c)) return c;
    }
    for (char c = '!'; c < kFirstLetter; ++c) {
        if (!taken(c)) return c;
    }
    return 0;
}

}  // namespace

Result<Catalogue> catalogue_of(std::span<const NamedTerrain> terrains) {
    for (const Catalogue& known : {Catalogue::standard(), Catalogue::octile()}) {
        if (has_all(known, terrains)) return known;
    }
    Catalogue catalogue;
    for (const NamedTerrain& terrain : terrains) {
        if (catalogue.find(terrain.name)) continue;
        const auto standard = Catalogue::standard().find(terrain.name);
        TerrainType type{terrain.name, standard ? Catalogue::standard()[*standard].letter : free_letter(catalogue), {}};
        type.colour = terrain.colour ? *terrain.colour
                      : standard     ? Catalogue::standard()[*standard].colour
                                     : generated_colour(terrain.name);
        const auto added = catalogue.add(std::move(type));
        if (!added) return added.error();
    }
    return catalogue;
}

}  // namespace terrane::detail
