// The map formats of this library, in the order in which detect() is called. Each is a `constinit const MapFormat` in terrane::detail,
// defined in its own source. To add a format, write that source and add a line here; docs/formats.md has an example.
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
