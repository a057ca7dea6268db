// The JSON output of the verbs: the envelope, and the objects that several verbs share. docs/json.md explains the names and units;
// docs/json.schema.json defines every verb's output, and tests/cli/json_schema.py checks that every verb conforms to it.
//
// A value that does not exist, such as the cost of a path that was not found, has no key; null is never written.
#pragma once
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/plane.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/path.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane::cli {

using Json = nlohmann::ordered_json;

// {"terrane": version, "verb": "world save"}: the first keys of every output.
Json envelope(const char* verb);
// The same with "map", for verbs that read a map.
Json envelope(const char* verb, const std::string& map_file, const GridLayout& layout);

// {"file", "width", "height"}
Json map_json(const std::string& file, const GridLayout& layout);
// [x, y]
Json cell_json(Cell cell);
Json point_json(Point point);
// [[x, y], ...]
Json cells_json(std::span<const Cell> cells);
Json points_json(std::span<const Point> points);

// Whether the path has cells and a cost.
bool has_cells(const Path& path);
// Adds "status" and, if there is a path, "cost_cells" and "cells", the number of its cells.
void add_outcome(Json& json, const Path& path);

// One object per terrain of the path, most cells first: {"terrain", "cells"}.
std::vector<std::pair<Terrain, size_t>> terrain_counts(const GridSnapshot& grid, std::span<const Cell> cells);
Json terrains_json(const GridSnapshot& grid, std::span<const std::pair<Terrain, size_t>> counts);

// {"sector", "regions", "edges", "bytes", "bytes_per_cell"}
Json regions_json(const TerrainRegions& regions);

// Adds "written": the names of the files that the verb wrote. Leaves out empty names, and the key if none is left.
void add_written(Json& json, std::initializer_list<std::string> files);

}  // namespace terrane::cli
