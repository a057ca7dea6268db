// What the snippets of docs/planner.md take for granted. Declared only: they are compiled, not run.
#pragma once
#include <terrane/terrane.h>

using namespace terrane;

extern World world;
extern Planner planner;
extern Profile deer;
extern CostTable costs;
extern FindOptions options;
extern Path path;
extern Cell from, to;

void walk(std::span<const Cell> cells);
void glide_to(double x, double y);
void next_frame();
void plan_again(WatchId broken);
void arrived(Status status);
