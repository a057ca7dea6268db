#include "crowd/cooperative/space_time_heuristic.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

namespace {

constexpr size_t kMaxComparedCells = 256;  // larger edits restart all searches without comparing cells
constexpr uint32_t kMaxStalls = 8;         // plans without progress before an agent switches to exact distances
constexpr uint64_t kSlice = 8;             // PRA* expansions between checks for a finished segment

uint32_t steps_between(const GridLayout& layout, CellId a, CellId b) {
    return static_cast<uint32_t>(std::max(std::abs(layout.x(a) - layout.x(b)), std::abs(layout.y(a) - layout.y(b))));
}

bool passable(const Crowd& crowd, AgentId agent, CellId cell) { return crowd.ground_of(agent).passable(cell); }

// False only if the connected components prove that there is no path.
bool may_be_connected(const Crowd& crowd, AgentId agent, CellId a, CellId b) {
    if (crowd.world().all_regions().empty() || !passable(crowd, agent, a) || !passable(crowd, agent, b)) return true;
    const ConnectedComponents components = crowd.world().components(crowd.ground_of(agent));
    const TerrainRegions& regions = crowd.world().all_regions().front();
    return components.connected(regions.region_of(crowd.layout().cell(a)), regions.region_of(crowd.layout().cell(b)));
}

}  // namespace

RraStar* SpaceTimeHeuristics::heuristic_for(const Crowd& crowd, AgentId agent) {
    prepare(crowd);
    AgentHeuristic& heuristic = heuristics_[agent];
    const CellId at = crowd.agents()[agent].at;
    if (heuristic.unreachable) return nullptr;
    heuristic.exact = heuristic.exact || has_stalled(heuristic, at);
    if (!heuristic.rra || heuristic.stalled >= kMaxStalls || needs_segment(crowd, heuristic, at)) retarget(crowd, agent);
    // An agent on a blocked cell may step off it, so its distance proves nothing.
    if (heuristic.rra && passable(crowd, agent, at) && heuristic.rra->distance(at) == RraStar::kUnreachable) heuristic.unreachable = true;
    if (heuristic.unreachable) reset(heuristic);
    return heuristic.rra ? &*heuristic.rra : nullptr;
}

void SpaceTimeHeuristics::prepare(const Crowd& crowd) {
    heuristics_.resize(crowd.agents().size());
    if (!spaces_.empty()) return;
    const uint32_t level = options_.algorithm == CooperativeAlgorithm::kCpra ? std::max(1u, options_.level) : options_.level;
    spaces_.reserve(crowd.types().size());
    for (const AgentType& type : crowd.types()) {
        spaces_.push_back(std::make_unique<RraSpace>(Ground(crowd.grid(), type.costs, crowd.movement()), level, options_.cliques));
    }
}

// Distances on abstraction levels can have local minima. Returns true, and the next heuristic is exact, after kMaxStalls plans in one.
bool SpaceTimeHeuristics::has_stalled(AgentHeuristic& heuristic, CellId at) const {
    if (!heuristic.rra || heuristic.exact || spaces_[0]->level() == 0) return false;
    const uint64_t distance = heuristic.rra->distance(at);
    heuristic.stalled = distance < heuristic.min_distance || at == heuristic.rra->goal() ? 0 : heuristic.stalled + 1;
    heuristic.min_distance = std::min(heuristic.min_distance, distance);
    return heuristic.stalled >= kMaxStalls;
}

void SpaceTimeHeuristics::retarget(const Crowd& crowd, AgentId agent) {
    AgentHeuristic& heuristic = heuristics_[agent];
    const CrowdAgent& state = crowd.agents()[agent];
    reset(heuristic);
    heuristic.unreachable = !may_be_connected(crowd, agent, state.at, state.goal);
    if (heuristic.unreachable) return;
    const CellId target =
        options_.algorithm == CooperativeAlgorithm::kCpra && !heuristic.exact ? next_segment_end(crowd, agent) : state.goal;
    heuristic.targets_goal = target == state.goal;
    heuristic.rra.emplace(*spaces_[state.type], target, state.at, heuristic.exact);
}

