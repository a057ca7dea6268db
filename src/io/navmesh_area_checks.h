// Validates volumes and links, for the parser of their file and for the mesh builder.
#pragma once
#include <string>

#include "terrane/io/navmesh_areas.h"

namespace terrane::detail {

// Returns what is wrong with a volume or a link; empty if it is valid. Does not check the area's name.
std::string defect_of(const AreaVolume& volume);
std::string defect_of(const OffMeshLink& link);

}  // namespace terrane::detail
