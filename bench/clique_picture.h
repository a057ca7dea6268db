// Draws a clique abstraction.
#pragma once
#include <cstdint>

#include "terrane/io/picture.h"
#include "terrane/pra/cliques.h"

namespace terrane {

inline constexpr int32_t kCliquePanel = 760;  // largest side of a level, in pixels

// Draws the cells and three levels, as slides 86 to 89 of Sturtevant's "Abstraction in Pathfinding" do.
Picture draw_clique_levels(const Cliques& cliques);

}  // namespace terrane
