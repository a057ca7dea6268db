// Navigation meshes whose tiles are rebuilt where the map changed. A cell is a square metre. A margin around the map keeps the mesh
// non-empty and its bounds constant.
#include <map>
#include <set>

#include "selftest/structures.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#include "terrane/navmesh/navmesh_obstacles.h"

namespace terrane::selftest {

namespace {

constexpr float kVoxel = 0.5f;
constexpr int32_t kAround = 4;  // metres of margin; much narrower strips are not walkable

NavmeshBuildOptions options_of(uint32_t choice) {
    NavmeshBuildOptions options;
    options.cell_size = kVoxel;
    options.tile_size = (choice & 1) != 0 ? 4 : 8;
    options.agent_radius = (choice & 2) != 0 ? 0.5f : 0;
    options.detail = (choice & 4) != 0;
    options.region_cells = 0;
    return options;
}

void add_square(TriangleMesh& mesh, int32_t left, int32_t near, int32_t right, int32_t far, float y, Terrain area) {
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    for (const auto& [x, z] : {std::pair(left, near), {left, far}, {right, far}, {right, near}}) {
        mesh.vertices.push_back({static_cast<float>(x), y, static_cast<float>(z)});
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
    mesh.triangles.push_back({first, first + 2, first + 3});
    mesh.areas.insert(mesh.areas.end(), 2, area);
}

// Whether the abstraction equals one built from the current mesh.
bool has_regions_of(const NavmeshAbstraction& regions, const Navmesh& navmesh) {
    return regions.is_current() && regions == NavmeshAbstraction(navmesh.mesh());
}

// A square for each passable cell, with area and height by its terrain, and off-mesh links. Rebuilt tiles must equal those of a new mesh.
class Tiles final : public Structure {
public:
    Tiles(const Ground& on, uint32_t choice)
        : grid_(on.grid()),
          costs_(on.costs()),
          options_(options_of(choice)),
          areas_(areas_on(on.grid())),
          navmesh_(build_navmesh(ground(), options_, areas_).value()),
          regions_(navmesh_.mesh()) {}
    void update(const EditResult& edit) override {
        grid_ = edit.after;
        // A tile depends on its surroundings up to the agent's radius and three voxels.
        const float margin = options_.agent_radius + 3 * kVoxel;
        const auto tile = [&](float metres) { return static_cast<int32_t>((metres + kAround) / options_.tile_size); };
        std::set<std::pair<int32_t, int32_t>> tiles;
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain) {
            const Cell c = grid_.layout().cell(id);
            const auto left = static_cast<float>(c.x), near = static_cast<float>(c.y);
            for (int32_t y = tile(near - margin); y <= tile(near + 1 + margin); ++y) {
                for (int32_t x = tile(left - margin); x <= tile(left + 1 + margin); ++x) tiles.emplace(x, y);
            }
        });
        const TriangleMesh mesh = ground();
        for (const auto& [x, y] : tiles) rebuild_tile(navmesh_, mesh, options_, areas_, x, y).value();
        for (const auto& [x, y] : tiles) regions_.tile_changed(x, y, 0);
    }
    bool is_as_new() const override {
        return format_navmesh(navmesh_) == format_navmesh(build_navmesh(ground(), options_, areas_).value()) &&
               has_regions_of(regions_, navmesh_);
    }

private:
    static NavmeshAreas areas_on(const GridSnapshot& grid) {
        NavmeshAreas areas;
        const auto x = static_cast<float>(grid.width()) / 2, z = static_cast<float>(grid.height()) / 2;
        areas.links = {{{x, 0, z}, {x + 3, 0, z}, 0.6f, true, "road"}, {{x, 0, z - 1}, {x, 0, z - 4}, 0.6f, false, "road"}};
        return areas;
    }
    TriangleMesh ground() const {
        TriangleMesh mesh;
        const int32_t right = grid_.width(), far = grid_.height();
        add_square(mesh, -kAround, -kAround, right + kAround, 0, 0, 0);
        add_square(mesh, -kAround, far, right + kAround, far + kAround, 0, 0);
        add_square(mesh, -kAround, 0, 0, far, 0, 0);
        add_square(mesh, right, 0, right + kAround, far, 0, 0);
        for (int32_t y = 0; y < far; ++y) {
            for (int32_t x = 0; x < right; ++x) {
                const Terrain t = grid_.at(Cell{x, y});
                const auto area = static_cast<Terrain>(t % areas_.catalogue.size());
                if (costs_.passable(t)) add_square(mesh, x, y, x + 1, y + 1, 0.3f * static_cast<float>(t % 5), area);
            }
        }
        return mesh;
    }

    GridSnapshot grid_;
    CostTable costs_;
    NavmeshBuildOptions options_;
    NavmeshAreas areas_;
    Navmesh navmesh_;
    NavmeshAbstraction regions_;
};

// A flat level. A cell that becomes blocked receives an obstacle, which is removed when the cell becomes passable. The mesh must equal that
// of a new level with the same obstacles.
class Obstacles final : public Structure {
public:
    Obstacles(const Ground& on, uint32_t choice)
        : costs_(on.costs()),
          options_(options_of(choice)),
          at_a_time_(choice < 4 ? kAllTiles : 1),
          level_(level(on.grid())),
          regions_(level_.navmesh().mesh()),
          grid_(on.grid()) {}
    void update(const EditResult& edit) override {
        grid_ = edit.after;
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain after) {
            const auto there = obstacles_.find(id);
            if (!costs_.passable(after) && there == obstacles_.end() && obstacles_.size() < kMaxObstacles) {
                obstacles_[id] = add(level_, id);
            } else if (costs_.passable(after) && there != obstacles_.end()) {
                level_.remove(there->second);
                obstacles_.erase(there);
            }
        });
        while (!level_.is_up_to_date()) level_.update(regions_, at_a_time_).value();
    }
    bool is_as_new() const override {
        NavmeshObstacles fresh = level(grid_);
        for (const auto& [id, obstacle] : obstacles_) add(fresh, id);
        fresh.update().value();
        return format_navmesh(level_.navmesh()) == format_navmesh(fresh.navmesh()) && has_regions_of(regions_, level_.navmesh());
    }

private:
    NavmeshObstacles level(const GridSnapshot& grid) const {
        TriangleMesh mesh;
        add_square(mesh, -kAround, -kAround, grid.width() + kAround, grid.height() + kAround, 0, 0);
        return build_navmesh_with_obstacles(mesh, options_).value();
    }
    ObstacleId add(NavmeshObstacles& to, CellId id) const {
        const auto x = static_cast<float>(grid_.layout().x(id)), z = static_cast<float>(grid_.layout().y(id));
        if (id % 2 == 0) return to.add(BoxObstacle{{x, 0, z}, {x + 1, 1.5f, z + 1}}).value();
        return to.add(CylinderObstacle{{x + 0.5f, 0, z + 0.5f}, 0.7f, 1.5f}).value();
    }

    CostTable costs_;
    NavmeshBuildOptions options_;
    uint32_t at_a_time_;  // tiles per update
    NavmeshObstacles level_;
    NavmeshAbstraction regions_;
    GridSnapshot grid_;
    std::map<CellId, ObstacleId> obstacles_;
};

}  // namespace

std::vector<StructureKind> navmesh_kinds() { return {{"navmesh tiles", 8, make<Tiles>}, {"navmesh obstacles", 8, make<Obstacles>}}; }

}  // namespace terrane::selftest
