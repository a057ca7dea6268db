// A search method by name, and what it can do.
//
//   FindOptions options;
//   options.method = find_method("overlay:2+refract").value();      // terrane/world/methods.h
//
// method_interface.h is for those who write a method.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "terrane/base/method_text.h"

namespace terrane {

class GridMethod;  // method_interface.h

// What must be prepared before a method answers.
enum class MethodNeeds : uint8_t {
    kNothing,
    kSectors,     // terrain regions that the world keeps (WorldOptions::sectors)
    kBlockedSet,  // tables, shared by all profiles with the same blocked set (World::prepare)
    kProfile,     // tables for each profile
};
const char* to_string(MethodNeeds needs);  // "nothing", "sectors", "tables for a profile"

// The best that a method guarantees of its paths, before it searches.
enum class MethodGuarantee : uint8_t { kNone, kBounded, kOptimal };
const char* to_string(MethodGuarantee guarantee);  // "none", "bounded", "optimal"

// What all methods of one name have in common. docs/methods.md has the table.
struct MethodCapabilities {
    MethodNeeds needs = MethodNeeds::kNothing;
    MethodGuarantee guarantee = MethodGuarantee::kNone;  // by its best option
    bool searches_cells = false;                         // GridSearch runs it, and a SearchWatcher sees each expansion
    bool proves_bounds = false;                          // honours any FindOptions::bound
    bool early_cells = false;                            // Planner::ready() has cells before the path is complete
    bool custom_rules = false;                           // follows any MovementRule, not only the named ones
    bool answers_open_queries = false;                   // once prepared, answers queries that name no method
};

// A parsed name with its arguments. Immutable but for `refract`; copying it copies a pointer. Thread-safe.
class Method {
public:
    // No method: a Planner chooses one, and GridSearch uses A*.
    Method() = default;
    explicit Method(std::shared_ptr<const GridMethod> implementation) : implementation_(std::move(implementation)) {}

    explicit operator bool() const { return implementation_ != nullptr; }
    // As find_method was given it. Empty for no method.
    const std::string& name() const;
    // Only for a method: what it is, and what it can do.
    const MethodInfo& info() const;
    const MethodCapabilities& capabilities() const;
    const GridMethod& implementation() const { return *implementation_; }

    bool refract = false;  // a Planner also turns the path into an any-angle polyline (Path::line); "+refract" of any method

private:
    std::shared_ptr<const GridMethod> implementation_;
};

// Whether it searches cells and nothing else: what GridSearch runs. True for no method.
bool searches_cells(const Method& method);
// Whether it honours any FindOptions::bound. False for no method.
bool proves_bounds(const Method& method);
// Whether World::prepare() must be called before it answers. False for no method.
bool prepares(const Method& method);
// No path costs more than this times the optimum: 1 for optimal methods, infinity where nothing is guaranteed. 1 for no method.
double guarantee(const Method& method);
// The sector size of the terrain regions that it needs of the world (kWholeMap is one); none: it needs no regions.
std::optional<uint32_t> sector_of(const Method& method);

}  // namespace terrane
