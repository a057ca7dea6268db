// dtTileCache silently drops what exceeds its fixed arrays: 8 tiles per obstacle, 64 requests, 64 tiles to rebuild. So requests are queued
// here and submitted in small batches.
#include "terrane/navmesh/navmesh_obstacles.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourTileCache.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/catch_bad_alloc.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/building/layer_rle.h"
#include "navmesh/building/tile_grid.h"
#include "navmesh/building/tile_layers.h"
#include "terrane/base/memory.h"

namespace terrane {

using detail::LayerData;

static_assert(kMaxObstacleTiles == DT_MAX_TOUCHED_TILES);

namespace {

constexpr uint32_t kBatch = 8;  // requests; 8 tiles each, so at most 64 tiles to rebuild

Error refuse_obstacle(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

// Sets areas, flags and off-mesh connections of a tile, as build_tile() does.
class MeshProcess final : public dtTileCacheMeshProcess {
public:
    MeshProcess(const detail::BuildConfig& config, uint32_t max_polygons) : config_(config), max_polygons_(max_polygons) {}

    void process(dtNavMeshCreateParams* params, unsigned char* areas, unsigned short* flags) override {
        for (int i = 0; i < params->polyCount; ++i) {
            areas[i] = detail::detour_area(areas[i]);
            flags[i] = config_.flags[areas[i]];
        }
        detail::set_off_mesh_links(config_.links, *params);
        params->buildBvTree = true;
        const auto polygons = static_cast<uint64_t>(params->polyCount) + static_cast<uint64_t>(params->offMeshConCount);
        if (polygons > max_polygons_) params->polyCount = 0;  // makes Detour fail and keep the old tile
    }

private:
    const detail::BuildConfig& config_;
    uint64_t max_polygons_;
};

// An obstacle, expanded by the agent: it blocks every position of the agent's feet inside of it.
struct ObstacleShape {
    bool box = false;
    Vec3 low, high;  // bounding box
    float radius = 0;
};

struct Request {
    ObstacleId id = 0;
    ObstacleShape shape;
    dtObstacleRef remove = 0;  // 0: add the shape
};

struct FreeCache {
    void operator()(dtTileCache* cache) const { dtFreeTileCache(cache); }
};

bool is_within_limits(Vec3 v) {
    const auto is_valid = [](float c) { return std::abs(c) <= kMaxNavmeshCoordinate; };  // false for NaN
    return is_valid(v.x) && is_valid(v.y) && is_valid(v.z);
}

dtTileCacheParams cache_params(const detail::TilePlan& plan, uint32_t layers) {
    const rcConfig& config = plan.config.recast;
    dtTileCacheParams p{};
    p.orig[0] = plan.grid.left;
    p.orig[1] = plan.lowest;
    p.orig[2] = plan.grid.near;
    p.cs = config.cs;
    p.ch = config.ch;
    p.width = p.height = config.tileSize;
    p.walkableHeight = plan.config.agent_height;
    p.walkableRadius = plan.config.agent_radius;
    // Detour divides by the cell height and rounds down; the margin keeps whole cells whole.
    p.walkableClimb = std::max(plan.config.agent_climb, (static_cast<float>(config.walkableClimb) + 0.01f) * config.ch);
    p.maxSimplificationError = config.maxSimplificationError;
    p.maxTiles = static_cast<int>(layers);
    p.maxObstacles = static_cast<int>(kMaxObstacles + kBatch);
    return p;
}

}  // namespace

struct NavmeshObstacles::Impl {
    Impl(detail::TilePlan tile_plan, uint32_t layers, Navmesh mesh)
        : plan(std::move(tile_plan)),
          navmesh(std::move(mesh)),
          process(plan.config, detail::polygons_per_tile(layers)),
          cache(dtAllocTileCache()) {}

    bool init(uint32_t layers) {
        const dtTileCacheParams params = cache_params(plan, layers);
        return cache != nullptr && dtStatusSucceed(cache->init(&params, &alloc, &compressor, &process));
    }

    // Adds the layers of one tile, lowest first, and builds them. The cache takes ownership of the data.
    std::optional<Error> add_layers(std::vector<LayerData>& layers) {
        for (LayerData& layer : layers) {
            dtCompressedTileRef ref = 0;
            unsigned char* data = layer.data.release();
            if (dtStatusFailed(cache->addTile(data, layer.size, DT_COMPRESSEDTILE_FREE_DATA, &ref))) {
                layer.data.reset(data);
                return refuse_obstacle(ErrorCode::kTooLarge, "Detour rejected a layer");
            }
            bytes += static_cast<size_t>(layer.size);
            if (const dtStatus status = cache->buildNavMeshTile(ref, &navmesh.mesh()); dtStatusFailed(status)) return tile_error(status);
        }
        return std::nullopt;
    }

