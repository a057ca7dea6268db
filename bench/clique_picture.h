// A clique abstraction as a picture.
#pragma once
#include <cstdint>

#include "terrane/io/picture.h"
#include "terrane/pra/cliques.h"

namespace terrane {

inline constexpr int32_t kCliquePanel = 760;  // pixels a side of a level, at most

// The cells and three levels, as on slides 86 to 89 of Sturtevant's "Abstraction in Pathfinding".
Picture draw_clique_levels(const Cliques& cliques);

}  // namespace terrane
