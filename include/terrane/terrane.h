// Everything that an application normally needs: worlds, profiles, planners, request queues, and loaders of maps and worlds.
//
// Other headers, by module: terrane/crowd/crowd.h (crowds), terrane/weighted_regions/subdivision_method.h (weighted regions),
// terrane/navmesh/navmesh_planner.h (navigation meshes), terrane/mapgen/mapgen.h (generated maps), terrane/io/picture.h (pictures).
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
