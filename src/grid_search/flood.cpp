#include "grid_search/flood.h"

namespace terrane::detail {

namespace {

template <class V>
Vector<Component> find_components(const Ground& ground, const GridBounds& bounds) {
    Vector<Component> components;
    FloodScratch<V> scratch;
    Flood flood(GridGraph<V>(ground), ground.grid().layout().id_limit(), flood_shift(bounds), scratch);
    for_each_passable(ground.grid(), ground.costs(), [&](CellId cell) {
        if (flood.distance(cell) != kInfinite<V>) return;
        const FloodExtent<V> extent = flood.run_from(cell);
        components.push_back({extent.expansions, cell, extent.farthest, extent.radius});
    });
    return components;
}

}  // namespace

Survey survey_of(const Ground& ground) {
    Survey survey;
    survey.bounds = ground.bounds();
    survey.diameter = survey.bounds.max_optimal_cost;
    survey.components =
        survey.narrow() ? find_components<uint32_t>(ground, survey.bounds) : find_components<uint64_t>(ground, survey.bounds);
    std::sort(survey.components.begin(), survey.components.end(),
              [](const Component& a, const Component& b) { return a.cells != b.cells ? a.cells > b.cells : a.first < b.first; });
    survey.diameter = 0;
    for (const Component& c : survey.components) survey.diameter = std::max(survey.diameter, 2 * c.radius);
    return survey;
}

}  // namespace terrane::detail
