// A dtTileCache forgets silently what does not fit its arrays: 8 tiles of an obstacle, 64 requests, 64 tiles to make again. So requests
// wait here, and are handed over a few at a time.
#include "terrane/navmesh/navmesh_obstacles.h"

#include <recastnavigation/DetourNavMesh.h>
#include <recastnavigation/DetourNavMeshBuilder.h>
#include <recastnavigation/DetourTileCache.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/attempt.h"
#include "navmesh/abstraction/mesh_view.h"
#include "navmesh/building/layer_coder.h"
#include "navmesh/building/tile_grid.h"
#include "navmesh/building/tile_layers.h"
#include "terrane/base/memory.h"

namespace terrane {

using detail::LayerData;

static_assert(kMaxObstacleTiles == DT_MAX_TOUCHED_TILES);

namespace {

constexpr uint32_t kBatch = 8;  // requests at a time: no more than 64 tiles

Error refuse_obstacle(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

// Gives polygons their areas and flags, and tiles their links, as the plain builder does.
class MeshProcess final : public dtTileCacheMeshProcess {
public:
    MeshProcess(const detail::Recipe& recipe, uint32_t most) : recipe_(recipe), most_(most) {}

    void process(dtNavMeshCreateParams* params, unsigned char* areas, unsigned short* flags) override {
        for (int i = 0; i < params->polyCount; ++i) {
            areas[i] = detail::detour_area(areas[i]);
            flags[i] = recipe_.flags[areas[i]];
        }
        detail::describe_links(recipe_.links, *params);
        params->buildBvTree = true;
        const auto polygons = static_cast<uint64_t>(params->polyCount) + static_cast<uint64_t>(params->offMeshConCount);
        if (polygons > most_) params->polyCount = 0;  // refused then, and the tile is left as it was
    }

private:
    const detail::Recipe& recipe_;
    uint64_t most_;
};

// What is in the way of an agent whose feet are in it: obstacles, grown by the agent.
struct ObstacleShape {
    bool box = false;
    Vec3 low, high;  // around it
    float radius = 0;
};

struct Request {
    ObstacleId id = 0;
    ObstacleShape shape;
    dtObstacleRef remove = 0;  // 0: to be added
};

struct FreeCache {
    void operator()(dtTileCache* cache) const { dtFreeTileCache(cache); }
};

bool on_the_map(Vec3 v) {
    const auto sound = [](float c) { return std::abs(c) <= kMaxNavmeshCoordinate; };  // not NaN
    return sound(v.x) && sound(v.y) && sound(v.z);
}

dtTileCacheParams cache_params(const detail::TilePlan& plan, uint32_t layers) {
    const rcConfig& config = plan.recipe.config;
    dtTileCacheParams p{};
    p.orig[0] = plan.grid.left;
    p.orig[1] = plan.lowest;
    p.orig[2] = plan.grid.near;
    p.cs = config.cs;
    p.ch = config.ch;
    p.width = p.height = config.tileSize;
    p.walkableHeight = plan.recipe.agent_height;
    p.walkableRadius = plan.recipe.agent_radius;
    // It divides by a cell's height and rounds down: whole cells must stay whole.
    p.walkableClimb = std::max(plan.recipe.agent_climb, (static_cast<float>(config.walkableClimb) + 0.01f) * config.ch);
    p.maxSimplificationError = config.maxSimplificationError;
    p.maxTiles = static_cast<int>(layers);
    p.maxObstacles = static_cast<int>(kMaxObstacles + kBatch);
    return p;
}

}  // namespace

struct NavmeshObstacles::Impl {
    Impl(detail::TilePlan made, uint32_t layers, Navmesh mesh)
        : plan(std::move(made)),
          navmesh(std::move(mesh)),
          process(plan.recipe, detail::polygons_per_tile(layers)),
          cache(dtAllocTileCache()) {}

