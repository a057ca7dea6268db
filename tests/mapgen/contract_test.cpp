// Contracts of the module: violations trigger TERRANE_ASSERT.
#include "support/contract.h"

#include <vector>

#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

TEST(MapgenDeathTest, AreasAreMergedOnMapsOfTheirSize) {
    std::vector<Terrain> cells(6);
    EXPECT_BROKEN(merge_small_areas(cells, 3, 3, 2), "cells.size");
    EXPECT_BROKEN(merge_small_areas(cells, -2, -3, 2), "width >= 1");
}

}  // namespace
}  // namespace terrane
