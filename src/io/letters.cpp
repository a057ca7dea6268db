#include "io/letters.h"

#include "terrane/base/rng.h"

namespace terrane::detail {

namespace {

bool all_octile(const LetterSet& used) {
    for (size_t byte = 0; byte < used.size(); ++byte) {
        if (used[byte] && !is_octile(static_cast<char>(byte))) return false;
    }
    return true;
}

// A type named after its id, with the id's letter. The colour is pseudo-random, neither dark nor pale.
TerrainType generated_type(uint32_t id) {
    const uint64_t bits = mix64(id);
    const auto channel = [&](int shift) { return static_cast<uint8_t>(72 + (bits >> shift) % 136); };
    return {
        "terrain_" + std::to_string(id), static_cast<char>(kFirstLetter + static_cast<int>(id)), {channel(0), channel(16), channel(32)}};
}

Catalogue lettered_catalogue(const LetterSet& used) {
    uint32_t types = 0;
    for (int letter = kFirstLetter; letter <= kLastLetter; ++letter) {
        if (used[static_cast<size_t>(letter)]) types = static_cast<uint32_t>(letter - kFirstLetter) + 1;
    }
    Catalogue catalogue = Catalogue::standard();
    while (catalogue.size() < types) static_cast<void>(catalogue.add(generated_type(catalogue.size())).value());
    return catalogue;
}

}  // namespace

bool is_octile(char letter) { return Catalogue::octile().find_letter(letter).has_value(); }

Catalogue implied_catalogue(const LetterSet& used, Letters letters) {
    if (letters == Letters::kGuess) letters = all_octile(used) ? Letters::kOctile : Letters::kTerrain;
    return letters == Letters::kOctile ? Catalogue::octile() : lettered_catalogue(used);
}

}  // namespace terrane::detail
