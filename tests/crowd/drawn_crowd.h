// Crowds drawn in the test.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/crowd/crowd.h"

namespace terrane::test {

// A lower-case letter is the start of an agent, the same letter in upper case its goal (by default its start); # is blocked, a digit is
// terrain of that cost, anything else costs 1. Agent ids follow the letters. Spaces are skipped. S and G have no special meaning here.
class DrawnCrowd {
public:
    explicit DrawnCrowd(std::string_view drawing) : world_(scene(drawing).grid) {
        Cell at;
        for (const char c : std::string(drawing) + "\n") {
            if (c == ' ' || (c == '\n' && at.x == 0)) continue;
            if (c == '\n') {
                at = {0, at.y + 1};
                continue;
            }
            if (c >= 'a' && c <= 'z') starts_[c] = at;
            if (c >= 'A' && c <= 'Z') goals_[static_cast<char>(c - 'A' + 'a')] = at;
            ++at.x;
        }
    }

    World& world() { return world_; }
    CostTable costs() const { return digit_profile().compile(world_.grid().catalogue()).value(); }
    // Start and goal of the agent with this letter.
    Cell start(char letter) const { return starts_.at(letter); }
    Cell goal(char letter) const { return goals_.contains(letter) ? goals_.at(letter) : starts_.at(letter); }

    // This object must outlive the crowd.
    Crowd crowd(std::unique_ptr<CrowdMethod> method, Movement movement = Movement::kFour) {
        Crowd made(world_, {costs()}, std::move(method), {.movement = movement});
        for (const auto& [letter, at] : starts_) made.add(at, goal(letter));
        return made;
    }

private:
    World world_;
    std::map<char, Cell> starts_, goals_;
};

// Runs a crowd until all agents have arrived, `max_ticks` have passed or a proposal has a fault.
struct CrowdRun {
    bool arrived = false;
    Tick ticks = 0;
    uint64_t faults = 0;
    Cost cost = 0;  // sum of costs
};
inline CrowdRun run_crowd(Crowd& crowd, Tick max_ticks) {
    while (!crowd.all_arrived() && crowd.ticks() < max_ticks && crowd.faults() == 0) crowd.tick();
    CrowdRun run{crowd.all_arrived(), crowd.ticks(), crowd.faults(), 0};
    for (const CrowdAgent& agent : crowd.agents()) run.cost += agent.cost;
    return run;
}

}  // namespace terrane::test
