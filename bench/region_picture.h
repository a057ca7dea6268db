// Draws region graphs (terrain_regions.h) over a picture of their map: sectors, regions, representatives, edges.
#pragma once
#include <span>

#include "terrane/grid/profile.h"
#include "terrane/io/picture.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

struct RegionPictureOptions {
    bool graph = true;                 // draw representatives and edges, not only borders
    const CostTable* costs = nullptr;  // draw the graph only for regions that this profile may enter; null: for all
    Rgb edge{118, 255, 92};            // regions that share a side
    Rgb corner_edge{255, 88, 214};     // regions that touch only at corners; thinner, below the others
};

// `picture` must show the same map at the same scale. Omits details that are too small: region borders below 4 pixels per cell, sector
// borders below 8 pixels per sector, the graph if representatives are on average less than 20 pixels apart.
void draw_regions(Picture& picture, const TerrainRegions& regions, PictureScale scale, const RegionPictureOptions& options = {});

// Draws a thin line through the cells with a dot at each, for example the representatives of an abstract path. `picture` must show the
// same map at the same scale.
void draw_waypoints(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale);

// Blends one colour over the cells of a rectangle, clipped to the picture; `strength` is in 1/256.
void tint_cells(Picture& picture, const Rect& cells, Rgb colour, int32_t strength, PictureScale scale);

// Returns the pixels of the cells, which must be on the drawn map.
Picture crop_to_cells(const Picture& picture, const Rect& cells, PictureScale scale);

}  // namespace terrane
