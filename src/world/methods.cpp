#include "terrane/grid_search/method.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <vector>

#include "base/text.h"
#include "grid_search/cell_search.h"
#include "grid_search/greedy.h"
#include "terrane/cpd/pathdb_search.h"
#include "terrane/grid/profile.h"
#include "terrane/overlay/portal_overlay.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {

namespace {

constexpr auto kMethods = std::to_array<MethodInfo>({
    {Family::kAStar, "astar", "astar", "A* with the octile heuristic: optimal", "", "astar"},
    {Family::kWeightedAStar, "wastar", "wastar:W", "weighted A*, W from 1 to 100: at most W times optimal", "", "wastar:1.5"},
    {Family::kFocal, "focal", "focal:E", "focal search in an optimistic order, E from 1 to 100: at most E times optimal", "", "focal:1.5"},
    {Family::kNbs, "nbs", "nbs", "near-optimal bidirectional search: optimal, from both ends", "", "nbs"},
    {Family::kDijkstra, "dijkstra", "dijkstra", "Dijkstra's algorithm: optimal, looks everywhere", "", "dijkstra"},
    {Family::kDta, "dta", "dta:N[/SEARCH[/REFINE]][+OPTION...]",
     "dynamic terrain abstraction, sectors of N cells a side: regions first, then cells; near optimal",
     "N: 4 to 128, or map; SEARCH: astar, wastar:W, nbs; REFINE: astar, wastar:W; OPTION: trim, smooth, exact, cache, bfs", "dta:16"},
    {Family::kMm, "mm", "mm:N[+OPTION...]", "minimal-memory abstraction, sectors of N cells a side: connected regions first, then cells",
     "N: 4 to 128; OPTION: trim, smooth, standin (the ends for their regions' centres), centres (optimised)", "mm:16"},
    {Family::kHpa, "hpa", "hpa:N[+smooth]", "HPA*, sectors of N cells a side: entrances first, then cells", "N: 4 to 128", "hpa:16"},
    {Family::kPra, "pra", "pra:K[+sectors]", "PRA*, K nodes of each level at a time: cliques of cells level by level, then cells",
     "K: 1 to 1000, or inf (all of them at once); sectors: merges 2x2 nodes, not cliques", "pra:inf"},
    {Family::kOverlay, "overlay", "overlay:K[+RUNG]",
     "portal overlay, K portals a line, prepared for each profile: within 1% of optimal (K 2) in a tenth of a millisecond",
     "K: 1 to 8; RUNG: portals (first and fastest), corridor (nearer to optimal), optimal", "overlay:2"},
    {Family::kCpd, "cpd", "cpd[:E][/SEARCH]",
     "path database, prepared for each profile: walks it, and searches where the map has changed since; at most E times optimal",
     "E: 1 to 100, 1.1 where it is left out; SEARCH: early (without :E, what cpd is), weighted (with it), nosp, focal, branching",
     "cpd/branching"},
    {Family::kOwn, "greedy", "greedy", "greedy best-first search: quick, and no bound", "", "greedy",
     detail::make_search<detail::GreedySearch>},
});

// What may stand after the slash of a cpd method.
struct VariantInfo {
    const char* name;
    PathdbVariant variant;
};
constexpr std::array<VariantInfo, 5> kVariants = {{
    {"early", PathdbVariant::kEarly},
    {"weighted", PathdbVariant::kWeighted},
    {"nosp", PathdbVariant::kNoPull},
    {"focal", PathdbVariant::kFocal},
    {"branching", PathdbVariant::kBranching},
}};
constexpr Weight kPaperBound{11, 10};

// What may stand inside a dta method. The order is that of the messages.
constexpr std::array<Family, 3> kAbstractSearches = {Family::kAStar, Family::kWeightedAStar, Family::kNbs};
constexpr std::array<Family, 2> kRefinements = {Family::kAStar, Family::kWeightedAStar};

struct OptionInfo {
    Family family;
    const char* name;
    bool Method::*flag;
};
constexpr std::array<OptionInfo, 14> kOptions = {{
    {Family::kDta, "trim", &Method::trim},
    {Family::kDta, "smooth", &Method::smooth},
    {Family::kDta, "exact", &Method::exact},
    {Family::kDta, "cache", &Method::cache},
    {Family::kDta, "bfs", &Method::bfs},
    {Family::kMm, "trim", &Method::trim},
    {Family::kMm, "smooth", &Method::smooth},
    {Family::kMm, "standin", &Method::stand_in},
    {Family::kMm, "centres", &Method::centres},
    {Family::kHpa, "smooth", &Method::smooth},
    {Family::kPra, "sectors", &Method::sectors},
    {Family::kOverlay, "portals", &Method::portals},
    {Family::kOverlay, "corridor", &Method::corridor},
    {Family::kOverlay, "optimal", &Method::optimal},
}};

// For every family, besides those.
constexpr std::string_view kRefract = "refract";

Error refuse_method(ErrorCode code, std::string_view method, const std::string& reason) {
    return {code, {}, 0, "method " + detail::quote(method) + ": " + reason};
}

// "a, b, c"
template <class Items, class Text>
std::string list(const Items& items, Text&& text) {
    std::string out;
    for (const auto& item : items) out += (out.empty() ? "" : ", ") + std::string(text(item));
    return out;
}

const MethodInfo* find_info(std::string_view family) {
    for (const MethodInfo& info : kMethods) {
        if (info.name == family) return &info;
    }
    return nullptr;
}

const char* usage_of(Family family) {
    return std::find_if(kMethods.begin(), kMethods.end(), [=](const MethodInfo& info) { return info.family == family; })->usage;
}

bool takes_weight(Family family) { return family == Family::kWeightedAStar || family == Family::kFocal; }

// "a/b/" -> "a", "b", "": never none.
Vector<std::string_view> split(std::string_view text, char mark) {
    Vector<std::string_view> parts;
    parts.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), mark)) + 1);
    for (size_t end; (end = text.find(mark)) != std::string_view::npos; text.remove_prefix(end + 1)) parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

