// The portals of a sector and the distances between them.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "regions/region_portals.h"
#include "support/scene.h"

namespace terrane {
namespace {

using namespace detail;

// One portal, as its two cells.
using Pair = std::pair<Cell, Cell>;

std::vector<Pair> portals_of(const RegionPortals& portals, uint32_t sector) {
    SectorPortalsBuilder builder;
    const SectorPortals& found = portals.at(sector, builder);
    const Cell corner = portals.corner(sector);
    std::vector<Pair> out;
    for (uint32_t i = 0; i < found.exit_count(); ++i) {
        const RegionExit& exit = found.exit(i);
        const Cell cell{corner.x + exit.cell().x, corner.y + exit.cell().y};
        out.push_back({cell, {cell.x + kMoves[exit.move].x, cell.y + kMoves[exit.move].y}});
    }
    std::ranges::sort(out, {}, [](const Pair& p) { return std::tuple(p.first.y, p.first.x, p.second.y, p.second.x); });
    return out;
}

TEST(SectorPortals, AreTheMiddlesOfContiguousBorders) {
    const auto drawn = test::scene(R"(11112222
                                      11112222
                                      11112222
                                      1111####)");
    const RegionPortals portals(drawn.grid.snapshot(), 4, Movement::kEightNoCornerCutting);
    // To the east: three cells of terrain 2, whose middle is row 1, and one obstacle.
    EXPECT_EQ(portals_of(portals, 0), (std::vector<Pair>{{{3, 1}, {4, 1}}, {{3, 3}, {4, 3}}}));
}

TEST(SectorPortals, InsideASectorEachBorderOfTwoRegionsHasOnePortal) {
    const auto drawn = test::scene(R"(11112222
                                      11112222
                                      11112222)");
    const RegionPortals portals(drawn.grid.snapshot(), 8, Movement::kEightNoCornerCutting);
    EXPECT_EQ(portals_of(portals, 0), (std::vector<Pair>{{{3, 1}, {4, 1}}, {{4, 1}, {3, 1}}}));
}

TEST(SectorPortals, TwoStretchesOfABorderAreTwoPortals) {
    const auto drawn = test::scene(R"(12221
                                      12#21
                                      12221)");
    const RegionPortals portals(drawn.grid.snapshot(), 8, Movement::kFour);
    size_t beside_the_obstacle = 0;
    for (const Pair& p : portals_of(portals, 0)) beside_the_obstacle += p.first == Cell{2, 1} ? 1 : 0;
    EXPECT_EQ(beside_the_obstacle, 1u);  // its border with region 2 is one ring
}

TEST(SectorPortals, CornersArePortalsOnlyWhereMovesCutThem) {
    const auto drawn = test::scene(R"(1#
                                      #2)");
    const auto count = [&](Movement movement) {
        const auto all = portals_of(RegionPortals(drawn.grid.snapshot(), 4, movement), 0);
        return std::ranges::count_if(all, [](const Pair& p) { return p.first.x != p.second.x && p.first.y != p.second.y; });
    };
    EXPECT_EQ(count(Movement::kEightNoCornerCutting), 0);
    EXPECT_EQ(count(Movement::kEightCutCorners), 4);  // both diagonals, as seen from both of their ends
}

// Both sectors of a side list its portals in the same order, so that a position names the same portal from both.
TEST(SectorPortals, BothSectorsOfASideAgree) {
    Rng rng(5);
    SectorPortalsBuilder builder;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld world = test::random_world(rng);
        const RegionPortals portals(world.grid.snapshot(), 4 + rng.below(29), world.movement);
        for (uint32_t s = 0; s < portals.sectors(); ++s) {
            const SectorPortals& here = portals.at(s, builder);
            for (uint32_t e = 0; e < here.exit_count(); ++e) {
                const RegionExit& exit = here.exit(e);
                if (exit.side == kInside || !owns_side(exit.side)) continue;
                const uint32_t neighbour = portals.neighbour(s, exit.side);
                const SectorPortals& there = portals.at(neighbour, builder);
                const RegionExit& other = there.exit(there.foreign_exit(exit.side ^ 2u, exit.position));
                const Cell a = portals.corner(s), b = portals.corner(neighbour);
                const Cell across{a.x + exit.cell().x + kMoves[exit.move].x, a.y + exit.cell().y + kMoves[exit.move].y};
                ASSERT_EQ(across, (Cell{b.x + other.cell().x, b.y + other.cell().y})) << "world " << i;
                ASSERT_EQ(exit.beyond, there.terrain(other.region));
                ASSERT_EQ(here.own_exit(here.number(exit.side, exit.position), false), e);
            }
        }
    }
}

// Distances against Dijkstra's algorithm on a map where every other terrain is blocked.
TEST(SectorPortals, DistancesAreShortestPathsInsideTheRegion) {
    Rng rng(6);
    SectorPortalsBuilder builder, flooder;
    int checked = 0;
    for (int i = 0; i < 40; ++i) {
        const test::RandomWorld world = test::random_world(rng, 40);
        const GridSnapshot grid = world.grid.snapshot();
        const RegionPortals portals(grid, i % 3 == 0 ? 32 : 16, world.movement);
        const SectorPortals& sector = portals.at(0, builder);
        const Rect rect = portals.rect(0);
        for (uint32_t e = 0; e < sector.exit_count(); e += 3) {
            oracle::Map map{rect.width, rect.height, {}};
            const Terrain own = sector.terrain(sector.exit(e).region);
            for (int32_t y = 0; y < rect.height; ++y) {
                for (int32_t x = 0; x < rect.width; ++x) map.cost.push_back(grid.at({x, y}) == own ? 1 : -1);
            }
            const Cell from = sector.exit(e).cell();
            const auto truth = oracle::distances(map, from.x, from.y, test::to_oracle(world.movement));
            sector.for_each_other_exit(e, [&](uint32_t other, uint32_t length) {
                const Cell to = sector.exit(other).cell();
                if (length == SectorPortals::kUnknown) length = flooder.flood(grid, rect, world.movement, from).length(to);
                const double exact = kStraight * truth[static_cast<size_t>(to.y * rect.width + to.x)];
                ASSERT_GE(length, exact * (1 - 1e-6));
                if (world.movement == Movement::kEightCutCorners) return;  // no step between two cells that touch at a corner only
                ASSERT_LE(length, SectorPortals::kDistanceUnit + exact * (1 + 1e-6));
                ++checked;
            });
        }
    }
    EXPECT_GT(checked, 1000);
}

// A path inside a region that 16 bits do not hold is measured when it is needed.
TEST(SectorPortals, AWindingRegionHasItsTrueLength) {
    std::string drawing;
    for (int y = 0; y < 31; ++y) {
        for (int x = 0; x < 32; ++x) drawing += y % 2 == 0 || x == (y % 4 == 1 ? 31 : 0) ? '1' : '#';
        drawing += '\n';
    }
    drawing += std::string(32, '2') + '\n';
    const auto drawn = test::scene(drawing);
    const RegionPortals portals(drawn.grid.snapshot(), 32, Movement::kFour);
    SectorPortalsBuilder builder, flooder;
    const SectorPortals& sector = portals.at(0, builder);
    uint32_t longest = 0;
    for (uint32_t e = 0; e < sector.exit_count(); ++e) {
        const Cell from = sector.exit(e).cell();
        sector.for_each_other_exit(e, [&](uint32_t other, uint32_t length) {
            const bool known = length != SectorPortals::kUnknown;
            if (!known) length = flooder.flood(portals.grid(), portals.rect(0), Movement::kFour, from).length(sector.exit(other).cell());
            longest = std::max(longest, length);
        });
    }
    EXPECT_GT(longest, 0xffffu * SectorPortals::kDistanceUnit);
}

}  // namespace
}  // namespace terrane
