// Report rows of the queries of `terrane bench navmesh`.
#pragma once
#include <vector>

#include "bench/navmesh_contest.h"
#include "bench/report.h"

namespace terrane {

// Adds rows for both creatures together and for each: queries that Detour solved, their longer half, the longer half of all.
void add_query_rows(const std::vector<NavmeshAnswer>& answers, Report& report);

}  // namespace terrane
