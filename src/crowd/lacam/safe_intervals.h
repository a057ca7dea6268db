// The times at which agents occupy each spot; the gaps between them are the safe intervals of SIPP.
// Phillips, Likhachev 2011 (SIPP: safe interval path planning).
//
// A spot with n visits has n + 1 safe intervals: number i lies between the visits i - 1 and i, and may be empty.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "crowd/crowd_ground.h"

namespace terrane {

inline constexpr Tick kForever = 0xffffffff;

// An agent's spot at each tick. The agent stays at the last one.
using SpotPath = std::vector<Spot>;

class SafeIntervals {
public:
    struct Visit {
        Tick from, to;  // both inclusive; kForever: the agent never leaves
        AgentId agent;
    };

    explicit SafeIntervals(uint32_t spots) : visits_(spots) {}

    // The visits to a spot, sorted by time.
    std::span<const Visit> at(Spot spot) const { return visits_[spot]; }
    // The number of visits to a spot that end before a tick. Binary search.
    size_t visits_before(Spot spot, Tick tick) const {
        const auto& visits = visits_[spot];
        return static_cast<size_t>(std::partition_point(visits.begin(), visits.end(), [=](const Visit& v) { return v.to < tick; }) -
                                   visits.begin());
    }
    // The agent on a spot at a tick; kNoAgent if the spot is free.
    AgentId agent_at(Spot spot, Tick tick) const {
        const size_t i = visits_before(spot, tick);
        return i < visits_[spot].size() && visits_[spot][i].from <= tick ? visits_[spot][i].agent : kNoAgent;
    }

    // `path` must not conflict with the paths added before. remove() needs the path as it was added.
    void add(AgentId agent, const SpotPath& path) {
        for_each_visit(path, [&](Spot spot, Tick from, Tick to) {
            auto& visits = visits_[spot];
            visits.insert(visits.begin() + static_cast<ptrdiff_t>(visits_before(spot, from)), {from, to, agent});
        });
    }
    void remove(const SpotPath& path) {
        for_each_visit(path, [&](Spot spot, Tick from, Tick) {
            visits_[spot].erase(visits_[spot].begin() + static_cast<ptrdiff_t>(visits_before(spot, from)));
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
