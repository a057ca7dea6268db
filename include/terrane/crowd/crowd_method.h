// Finds crowd methods by name, as find_method (terrane/world/methods.h) does for one agent.
//
//   Crowd crowd(world, {deer, person}, make_crowd_method(find_crowd_method("whca:16").value()));
//
// Names: "replan", "flock", "ca", "whca:16", "whca:16,2", "cpra:8", "pibt", "lacam", "swarm", "replan+flow". terrane/base/method_text.h has
// the grammar. CONTRIBUTING.md explains how to add a method.
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

// Creates the method of a parsed name, with the seed and budget of its CrowdMethodSpec.
using CrowdMethodMaker = std::function<std::unique_ptr<CrowdMethod>(uint64_t seed, uint64_t budget)>;

// A parsed method name with its arguments. A value; copies are independent.
struct CrowdMethodSpec {
    CrowdMethodSpec();  // "pibt"
    CrowdMethodSpec(const CrowdMethodFactory& factory, std::string_view name, CrowdMethodMaker make);

    std::string name;                   // as find_crowd_method was given it
    uint64_t seed = 1;                  // of random choices
    uint64_t budget = 0;                // in expansions: per plan for lacam, per tick for swarm; 0: the method's default (check_budget)
    const CrowdMethodFactory* factory;  // static lifetime
    CrowdMethodMaker make;
};

// One constant per method, listed in src/crowd/crowd_method.cpp.
struct CrowdMethodFactory {
    MethodInfo info;
    bool uses_overlays = false;  // overlays prepared for the agents' profiles (World::prepare) make it faster
    bool has_budget = false;     // other methods ignore CrowdMethodSpec::budget
    // Refuses invalid arguments and options; the error states what is valid.
    Result<CrowdMethodSpec> (*parse)(const MethodText& text, const CrowdMethodFactory& factory) = nullptr;
};

// All crowd methods, in the order of the documentation. Thread-safe.
std::span<const CrowdMethodFactory* const> crowd_methods();

// Parses a method name. Refuses unknown names and options, and missing or invalid arguments; the error states what is valid.
// Thread-safe.
Result<CrowdMethodSpec> find_crowd_method(std::string_view name);

// Refuses a budget for a method that has none; the error lists those that have one.
Result<void> check_budget(const CrowdMethodSpec& spec);

std::unique_ptr<CrowdMethod> make_crowd_method(const CrowdMethodSpec& spec);

}  // namespace terrane
