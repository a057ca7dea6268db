// A direction map that learns from the moves of a crowd.
#pragma once
#include <cstdint>
#include <span>

#include "terrane/crowd/crowd.h"
#include "terrane/crowd/direction_map.h"

namespace terrane::detail {

class DirectionLearner {
public:
    DirectionLearner(const GridLayout& layout, const DirectionMapOptions& options) : map_(layout, options) {}

    // Call once per tick with the moves that are about to be made; they must be legal.
    void learn(const Crowd& crowd, std::span<const CellId> next) {
        const GridLayout& layout = crowd.layout();
        map_.decay();
        for (size_t agent = 0; agent < next.size(); ++agent) {
            const CellId at = crowd.agents()[agent].at;
            if (at == kNoCell || next[agent] == at) continue;
            const Cell a = layout.cell(at), b = layout.cell(next[agent]);
            Move move = 0;
            while (kMoves[move] != Cell{b.x - a.x, b.y - a.y}) ++move;
            map_.learn(at, move);
        }
    }

    const DirectionMap& map() const { return map_; }

private:
    DirectionMap map_;
};

}  // namespace terrane::detail
