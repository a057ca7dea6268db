// Builds the clique abstraction of a map for a profile.
#pragma once
#include "support/scene.h"
#include "terrane/pra/cliques.h"

namespace terrane::test {

inline Cliques cliques_of(const Ground& ground, CliqueRule rule = CliqueRule::kCliques) {
    return Cliques::build(ground.grid(), PassableSet::of(ground.costs(), ground.movement()), ground.movement(), {rule});
}

inline Cliques cliques_of(const Scene& s, Movement movement = Movement::kEightNoCornerCutting, CliqueRule rule = CliqueRule::kCliques) {
    const GridSnapshot grid = s.grid.snapshot();
    return cliques_of({grid, s.profile.compile(grid.catalogue()).value(), movement}, rule);
}

}  // namespace terrane::test
