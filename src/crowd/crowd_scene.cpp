#include "terrane/crowd/crowd_scene.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

Error refuse(std::string reason) { return {ErrorCode::kBadValue, {}, 0, std::move(reason)}; }

// Calls visit(cell, component) for every cell of the map, by rows.
template <class Visit>
void for_each_component(const WorldSnapshot& world, const Components& components, Visit&& visit) {
    const TerrainRegions& regions = world.all_regions().front();
    const GridLayout& layout = world.grid().layout();
    for (Cell c; c.y < layout.height; ++c.y) {
        for (c.x = 0; c.x < layout.width; ++c.x) visit(c, components.component_of(regions.region_of(c)));
    }
}

// Cells of a list in random order, each at most once.
class Draw {
public:
    explicit Draw(std::vector<Cell> cells) : cells_(std::move(cells)) {}

    // One for which `taken`, by cell, is not set, and sets it. Nothing where none is left.
    std::optional<Cell> next(const GridLayout& layout, std::vector<bool>& taken, Rng& rng) {
        while (!cells_.empty()) {
            std::swap(cells_[rng.below(static_cast<uint32_t>(cells_.size()))], cells_.back());
            const Cell cell = cells_.back();
            cells_.pop_back();
            if (taken[layout.id(cell)]) continue;
            taken[layout.id(cell)] = true;
            return cell;
        }
        return std::nullopt;
    }

private:
    std::vector<Cell> cells_;
};

// Where the agents of each kind begin, and where they want to go; the second half the other way.
struct TwoSides {
    Rect from, to;
    bool both_ways = false;
};

std::vector<Cell> inside(const std::vector<Cell>& cells, const Rect& rect) {
    std::vector<Cell> result;
    std::ranges::copy_if(cells, std::back_inserter(result), [&](Cell c) { return rect.contains(c); });
    return result;
}

Result<std::vector<CrowdPlace>> draw_places(const WorldSnapshot& world, std::span<const CostTable> kinds, Movement movement, size_t agents,
                                            uint64_t seed, const TwoSides& sides) {
    TERRANE_ASSERT(!kinds.empty() && kinds.size() <= 0x10000 && agents <= kMaxAgents);
    const GridLayout& layout = world.grid().layout();
    std::vector<Draw> starts, goals;  // by kind; then, where it is both ways, by kind again
    for (const bool back : {false, true}) {
        if (back && !sides.both_ways) break;
        for (const CostTable& costs : kinds) {
            const std::vector<Cell> cells = largest_part(world, world.ground(costs, movement));
            starts.emplace_back(inside(cells, back ? sides.to : sides.from));
            goals.emplace_back(inside(cells, back ? sides.from : sides.to));
        }
    }
    std::vector<bool> begun(layout.id_limit()), wanted(layout.id_limit());
    Rng rng(seed);
    std::vector<CrowdPlace> places;
    places.reserve(agents);
    for (size_t i = 0; i < agents; ++i) {
        const size_t turn = i % starts.size();
        const auto start = starts[turn].next(layout, begun, rng);
        const auto goal = goals[turn].next(layout, wanted, rng);
        if (!start || !goal) return refuse("there is room for " + std::to_string(i) + " agents, not for " + std::to_string(agents));
        places.push_back({*start, *goal, static_cast<uint16_t>(turn % kinds.size())});
    }
    return places;
}

}  // namespace

std::vector<Cell> largest_part(const WorldSnapshot& world, const Ground& ground) {
    TERRANE_ASSERT(!world.all_regions().empty());
    const Components components = world.components(ground);
    std::vector<uint32_t> sizes;
    std::vector<ComponentId> order;  // as they come
    for_each_component(world, components, [&](Cell, ComponentId id) {
        if (id == kNoComponent) return;
        if (id >= sizes.size()) sizes.resize(size_t{id} + 1);
        if (sizes[id]++ == 0) order.push_back(id);
    });
    std::vector<Cell> cells;
    if (order.empty()) return cells;
    const ComponentId largest = *std::ranges::max_element(order, {}, [&](ComponentId id) { return sizes[id]; });
    cells.reserve(sizes[largest]);
    for_each_component(world, components, [&](Cell c, ComponentId id) {
        if (id == largest) cells.push_back(c);
    });
    return cells;
}

Result<std::vector<CrowdPlace>> random_places(const WorldSnapshot& world, std::span<const CostTable> kinds, Movement movement,
                                              size_t agents, uint64_t seed) {
    const Rect all = world.grid().layout().rect();
    return draw_places(world, kinds, movement, agents, seed, {all, all, false});
}

Result<std::vector<CrowdPlace>> opposite_sides(const WorldSnapshot& world, std::span<const CostTable> kinds, Movement movement,
                                               size_t agents, uint64_t seed) {
    const GridLayout& layout = world.grid().layout();
    const int32_t eighth = std::max(layout.width / 8, 1);
    const Rect left{0, 0, eighth, layout.height}, right{layout.width - eighth, 0, layout.width, layout.height};
    return draw_places(world, kinds, movement, agents, seed, {left, right, true});
}

Result<std::vector<CrowdPlace>> scenario_places(const WorldSnapshot& world, std::span<const CostTable> kinds, const Scenario& scenario,
                                                size_t agents) {
    TERRANE_ASSERT(!kinds.empty() && kinds.size() <= 0x10000);
    const GridLayout& layout = world.grid().layout();
    const size_t count = agents == 0 ? scenario.problems.size() : agents;
    if (count > scenario.problems.size()) {
        return refuse("the scenario has " + std::to_string(scenario.problems.size()) + " problems, not " + std::to_string(count));
    }
    std::vector<bool> begun(layout.id_limit()), wanted(layout.id_limit());
    std::vector<CrowdPlace> places;
    places.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const Problem& problem = scenario.problems[i];
        const CrowdPlace place{problem.start, problem.goal, static_cast<uint16_t>(i % kinds.size())};
        const auto wrong = [&](const std::string& what) {
            return refuse("problem " + std::to_string(i + 1) + " of the scenario: " + what);
        };
        if (!layout.contains(place.start) || !layout.contains(place.goal)) return wrong("is not on the map");
        const CostTable& costs = kinds[place.kind];
        if (!costs.passable(world.grid().at(place.start))) return wrong("begins where the map is blocked");
        if (!costs.passable(world.grid().at(place.goal))) return wrong("its goal is blocked");
        if (begun[layout.id(place.start)]) return wrong("begins where another one does");
        if (wanted[layout.id(place.goal)]) return wrong("has the goal of another one");
        begun[layout.id(place.start)] = wanted[layout.id(place.goal)] = true;
        places.push_back(place);
    }
    return places;
}

RandomGoals::RandomGoals(const Crowd& crowd, uint64_t seed) : rng_(seed) {
    cells_.reserve(crowd.kinds().size());
    for (uint16_t kind = 0; kind < crowd.kinds().size(); ++kind) cells_.push_back(largest_part(crowd.world(), crowd.ground(kind)));
}

Cell RandomGoals::next(const Crowd& crowd, uint16_t kind) {
    TERRANE_ASSERT(kind < cells_.size() && kind < crowd.kinds().size() && !cells_[kind].empty());
    const std::vector<Cell>& cells = cells_[kind];
    Cell cell;
    for (int tries = 0; tries < 100; ++tries) {
        cell = cells[rng_.below(static_cast<uint32_t>(cells.size()))];
        if (crowd.kinds()[kind].costs.passable(crowd.grid().at(cell))) break;
    }
    return cell;
}

}  // namespace terrane