// A new segment is due while the old end is half a window away, so that no window ends there.
bool SpaceTimeHeuristics::needs_segment(const Crowd& crowd, const AgentHeuristic& heuristic, CellId at) const {
    return !heuristic.targets_goal && steps_between(crowd.layout(), at, heuristic.rra->goal()) <= std::max(1u, options_.window / 2);
}

// Returns the last cell of the first segment of a PRA* path from the agent to its goal. Each segment has its own PRA* search, so no
// abstract path is stored. Consecutive searches may disagree; an agent that has used up its segments therefore targets its goal.
CellId SpaceTimeHeuristics::next_segment_end(const Crowd& crowd, AgentId agent) {
    AgentHeuristic& heuristic = heuristics_[agent];
    const CrowdAgent& state = crowd.agents()[agent];
    if (!heuristic.segments_set) heuristic.segments_left = 8 + 4 * steps_between(crowd.layout(), state.at, state.goal) / options_.window;
    heuristic.segments_set = true;
    if (heuristic.segments_left == 0 || !passable(crowd, agent, state.at) || !passable(crowd, agent, state.goal)) return state.goal;
    --heuristic.segments_left;
    const GridLayout& layout = crowd.layout();
    const RraSpace& here = space(state.type);
    pra_.begin(here.cliques(), here.ground(), layout.cell(state.at), layout.cell(state.goal), options_.window);
    while (pra_.ready() == 0 && pra_.run(kSlice) == Status::kBudgetSpent) {
    }
    expansions_ += pra_.expansions();
    return pra_.ready() == 0 ? state.goal : layout.id(pra_.cells()[pra_.ready() - 1]);
}

void SpaceTimeHeuristics::discard(AgentId agent) {
    if (agent >= heuristics_.size()) return;
    reset(heuristics_[agent]);
    heuristics_[agent] = {};
}

void SpaceTimeHeuristics::world_changed(const Crowd& crowd, const EditResult& edit) {
    std::vector<CellId> changed;
    if (edit.cells_changed <= kMaxComparedCells)
        for_each_changed_cell(edit, [&](CellId cell, Terrain, Terrain) { changed.push_back(cell); });
    std::vector<bool> still_valid;
    still_valid.reserve(spaces_.size());
    for (const auto& space : spaces_) still_valid.push_back(space->update(edit) && !changed.empty());
    for (AgentId agent = 0; agent < heuristics_.size(); ++agent) {
        AgentHeuristic& heuristic = heuristics_[agent];
        heuristic.unreachable = false;
        if (!heuristic.rra) continue;
        const auto touches = [&](CellId cell) { return heuristic.rra->depends_on(cell); };
        if (!still_valid[crowd.agents()[agent].type] || std::ranges::any_of(changed, touches)) reset(heuristic);
    }
}

void SpaceTimeHeuristics::count_expansions(AgentId agent) {
    AgentHeuristic& heuristic = heuristics_[agent];
    if (!heuristic.rra) return;
    expansions_ += heuristic.rra->expansions() - heuristic.counted_expansions;
    heuristic.counted_expansions = heuristic.rra->expansions();
}

void SpaceTimeHeuristics::reset(AgentHeuristic& heuristic) {
    if (heuristic.rra) expansions_ += heuristic.rra->expansions() - heuristic.counted_expansions;
    heuristic.rra.reset();
    heuristic.counted_expansions = 0;
    heuristic.stalled = 0;
    heuristic.min_distance = RraStar::kUnreachable;
    heuristic.targets_goal = false;
}

size_t SpaceTimeHeuristics::bytes() const {
    size_t sum = heuristics_.capacity() * sizeof(AgentHeuristic) + spaces_.capacity() * sizeof(spaces_[0]);
    if (options_.algorithm == CooperativeAlgorithm::kCpra) sum += pra_.bytes();
    for (const auto& space : spaces_) sum += space->bytes();
    for (const AgentHeuristic& heuristic : heuristics_) sum += heuristic.rra ? heuristic.rra->bytes() : 0;
    return sum;
}

}  // namespace terrane::detail
