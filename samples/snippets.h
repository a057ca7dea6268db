// What the snippets of docs/ may take for granted: all of Terrane, and the usual names. PAGE_snippets.h, where there is one, has those of a
// page that are others there. Declared only: they are compiled, not run.
#pragma once
#include <terrane/navmesh/navmesh_builder.h>
#include <terrane/navmesh/navmesh_file.h>
#include <terrane/mapgen/navmesh_level.h>
#include <terrane/navmesh/navmesh_obstacles.h>
#include <terrane/navmesh/navmesh_planner.h>
#include <terrane/terrane.h>

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
