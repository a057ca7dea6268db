// Catalogues of terrains that come with a name and little else.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "terrane/grid/terrain.h"

namespace terrane::detail {

struct NamedTerrain {
    std::string name;
    std::optional<Rgb> colour;  // made up where there is none
};

// Catalogue::standard() or octile(), where that has all the names. Else one of these terrains in their order (a name that
// comes again adds nothing), each with its letter in the standard catalogue, the next that is free, or none.
Result<Catalogue> catalogue_of(std::span<const NamedTerrain> terrains);

}  // namespace terrane::detail
