// A search method by name, and its capabilities.
//
//   FindOptions options;
//   options.method = find_method("overlay:2+any_angle").value();      // terrane/world/methods.h
//
// To implement a method, see method_interface.h.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "terrane/base/method_text.h"

namespace terrane {

class GridMethod;  // method_interface.h

// What must be prepared before a method can answer.
enum class MethodNeeds : uint8_t {
    kNothing,
    kSectors,     // terrain regions of the world (WorldOptions::sectors)
    kBlockedSet,  // tables shared by all profiles with the same blocked set (World::prepare)
    kProfile,     // tables per profile
};
const char* to_string(MethodNeeds needs);  // "nothing", "sectors", "tables for a profile"

// The best guarantee that a method gives for its paths before it searches.
enum class MethodGuarantee : uint8_t { kNone, kBounded, kOptimal };
const char* to_string(MethodGuarantee guarantee);  // "none", "bounded", "optimal"

// What all methods of one name have in common. docs/methods.md has the table.
struct MethodCapabilities {
    MethodNeeds needs = MethodNeeds::kNothing;
    MethodGuarantee guarantee = MethodGuarantee::kNone;  // with its best option
    bool searches_cells = false;                         // runs on GridSearch, and a SearchWatcher observes each expansion
    bool proves_bounds = false;                          // honours any FindOptions::bound
    bool early_cells = false;                            // Planner::ready() has a first move before the path is complete
    bool custom_rules = false;                           // supports any MovementRule, not only the named ones
    bool one_cost = false;                               // requires passable terrains of one cost; otherwise kUnsupportedCosts
    bool only_eight = false;                             // requires kEightNoCornerCutting; otherwise kUnsupportedMovement
    bool answers_open_queries = false;                   // once prepared, answers queries that name no method
};

// A parsed name with its arguments. Immutable except `any_angle`; copying it copies a pointer. Thread-safe.
class Method {
public:
    // No method: a Planner chooses one; GridSearch uses A*.
    Method() = default;
    explicit Method(std::shared_ptr<const GridMethod> implementation) : implementation_(std::move(implementation)) {}

    explicit operator bool() const { return implementation_ != nullptr; }
    // As passed to find_method. Empty for no method.
    const std::string& name() const;
    // Not for "no method".
    const MethodInfo& info() const;
    const MethodCapabilities& capabilities() const;
    const GridMethod& implementation() const { return *implementation_; }

    bool any_angle = false;  // "+any_angle" of any method: a Planner also computes an any-angle polyline (Path::polyline)

private:
    std::shared_ptr<const GridMethod> implementation_;
};

// Whether it searches only cells, so that GridSearch can run it. True for no method.
bool searches_cells(const Method& method);
// Whether it honours any FindOptions::bound. False for no method.
bool proves_bounds(const Method& method);
// Whether it answers only after World::prepare(). False for no method.
bool prepares(const Method& method);
// Guaranteed suboptimality ratio: 1 for optimal methods, infinity if nothing is guaranteed. 1 for no method.
double guarantee(const Method& method);
// The sector size of the terrain regions that it needs (kWholeMap is one); nullopt if it needs none.
std::optional<uint32_t> sector_of(const Method& method);

}  // namespace terrane
