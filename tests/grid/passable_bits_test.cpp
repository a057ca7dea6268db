// The bits of passable cells, against Ground, under random edits.
#include "grid/passable_bits.h"

#include <gtest/gtest.h>

#include "terrane/base/rng.h"
#include "terrane/grid/grid.h"

namespace terrane::test {
namespace {

using detail::PassableBits;

void expect_bits_of(const PassableBits& bits, const Ground& ground) {
    const GridLayout& layout = ground.layout();
    for (int32_t y = -1; y <= layout.height; ++y) {
        for (int32_t x = -1; x <= layout.width; ++x) {
            const bool by_column = (bits.columns().line(x)[y >> 6] >> (y & 63) & 1) != 0;
            ASSERT_EQ(bits.passable({x, y}), ground.passable(Cell{x, y})) << x << "," << y;
            ASSERT_EQ(by_column, ground.passable(Cell{x, y})) << x << "," << y;
        }
    }
}

TEST(PassableBits, AreThoseOfTheGroundAfterAnyEdits) {
    Rng rng(51);
    for (int i = 0; i < 40; ++i) {
        TerrainGrid grid(rng.between(1, 200), rng.between(1, 200), Terrain{5});
        CostTable costs = Profile("deer").blocked("black").compile(grid.snapshot().catalogue()).value();
        PassableBits bits;
        for (int edit = 0; edit < 12; ++edit) {
            const Rect rect({rng.between(0, grid.snapshot().width() - 1), rng.between(0, grid.snapshot().height() - 1)},
                            {rng.between(1, 50), rng.between(1, 50)});
            grid.fill(rect, static_cast<Terrain>(rng.below(3)));
            const Ground ground(grid.snapshot(), costs, Movement::kFour);
            ASSERT_EQ(bits.is_near(ground), edit > 0);
            bits.update(ground);
            expect_bits_of(bits, ground);
        }
    }
}

TEST(PassableBits, AreReadAgainForAnotherGridAndOtherTerrains) {
    const TerrainGrid first(40, 30, Terrain{5}), second(30, 70, Terrain{0});
    const Catalogue& catalogue = Catalogue::standard();
    const CostTable free = Profile("free").compile(catalogue).value(), land = Profile("land").blocked("ground").compile(catalogue).value();
    PassableBits bits;
    for (const TerrainGrid* grid : {&first, &second, &first}) {
        for (const CostTable& costs : {free, land}) {
            const Ground ground(grid->snapshot(), costs, Movement::kFour);
            EXPECT_FALSE(bits.is_near(ground));
            bits.update(ground);
            EXPECT_TRUE(bits.is_near(ground));
            expect_bits_of(bits, ground);
        }
    }
}

}  // namespace
}  // namespace terrane::test
