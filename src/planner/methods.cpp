#include <array>
#include <numeric>

#include "terrane/method.h"
#include "terrane/profile.h"

namespace terrane {

namespace {

constexpr std::array<MethodInfo, 5> kMethods = {{
    {Family::kAStar, "astar", "astar", "A* with the octile heuristic: optimal", "astar"},
    {Family::kWeightedAStar, "wastar", "wastar:W", "weighted A*, W from 1 to 100: at most W times optimal", "wastar:1.5"},
    {Family::kFocal, "focal", "focal:E", "focal search in an optimistic order, E from 1 to 100: at most E times optimal", "focal:1.5"},
    {Family::kNbs, "nbs", "nbs", "near-optimal bidirectional search: optimal, from both ends", "nbs"},
    {Family::kDijkstra, "dijkstra", "dijkstra", "Dijkstra's algorithm: optimal, looks everywhere", "dijkstra"},
}};

Error refuse(ErrorCode code, std::string reason) { return {code, {}, 0, std::move(reason)}; }

std::string known_methods() {
    std::string list;
    for (const MethodInfo& info : kMethods) list += (list.empty() ? "" : ", ") + std::string(info.usage);
    return list;
}

bool takes_weight(Family family) { return family == Family::kWeightedAStar || family == Family::kFocal; }

const MethodInfo* find_info(std::string_view family) {
    for (const MethodInfo& info : kMethods) {
        if (info.name == family) return &info;
    }
    return nullptr;
}

}  // namespace

std::span<const MethodInfo> methods() { return kMethods; }

Result<Method> find_method(std::string_view name) {
    const std::string_view family = name.substr(0, name.find(':'));
    const MethodInfo* info = find_info(family);
    if (info == nullptr) {
        return refuse(ErrorCode::kUnknownName, "no method '" + std::string(name) + "'; there are: " + known_methods());
    }
    const bool has_argument = family.size() != name.size();
    if (has_argument != takes_weight(info->family)) {
        return refuse(ErrorCode::kBadValue, "method '" + std::string(name) + "': expected " + info->usage);
    }
    Method method{info->family, {}, std::string(name)};
    if (has_argument) {
        const auto hundredths = parse_hundredths(name.substr(family.size() + 1));
        if (!hundredths || *hundredths < 100 || *hundredths > 10000) {
            return refuse(ErrorCode::kBadValue, "method '" + std::string(name) + "': the weight is from 1 to 100, in hundredths");
        }
        const uint32_t divisor = std::gcd(*hundredths, 100u);
        method.weight = {*hundredths / divisor, 100 / divisor};
    }
    return method;
}

}  // namespace terrane
