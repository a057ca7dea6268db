// Region graphs (terrain_regions.h) over a picture of their map: sectors, regions, representatives, edges.
#pragma once
#include <span>

#include "terrane/grid/profile.h"
#include "terrane/io/picture.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

struct RegionPictureOptions {
    bool graph = true;                 // representatives and edges, besides the borders
    const CostTable* costs = nullptr;  // the graph of those regions alone that this profile may enter; null: of all
    Rgb edge{118, 255, 92};            // where regions are joined orthogonally
    Rgb corner_edge{255, 88, 214};     // where they touch at corners only: thinner, and below the others
};

// Over a picture of the same map and scale. What would be noise is left out: borders of regions where a cell has less than 4 pixels, those
// of sectors where a sector has less than 8, the graph where its representatives are less than 20 apart in the mean.
void draw_regions(Picture& picture, const TerrainRegions& regions, PictureScale scale, const RegionPictureOptions& options = {});

// Over a picture of the same map and scale: a thin line through some cells, with a dot at each, as the path of a search of regions
// goes from representative to representative.
void draw_waypoints(Picture& picture, std::span<const Cell> cells, Rgb colour, PictureScale scale);

// The same shade over all the cells of a rectangle; `strength` of 256. What lies outside the picture is not drawn.
void tint_cells(Picture& picture, const Rect& cells, Rgb colour, int32_t strength, PictureScale scale);

// The pixels of some cells, which must be on the map that was drawn.
Picture crop_to_cells(const Picture& picture, const Rect& cells, PictureScale scale);

}  // namespace terrane
