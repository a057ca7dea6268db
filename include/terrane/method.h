// The methods by name: one table for the command line, the benches and everyone else.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "terrane/best_first.h"
#include "terrane/result.h"

namespace terrane {

enum class Family : uint8_t { kAStar, kWeightedAStar, kFocal, kNbs, kDijkstra };

// A method with its arguments. Default: optimal, by A*.
struct Method {
    Family family = Family::kAStar;
    Weight weight;               // kWeightedAStar and kFocal: the bound
    std::string name = "astar";  // as find_method takes it
};

struct MethodInfo {
    Family family;
    const char* name;
    const char* usage;    // "wastar:W"
    const char* summary;  // one line
    const char* example;  // a name that find_method takes
};
std::span<const MethodInfo> methods();

// "astar", "wastar:1.5", "nbs", ... Refused: unknown names (the error lists those there are), missing or
// senseless arguments.
Result<Method> find_method(std::string_view name);

}  // namespace terrane