    static Error tile_error(dtStatus status) {
        if (dtStatusDetail(status, DT_OUT_OF_MEMORY)) return refuse_obstacle(ErrorCode::kNoMemory, "out of memory for a tile");
        return refuse_obstacle(ErrorCode::kTooLarge, "a tile has more polygons than Detour can address: decrease tile_size");
    }

    // Counts up to kMaxObstacleTiles + 1.
    uint32_t count_touched_tiles(const ObstacleShape& shape) const {
        const float low[] = {shape.low.x, shape.low.y, shape.low.z}, high[] = {shape.high.x, shape.high.y, shape.high.z};
        dtCompressedTileRef found[kMaxObstacleTiles + 1];
        int count = 0;
        cache->queryTiles(low, high, found, &count, static_cast<int>(kMaxObstacleTiles) + 1);
        return static_cast<uint32_t>(count);
    }

    Result<ObstacleId> add(ObstacleShape shape) {
        if (!is_within_limits(shape.low) || !is_within_limits(shape.high))
            return refuse_obstacle(ErrorCode::kBadValue, "the obstacle is not finite or too far from the origin");
        if (refs.size() >= kMaxObstacles)
            return refuse_obstacle(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxObstacles) + " obstacles");
        expand_by_agent(shape);
        const uint32_t tiles = count_touched_tiles(shape);
        if (tiles > kMaxObstacleTiles) {
            return refuse_obstacle(ErrorCode::kTooLarge,
                                   "the obstacle touches more than " + std::to_string(kMaxObstacleTiles) + " tiles: split it");
        }
        refs.emplace(next, 0);
        if (tiles > 0) {
            detail::catch_bad_alloc(
                [&] {
                    requests.push_back({next, shape});
                },
                [&] {
                    refs.erase(next);
                    detail::throw_bad_alloc();
                });
        }
        return next++;
    }

    // Expands by the agent radius sideways and by the agent height downwards, so floors with enough clearance below stay walkable.
    void expand_by_agent(ObstacleShape& shape) const {
        const float radius = plan.config.agent_radius;
        shape.radius += radius;
        shape.low = {shape.low.x - radius, shape.low.y - plan.config.agent_height + plan.config.recast.ch, shape.low.z - radius};
        shape.high = {shape.high.x + radius, shape.high.y, shape.high.z + radius};
    }

    bool remove(ObstacleId id) {
        const auto found = refs.find(id);
        if (found == refs.end()) return false;
        if (found->second != 0) requests.push_back({id, {}, found->second});
        std::erase_if(requests, [&](const Request& r) { return r.id == id && r.remove == 0; });
        refs.erase(found);
        return true;
    }

    void submit(const Request& request) {
        if (request.remove != 0) {
            cache->removeObstacle(request.remove);
            return;
        }
        const ObstacleShape& s = request.shape;
        const float low[] = {s.low.x, s.low.y, s.low.z}, high[] = {s.high.x, s.high.y, s.high.z};
        const float foot[] = {(s.low.x + s.high.x) / 2, s.low.y, (s.low.z + s.high.z) / 2};
        dtObstacleRef ref = 0;
        if (s.box) {
            cache->addBoxObstacle(low, high, &ref);
        } else {
            cache->addObstacle(foot, s.radius, s.high.y - s.low.y, &ref);
        }
        refs[request.id] = ref;
    }

    void submit_batch() {
        const auto count = static_cast<ptrdiff_t>(std::min<size_t>(requests.size(), kBatch));
        std::for_each(requests.begin(), requests.begin() + count, [&](const Request& r) { submit(r); });
        requests.erase(requests.begin(), requests.begin() + count);
    }

    Result<uint32_t> update(uint32_t max_tiles) {
        uint32_t rebuilt = 0;
        dtStatus failed = 0;
        while (rebuilt < max_tiles && !(idle && requests.empty())) {
            if (idle) submit_batch();
            if (const dtStatus status = cache->update(0, &navmesh.mesh(), &idle); dtStatusFailed(status)) failed = status;
            ++rebuilt;
        }
        return dtStatusFailed(failed) ? Result<uint32_t>(tile_error(failed)) : rebuilt;
    }

