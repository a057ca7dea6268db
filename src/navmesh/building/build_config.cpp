#include "navmesh/building/build_config.h"

#include <recastnavigation/DetourNavMesh.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "io/navmesh_area_checks.h"

namespace terrane::detail {

namespace {

// Recast's limits: 8 bits for the clearance, and for twice the distance to the border.
constexpr float kMaxHeightCells = 255;
constexpr float kMaxRadiusCells = 100;
constexpr float kMinCell = 0.01f, kMaxCell = 100;
constexpr int kMinTileCells = 8, kMaxTileCells = 1024;
constexpr uint32_t kMaxRegionCells = 1u << 20;
constexpr int kBorderCells = 3;         // beyond the agent radius, as in Recast's tiled sample
constexpr float kDetailCells = 6;       // between height samples
constexpr double kSlack = 1.0 / 16384;  // so that 0.6 / 0.3 is two cells despite rounding

Error refuse(std::string reason) { return {ErrorCode::kBadValue, {}, 0, std::move(reason)}; }

// False for NaN.
bool within(float value, float low, float high) { return value >= low && value <= high; }

int cells_up(float metres, float cell) { return static_cast<int>(std::ceil(double{metres} / double{cell} - kSlack)); }
int cells_down(float metres, float cell) { return static_cast<int>(std::floor(double{metres} / double{cell} + kSlack)); }

struct Range {
    const char* what;
    float value, low, high;
};

Result<void> check_options(const NavmeshBuildOptions& o) {
    const Range ranges[] = {{"cell_size", o.cell_size, kMinCell, kMaxCell},
                            {"cell_height", o.cell_height, kMinCell, kMaxCell},
                            {"tile_size", o.tile_size, kMinTileCells * o.cell_size, kMaxTileCells * o.cell_size},
                            {"agent_height", o.agent_height, o.cell_height, kMaxHeightCells * o.cell_height},
                            {"agent_radius", o.agent_radius, 0, kMaxRadiusCells * o.cell_size},
                            {"agent_climb", o.agent_climb, 0, kMaxHeightCells * o.cell_height},
                            {"agent_slope", o.agent_slope, 0, 89.9f},
                            {"edge_length", o.edge_length, 0, kMaxNavmeshCoordinate},
                            {"edge_error", o.edge_error, 0, 100}};
    for (const Range& r : ranges) {
        if (within(r.value, r.low, r.high)) continue;
        return refuse(std::string(r.what) + " is " + std::to_string(r.value) + ": expected " + std::to_string(r.low) + " to " +
                      std::to_string(r.high) + " at this cell size");
    }
    if (o.polygon_corners < 3 || o.polygon_corners > DT_VERTS_PER_POLYGON) return refuse("polygon_corners: expected 3 to 6");
    if (o.region_cells > kMaxRegionCells || o.merge_cells > kMaxRegionCells)
        return refuse("region_cells and merge_cells: expected at most 1048576");
    return {};
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
    c.tileSize = std::clamp(static_cast<int>(std::round(double{o.tile_size} / double{o.cell_size})), kMinTileCells, kMaxTileCells);
    c.borderSize = c.walkableRadius + kBorderCells;
    c.width = c.height = c.tileSize + c.borderSize * 2;
    c.detailSampleDist = o.cell_size * kDetailCells;
    c.detailSampleMaxError = o.cell_height;
    return c;
}

Result<Terrain> find_area(const Catalogue& catalogue, const std::string& name) {
    if (const auto area = catalogue.find(name)) return *area;
    return Error{ErrorCode::kUnknownName, {}, 0, "unknown area " + quote(name)};
}

Result<void> add_volumes(BuildConfig& config, const NavmeshAreas& areas) {
    for (size_t i = 0; i < areas.volumes.size(); ++i) {
        const AreaVolume& volume = areas.volumes[i];
        const std::string where = "volume " + std::to_string(i) + ": ";
        if (const std::string reason = defect_of(volume); !reason.empty()) return refuse(where + reason);
        BuildVolume out;
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
        config.volumes.push_back(std::move(out));
    }
    return {};
}

Result<void> add_links(BuildConfig& config, const NavmeshAreas& areas) {
    BuildLinks& links = config.links;
    for (size_t i = 0; i < areas.links.size(); ++i) {
        const OffMeshLink& link = areas.links[i];
        const std::string where = "link " + std::to_string(i) + ": ";
        if (const std::string reason = defect_of(link); !reason.empty()) return refuse(where + reason);
        const auto area = find_area(areas.catalogue, link.area);
        if (!area) return Error{area.error().code, {}, 0, where + area.error().reason};
        links.ends.insert(links.ends.end(), {link.from.x, link.from.y, link.from.z, link.to.x, link.to.y, link.to.z});
        links.radius.push_back(link.radius);
        links.flags.push_back(config.flags[*area]);
        links.area.push_back(*area);
        links.direction.push_back(link.two_way ? DT_OFFMESH_CON_BIDIR : 0);
        links.id.push_back(static_cast<uint32_t>(i));
    }
    return {};
}

}  // namespace

Result<BuildConfig> make_build_config(const NavmeshBuildOptions& options, const NavmeshAreas& areas) {
    if (const auto checked = check_options(options); !checked) return checked.error();
    if (areas.catalogue.size() >= kMaxNavmeshAreas) return refuse("more than 63 areas");
    if (areas.flags.size() > areas.catalogue.size()) return refuse("flags for more areas than the catalogue has");
    const auto default_area = find_area(areas.catalogue, options.default_area);
    if (!default_area) return default_area.error();
    BuildConfig config;
    config.recast = make_config(options);
    config.tile_side = static_cast<float>(config.recast.tileSize) * options.cell_size;
    config.default_area = *default_area;
    config.areas = areas.catalogue.size();
    config.flags.fill(1);
    std::ranges::copy(areas.flags, config.flags.begin());
    config.agent_height = options.agent_height;
    config.agent_radius = options.agent_radius;
    config.agent_climb = options.agent_climb;
    config.detail = options.detail;
    if (const auto added = add_volumes(config, areas); !added) return added.error();
    if (const auto added = add_links(config, areas); !added) return added.error();
    return config;
}

}  // namespace terrane::detail
