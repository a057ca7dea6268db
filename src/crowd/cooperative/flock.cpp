#include <algorithm>
#include <cstdlib>
#include <vector>

#include "crowd/cooperative/conflict_resolver.h"
#include "terrane/base/assert.h"
#include "terrane/crowd/cooperative.h"

namespace terrane {

namespace {

constexpr int64_t kPull = 1 << 16;  // length of the attraction to the goal, along the longer axis at most

struct Offset {
    int64_t x = 0, y = 0;
};

class Flock : public CrowdMethod {
public:
    explicit Flock(const FlockOptions& options) : options_(options) { TERRANE_ASSERT(options.radius >= 1 && options.radius <= 8); }

    void plan(const Crowd& crowd, std::span<CellId> next) override {
        detail::rotate_order(crowd, order_);
        for (const AgentId agent : order_) {
            if (!crowd.agents()[agent].at_goal()) next[agent] = choose(crowd, agent);
        }
        resolver_.resolve(crowd, next, order_);
    }

    CrowdWork work() const override { return {}; }  // there are no searches
    size_t bytes() const override { return sizeof(*this) + resolver_.bytes() + order_.capacity() * sizeof(AgentId); }
    std::unique_ptr<CrowdMethod> fresh() const override { return make_flock(options_); }

private:
    Offset steer(const Crowd& crowd, const CrowdAgent& state) const;
    CellId choose(const Crowd& crowd, AgentId agent) const;

    FlockOptions options_;
    detail::ConflictResolver resolver_;
    std::vector<AgentId> order_;
};

// Sums the attraction to the goal, of nearly constant length, and a repulsion from each neighbour that falls with its distance.
Offset Flock::steer(const Crowd& crowd, const CrowdAgent& state) const {
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(state.at), goal = layout.cell(state.goal);
    const int64_t dx = goal.x - at.x, dy = goal.y - at.y;
    const int64_t length = std::max(std::abs(dx), std::abs(dy)) + std::min(std::abs(dx), std::abs(dy)) / 2;
    Offset sum{kPull * dx / length, kPull * dy / length};
    const auto radius = static_cast<int32_t>(options_.radius);
    const Rect around = intersection({{at.x - radius, at.y - radius}, {2 * radius + 1, 2 * radius + 1}}, layout.rect());
    for (int32_t y = around.y; y < around.bottom(); ++y) {
        for (int32_t x = around.x; x < around.right(); ++x) {
            if (at == Cell{x, y} || crowd.agent_at(layout.id({x, y})) == kNoAgent) continue;
            const int64_t distance = std::max(std::abs(at.x - x), std::abs(at.y - y));
            const int64_t push = kPull * options_.separation / (100 * distance * distance);
            sum.x += push * (at.x - x);
            sum.y += push * (at.y - y);
        }
    }
    return sum;
}

// Returns the free legal neighbour farthest along the steering vector; the agent's own cell if none leads forwards.
CellId Flock::choose(const Crowd& crowd, AgentId agent) const {
    const CrowdAgent& state = crowd.agents()[agent];
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(state.at);
    const Offset steering = steer(crowd, state);
    CellId best = state.at;
    int64_t farthest = 0;
    for (const Cell move : kMoves) {
        const Cell to{at.x + move.x, at.y + move.y};
        if (!layout.contains(to) || crowd.agent_at(layout.id(to)) != kNoAgent) continue;
        if (!crowd.ground_of(agent).can_step(state.at, layout.id(to))) continue;
        const int64_t along = (steering.x * move.x + steering.y * move.y) * (move.x != 0 && move.y != 0 ? kStraight : kDiagonal);
        if (along <= farthest) continue;
        farthest = along;
        best = layout.id(to);
    }
    return best;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_flock(const FlockOptions& options) { return std::make_unique<Flock>(options); }

}  // namespace terrane
