// Builds catalogues from terrain names.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/grid/terrain.h"

namespace terrane::detail {

struct NamedTerrain {
    std::string name;
    std::optional<Rgb> colour;  // generated if missing
};

// Returns Catalogue::standard() or octile() if it has all the names. Otherwise returns a catalogue of these terrains in order, without
// duplicates; each has its letter of the standard catalogue, the next free letter, or none.
Result<Catalogue> catalogue_of(std::span<const NamedTerrain> terrains);

}  // namespace terrane::detail
