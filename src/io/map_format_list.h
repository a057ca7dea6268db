// The map formats of this library, in the order in which their detect() is tried. Each is a `constinit const MapFormat` that its own source
// defines in terrane::detail: to add a format, write that source and add its line here. docs/formats.md has an example.
#pragma once
#include "terrane/io/map_formats.h"

// clang-format off
#define TERRANE_MAP_FORMATS(FORMAT) \
    FORMAT(kMovingAiFormat)         \
    FORMAT(kTerraneFormat)          \
    FORMAT(kPngFormat)              \
    FORMAT(kTiledFormat)
// clang-format on

namespace terrane::detail {

#define TERRANE_DECLARE_FORMAT(format) extern const MapFormat format;
TERRANE_MAP_FORMATS(TERRANE_DECLARE_FORMAT)
#undef TERRANE_DECLARE_FORMAT

}  // namespace terrane::detail
