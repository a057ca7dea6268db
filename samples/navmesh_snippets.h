// What the snippets of docs/navmesh.md take for granted. They are compiled, not run.
#pragma once
#include <terrane/navmesh_builder.h>
#include <terrane/navmesh_file.h>
#include <terrane/navmesh_level.h>
#include <terrane/navmesh_obstacles.h>
#include <terrane/navmesh_planner.h>
#include <terrane/terrane.h>
