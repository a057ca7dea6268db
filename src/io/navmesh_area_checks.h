// Checks of volumes and links, for the reader of their file and for the builder of meshes.
#pragma once
#include <string>

#include "terrane/io/navmesh_areas.h"

namespace terrane::detail {

// Why a volume cannot be painted; empty where it can. Its area aside.
std::string complaint(const AreaVolume& volume);
std::string complaint(const OffMeshLink& link);

}  // namespace terrane::detail
