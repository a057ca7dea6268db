#include "crowd/cooperative/guides.h"

#include <algorithm>
#include <cstdlib>

namespace terrane::detail {

namespace {

constexpr size_t kFewCells = 256;  // an edit of more is not compared with what searches have seen: all begin anew
constexpr uint32_t kStalls = 8;    // times that an agent may be no nearer than ever before until it is led on cells
constexpr uint64_t kSlice = 8;     // expansions between two looks at whether a piece is ready

uint32_t steps_between(const GridLayout& layout, CellId a, CellId b) {
    return static_cast<uint32_t>(std::max(std::abs(layout.x(a) - layout.x(b)), std::abs(layout.y(a) - layout.y(b))));
}

bool passable(const Crowd& crowd, AgentId agent, CellId cell) { return crowd.ground_of(agent).passable(cell); }

// False only where that is known without a search.
bool may_be_joined(const Crowd& crowd, AgentId agent, CellId a, CellId b) {
    if (crowd.world().all_regions().empty() || !passable(crowd, agent, a) || !passable(crowd, agent, b)) return true;
    const Components components = crowd.world().components(crowd.ground_of(agent));
    const TerrainRegions& regions = crowd.world().all_regions().front();
    return components.joined(regions.region_of(crowd.layout().cell(a)), regions.region_of(crowd.layout().cell(b)));
}

}  // namespace

ReverseSearch* Guides::guide(const Crowd& crowd, AgentId agent) {
    prepare(crowd);
    Guide& guide = guides_[agent];
    const CellId at = crowd.agents()[agent].at;
    if (guide.hopeless) return nullptr;
    guide.exact = guide.exact || led_nowhere(guide, at);
    if (!guide.ahead || guide.stalled >= kStalls || wants_piece(crowd, guide, at)) aim(crowd, agent);
    // From a cell that is blocked there may be a way for all that.
    if (guide.ahead && passable(crowd, agent, at) && guide.ahead->distance(at) == ReverseSearch::kFar) guide.hopeless = true;
    if (guide.hopeless) drop(guide);
    return guide.ahead ? &*guide.ahead : nullptr;
}

void Guides::prepare(const Crowd& crowd) {
    guides_.resize(crowd.agents().size());
    if (!spaces_.empty()) return;
    const uint32_t level = options_.kind == CooperativeKind::kPartial ? std::max(1u, options_.level) : options_.level;
    spaces_.reserve(crowd.kinds().size());
    for (const CrowdKind& kind : crowd.kinds()) {
        spaces_.push_back(std::make_unique<ReverseSpace>(Ground(crowd.grid(), kind.costs, crowd.movement()), level, options_.cliques));
    }
}

// Distances on levels may have their least where the goal is not. Then the next guide is an exact one.
bool Guides::led_nowhere(Guide& guide, CellId at) const {
    if (!guide.ahead || guide.exact || spaces_[0]->level() == 0) return false;
    const uint64_t distance = guide.ahead->distance(at);
    guide.stalled = distance < guide.least || at == guide.ahead->goal() ? 0 : guide.stalled + 1;
    guide.least = std::min(guide.least, distance);
    return guide.stalled >= kStalls;
}

void Guides::aim(const Crowd& crowd, AgentId agent) {
    Guide& guide = guides_[agent];
    const CrowdAgent& who = crowd.agents()[agent];
    drop(guide);
    guide.hopeless = !may_be_joined(crowd, agent, who.at, who.goal);
    if (guide.hopeless) return;
    const CellId target = options_.kind == CooperativeKind::kPartial && !guide.exact ? next_piece(crowd, agent) : who.goal;
    guide.whole = target == who.goal;
    guide.ahead.emplace(*spaces_[who.kind], target, who.at, guide.exact);
}

// Before it comes to the end of the piece, so that its window does not end there.
bool Guides::wants_piece(const Crowd& crowd, const Guide& guide, CellId at) const {
    return !guide.whole && steps_between(crowd.layout(), at, guide.ahead->goal()) <= std::max(1u, options_.window / 2);
}

// The last cell of the first piece of a path from where the agent is. Each piece is of a plan of its own, so that nothing is kept of the
// levels above; plans made in different places need not agree, so an agent that has taken far too many pieces is led all the way instead.
CellId Guides::next_piece(const Crowd& crowd, AgentId agent) {
    Guide& guide = guides_[agent];
    const CrowdAgent& who = crowd.agents()[agent];
    if (!guide.begun) guide.pieces = 8 + 4 * steps_between(crowd.layout(), who.at, who.goal) / options_.window;
    guide.begun = true;
    if (guide.pieces == 0 || !passable(crowd, agent, who.at) || !passable(crowd, agent, who.goal)) return who.goal;
    --guide.pieces;
    const GridLayout& layout = crowd.layout();
    const ReverseSpace& here = space(who.kind);
    pra_.begin(here.cliques(), here.ground(), layout.cell(who.at), layout.cell(who.goal), options_.window);
    while (pra_.ready() == 0 && pra_.run(kSlice) == Status::kBudgetSpent) {
    }
    expansions_ += pra_.expansions();
    return pra_.ready() == 0 ? who.goal : layout.id(pra_.cells()[pra_.ready() - 1]);
}

void Guides::forget(AgentId agent) {
    if (agent >= guides_.size()) return;
    drop(guides_[agent]);
    guides_[agent] = {};
}

void Guides::world_changed(const Crowd& crowd, const EditResult& edit) {
    std::vector<CellId> changed;
    if (edit.cells_changed <= kFewCells) for_each_changed_cell(edit, [&](CellId cell, Terrain, Terrain) { changed.push_back(cell); });
    std::vector<bool> lasting;
    lasting.reserve(spaces_.size());
    for (const auto& space : spaces_) lasting.push_back(space->update(edit) && !changed.empty());
    for (AgentId agent = 0; agent < guides_.size(); ++agent) {
        Guide& guide = guides_[agent];
        guide.hopeless = false;
        if (!guide.ahead) continue;
        const auto touches = [&](CellId cell) { return guide.ahead->touched(cell); };
        if (!lasting[crowd.agents()[agent].kind] || std::ranges::any_of(changed, touches)) drop(guide);
    }
}

void Guides::count(AgentId agent) {
    Guide& guide = guides_[agent];
    if (!guide.ahead) return;
    expansions_ += guide.ahead->expansions() - guide.counted;
    guide.counted = guide.ahead->expansions();
}

void Guides::drop(Guide& guide) {
    if (guide.ahead) expansions_ += guide.ahead->expansions() - guide.counted;
    guide.ahead.reset();
    guide.counted = 0;
    guide.stalled = 0;
    guide.least = ReverseSearch::kFar;
    guide.whole = false;
}

size_t Guides::bytes() const {
    size_t sum = guides_.capacity() * sizeof(Guide) + spaces_.capacity() * sizeof(spaces_[0]);
    if (options_.kind == CooperativeKind::kPartial) sum += pra_.bytes();
    for (const auto& space : spaces_) sum += space->bytes();
    for (const Guide& guide : guides_) sum += guide.ahead ? guide.ahead->bytes() : 0;
    return sum;
}

}  // namespace terrane::detail
