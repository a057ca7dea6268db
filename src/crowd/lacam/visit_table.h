// Who is where and when in a plan: for each spot, the visits to it in the order of time.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane {

inline constexpr Tick kForever = 0xffffffff;

// Where an agent is, tick by tick; it stays where the last one is.
using SpotPath = std::vector<Spot>;

class VisitTable {
public:
    struct Visit {
        Tick from, to;  // both included; kForever: for good
        AgentId agent;
    };

    explicit VisitTable(uint32_t spots) : visits_(spots) {}

    std::span<const Visit> at(Spot spot) const { return visits_[spot]; }
    // The number of visits to a spot that end before a tick.
    size_t before(Spot spot, Tick tick) const {
        const auto& visits = visits_[spot];
        return static_cast<size_t>(std::partition_point(visits.begin(), visits.end(), [=](const Visit& v) { return v.to < tick; }) -
                                   visits.begin());
    }
    // kNoAgent: nobody.
    AgentId who(Spot spot, Tick tick) const {
        const size_t i = before(spot, tick);
        return i < visits_[spot].size() && visits_[spot][i].from <= tick ? visits_[spot][i].agent : kNoAgent;
    }

    // A path that meets nobody. Removed as it was added.
    void add(AgentId agent, const SpotPath& path) {
        for_each_visit(path, [&](Spot spot, Tick from, Tick to) {
            auto& visits = visits_[spot];
            visits.insert(visits.begin() + static_cast<ptrdiff_t>(before(spot, from)), {from, to, agent});
        });
    }
    void remove(const SpotPath& path) {
        for_each_visit(path, [&](Spot spot, Tick from, Tick) {
            visits_[spot].erase(visits_[spot].begin() + static_cast<ptrdiff_t>(before(spot, from)));
        });
    }

    size_t bytes() const {
        size_t bytes = visits_.capacity() * sizeof(std::vector<Visit>);
        for (const auto& visits : visits_) bytes += visits.capacity() * sizeof(Visit);
        return bytes;
    }

private:
    template <class Use>
    static void for_each_visit(const SpotPath& path, Use&& use) {
        for (size_t first = 0, last; first < path.size(); first = last + 1) {
            last = first;
            while (last + 1 < path.size() && path[last + 1] == path[first]) ++last;
            use(path[first], static_cast<Tick>(first), last + 1 < path.size() ? static_cast<Tick>(last) : kForever);
        }
    }

    std::vector<std::vector<Visit>> visits_;  // by spot
};

}  // namespace terrane