    detail::TilePlan plan;
    Navmesh navmesh;
    dtTileCacheAlloc alloc;
    detail::LayerRle compressor;
    MeshProcess process;
    std::unique_ptr<dtTileCache, FreeCache> cache;
    std::map<ObstacleId, dtObstacleRef> refs;  // 0: not submitted yet
    std::vector<Request> requests;
    bool idle = true;  // the cache has no work left
    ObstacleId next = 1;
    size_t bytes = 0;
};

NavmeshObstacles::NavmeshObstacles(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
NavmeshObstacles::~NavmeshObstacles() = default;
NavmeshObstacles::NavmeshObstacles(NavmeshObstacles&&) noexcept = default;
NavmeshObstacles& NavmeshObstacles::operator=(NavmeshObstacles&&) noexcept = default;

Navmesh& NavmeshObstacles::navmesh() { return impl_->navmesh; }
const Navmesh& NavmeshObstacles::navmesh() const { return impl_->navmesh; }

Result<ObstacleId> NavmeshObstacles::add(const CylinderObstacle& c) {
    if (!(c.radius > 0 && c.height > 0)) return refuse_obstacle(ErrorCode::kBadValue, "cylinder: expected a positive radius and height");
    const Vec3 low{c.foot.x - c.radius, c.foot.y, c.foot.z - c.radius}, high{c.foot.x + c.radius, c.foot.y + c.height, c.foot.z + c.radius};
    return impl_->add({false, low, high, c.radius});
}

Result<ObstacleId> NavmeshObstacles::add(const BoxObstacle& box) {
    if (!(box.low.x < box.high.x && box.low.y < box.high.y && box.low.z < box.high.z)) {
        return refuse_obstacle(ErrorCode::kBadValue, "box: expected low < high along each axis");
    }
    return impl_->add({true, box.low, box.high, 0});
}

bool NavmeshObstacles::remove(ObstacleId obstacle) { return impl_->remove(obstacle); }
uint32_t NavmeshObstacles::size() const { return static_cast<uint32_t>(impl_->refs.size()); }
Result<uint32_t> NavmeshObstacles::update(uint32_t max_tiles) { return impl_->update(max_tiles); }
bool NavmeshObstacles::is_up_to_date() const { return impl_->idle && impl_->requests.empty(); }
size_t NavmeshObstacles::bytes() const { return impl_->bytes; }

Result<uint32_t> NavmeshObstacles::update(NavmeshAbstraction& regions, uint32_t max_tiles) {
    auto rebuilt = update(max_tiles);
    update_regions(regions);
    return rebuilt;
}

Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh& mesh, const NavmeshBuildOptions& options,
                                                      const NavmeshAreas& areas, const TileProgress& progress) {
    auto plan = detail::plan_tiles(mesh, options, areas);
    if (!plan) return plan.error();
    if (plan->config.recast.tileSize > detail::kMaxLayerCells) {
        return refuse_obstacle(ErrorCode::kBadValue, "tile_size: expected at most 255 cells per side for a mesh with obstacles");
    }
    auto tiles = detail::build_tiles(*plan, mesh, options.threads, progress, detail::build_tile_layers);
    plan->lists = {};  // frees memory
    uint32_t layers = 0;
    for (const auto& tile : tiles) {
        if (!*tile) return tile->error();
        layers += static_cast<uint32_t>((*tile)->size());
    }
    if (layers == 0)
        return refuse_obstacle(ErrorCode::kBadValue,
                               "no walkable surface: the triangles are too steep, too low, too narrow or upside down");
    if (layers > kMaxNavmeshTiles)
        return refuse_obstacle(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxNavmeshTiles) + " layers");
    auto empty = detail::empty_mesh(*plan, layers);
    if (!empty) return empty.error();
    Catalogue names = areas.catalogue;
    auto impl = std::make_unique<NavmeshObstacles::Impl>(std::move(*plan), layers, Navmesh(empty->release(), std::move(names)));
    if (!impl->init(layers)) return refuse_obstacle(ErrorCode::kTooLarge, "Detour failed to initialise the tile cache");
    for (auto& tile : tiles) {
        if (auto error = impl->add_layers(**tile)) return *std::move(error);
    }
    return NavmeshObstacles(std::move(impl));
}

uint32_t update_regions(NavmeshAbstraction& regions) {
    const dtNavMesh& mesh = regions.mesh();
    const MeshView view(mesh);
    uint32_t changed = 0;
    for (uint32_t slot = 0; slot < regions.slots(); ++slot) {
        if (view.is_same(slot, regions.tile(slot))) continue;
        regions.tile_changed(mesh.encodePolyId(view.tile(slot).salt, slot, 0));
        ++changed;
    }
    return changed;
}

}  // namespace terrane
