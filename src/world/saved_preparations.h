// The section of a world file that lists the prepared data of the world (docs/formats.md).
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/world/world_io.h"

namespace terrane::detail {

inline constexpr std::array<char, 4> kPreparedTag{'P', 'R', 'E', 'P'};
inline constexpr size_t kMaxSavedPreparations = 256;

// Leaves out data of methods that find_method() does not know and of custom movement rules. Empty if nothing is left. Fails for more than
// kMaxSavedPreparations.
Result<std::string> format_preparations(const WorldSnapshot& world);
// Fails, with the reason, for anything that format_preparations() does not write.
Result<std::vector<SavedPreparation>> parse_preparations(std::string_view bytes, const Catalogue& catalogue, std::string_view file);

}  // namespace terrane::detail
