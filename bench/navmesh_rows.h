// What the contest of `terrane bench navmesh` found out, in rows.
#pragma once
#include <vector>

#include "bench/navmesh_contest.h"
#include "bench/report.h"

namespace terrane {

// For both creatures together and for each: what Detour solved, the longer half of that, the longer half of all.
void add_query_rows(const std::vector<NavmeshAnswer>& answers, Report& report);

}  // namespace terrane
