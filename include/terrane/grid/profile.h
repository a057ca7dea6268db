// Profiles: the cost of each terrain type for one type of agent.
//
// A profile refers to terrains by name. A query compiles it against the map's catalogue into a table of 256 costs. Profiles need no
// memory per cell, so a program may have any number of them.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "terrane/base/result.h"
#include "terrane/grid/terrain.h"

namespace terrane {

// Terrain costs in hundredths: 1 is 0.01, 65000 is 650. 0 means blocked.
using Hundredths = uint32_t;
inline constexpr Hundredths kBlocked = 0;
inline constexpr Hundredths kMinTerrainCost = 1;
inline constexpr Hundredths kMaxTerrainCost = 65000;

// A profile compiled for one catalogue, as searches read it.
struct CostTable {
    std::array<uint32_t, 256> cost{};  // hundredths divided by `divisor`; 0 is blocked; [kOutside] is 0
    uint32_t divisor = 1;              // greatest common divisor of the profile's costs

    bool passable(Terrain t) const { return cost[t] != 0; }
    Hundredths hundredths(Terrain t) const { return cost[t] * divisor; }
    friend bool operator==(const CostTable&, const CostTable&) = default;
};

// A builder with chained calls:
//   Profile deer = Profile("deer").cost("trees", 1).cost("road", 4).blocked("deep_water").otherwise(2);
// Costs are 0.01 to 650, in whole hundredths: 2.5 is valid, 0.005 is not. compile() reports errors, such as an invalid cost or a name
// that the catalogue lacks. Terrains without a rule take the `otherwise` cost, by default 1. The last rule for a terrain wins.
class Profile {
public:
    explicit Profile(std::string name = {}) : name_(std::move(name)) {}

    Profile& cost(std::string_view terrain, double cost);
    Profile& blocked(std::string_view terrain);
    Profile& otherwise(double cost);
    Profile& otherwise_blocked();

    // The same in hundredths (0 is blocked). `line` is the line of the profile's file for error messages; 0 for none.
    Profile& rule(std::string_view terrain, Hundredths cost, uint32_t line = 0);
    Profile& otherwise_rule(Hundredths cost);

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    // The file name for error messages.
    void set_file(std::string file) { file_ = std::move(file); }

    // Resolves the rules against a catalogue. A rule names a terrain by its name, or by its letter if it is a single character.
    Result<CostTable> compile(const Catalogue& catalogue) const;

    // Built-in profiles: `person` prefers roads, `deer` trees, `outlaw` hills and wilderness away from roads. `walker` follows the grid
    // benchmarks: cost 1 on ground, grass and swamp, all else blocked. Presets ignore terrains that a catalogue lacks. preset() returns
    // null for an unknown name.
    static const Profile* preset(std::string_view name);
    static const std::vector<Profile>& presets();

private:
    struct Rule {
        std::string terrain;
        Hundredths cost = 0;
        uint32_t line = 0;
    };
    Profile& rule_of(std::string_view terrain, double cost);
    Profile& lenient();

    std::string name_;
    std::string file_;
    std::vector<Rule> rules_;
    Hundredths otherwise_ = 100;
    bool skip_unknown_ = false;
    std::string first_error_;  // the first invalid cost passed to the builder; empty if none
};

// Parses a profile. Each line has a terrain's name or map letter and its cost or `blocked`, separated by spaces, a comma, `=` or `:`. The
// key `otherwise` sets the cost of all other terrains, `name` the profile's name. `#` begins a comment; a first line `terrain,cost` is
// skipped. At most 64 KiB.
Result<Profile> parse_profile(std::string_view text, std::string_view file = {});
Result<Profile> load_profile(const std::string& path);

// Parses "2.5" as 250. Accepts 0.01 to 650; decimals after the second must be zeros.
std::optional<Hundredths> parse_hundredths(std::string_view text);
// Formats 250 as "2.5" and 0 as "blocked".
std::string format_hundredths(Hundredths cost);

}  // namespace terrane
