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
void for_each_component(const WorldSnapshot& world, const ConnectedComponents& components, Visit&& visit) {
    const TerrainRegions& regions = world.all_regions().front();
    const GridLayout& layout = world.grid().layout();
    for (Cell c; c.y < layout.height; ++c.y) {
        for (c.x = 0; c.x < layout.width; ++c.x) visit(c, components.component_of(regions.region_of(c)));
    }
}

// Draws cells from a list at random, without replacement.
class CellDraw {
public:
    explicit CellDraw(std::vector<Cell> cells) : cells_(std::move(cells)) {}

    // Draws a cell that is not set in `taken` (by cell id) and sets it. Null if none is left.
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

// The areas of starts and goals. With `both_directions`, every other group of agents goes from `to` to `from`.
struct TwoSides {
    Rect from, to;
    bool both_directions = false;
};

std::vector<Cell> inside(const std::vector<Cell>& cells, const Rect& rect) {
    std::vector<Cell> result;
    std::ranges::copy_if(cells, std::back_inserter(result), [&](Cell c) { return rect.contains(c); });
    return result;
}

Result<std::vector<CrowdPlace>> draw_places(const WorldSnapshot& world, std::span<const CostTable> types, Movement movement, size_t agents,
                                            uint64_t seed, const TwoSides& sides) {
    TERRANE_ASSERT(!types.empty() && types.size() <= 0x10000 && agents <= kMaxAgents);
    const GridLayout& layout = world.grid().layout();
    std::vector<CellDraw> starts, goals;  // by type; with both_directions, followed by those of the opposite direction
    for (const bool reverse : {false, true}) {
        if (reverse && !sides.both_directions) break;
        for (const CostTable& costs : types) {
            const std::vector<Cell> cells = largest_component(world, world.ground(costs, movement));
            starts.emplace_back(inside(cells, reverse ? sides.to : sides.from));
            goals.emplace_back(inside(cells, reverse ? sides.from : sides.to));
        }
    }
    std::vector<bool> used_starts(layout.id_limit()), used_goals(layout.id_limit());
    Rng rng(seed);
    std::vector<CrowdPlace> places;
    places.reserve(agents);
    for (size_t i = 0; i < agents; ++i) {
        const size_t group = i % starts.size();
        const auto start = starts[group].next(layout, used_starts, rng);
        const auto goal = goals[group].next(layout, used_goals, rng);
        if (!start || !goal)
            return refuse("too many agents: " + std::to_string(agents) + " requested, there is room for " + std::to_string(i));
        places.push_back({*start, *goal, static_cast<uint16_t>(group % types.size())});
    }
    return places;
}

}  // namespace

std::vector<Cell> largest_component(const WorldSnapshot& world, const Ground& ground) {
    TERRANE_ASSERT(!world.all_regions().empty());
    const ConnectedComponents components = world.components(ground);
    std::vector<uint32_t> sizes;
    std::vector<ComponentId> order;  // of first occurrence, by rows
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

Result<std::vector<CrowdPlace>> random_places(const WorldSnapshot& world, std::span<const CostTable> types, Movement movement,
                                              size_t agents, uint64_t seed) {
    const Rect all = world.grid().layout().rect();
    return draw_places(world, types, movement, agents, seed, {all, all, false});
}

Result<std::vector<CrowdPlace>> opposite_sides(const WorldSnapshot& world, std::span<const CostTable> types, Movement movement,
                                               size_t agents, uint64_t seed) {
    const GridLayout& layout = world.grid().layout();
    const int32_t eighth = std::max(layout.width / 8, 1);
    const Rect left{{0, 0}, {eighth, layout.height}}, right{{layout.width - eighth, 0}, {eighth, layout.height}};
    return draw_places(world, types, movement, agents, seed, {left, right, true});
}

Result<std::vector<CrowdPlace>> scenario_places(const WorldSnapshot& world, std::span<const CostTable> types, const Scenario& scenario,
                                                size_t agents) {
    TERRANE_ASSERT(!types.empty() && types.size() <= 0x10000);
    const GridLayout& layout = world.grid().layout();
    const size_t count = agents == 0 ? scenario.problems.size() : agents;
    if (count > scenario.problems.size()) {
        return refuse("too many agents: " + std::to_string(count) + " requested, the scenario has " +
                      std::to_string(scenario.problems.size()) + " problems");
    }
    std::vector<bool> used_starts(layout.id_limit()), used_goals(layout.id_limit());
    std::vector<CrowdPlace> places;
    places.reserve(count);
    for (size_t i = 0; i < count; ++i) {
        const Problem& problem = scenario.problems[i];
        const CrowdPlace place{problem.start, problem.goal, static_cast<uint16_t>(i % types.size())};
        const auto invalid = [&](const std::string& what) { return refuse("scenario problem " + std::to_string(i + 1) + ": " + what); };
        if (!layout.contains(place.start) || !layout.contains(place.goal)) return invalid("start or goal is off the map");
        const CostTable& costs = types[place.type];
        if (!costs.passable(world.grid().at(place.start))) return invalid("start is blocked for its agent type");
        if (!costs.passable(world.grid().at(place.goal))) return invalid("goal is blocked for its agent type");
        if (used_starts[layout.id(place.start)]) return invalid("start is taken by an earlier problem");
        if (used_goals[layout.id(place.goal)]) return invalid("goal is taken by an earlier problem");
        used_starts[layout.id(place.start)] = used_goals[layout.id(place.goal)] = true;
        places.push_back(place);
    }
    return places;
}

RandomGoals::RandomGoals(const Crowd& crowd, uint64_t seed) : rng_(seed) {
    cells_.reserve(crowd.types().size());
    for (uint16_t type = 0; type < crowd.types().size(); ++type) cells_.push_back(largest_component(crowd.world(), crowd.ground(type)));
}

Cell RandomGoals::next(const Crowd& crowd, uint16_t type) {
    TERRANE_ASSERT(type < cells_.size() && type < crowd.types().size() && !cells_[type].empty());
    const std::vector<Cell>& cells = cells_[type];
    Cell cell;
    for (int tries = 0; tries < 100; ++tries) {
        cell = cells[rng_.below(static_cast<uint32_t>(cells.size()))];
        if (crowd.types()[type].costs.passable(crowd.grid().at(cell))) break;
    }
    return cell;
}

}  // namespace terrane
