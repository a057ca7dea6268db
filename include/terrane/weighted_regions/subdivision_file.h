// Reads and writes subdivisions as JSON. Terrane's own format:
//
//     {"vertices": [[0, 0], [4, 0], [4, 3], [0, 3]],
//      "polygons": [{"corners": [0, 1, 2], "cost": 2.5}, {"corners": [0, 2, 3], "blocked": true}]}
//
// GeoJSON (RFC 7946): polygons and multipolygons, in features whose properties have `cost` or `blocked: true`.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

inline constexpr uint64_t kMaxSubdivisionBytes = uint64_t{1} << 27;

// Parses text of either format; a `type` member marks GeoJSON. GeoJSON rings may have either orientation; corners within the tolerance of
// one another become one vertex, and vertices are numbered in order of first appearance. Coordinates are taken as planar; heights are
// ignored.
// Errors name the file, the reason and, for malformed JSON, the line. Rejected: everything that make_subdivision rejects; missing members
// or wrong types, with the index of the polygon, from 0; polygons with holes; brackets nested deeper than 64. kUnsupported if the library
// was built without nlohmann-json.
Result<Subdivision> parse_subdivision(std::string_view text, std::string_view file = {});

// As parse_subdivision, for a file of at most kMaxSubdivisionBytes.
Result<Subdivision> load_subdivision(const std::string& path);

// Terrane's own format. Numbers round-trip: parsing the text gives the same bits.
std::string format_subdivision(const Subdivision& subdivision);
Result<void> save_subdivision(const Subdivision& subdivision, const std::string& path);

}  // namespace terrane
