// Subdivisions in JSON. Our own form:
//
//     {"vertices": [[0, 0], [4, 0], [4, 3], [0, 3]],
//      "polygons": [{"corners": [0, 1, 2], "cost": 2.5}, {"corners": [0, 2, 3], "blocked": true}]}
//
// And GeoJSON (RFC 7946): polygons and multipolygons, in features whose properties have a `cost` or `blocked: true`.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/base/result.h"
#include "terrane/weighted_regions/subdivision.h"

namespace terrane {

inline constexpr uint64_t kMaxSubdivisionBytes = uint64_t{1} << 27;

// Text of either form; GeoJSON is known by its `type`. Its rings may go either way around; corners within the tolerance of one another
// are one vertex, and vertices are numbered as they first appear. Coordinates are taken as they are, as if the Earth were flat; heights
// are ignored.
// Refused with file, reason and, where the text is no JSON, line: what make_subdivision refuses; what is missing or of the wrong type, with
// the number of the polygon, counted from 0; polygons with holes; brackets nested deeper than 64. Needs nlohmann-json: without it,
// kUnsupported.
Result<Subdivision> parse_subdivision(std::string_view text, std::string_view file = {});

// Limit: kMaxSubdivisionBytes.
Result<Subdivision> load_subdivision(const std::string& path);

// In our own form, numbers to the last bit: what is read again is the same.
std::string format_subdivision(const Subdivision& subdivision);
Result<Done> save_subdivision(const Subdivision& subdivision, const std::string& path);

}  // namespace terrane
