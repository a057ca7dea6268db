#include "terrane/crowd/crowd_method.h"

#include <optional>
#include <utility>

#include "base/text.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/crowd/lacam.h"
#include "terrane/crowd/pibt.h"
#include "terrane/crowd/swarm.h"

namespace terrane {

namespace {

constexpr uint32_t kMaxWindow = 1024;  // steps
constexpr uint32_t kMaxLevel = 16;

constexpr MethodOption kFlow[] = {{"flow"}};
constexpr MethodOption kImprove[] = {{"improve"}};

// Refuses levels, options other than `options`, and a missing or superfluous argument.
Result<CrowdMethodSpec> make_spec(const MethodText& text, const CrowdMethodFactory& factory, std::span<const MethodOption> options,
                                  CrowdMethodMaker make, bool has_argument = false) {
    if (!text.levels.empty() || text.head.argument.has_value() != has_argument) return text.expected(factory.info);
    const auto known = text.check_options(options);
    if (!known) return known.error();
    return CrowdMethodSpec(factory, text.text, std::move(make));
}

// Parses "16" or, if `has_level`, "16,2".
struct Window {
    uint32_t steps, level;
};
std::optional<Window> parse_window(const MethodText& text, bool has_level) {
    const std::string_view argument = text.head.argument.value_or("");
    const size_t comma = has_level ? argument.find(',') : std::string_view::npos;
    const auto steps = detail::parse_integer<uint32_t>(argument.substr(0, comma), 1, kMaxWindow);
    const auto level =
        comma == std::string_view::npos ? std::optional(0u) : detail::parse_integer<uint32_t>(argument.substr(comma + 1), 0, kMaxLevel);
    return steps && level ? std::optional(Window{*steps, *level}) : std::nullopt;
}

CrowdMethodMaker windowed(CooperativeAlgorithm algorithm, Window window, bool flow) {
    return [=](uint64_t, uint64_t) {
        return make_cooperative({.algorithm = algorithm, .window = window.steps, .level = window.level, .flow = flow});
    };
}

CrowdMethodMaker pibt(bool flow) {
    return [flow](uint64_t seed, uint64_t) { return make_pibt({.flow = flow, .seed = seed}); };
}

Result<CrowdMethodSpec> parse_replan(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, kFlow, [flow = text.has("flow")](uint64_t, uint64_t) { return make_replan({.flow = flow}); });
}

Result<CrowdMethodSpec> parse_flock(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, {}, [](uint64_t, uint64_t) { return make_flock({}); });
}

Result<CrowdMethodSpec> parse_ca(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, {}, [](uint64_t, uint64_t) { return make_cooperative({.algorithm = CooperativeAlgorithm::kCa}); });
}

Result<CrowdMethodSpec> parse_whca(const MethodText& text, const CrowdMethodFactory& factory) {
    const auto window = parse_window(text, true);
    if (!window) return text.expected(factory.info);
    return make_spec(text, factory, kFlow, windowed(CooperativeAlgorithm::kWhca, *window, text.has("flow")), true);
}

Result<CrowdMethodSpec> parse_cpra(const MethodText& text, const CrowdMethodFactory& factory) {
    const auto window = parse_window(text, false);
    if (!window) return text.expected(factory.info);
    return make_spec(text, factory, {}, windowed(CooperativeAlgorithm::kCpra, *window, false), true);
}

Result<CrowdMethodSpec> parse_pibt(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, kFlow, pibt(text.has("flow")));
}

Result<CrowdMethodSpec> parse_lacam(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, kImprove, [improve = text.has("improve")](uint64_t seed, uint64_t budget) {
        return make_lacam({.seed = seed, .improve = improve, .budget = budget});
    });
}

Result<CrowdMethodSpec> parse_swarm(const MethodText& text, const CrowdMethodFactory& factory) {
    return make_spec(text, factory, kFlow, [flow = text.has("flow")](uint64_t, uint64_t budget) {
        SwarmOptions options{.flow = flow};
        if (budget != 0) options.budget = budget;
        return make_swarm(options);
    });
}

constexpr CrowdMethodFactory kReplanMethod{
    .info = {"replan", "replan[+flow]", "plans each agent alone with A*; replans when another agent blocks its path", "", "replan"},
    .parse = parse_replan};

constexpr CrowdMethodFactory kFlockMethod{
    .info = {"flock", "flock", "steers each agent towards its goal and away from neighbours; no paths", "", "flock"}, .parse = parse_flock};

constexpr CrowdMethodFactory kCaMethod{
    .info = {"ca", "ca", "cooperative A*: plans complete space-time paths, one agent after another", "", "ca"}, .parse = parse_ca};

constexpr CrowdMethodFactory kWhcaMethod{
    .info = {"whca", "whca:W[,A][+flow]", "WHCA*: reserves W steps ahead; distances on cells or on level A of an abstraction",
             "W: 1 to 1024 steps; A: a level of 0 to 16, default 0 (cells)", "whca:16"},
    .parse = parse_whca};

constexpr CrowdMethodFactory kCpraMethod{
    .info = {"cpra", "cpra:K", "cooperative partial-refinement A*: avoids other agents for the first K steps", "K: 1 to 1024 steps",
             "cpra:8"},
    .parse = parse_cpra};

constexpr CrowdMethodFactory kPibtMethod{
    .info = {"pibt", "pibt[+flow]", "priority inheritance with backtracking: one step per tick, for thousands of agents", "", "pibt"},
    .parse = parse_pibt};

constexpr CrowdMethodFactory kLacamMethod{
    .info = {"lacam", "lacam[+improve]", "plans for all agents together; complete: finds a plan if one exists", "", "lacam"},
    .has_budget = true,
    .parse = parse_lacam};

constexpr CrowdMethodFactory kSwarmMethod{
    .info = {"swarm", "swarm[+flow]", "for games: ten thousand agents with bounded work per tick", "", "swarm"},
    .uses_overlays = true,
    .has_budget = true,
    .parse = parse_swarm};

// One line per method.
// clang-format off
constexpr const CrowdMethodFactory* kMethods[] = {
    &kReplanMethod,
    &kFlockMethod,
    &kCaMethod,
    &kWhcaMethod,
    &kCpraMethod,
    &kPibtMethod,
    &kLacamMethod,
    &kSwarmMethod,
};
// clang-format on

}  // namespace

CrowdMethodSpec::CrowdMethodSpec() : CrowdMethodSpec(kPibtMethod, "pibt", pibt(false)) {}

CrowdMethodSpec::CrowdMethodSpec(const CrowdMethodFactory& from, std::string_view text, CrowdMethodMaker with)
    : name(text), factory(&from), make(std::move(with)) {}

std::span<const CrowdMethodFactory* const> crowd_methods() { return kMethods; }

Result<CrowdMethodSpec> find_crowd_method(std::string_view name) {
    const MethodText text(name);
    const auto factory = find_method_row(kMethods, text);
    if (!factory) return factory.error();
    return (*factory)->parse(text, **factory);
}

Result<void> check_budget(const CrowdMethodSpec& spec) {
    if (spec.budget == 0 || spec.factory->has_budget) return {};
    std::string names;
    for (const CrowdMethodFactory* factory : kMethods) {
        if (factory->has_budget) names.append(names.empty() ? "" : ", ").append(factory->info.name);
    }
    return Error{ErrorCode::kBadValue, {}, 0, detail::quote(spec.factory->info.name) + " has no budget: these methods have one: " + names};
}

std::unique_ptr<CrowdMethod> make_crowd_method(const CrowdMethodSpec& spec) { return spec.make(spec.seed, spec.budget); }

}  // namespace terrane