Result<Weight> parse_weight(std::string_view name, std::string_view text) {
    const auto hundredths = parse_hundredths(text);
    if (!hundredths || *hundredths < 100 || *hundredths > 10000) {
        return refuse_method(ErrorCode::kBadValue, name, "the weight is from 1 to 100, in hundredths");
    }
    const uint32_t divisor = std::gcd(*hundredths, 100u);
    return Weight{*hundredths / divisor, 100 / divisor};
}

// "astar", "wastar:1.5": a family that takes a weight or nothing. `name` is the whole method's.
Result<Method::SubSearch> parse_search(std::string_view name, const MethodInfo& info, std::string_view text) {
    const std::string_view family = text.substr(0, text.find(':'));
    const bool has_argument = family.size() != text.size();
    if (has_argument != takes_weight(info.family)) {
        return refuse_method(ErrorCode::kBadValue, name,
                             "expected " + std::string(info.usage) + (text == name ? "" : ", not " + detail::quote(text)));
    }
    if (!has_argument) return Method::SubSearch{info.family, {}};
    const auto weight = parse_weight(name, text.substr(family.size() + 1));
    if (!weight) return weight.error();
    return Method::SubSearch{info.family, *weight};
}

// The search of one level of a dta method: one of `allowed`.
Result<Method::SubSearch> parse_level(std::string_view name, const char* level, std::span<const Family> allowed, std::string_view text) {
    const MethodInfo* info = find_info(text.substr(0, text.find(':')));
    if (info == nullptr || std::find(allowed.begin(), allowed.end(), info->family) == allowed.end()) {
        return refuse_method(ErrorCode::kUnknownName, name,
                             "no " + std::string(level) + " search " + detail::quote(text) + "; there are: " + list(allowed, usage_of));
    }
    return parse_search(name, *info, text);
}

Result<uint32_t> parse_sector(std::string_view name, std::string_view text, bool whole_map) {
    if (text == "map" && whole_map) return kWholeMap;
    const auto side = detail::parse_integer<uint32_t>(text, kMinSector, kMaxSector);
    if (side) return *side;
    return refuse_method(ErrorCode::kBadValue, name,
                         "sectors are " + std::to_string(kMinSector) + " to " + std::to_string(kMaxSector) + " cells a side" +
                             (whole_map ? ", or map (one sector for all of it)" : "") + ", not " + detail::quote(text));
}

Result<Done> parse_option(std::string_view name, std::string_view text, Method& method) {
    Vector<OptionInfo> known;
    std::copy_if(kOptions.begin(), kOptions.end(), std::back_inserter(known),
                 [&](const OptionInfo& o) { return o.family == method.family; });
    const auto option = std::find_if(known.begin(), known.end(), [&](const OptionInfo& o) { return text == o.name; });
    if (option == known.end()) {
        return refuse_method(ErrorCode::kUnknownName, name,
                             "no option " + detail::quote(text) +
                                 "; there are: " + list(known, [](const OptionInfo& o) { return o.name; }) + ", " + std::string(kRefract));
    }
    if (method.*option->flag) return refuse_method(ErrorCode::kBadValue, name, "option " + detail::quote(text) + " is given twice");
    method.*option->flag = true;
    return Done{};
}

// What stands after the colon: the size of sectors, the portals of a line, or the nodes of a piece.
Result<Done> parse_argument(std::string_view name, std::string_view text, Method& method) {
    if (method.family == Family::kOverlay) {
        const auto slots = detail::parse_integer<uint32_t>(text, 1, kMaxSlots);
        if (!slots) {
            return refuse_method(ErrorCode::kBadValue, name,
                                 "portals a line are 1 to " + std::to_string(kMaxSlots) + ", not " + detail::quote(text));
        }
        method.slots = *slots;
        return Done{};
    }
    if (method.family == Family::kPra) {
        const auto piece = text == "inf" ? 0 : detail::parse_integer<uint32_t>(text, 1, 1000);
        if (!piece) return refuse_method(ErrorCode::kBadValue, name, "a piece has 1 to 1000 nodes, or inf, not " + detail::quote(text));
        method.piece = *piece;
        return Done{};
    }
    const auto sector = parse_sector(name, text, method.family == Family::kDta);
    if (!sector) return sector.error();
    method.sector = *sector;
    return Done{};
}

