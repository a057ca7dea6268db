// How a kind of creature feels about terrain: a cost for each type, or blocked.
//
// A profile names terrains; it is compiled against a map's catalogue into a table of 256 costs when
// a query begins. Profiles need no memory per cell: have as many as there are creatures.
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

// In hundredths: 1 is 0.01, 65000 is 650. 0 means blocked.
using Hundredths = uint32_t;
inline constexpr Hundredths kBlocked = 0;
inline constexpr Hundredths kMinTerrainCost = 1;
inline constexpr Hundredths kMaxTerrainCost = 65000;

// A profile made ready for one catalogue. What a search reads.
struct CostTable {
    std::array<uint32_t, 256> cost{};  // hundredths divided by `divisor`; 0 is blocked; [kOutside] is 0
    uint32_t divisor = 1;              // the common divisor of the profile's costs

    bool passable(Terrain t) const { return cost[t] != 0; }
    Hundredths hundredths(Terrain t) const { return cost[t] * divisor; }
    friend bool operator==(const CostTable&, const CostTable&) = default;
};

// Built up by chained calls:
//   Profile deer = Profile("deer").cost("trees", 1).cost("road", 4).blocked("deep_water").otherwise(2);
// Costs are from 0.01 to 650 and exact to hundredths: 2.5 is, 0.005 is not. A mistake (such a cost, or
// a name that the catalogue lacks) is reported by compile(). Terrains not named take `otherwise`;
// without that, they cost 1. A terrain named twice takes the last.
class Profile {
public:
    explicit Profile(std::string name = {}) : name_(std::move(name)) {}

    Profile& cost(std::string_view terrain, double cost);
    Profile& blocked(std::string_view terrain);
    Profile& otherwise(double cost);
    Profile& otherwise_blocked();

    // The same in hundredths (0 is blocked); `line` is the line of a file to blame, 0 for none.
    Profile& rule(std::string_view terrain, Hundredths cost, uint32_t line = 0);
    Profile& otherwise_rule(Hundredths cost);

    const std::string& name() const { return name_; }
    void set_name(std::string name) { name_ = std::move(name); }
    // The file that errors should name.
    void set_file(std::string file) { file_ = std::move(file); }

    // A rule's name is a terrain's name or, for a single character, its letter.
    Result<CostTable> compile(const Catalogue& catalogue) const;

    // `person` keeps to roads, `deer` to trees, `outlaw` to the wild and off the roads; `walker`
    // walks where the grid benchmarks do: the cost is 1 on ground, grass and swamp, all else
    // blocked. Presets skip what a catalogue lacks. Null where there is no such preset.
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
    std::string mistake_;  // the first one made while building
};

// Reads a profile: a line per terrain, its name (or map letter) and its cost or `blocked`, separated by
// spaces, a comma, `=` or `:`; `otherwise` for the rest; `name` for the profile's own; `#` begins a
// comment; a first line `terrain,cost` is skipped. Limits: 64 KiB.
Result<Profile> parse_profile(std::string_view text, std::string_view file = {});
Result<Profile> load_profile(const std::string& path);

// "2.5" -> 250. Nothing for anything but 0.01 to 650 with at most two decimals that matter.
std::optional<Hundredths> parse_hundredths(std::string_view text);
// 250 -> "2.5"; 0 -> "blocked".
std::string format_hundredths(Hundredths cost);

}  // namespace terrane
