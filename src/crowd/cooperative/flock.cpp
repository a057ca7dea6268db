#include <algorithm>
#include <cstdlib>
#include <vector>

#include "crowd/cooperative/settle.h"
#include "terrane/base/assert.h"
#include "terrane/crowd/cooperative.h"

namespace terrane {

namespace {

constexpr int64_t kPull = 1 << 16;  // of the goal, along the longer axis at most

struct Offset {
    int64_t x = 0, y = 0;
};

class Flock : public CrowdMethod {
public:
    explicit Flock(const FlockOptions& options) : options_(options) { TERRANE_ASSERT(options.near >= 1 && options.near <= 8); }

    void plan(const Crowd& crowd, std::span<CellId> next) override {
        detail::rank_by_turn(crowd, order_);
        for (const AgentId agent : order_) {
            if (!crowd.agents()[agent].at_goal()) next[agent] = choose(crowd, agent);
        }
        settler_.settle(crowd, next, order_);
    }

    CrowdWork work() const override { return {}; }  // searches nothing
    size_t bytes() const override { return sizeof(*this) + settler_.bytes() + order_.capacity() * sizeof(AgentId); }
    std::unique_ptr<CrowdMethod> fresh() const override { return make_flock(options_); }

private:
    Offset steer(const Crowd& crowd, const CrowdAgent& who) const;
    CellId choose(const Crowd& crowd, AgentId agent) const;

    FlockOptions options_;
    detail::Settler settler_;
    std::vector<AgentId> order_;
};

// The pull of the goal, of nearly the same length everywhere; and from each neighbour, a push that is as much weaker as it is farther away.
Offset Flock::steer(const Crowd& crowd, const CrowdAgent& who) const {
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(who.at), goal = layout.cell(who.goal);
    const int64_t dx = goal.x - at.x, dy = goal.y - at.y;
    const int64_t length = std::max(std::abs(dx), std::abs(dy)) + std::min(std::abs(dx), std::abs(dy)) / 2;
    Offset sum{kPull * dx / length, kPull * dy / length};
    const auto near = static_cast<int32_t>(options_.near);
    const Rect around = intersection({at.x - near, at.y - near, at.x + near + 1, at.y + near + 1}, layout.rect());
    for (int32_t y = around.top; y < around.bottom; ++y) {
        for (int32_t x = around.left; x < around.right; ++x) {
            if (at == Cell{x, y} || crowd.agent_at(layout.id({x, y})) == kNoAgent) continue;
            const int64_t away = std::max(std::abs(at.x - x), std::abs(at.y - y));
            const int64_t push = kPull * options_.separation / (100 * away * away);
            sum.x += push * (at.x - x);
            sum.y += push * (at.y - y);
        }
    }
    return sum;
}

// The legal move that goes farthest along the way it is steered, to a cell where nobody stands; none where all go back.
CellId Flock::choose(const Crowd& crowd, AgentId agent) const {
    const CrowdAgent& who = crowd.agents()[agent];
    const GridLayout& layout = crowd.layout();
    const Cell at = layout.cell(who.at);
    const Offset wish = steer(crowd, who);
    CellId best = who.at;
    int64_t farthest = 0;
    for (const Cell move : kMoves) {
        const Cell to{at.x + move.x, at.y + move.y};
        if (!layout.contains(to) || crowd.agent_at(layout.id(to)) != kNoAgent) continue;
        if (!crowd.ground_of(agent).can_step(who.at, layout.id(to))) continue;
        const int64_t along = (wish.x * move.x + wish.y * move.y) * (move.x != 0 && move.y != 0 ? kStraight : kDiagonal);
        if (along <= farthest) continue;
        farthest = along;
        best = layout.id(to);
    }
    return best;
}

}  // namespace

std::unique_ptr<CrowdMethod> make_flock(const FlockOptions& options) { return std::make_unique<Flock>(options); }

}  // namespace terrane