    bool init(uint32_t layers) {
        const dtTileCacheParams params = cache_params(plan, layers);
        return cache != nullptr && dtStatusSucceed(cache->init(&params, &alloc, &coder, &process));
    }

    // Those of one tile, from the lowest. The cache takes over the data.
    std::optional<Error> add_layers(std::vector<LayerData>& layers) {
        for (LayerData& layer : layers) {
            dtCompressedTileRef ref = 0;
            unsigned char* data = layer.data.release();
            if (dtStatusFailed(cache->addTile(data, layer.size, DT_COMPRESSEDTILE_FREE_DATA, &ref))) {
                layer.data.reset(data);
                return refuse_obstacle(ErrorCode::kTooLarge, "Detour could not take a layer");
            }
            bytes += static_cast<size_t>(layer.size);
            if (const dtStatus status = cache->buildNavMeshTile(ref, &navmesh.mesh()); dtStatusFailed(status)) return why_not(status);
        }
        return std::nullopt;
    }

    // A tile could not be made.
    static Error why_not(dtStatus status) {
        if (dtStatusDetail(status, DT_OUT_OF_MEMORY)) return refuse_obstacle(ErrorCode::kNoMemory, "there was no memory for a tile");
        return refuse_obstacle(ErrorCode::kTooLarge, "a tile has more pieces than Detour can number: make tiles smaller");
    }

    // 0 to one more than may be touched.
    uint32_t touched(const ObstacleShape& shape) const {
        const float low[] = {shape.low.x, shape.low.y, shape.low.z}, high[] = {shape.high.x, shape.high.y, shape.high.z};
        dtCompressedTileRef found[kMaxObstacleTiles + 1];
        int count = 0;
        cache->queryTiles(low, high, found, &count, static_cast<int>(kMaxObstacleTiles) + 1);
        return static_cast<uint32_t>(count);
    }

    Result<ObstacleId> add(ObstacleShape shape) {
        if (!on_the_map(shape.low) || !on_the_map(shape.high))
            return refuse_obstacle(ErrorCode::kBadValue, "an obstacle too far away, or no number");
        if (refs.size() >= kMaxObstacles)
            return refuse_obstacle(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxObstacles) + " obstacles");
        grow(shape);
        const uint32_t tiles = touched(shape);
        if (tiles > kMaxObstacleTiles) {
            return refuse_obstacle(ErrorCode::kTooLarge,
                                   "an obstacle touches more than " + std::to_string(kMaxObstacleTiles) + " tiles: use several");
        }
        refs.emplace(next, 0);
        if (tiles > 0) {
            detail::attempt(
                [&] {
                    requests.push_back({next, shape});
                },
                [&] {
                    refs.erase(next);
                    detail::no_memory();
                });
        }
        return next++;
    }

    // By the agent, so that its feet stand clear; floors that the obstacle hangs higher above than the agent is are left alone.
    void grow(ObstacleShape& shape) const {
        const float aside = plan.recipe.agent_radius;
        shape.radius += aside;
        shape.low = {shape.low.x - aside, shape.low.y - plan.recipe.agent_height + plan.recipe.config.ch, shape.low.z - aside};
        shape.high = {shape.high.x + aside, shape.high.y, shape.high.z + aside};
    }

    bool remove(ObstacleId id) {
        const auto found = refs.find(id);
        if (found == refs.end()) return false;
        if (found->second != 0) requests.push_back({id, {}, found->second});
        std::erase_if(requests, [&](const Request& r) { return r.id == id && r.remove == 0; });
        refs.erase(found);
        return true;
    }

