// Answers the queries of `terrane bench navmesh` with Detour and with both of our methods: checks them, then times them.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "bench/detour_search.h"
#include "terrane/base/result.h"

namespace terrane {

inline constexpr std::array<const char*, 2> kNavmeshCreatures = {"person", "deer"};
inline constexpr std::array<const char*, 3> kNavmeshMethods = {"detour", "dta", "dta+portals"};
inline constexpr size_t kDetour = 0;  // index in kNavmeshMethods

struct NavmeshQuery {
    size_t creature = 0;
    Vec3 from, to;
    double distance = 0;
    bool reachable = false;
};

struct NavmeshAnswer {
    NavmeshQuery query;
    Status detour = Status::kFound;
    // By method.
    std::array<double, kNavmeshMethods.size()> cost{}, length{}, expansions{}, ms{};

    bool is_solved() const { return detour == Status::kFound; }  // whether Detour found a path
};

// Times only reachable queries. Returns an error if an answer is wrong.
Result<std::vector<NavmeshAnswer>> answer_all(const NavmeshAbstraction& regions, std::span<const Creature> creatures,
                                              std::span<const NavmeshQuery> queries);

}  // namespace terrane
