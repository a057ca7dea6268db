#include <array>
#include <string>

#include "base/text.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

constexpr std::array<NavmeshMethodInfo, 2> kTable = {{
    {NavmeshMethod::kDta, "dta", "the paper's: from the middle of a region to that of the next, pulled straight"},
    {NavmeshMethod::kDtaPortals, "dta+portals",
     "regions entered where the way to the goal meets their border; the path bends where areas differ in cost"},
}};

}  // namespace

std::span<const NavmeshMethodInfo> navmesh_methods() { return kTable; }

Result<NavmeshMethod> find_navmesh_method(std::string_view name) {
    std::string known;
    for (const NavmeshMethodInfo& info : kTable) {
        if (info.name == name) return info.method;
        known += (known.empty() ? "" : ", ") + std::string(info.name);
    }
    return Error{ErrorCode::kUnknownName, {}, 0, "method " + detail::quote(name) + ": there are: " + known};
}

}  // namespace terrane
