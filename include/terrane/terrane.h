// Everything: worlds, profiles, searches, files, pictures, generated maps.
#pragma once
#include "terrane/grid.h"
#include "terrane/grid_search.h"
#include "terrane/map_file.h"
#include "terrane/mapgen.h"
#include "terrane/method.h"
#include "terrane/path.h"
#include "terrane/picture.h"
#include "terrane/profile.h"
#include "terrane/scenario.h"
