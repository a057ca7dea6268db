#include "navmesh/building/navmesh_recipe.h"

#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "io/navmesh_area_checks.h"

namespace terrane::detail {

namespace {

// Of what Recast can take: eight bits of clearance, and of twice the distance to a wall.
constexpr float kMaxHeightCells = 255;
constexpr float kMaxRadiusCells = 100;
constexpr float kLeastCell = 0.01f, kMostCell = 100;
constexpr int kLeastTileCells = 8, kMostTileCells = 1024;
constexpr uint32_t kMostRegionCells = 1u << 20;
constexpr int kBorderCells = 3;         // beyond the agent's radius, as Recast's own tiles have it
constexpr float kDetailCells = 6;       // between samples of height
constexpr double kSlack = 1.0 / 16384;  // 0.6 / 0.3 is two cells, whatever floats make of it

Error refuse(std::string reason) { return {ErrorCode::kBadValue, {}, 0, std::move(reason)}; }

// Not for NaN.
bool within(float value, float low, float high) { return value >= low && value <= high; }

int cells_up(float metres, float cell) { return static_cast<int>(std::ceil(double{metres} / double{cell} - kSlack)); }
int cells_down(float metres, float cell) { return static_cast<int>(std::floor(double{metres} / double{cell} + kSlack)); }

struct Range {
    const char* what;
    float value, low, high;
};

Result<Done> check_options(const NavmeshBuildOptions& o) {
    const Range ranges[] = {{"cell_size", o.cell_size, kLeastCell, kMostCell},
                            {"cell_height", o.cell_height, kLeastCell, kMostCell},
                            {"tile_size", o.tile_size, kLeastTileCells * o.cell_size, kMostTileCells * o.cell_size},
                            {"agent_height", o.agent_height, o.cell_height, kMaxHeightCells * o.cell_height},
                            {"agent_radius", o.agent_radius, 0, kMaxRadiusCells * o.cell_size},
                            {"agent_climb", o.agent_climb, 0, kMaxHeightCells * o.cell_height},
                            {"agent_slope", o.agent_slope, 0, 89.9f},
                            {"edge_length", o.edge_length, 0, kMaxNavmeshCoordinate},
                            {"edge_error", o.edge_error, 0, 100}};
    for (const Range& r : ranges) {
        if (within(r.value, r.low, r.high)) continue;
        return refuse(std::string(r.what) + " is " + std::to_string(r.value) + "; with these cells it may be " + std::to_string(r.low) +
                      " to " + std::to_string(r.high));
    }
    if (o.polygon_corners < 3 || o.polygon_corners > DT_VERTS_PER_POLYGON) return refuse("polygon_corners may be 3 to 6");
    if (o.region_cells > kMostRegionCells || o.merge_cells > kMostRegionCells) return refuse("region_cells and merge_cells are too large");
    return Done{};
}

rcConfig make_config(const NavmeshBuildOptions& o) {
    rcConfig c{};
    c.cs = o.cell_size;
    c.ch = o.cell_height;
    c.walkableSlopeAngle = o.agent_slope;
    c.walkableHeight = std::max(3, cells_up(o.agent_height, o.cell_height));
    c.walkableClimb = cells_down(o.agent_climb, o.cell_height);
    c.walkableRadius = cells_up(o.agent_radius, o.cell_size);
    c.maxEdgeLen = cells_down(o.edge_length, o.cell_size);
    c.maxSimplificationError = o.edge_error;
    c.minRegionArea = static_cast<int>(o.region_cells);
    c.mergeRegionArea = static_cast<int>(o.merge_cells);
    c.maxVertsPerPoly = static_cast<int>(o.polygon_corners);
    c.tileSize = std::clamp(static_cast<int>(std::round(double{o.tile_size} / double{o.cell_size})), kLeastTileCells, kMostTileCells);
    c.borderSize = c.walkableRadius + kBorderCells;
    c.width = c.height = c.tileSize + c.borderSize * 2;
    c.detailSampleDist = o.cell_size * kDetailCells;
    c.detailSampleMaxError = o.cell_height;
    return c;
}

Result<Terrain> find_area(const Catalogue& catalogue, const std::string& name) {
    if (const auto area = catalogue.find(name)) return *area;
    return Error{ErrorCode::kUnknownName, {}, 0, "no area " + quote(name)};
}

Result<Done> add_volumes(Recipe& recipe, const NavmeshAreas& areas) {
    for (size_t i = 0; i < areas.volumes.size(); ++i) {
        const AreaVolume& volume = areas.volumes[i];
        const std::string where = "volume " + std::to_string(i) + ": ";
        if (const std::string reason = complaint(volume); !reason.empty()) return refuse(where + reason);
        RecipeVolume out;
        out.low = volume.low;
        out.high = volume.high;
        if (volume.area != kNoArea) {
            const auto area = find_area(areas.catalogue, volume.area);
            if (!area) return Error{area.error().code, {}, 0, where + area.error().reason};
            out.area = recast_area(*area);
        }
        out.outline.reserve(volume.outline.size() * 3);
        for (const Point p : volume.outline) {
            out.outline.insert(out.outline.end(), {static_cast<float>(p.x), volume.low, static_cast<float>(p.y)});
        }
        recipe.volumes.push_back(std::move(out));
    }
    return Done{};
}

Result<Done> add_links(Recipe& recipe, const NavmeshAreas& areas) {
    RecipeLinks& links = recipe.links;
    for (size_t i = 0; i < areas.links.size(); ++i) {
        const OffMeshLink& link = areas.links[i];
        const std::string where = "link " + std::to_string(i) + ": ";
        if (const std::string reason = complaint(link); !reason.empty()) return refuse(where + reason);
        const auto area = find_area(areas.catalogue, link.area);
        if (!area) return Error{area.error().code, {}, 0, where + area.error().reason};
        links.ends.insert(links.ends.end(), {link.from.x, link.from.y, link.from.z, link.to.x, link.to.y, link.to.z});
        links.radius.push_back(link.radius);
        links.flags.push_back(recipe.flags[*area]);
        links.area.push_back(*area);
        links.direction.push_back(link.two_way ? DT_OFFMESH_CON_BIDIR : 0);
        links.id.push_back(static_cast<uint32_t>(i));
    }
    return Done{};
}

}  // namespace

Result<Recipe> make_recipe(const NavmeshBuildOptions& options, const NavmeshAreas& areas) {
    if (const auto checked = check_options(options); !checked) return checked.error();
    if (areas.catalogue.size() >= kMaxNavmeshAreas) return refuse("more than 63 areas");
    if (areas.flags.size() > areas.catalogue.size()) return refuse("flags for more areas than there are");
    const auto ground = find_area(areas.catalogue, options.ground);
    if (!ground) return ground.error();
    Recipe recipe;
    recipe.config = make_config(options);
    recipe.tile_side = static_cast<float>(recipe.config.tileSize) * options.cell_size;
    recipe.ground = *ground;
    recipe.areas = areas.catalogue.size();
    recipe.flags.fill(1);
    std::ranges::copy(areas.flags, recipe.flags.begin());
    recipe.agent_height = options.agent_height;
    recipe.agent_radius = options.agent_radius;
    recipe.agent_climb = options.agent_climb;
    recipe.detail = options.detail;
    if (const auto added = add_volumes(recipe, areas); !added) return added.error();
    if (const auto added = add_links(recipe, areas); !added) return added.error();
    return recipe;
}

}  // namespace terrane::detail
