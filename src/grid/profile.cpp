#include "terrane/grid/profile.h"

#include <cmath>
#include <numeric>

#include "base/text.h"
#include "terrane/base/file.h"

namespace terrane {

namespace {

constexpr uint64_t kMaxProfileBytes = 64 << 10;
constexpr std::string_view kSeparators = " \t\r,=:";

// The profile of the grid benchmarks, and three example agents. `person`, `deer` and `outlaw` are blocked only by deep water, chasms,
// walls, fire and lava; their preferred terrain costs 1.
std::vector<Profile> make_presets() {
    const auto land = [](const char* name) {
        Profile p(name);
        for (const char* t : {"black", "deep_water", "fire", "lava", "wall", "void"}) p.blocked(t);
        return p;
    };
    // clang-format off
    return {
        land("person").cost("road", 1).cost("bridge", 1).cost("plains", 2).cost("ground", 2).cost("grass", 2)
            .cost("trees", 4).cost("jungle", 6).cost("swamp", 8).cost("river", 8).cost("water", 12).cost("mountain", 8).otherwise(3),
        land("deer").cost("trees", 1).cost("jungle", 1.5).cost("grass", 1.5).cost("plains", 2).cost("ground", 2)
            .cost("road", 6).cost("bridge", 6).cost("river", 4).cost("water", 10).cost("mountain", 6).otherwise(3),
        land("outlaw").cost("hills", 1).cost("trees", 1.5).cost("swamp", 2).cost("mountain", 2).cost("ground", 2).cost("grass", 2)
            .cost("plains", 3).cost("road", 10).cost("bridge", 10).cost("river", 5).cost("water", 12).otherwise(2),
        Profile("walker").cost("ground", 1).cost("grass", 1).cost("swamp", 1).otherwise_blocked(),
    };
    // clang-format on
}

}  // namespace

std::optional<Hundredths> parse_hundredths(std::string_view text) {
    uint32_t value = 0;
    int decimals = -1;  // none seen yet
    bool digits = false;
    for (const char c : text) {
        if (c == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (c < '0' || c > '9') return std::nullopt;
        digits = true;
        if (decimals >= 2) {
            if (c != '0') return std::nullopt;  // finer than hundredths
            continue;
        }
        value = value * 10 + static_cast<uint32_t>(c - '0');
        if (decimals >= 0) ++decimals;
        if (value > kMaxTerrainCost) return std::nullopt;
    }
    for (int d = std::max(decimals, 0); d < 2; ++d) value *= 10;
    if (!digits || value < kMinTerrainCost || value > kMaxTerrainCost) return std::nullopt;
    return value;
}

std::string format_hundredths(Hundredths cost) {
    if (cost == kBlocked) return "blocked";
    std::string text = std::to_string(cost / 100);
    if (cost % 100 == 0) return text;
    text += '.';
    text += static_cast<char>('0' + cost % 100 / 10);
    if (cost % 10 != 0) text += static_cast<char>('0' + cost % 10);
    return text;
}

Profile& Profile::rule(std::string_view terrain, Hundredths cost, uint32_t line) {
    rules_.push_back({std::string(terrain), cost, line});
    return *this;
}

Profile& Profile::rule_of(std::string_view terrain, double cost) {
    const double hundredths = std::round(cost * 100);
    const bool exact = std::fabs(cost * 100 - hundredths) < 1e-6;
    if (exact && hundredths >= kMinTerrainCost && hundredths <= kMaxTerrainCost) return rule(terrain, static_cast<Hundredths>(hundredths));
    if (first_error_.empty()) {
        first_error_ =
            "invalid cost " + std::to_string(cost) + " of '" + std::string(terrain) + "': expected 0.01 to 650 in whole hundredths";
    }
    return *this;
}

Profile& Profile::cost(std::string_view terrain, double cost) { return rule_of(terrain, cost); }
Profile& Profile::blocked(std::string_view terrain) { return rule(terrain, kBlocked); }

Profile& Profile::otherwise(double cost) {
    rule_of("otherwise", cost);
    if (!rules_.empty() && rules_.back().terrain == "otherwise") {
        otherwise_ = rules_.back().cost;
        rules_.pop_back();
    }
    return *this;
}

Profile& Profile::otherwise_blocked() { return otherwise_rule(kBlocked); }

Profile& Profile::otherwise_rule(Hundredths cost) {
    otherwise_ = cost;
    return *this;
}

Profile& Profile::lenient() {
    skip_unknown_ = true;
    return *this;
}

Result<CostTable> Profile::compile(const Catalogue& catalogue) const {
    const auto refuse = [&](ErrorCode code, uint32_t line, std::string reason) { return Error{code, file_, line, std::move(reason)}; };
    const std::string subject = name_.empty() ? "profile" : "profile " + detail::quote(name_);
    if (!first_error_.empty()) return refuse(ErrorCode::kBadValue, 0, subject + ": " + first_error_);

    CostTable table;
    for (uint32_t t = 0; t < catalogue.size(); ++t) table.cost[t] = otherwise_;
    for (const Rule& rule : rules_) {
        auto terrain = catalogue.find(rule.terrain);
        if (!terrain && rule.terrain.size() == 1) terrain = catalogue.find_letter(rule.terrain[0]);
        if (terrain) {
            table.cost[*terrain] = rule.cost;
        } else if (!skip_unknown_) {
            return refuse(ErrorCode::kUnknownName, rule.line, subject + ": this map has no terrain " + detail::quote(rule.terrain));
        }
    }
    uint32_t divisor = 0;
    for (const uint32_t cost : table.cost) divisor = std::gcd(divisor, cost);
    table.divisor = std::max(divisor, 1u);
    for (uint32_t& cost : table.cost) cost /= table.divisor;
    return table;
}

const std::vector<Profile>& Profile::presets() {
    static const std::vector<Profile> presets = [] {
        std::vector<Profile> all = make_presets();
        for (Profile& p : all) p.lenient();
        return all;
    }();
    return presets;
}

const Profile* Profile::preset(std::string_view name) {
    for (const Profile& p : presets()) {
        if (p.name() == name) return &p;
    }
    return nullptr;
}

Result<Profile> parse_profile(std::string_view text, std::string_view file) {
    detail::LineReader lines(text, file);
    if (text.size() > kMaxProfileBytes) {
        return lines.refuse(ErrorCode::kTooLarge, "larger than the limit of " + std::to_string(kMaxProfileBytes) + " bytes");
    }
    if (const std::string_view binary = detail::describe_binary(text); !binary.empty())
        return lines.refuse_line(ErrorCode::kBadValue, 1, "expected terrains and their costs, a text; this is " + std::string(binary));
    Profile profile;
    profile.set_file(std::string(file));
    for (std::string_view line; lines.next(line);) {
        line = line.substr(0, line.find('#'));
        const std::string_view key = detail::take_word(line, kSeparators), value = detail::take_word(line, kSeparators);
        if (key.empty() || (key == "terrain" && value == "cost")) continue;
        if (value.empty() || !detail::take_word(line, kSeparators).empty()) {
            return lines.refuse(ErrorCode::kBadValue, "expected a terrain and its cost, as in 'trees 1.5' or 'water blocked'");
        }
        if (key == "name") {
            profile.set_name(std::string(value));
            continue;
        }
        const auto cost = value == "blocked" ? std::optional<Hundredths>(kBlocked) : parse_hundredths(value);
        if (!cost) {
            return lines.refuse(ErrorCode::kBadValue,
                                "invalid cost " + detail::quote(value) + ": expected 0.01 to 650 in hundredths, or 'blocked'");
        }
        if (key == "otherwise") {
            profile.otherwise_rule(*cost);
        } else {
            profile.rule(key, *cost, lines.line());
        }
    }
    return profile;
}

Result<Profile> load_profile(const std::string& path) {
    const auto text = read_file(path, kMaxProfileBytes);
    if (!text) return text.error();
    return parse_profile(*text, path);
}

}  // namespace terrane