// The searches of a dta method, after the first slash.
Result<Done> parse_levels(std::string_view name, std::span<const std::string_view> levels, Method& method) {
    if (levels.size() > 1) {
        const auto search = parse_level(name, "abstract", kAbstractSearches, levels[1]);
        if (!search) return search.error();
        method.abstract_search = *search;
    }
    if (levels.size() > 2) {
        const auto search = parse_level(name, "refinement", kRefinements, levels[2]);
        if (!search) return search.error();
        method.refinement = *search;
    }
    return Done{};
}

// A method of more than one level. `levels` are the parts between slashes, `options` those after a plus.
Result<Method> parse_abstraction(std::string_view name, const MethodInfo& info, std::span<const std::string_view> levels,
                                 std::span<const std::string_view> options) {
    const size_t colon = levels[0].find(':');
    if (colon == std::string_view::npos || levels.size() > (info.family == Family::kDta ? 3 : 1)) {
        return refuse_method(ErrorCode::kBadValue, name, "expected " + std::string(info.usage) + "; " + info.details);
    }
    Method method;
    method.family = info.family;
    method.name = name;
    const auto argument = parse_argument(name, levels[0].substr(colon + 1), method);
    if (!argument) return argument.error();
    const auto searches = parse_levels(name, levels, method);
    if (!searches) return searches.error();
    for (const std::string_view option : options) {
        const auto known = parse_option(name, option, method);
        if (!known) return known.error();
    }
    if (method.portals + method.corridor + method.optimal > 1) return refuse_method(ErrorCode::kBadValue, name, "one rung at a time");
    return method;
}

// "cpd", "cpd:1.1", "cpd:1.1/focal".
Result<Method> parse_cpd(std::string_view name, const MethodInfo& info, std::span<const std::string_view> levels) {
    Method method;
    method.family = info.family;
    method.name = name;
    method.weight = kPaperBound;
    const size_t colon = levels[0].find(':');
    if (colon != std::string_view::npos) {
        const auto weight = parse_weight(name, levels[0].substr(colon + 1));
        if (!weight) return weight.error();
        method.weight = *weight;
        method.variant = PathdbVariant::kWeighted;
    }
    if (levels.size() == 1) return method;
    const auto variant = std::find_if(kVariants.begin(), kVariants.end(), [&](const VariantInfo& v) { return levels[1] == v.name; });
    if (variant == kVariants.end()) {
        return refuse_method(
            ErrorCode::kUnknownName, name,
            "no search " + detail::quote(levels[1]) + "; there are: " + list(kVariants, [](const VariantInfo& v) { return v.name; }));
    }
    method.variant = variant->variant;
    return method;
}

// `parts` are what stands between pluses, +refract left out.
Result<Method> parse_method(std::string_view name, std::span<const std::string_view> parts) {
    const Vector<std::string_view> levels = split(parts[0], '/');
    const MethodInfo* info = find_info(levels[0].substr(0, levels[0].find(':')));
    if (info == nullptr) {
        const std::string known = list(kMethods, [](const MethodInfo& m) { return m.usage; });
        return Error{ErrorCode::kUnknownName, {}, 0, "no method " + detail::quote(name) + "; there are: " + known};
    }
    if (info->family == Family::kCpd && parts.size() == 1 && levels.size() <= 2) return parse_cpd(name, *info, levels);
    if (info->family == Family::kCpd)
        return refuse_method(ErrorCode::kBadValue, name, "expected " + std::string(info->usage) + "; " + info->details);
    if (info->family >= Family::kDta) return parse_abstraction(name, *info, levels, parts.subspan(1));
    if (parts.size() > 1 || levels.size() > 1) {
        return refuse_method(ErrorCode::kBadValue, name, "expected " + std::string(info->usage) + "[+" + std::string(kRefract) + "]");
    }
    const auto search = parse_search(name, *info, parts[0]);
    if (!search) return search.error();
    Method method;
    method.family = search->family;
    method.weight = search->weight;
    method.name = name;
    method.make = info->make;
    return method;
}

}  // namespace

std::span<const MethodInfo> methods() { return kMethods; }

Result<Method> find_method(std::string_view name) {
    Vector<std::string_view> parts = split(name, '+');
    const auto refract = std::remove(parts.begin() + 1, parts.end(), kRefract);
    const auto given = parts.end() - refract;
    if (given > 1) return refuse_method(ErrorCode::kBadValue, name, "option " + detail::quote(kRefract) + " is given twice");
    parts.erase(refract, parts.end());
    auto method = parse_method(name, parts);
    if (method) method->refract = given == 1;
    return method;
}

}  // namespace terrane
