// The methods for crowds, by name: what find_method (terrane/world/methods.h) is for one agent.
//
//   Crowd crowd(world, {deer, person}, make_crowd_method(find_crowd_method("whca:16").value()));
//
// "replan", "flock", "ca", "whca:16", "whca:16,2", "cpra:8", "pibt", "lacam", "swarm", "replan+flow": terrane/base/method_text.h has the
// grammar. CONTRIBUTING.md says how to add one.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "terrane/base/method_text.h"
#include "terrane/base/result.h"
#include "terrane/crowd/crowd.h"

namespace terrane {

struct CrowdMethodFactory;

// Makes the method of a parsed name. Seed and budget are those of CrowdMethodSpec.
using CrowdMethodMaker = std::function<std::unique_ptr<CrowdMethod>(uint64_t seed, uint64_t budget)>;

// A parsed name with its arguments. A value; copies are independent.
struct CrowdMethodSpec {
    CrowdMethodSpec();  // "pibt"
    CrowdMethodSpec(const CrowdMethodFactory& factory, std::string_view name, CrowdMethodMaker make);

    std::string name;                   // as find_crowd_method was given it
    uint64_t seed = 1;                  // of random choices
    uint64_t budget = 0;                // expansions of lacam in all, of swarm per tick; 0: the method's own
    const CrowdMethodFactory* factory;  // static lifetime
    CrowdMethodMaker make;
};

// One constant per method, listed in src/crowd/crowd_method.cpp.
struct CrowdMethodFactory {
    MethodInfo info;
    bool uses_overlays = false;  // overlays prepared for the agents' profiles (World::prepare) make it faster
    // Refuses wrong arguments and options with a message that says what would be right.
    Result<CrowdMethodSpec> (*parse)(const MethodText& text, const CrowdMethodFactory& factory) = nullptr;
};

// All methods of this library, in the order of the documentation. Thread-safe.
std::span<const CrowdMethodFactory* const> crowd_methods();

// Refuses unknown names and options, and missing or wrong arguments, with a message that says what would be right.
Result<CrowdMethodSpec> find_crowd_method(std::string_view name);

std::unique_ptr<CrowdMethod> make_crowd_method(const CrowdMethodSpec& spec);

}  // namespace terrane
