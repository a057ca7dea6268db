// The bits of mixed cells, against the definition, under random edits and for older versions of the map.
#include "grid/mixed_bits.h"

#include <gtest/gtest.h>

#include "terrane/base/rng.h"
#include "terrane/grid/movement.h"

namespace terrane::test {
namespace {

using detail::MixedBits;

void expect_bits_of(const MixedBits& bits, const GridSnapshot& grid) {
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            bool mixed = false;
            for (const Cell m : kMoves) mixed |= grid.at(Cell{x + m.x, y + m.y}) != grid.at(Cell{x, y});
            ASSERT_EQ(bits.mixed({x, y}), mixed) << x << "," << y;
            ASSERT_EQ((bits.columns().line(x)[y >> 6] >> (y & 63) & 1) != 0, mixed) << x << "," << y;
        }
    }
}

TEST(MixedBits, AreThoseOfTheMapAfterAnyEditsAndOfOlderVersions) {
    Rng rng(53);
    MixedBits bits;
    for (int i = 0; i < 30; ++i) {
        TerrainGrid grid(rng.between(1, 200), rng.between(1, 200), Terrain{5});
        GridSnapshot older = grid.snapshot();
        for (int edit = 0; edit < 10; ++edit) {
            const Cell corner{rng.between(0, older.width() - 1), rng.between(0, older.height() - 1)};
            grid.fill({corner, {rng.between(1, 50), rng.between(1, 50)}}, static_cast<Terrain>(rng.below(3)));
            bits.update(grid.snapshot());
            expect_bits_of(bits, grid.snapshot());
            if (rng.below(3) > 0) continue;
            bits.update(older);
            expect_bits_of(bits, older);
            older = grid.snapshot();
        }
    }
}

}  // namespace
}  // namespace terrane::test
