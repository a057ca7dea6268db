#include "terrane/crowd/crowd_method.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/crowd/lacam.h"
#include "terrane/crowd/pibt.h"
#include "terrane/crowd/swarm.h"

namespace terrane {

namespace {

struct Row {
    CrowdMethodInfo info;
    const char* name;
    uint32_t min_arguments, max_arguments;
    const char* options;  // that it takes, each with its +
};

constexpr std::array<Row, 8> kRows = {{
    {{CrowdFamily::kReplan, "replan[+flow]", "each on its own; plans again when someone stands in the way"}, "replan", 0, 0, "+flow"},
    {{CrowdFamily::kFlock, "flock", "no plans: towards the goal, and away from neighbours"}, "flock", 0, 0, ""},
    {{CrowdFamily::kCa, "ca", "cooperative A*: whole paths in space and time, one agent after another"}, "ca", 0, 0, ""},
    {{CrowdFamily::kWhca, "whca:W[,A][+flow]", "windowed: W steps ahead; led by distances on cells, or on level A of an abstraction"},
     "whca",
     1,
     2,
     "+flow"},
    {{CrowdFamily::kCpra, "cpra:K", "partial refinement, the first K steps with the others in mind"}, "cpra", 1, 1, ""},
    {{CrowdFamily::kPibt, "pibt[+flow]", "one step at a time, priorities inherited; thousands of agents"}, "pibt", 0, 0, "+flow"},
    {{CrowdFamily::kLacam, "lacam[+improve]", "a plan for all at once; finds one wherever there is one"}, "lacam", 0, 0, "+improve"},
    {{CrowdFamily::kSwarm, "swarm[+flow]", "for games: ten thousand agents, so much work a tick and no more"}, "swarm", 0, 0, "+flow"},
}};

Error refuse(ErrorCode code, std::string_view name, const std::string& reason) {
    return {code, {}, 0, "crowd method " + detail::quote(name) + ": " + reason};
}

std::optional<uint32_t> parse_number(std::string_view text) {
    uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// "16,2" -> {16, 2}. Nothing where one is no number.
std::optional<std::vector<uint32_t>> parse_numbers(std::string_view text) {
    std::vector<uint32_t> numbers;
    for (bool more = true; more;) {
        const size_t comma = text.find(',');
        const auto number = parse_number(text.substr(0, comma));
        if (!number) return std::nullopt;
        numbers.push_back(*number);
        more = comma != std::string_view::npos;
        if (more) text.remove_prefix(comma + 1);
    }
    return numbers;
}

Result<CrowdMethodSpec> with_arguments(CrowdMethodSpec spec, const Row& row, std::optional<std::string_view> text) {
    const auto usage = [&] { return std::string("expected ") + row.info.usage; };
    const auto numbers = text ? parse_numbers(*text) : std::vector<uint32_t>{};
    if (!numbers || numbers->size() < row.min_arguments || numbers->size() > row.max_arguments) {
        return refuse(ErrorCode::kBadValue, spec.name, usage());
    }
    if (!numbers->empty()) spec.window = numbers->front();
    if (numbers->size() > 1) spec.level = numbers->back();
    if (spec.window < 1 || spec.window > 1024) return refuse(ErrorCode::kBadValue, spec.name, usage() + " with 1 to 1024 steps");
    if (spec.level > 16) return refuse(ErrorCode::kBadValue, spec.name, usage() + " with a level of 0 to 16");
    return spec;
}

}  // namespace

std::span<const CrowdMethodInfo> crowd_methods() {
    static constexpr auto kInfos = [] {
        std::array<CrowdMethodInfo, kRows.size()> infos{};
        for (size_t i = 0; i < kRows.size(); ++i) infos[i] = kRows[i].info;
        return infos;
    }();
    return kInfos;
}

Result<CrowdMethodSpec> find_crowd_method(std::string_view name) {
    const size_t plus = std::min(name.find('+'), name.size());
    const std::string_view head = name.substr(0, plus);
    const size_t colon = std::min(head.find(':'), head.size());
    const auto row = std::ranges::find(kRows, head.substr(0, colon), &Row::name);
    if (row == kRows.end()) {
        std::string names;
        for (const Row& known : kRows) names += (names.empty() ? "" : ", ") + std::string(known.info.usage);
        return refuse(ErrorCode::kUnknownName, name, "unknown; there are " + names);
    }
    CrowdMethodSpec spec{.family = row->info.family, .name = std::string(name)};
    const std::string_view option = name.substr(plus);
    if (!option.empty() && option != row->options) {
        return refuse(ErrorCode::kUnknownName, name, "no option " + detail::quote(option) + "; expected " + row->info.usage);
    }
    spec.flow = option == "+flow";
    spec.improve = option == "+improve";
    return with_arguments(std::move(spec), *row, colon < head.size() ? std::optional(head.substr(colon + 1)) : std::nullopt);
}

std::unique_ptr<CrowdMethod> make_crowd_method(const CrowdMethodSpec& spec) {
    const auto cooperative = [&](CooperativeKind kind) {
        return make_cooperative({.kind = kind, .window = spec.window, .level = spec.level, .flow = spec.flow});
    };
    switch (spec.family) {
        case CrowdFamily::kReplan: return make_replan({.flow = spec.flow});
        case CrowdFamily::kFlock: return make_flock({});
        case CrowdFamily::kCa: return cooperative(CooperativeKind::kWhole);
        case CrowdFamily::kWhca: return cooperative(CooperativeKind::kWindow);
        case CrowdFamily::kCpra: return cooperative(CooperativeKind::kPartial);
        case CrowdFamily::kPibt: return make_pibt({.flow = spec.flow, .seed = spec.seed});
        case CrowdFamily::kLacam: return make_lacam({.seed = spec.seed, .improve = spec.improve, .budget = spec.budget});
        case CrowdFamily::kSwarm: break;
    }
    SwarmOptions swarm{.flow = spec.flow};
    if (spec.budget != 0) swarm.budget = spec.budget;
    return make_swarm(swarm);
}

}  // namespace terrane
