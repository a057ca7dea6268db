// What the parts of `terrane navmesh` share.
#pragma once
#include "cli/common.h"

namespace terrane::cli {

void add_navmesh_path(CLI::App& navmesh, Run& run);

}  // namespace terrane::cli
