// The cliques of a map, for a profile.
#pragma once
#include "support/scene.h"
#include "terrane/pra/cliques.h"

namespace terrane::test {

inline Cliques cliques_of(const GridSnapshot& grid, const CostTable& costs, Movement movement, CliqueRule rule = CliqueRule::kCliques) {
    return Cliques::build(grid, PassableSet::of(costs, movement), movement, {rule});
}

inline Cliques cliques_of(const Scene& s, Movement movement = Movement::kEight, CliqueRule rule = CliqueRule::kCliques) {
    const GridSnapshot grid = s.grid.snapshot();
    return cliques_of(grid, s.profile.compile(grid.catalogue()).value(), movement, rule);
}

}  // namespace terrane::test
