#include "terrane/grid/terrain.h"

#include <algorithm>

#include "base/text.h"

namespace terrane {

namespace {

bool well_formed(std::string_view name) {
    return !name.empty() && name.size() <= kMaxTerrainName &&
           std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
}

Catalogue make(std::initializer_list<TerrainType> types) {
    Catalogue catalogue;
    for (const TerrainType& type : types) static_cast<void>(catalogue.add(type).value());
    return catalogue;
}

}  // namespace

const Catalogue& Catalogue::standard() {
    // clang-format off
    static const Catalogue catalogue = make({
        {"black", 'A', {38, 36, 42}},
        {"deep_water", 'B', {46, 74, 116}},
        {"water", 'C', {78, 118, 168}},
        {"river", 'D', {104, 154, 204}},
        {"swamp", 'E', {84, 104, 92}},
        {"ground", 'F', {166, 142, 104}},
        {"trees", 'G', {76, 122, 70}},
        {"road", 'H', {206, 172, 110}},
        {"desert", 'I', {222, 206, 160}},
        {"ice", 'J', {214, 232, 240}},
        {"jungle", 'K', {50, 104, 78}},
        {"plains", 'L', {154, 180, 104}},
        {"blight", 'M', {112, 92, 118}},
        {"tundra", 'N', {184, 190, 166}},
        {"mountain", 'O', {136, 132, 130}},
        {"hills", 'P', {142, 146, 94}},
        {"fire", 'Q', {226, 96, 30}},
        {"lava", 'R', {178, 34, 24}},
        {"bridge", 'S', {146, 100, 60}},
    });
    // clang-format on
    return catalogue;
}

const Catalogue& Catalogue::octile() {
    // clang-format off
    static const Catalogue catalogue = make({
        {"ground", '.', {216, 208, 190}},
        {"grass", 'G', {170, 190, 120}},
        {"wall", '@', {44, 44, 50}},
        {"void", 'O', {26, 26, 30}},
        {"trees", 'T', {66, 108, 64}},
        {"swamp", 'S', {110, 124, 92}},
        {"water", 'W', {88, 132, 178}},
    });
    // clang-format on
    return catalogue;
}

Result<Terrain> Catalogue::add(TerrainType type) {
    const auto refuse = [](ErrorCode code, std::string reason) { return Error{code, {}, 0, std::move(reason)}; };
    if (!well_formed(type.name)) {
        return refuse(ErrorCode::kBadValue,
                      "invalid terrain name " + detail::quote(type.name) + ": expected 1 to 32 characters of a-z, 0-9 and _");
    }
    if (find(type.name)) return refuse(ErrorCode::kBadValue, "duplicate terrain name '" + type.name + "'");
    if (type.letter != 0 && find_letter(type.letter)) {
        return refuse(ErrorCode::kBadValue, "duplicate terrain letter " + detail::quote({&type.letter, 1}));
    }
    if (size() == kMaxTerrains) return refuse(ErrorCode::kTooLarge, "a catalogue has at most 255 terrains");
    types_.push_back(std::move(type));
    return static_cast<Terrain>(size() - 1);
}

std::optional<Terrain> Catalogue::find(std::string_view name) const {
    const auto it = std::ranges::find(types_, name, &TerrainType::name);
    if (it == types_.end()) return std::nullopt;
    return static_cast<Terrain>(it - types_.begin());
}

std::optional<Terrain> Catalogue::find_letter(char letter) const {
    const auto it = std::ranges::find_if(types_, [&](const TerrainType& t) { return t.letter == letter && letter != 0; });
    if (it == types_.end()) return std::nullopt;
    return static_cast<Terrain>(it - types_.begin());
}

}  // namespace terrane
