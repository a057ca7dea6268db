#include "navmesh/building/tile_layers.h"

#include <recastnavigation/DetourStatus.h>

#include <algorithm>
#include <span>

#include "navmesh/building/layer_rle.h"
#include "navmesh/building/voxelize_tile.h"

namespace terrane::detail {

namespace {

using LayerSet = std::unique_ptr<rcHeightfieldLayerSet, RecastDeleter<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet>>;

bool is_empty(const rcHeightfieldLayer& layer) {
    const std::span<const uint8_t> areas(layer.areas, static_cast<size_t>(layer.width) * static_cast<size_t>(layer.height));
    return std::ranges::all_of(areas, [](uint8_t a) { return a == DT_TILECACHE_NULL_AREA; });
}

// Does not use Recast's x and z bounds, which subtract and re-add the border: adjacent tiles need bit-identical borders.
dtTileCacheLayerHeader make_header(const rcHeightfieldLayer& layer, const TilePlace& place, float side, int number) {
    dtTileCacheLayerHeader h{};
    h.magic = DT_TILECACHE_MAGIC;
    h.version = DT_TILECACHE_VERSION;
    h.tx = place.x;
    h.ty = place.y;
    h.tlayer = number;
    std::ranges::copy(layer.bmin, h.bmin);
    std::ranges::copy(layer.bmax, h.bmax);
    h.bmin[0] = place.left;
    h.bmin[2] = place.near;
    h.bmax[0] = place.left + side;
    h.bmax[2] = place.near + side;
    h.hmin = static_cast<unsigned short>(layer.hmin);
    h.hmax = static_cast<unsigned short>(layer.hmax);
    h.width = static_cast<unsigned char>(layer.width);
    h.height = static_cast<unsigned char>(layer.height);
    h.minx = static_cast<unsigned char>(layer.minx);
    h.maxx = static_cast<unsigned char>(layer.maxx);
    h.miny = static_cast<unsigned char>(layer.miny);
    h.maxy = static_cast<unsigned char>(layer.maxy);
    return h;
}

Result<LayerData> pack_layer(const rcHeightfieldLayer& layer, const TilePlace& place, float side, int number) {
    if (layer.hmax - layer.hmin >= kMaxLayerCells) {
        return refuse_tile(ErrorCode::kTooLarge, place,
                           "a layer is higher than " + std::to_string(kMaxLayerCells) + " cells: increase cell_height");
    }
    dtTileCacheLayerHeader header = make_header(layer, place, side, number);
    LayerRle compressor;
    LayerData out;
    unsigned char* data = nullptr;
    const dtStatus status = dtBuildTileCacheLayer(&compressor, &header, layer.heights, layer.areas, layer.cons, &data, &out.size);
    out.data.reset(data);
    if (dtStatusFailed(status)) return refuse_tile(ErrorCode::kTooLarge, place, "Detour failed to create a layer");
    return out;
}

}  // namespace

Result<std::vector<LayerData>> build_tile_layers(const BuildConfig& config, const TilePlace& place, TileTriangles& triangles) {
    rcContext context(false);
    const auto voxels = voxelize_tile(config, place, triangles, context);
    if (!voxels) return voxels.error();
    std::vector<LayerData> out;
    if (voxels->heightfield == nullptr) return out;
    const LayerSet layers(rcAllocHeightfieldLayerSet());
    const rcConfig& recast = voxels->recast;
    if (layers == nullptr || !rcBuildHeightfieldLayers(&context, *voxels->heightfield, recast.borderSize, recast.walkableHeight, *layers)) {
        return refuse_tile(ErrorCode::kTooLarge, place, "Recast failed to build its layers");
    }
    for (const rcHeightfieldLayer& layer : std::span(layers->layers, static_cast<size_t>(layers->nlayers))) {
        if (is_empty(layer)) continue;
        auto packed = pack_layer(layer, place, config.tile_side, static_cast<int>(out.size()));
        if (!packed) return packed.error();
        out.push_back(std::move(*packed));
    }
    return out;
}

}  // namespace terrane::detail
