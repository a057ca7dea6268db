// `terrane crowd traffic`, a part of `terrane crowd`.
#pragma once
#include "cli/common.h"

namespace terrane::cli {

void add_crowd_traffic(CLI::App& crowd, Run& run);

}  // namespace terrane::cli
