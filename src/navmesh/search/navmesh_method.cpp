#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

Result<NavmeshMethod> parse_dta(const MethodText& text, const NavmeshMethodFactory& factory) {
    constexpr MethodOption kOptions[] = {{"portals"}};
    if (text.head.argument || !text.levels.empty()) return text.expected(factory.info);
    const auto known = text.check_options(kOptions);
    if (!known) return known.error();
    return NavmeshMethod{.portals = text.has("portals")};
}

constexpr NavmeshMethodFactory kDtaMethod{
    {"dta", "dta[+portals]",
     "dynamic terrain abstraction: searches regions from centre to centre, then refines to polygons and pulls the string; portals: enters "
     "regions where the path to the goal crosses their border, and bends by Snell's law where area costs differ",
     "", "dta+portals"},
    parse_dta};

constexpr const NavmeshMethodFactory* kMethods[] = {&kDtaMethod};

}  // namespace

std::span<const NavmeshMethodFactory* const> navmesh_methods() { return kMethods; }

Result<NavmeshMethod> find_navmesh_method(std::string_view name) {
    const MethodText text(name);
    const auto factory = find_method_row(kMethods, text);
    if (!factory) return factory.error();
    return (*factory)->parse(text, **factory);
}

}  // namespace terrane
