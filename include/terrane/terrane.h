// What an application normally needs: worlds, profiles, planners, requests, and the loaders of maps and worlds.
//
// Everything else is in its module's folder: crowds in terrane/crowd/crowd.h, weighted regions in terrane/weighted_regions/open_method.h,
// navigation meshes in terrane/navmesh/navmesh_planner.h, generated maps in terrane/mapgen/mapgen.h, pictures in terrane/io/picture.h.
#pragma once
#include "terrane/base/memory.h"
#include "terrane/base/result.h"
#include "terrane/base/status.h"
#include "terrane/grid/cell.h"
#include "terrane/grid/grid.h"
#include "terrane/grid/path.h"
#include "terrane/grid/profile.h"
#include "terrane/grid/terrain.h"
#include "terrane/io/map_formats.h"
#include "terrane/method/method.h"
#include "terrane/world/explain.h"
#include "terrane/world/methods.h"
#include "terrane/world/planner.h"
#include "terrane/world/preparation.h"
#include "terrane/world/request_queue.h"
#include "terrane/world/world.h"
#include "terrane/world/world_io.h"
