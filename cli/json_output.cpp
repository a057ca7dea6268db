#include "cli/json_output.h"

#include <algorithm>
#include <map>

namespace terrane::cli {

Json envelope(const char* verb) { return {{"terrane", TERRANE_VERSION}, {"verb", verb}}; }

Json envelope(const char* verb, const std::string& map_file, const GridLayout& layout) {
    Json json = envelope(verb);
    json["map"] = map_json(map_file, layout);
    return json;
}

Json map_json(const std::string& file, const GridLayout& layout) {
    return {{"file", file}, {"width", layout.width}, {"height", layout.height}};
}

Json cell_json(Cell cell) { return Json::array({cell.x, cell.y}); }

Json point_json(Point point) { return Json::array({point.x, point.y}); }

Json cells_json(std::span<const Cell> cells) {
    auto json = Json::array();
    for (const Cell cell : cells) json.push_back(cell_json(cell));
    return json;
}

Json points_json(std::span<const Point> points) {
    auto json = Json::array();
    for (const Point point : points) json.push_back(point_json(point));
    return json;
}

bool has_cells(const Path& path) { return path.status == Status::kFound || path.status == Status::kPartial; }

void add_outcome(Json& json, const Path& path) {
    json["status"] = to_string(path.status);
    if (!has_cells(path)) return;
    json["cost_cells"] = to_real(path.cost);
    json["cells"] = path.cells.size();
}

std::vector<std::pair<Terrain, size_t>> terrain_counts(const GridSnapshot& grid, std::span<const Cell> cells) {
    std::map<Terrain, size_t> counts;
    for (const Cell c : cells) ++counts[grid.at(c)];
    std::vector<std::pair<Terrain, size_t>> sorted(counts.begin(), counts.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) { return std::pair(b.second, a.first) < std::pair(a.second, b.first); });
    return sorted;
}

Json terrains_json(const GridSnapshot& grid, std::span<const std::pair<Terrain, size_t>> counts) {
    auto json = Json::array();
    for (const auto& [terrain, cells] : counts) json.push_back({{"terrain", grid.catalogue()[terrain].name}, {"cells", cells}});
    return json;
}

Json regions_json(const TerrainRegions& regions) {
    const auto bytes = static_cast<double>(regions.bytes());
    return {{"sector", regions.sector() == kWholeMap ? "map" : std::to_string(regions.sector())},
            {"regions", regions.region_count()},
            {"edges", regions.edge_count()},
            {"bytes", regions.bytes()},
            {"bytes_per_cell", bytes / static_cast<double>(regions.grid().layout().cells())}};
}

void add_written(Json& json, std::initializer_list<std::string> files) {
    for (const std::string& file : files) {
        if (!file.empty()) json["written"].push_back(file);
    }
}

}  // namespace terrane::cli
