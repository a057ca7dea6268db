// Declarations for the code blocks of docs/: all headers of Terrane, and common names. PAGE_snippets.h, if it exists, declares further
// names of that page. The blocks are compiled, not run.
#pragma once
#include <terrane/any_angle/refraction.h>
#include <terrane/any_angle/smoothing.h>
#include <terrane/cpd/cpd_search.h>
#include <terrane/cpd/path_database_builder.h>
#include <terrane/cpd/path_database_file.h>
#include <terrane/cpd/path_database_shards.h>
#include <terrane/cpd/prepared_cpd.h>
#include <terrane/crowd/cooperative.h>
#include <terrane/crowd/crowd.h>
#include <terrane/crowd/crowd_method.h>
#include <terrane/crowd/crowd_picture.h>
#include <terrane/crowd/crowd_scene.h>
#include <terrane/crowd/lacam.h>
#include <terrane/crowd/pibt.h>
#include <terrane/crowd/reservations.h>
#include <terrane/crowd/swarm.h>
#include <terrane/crowd/traffic.h>
#include <terrane/dta/edge_costs.h>
#include <terrane/dta/region_heuristics.h>
#include <terrane/grid_search/fastmap.h>
#include <terrane/grid_search/grid_search.h>
#include <terrane/grid_search/landmarks.h>
#include <terrane/grid_search/lower_bound_table.h>
#include <terrane/hpa/entrance_graph.h>
#include <terrane/io/image_map.h>
#include <terrane/io/map_file.h>
#include <terrane/io/picture.h>
#include <terrane/io/scenario.h>
#include <terrane/io/svg.h>
#include <terrane/io/tiled_map.h>
#include <terrane/io/trace.h>
#include <terrane/io/world_file.h>
#include <terrane/mapgen/mapgen.h>
#include <terrane/mapgen/navmesh_level.h>
#include <terrane/minimal_memory/minimal_memory.h>
#include <terrane/navmesh/navmesh_builder.h>
#include <terrane/navmesh/navmesh_file.h>
#include <terrane/navmesh/navmesh_obstacles.h>
#include <terrane/navmesh/navmesh_planner.h>
#include <terrane/overlay/portal_search.h>
#include <terrane/overlay/portal_tree.h>
#include <terrane/pra/cliques.h>
#include <terrane/terrane.h>
#include <terrane/weighted_regions/subdivision_file.h>
#include <terrane/weighted_regions/subdivision_from_grid.h>
#include <terrane/weighted_regions/subdivision_method.h>
#include <terrane/weighted_regions/subdivision_picture.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace terrane;

extern World world;
extern TerrainGrid grid;
extern Planner planner;
extern Profile deer;
extern CostTable costs;
extern FindOptions options;
extern Path path;
extern Cell from, to, at, goal;

void walk(std::span<const Cell> cells);
void glide_to(double x, double y);
void next_frame();
void plan_again(WatchId broken);
void arrived(Status status);
void report(const std::string& message);