    void hand_over(const Request& request) {
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

    void hand_over_some() {
        const auto count = static_cast<ptrdiff_t>(std::min<size_t>(requests.size(), kBatch));
        std::for_each(requests.begin(), requests.begin() + count, [&](const Request& r) { hand_over(r); });
        requests.erase(requests.begin(), requests.begin() + count);
    }

    Result<uint32_t> update(uint32_t most) {
        uint32_t made = 0;
        dtStatus failed = 0;
        while (made < most && !(idle && requests.empty())) {
            if (idle) hand_over_some();
            if (const dtStatus status = cache->update(0, &navmesh.mesh(), &idle); dtStatusFailed(status)) failed = status;
            ++made;
        }
        return dtStatusFailed(failed) ? Result<uint32_t>(why_not(failed)) : made;
    }

    detail::TilePlan plan;
    Navmesh navmesh;
    dtTileCacheAlloc alloc;
    detail::LayerCoder coder;
    MeshProcess process;
    std::unique_ptr<dtTileCache, FreeCache> cache;
    std::map<ObstacleId, dtObstacleRef> refs;  // 0: not handed over
    std::vector<Request> requests;
    bool idle = true;  // the cache
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
    if (!(c.radius > 0 && c.height > 0)) return refuse_obstacle(ErrorCode::kBadValue, "a cylinder without radius or height");
    const Vec3 low{c.foot.x - c.radius, c.foot.y, c.foot.z - c.radius}, high{c.foot.x + c.radius, c.foot.y + c.height, c.foot.z + c.radius};
    return impl_->add({false, low, high, c.radius});
}

Result<ObstacleId> NavmeshObstacles::add(const BoxObstacle& box) {
    if (!(box.low.x < box.high.x && box.low.y < box.high.y && box.low.z < box.high.z)) {
        return refuse_obstacle(ErrorCode::kBadValue, "a box whose low corner is not below its high one");
    }
    return impl_->add({true, box.low, box.high, 0});
}

bool NavmeshObstacles::remove(ObstacleId obstacle) { return impl_->remove(obstacle); }
uint32_t NavmeshObstacles::size() const { return static_cast<uint32_t>(impl_->refs.size()); }
Result<uint32_t> NavmeshObstacles::update(uint32_t most) { return impl_->update(most); }
bool NavmeshObstacles::is_up_to_date() const { return impl_->idle && impl_->requests.empty(); }
size_t NavmeshObstacles::bytes() const { return impl_->bytes; }

Result<uint32_t> NavmeshObstacles::update(NavmeshAbstraction& regions, uint32_t most) {
    auto made = update(most);
    update_regions(regions);
    return made;
}

Result<NavmeshObstacles> build_navmesh_with_obstacles(const TriangleMesh& mesh, const NavmeshBuildOptions& options,
                                                      const NavmeshAreas& areas, const TileProgress& progress) {
    auto plan = detail::plan_tiles(mesh, options, areas);
    if (!plan) return plan.error();
    if (plan->recipe.config.tileSize > detail::kMaxLayerCells) {
        return refuse_obstacle(ErrorCode::kBadValue, "tile_size: with obstacles, a tile has at most 255 cells a side");
    }
    auto tiles = detail::build_tiles(*plan, mesh, options.threads, progress, detail::build_tile_layers);
    plan->lists = {};  // not needed any more
    uint32_t layers = 0;
    for (const auto& tile : tiles) {
        if (!*tile) return tile->error();
        layers += static_cast<uint32_t>((*tile)->size());
    }
    if (layers == 0)
        return refuse_obstacle(ErrorCode::kBadValue, "no agent can stand on it: too steep, too low, too narrow, or upside down");
    if (layers > kMaxNavmeshTiles)
        return refuse_obstacle(ErrorCode::kTooLarge, "more than " + std::to_string(kMaxNavmeshTiles) + " layers");
    auto empty = detail::empty_mesh(*plan, layers);
    if (!empty) return empty.error();
    Catalogue names = areas.catalogue;
    auto impl = std::make_unique<NavmeshObstacles::Impl>(std::move(*plan), layers, Navmesh(empty->release(), std::move(names)));
    if (!impl->init(layers)) return refuse_obstacle(ErrorCode::kTooLarge, "Detour could not take the layers");
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
