// Rooms, mazes, random obstacles, scattered terrain, Voronoi maps.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mapgen/areas.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

uint64_t hash(const Result<TerrainGrid>& grid) {
    uint64_t h = 0;
    for (const Terrain t : grid->snapshot().cells()) h = mix64(h ^ t);
    return h;
}

char letter(const GridSnapshot& map, int32_t x, int32_t y) { return map.catalogue()[map.at(Cell{x, y})].letter; }
bool wall(const GridSnapshot& map, int32_t x, int32_t y) { return letter(map, x, y) == '@'; }
uint32_t count(const GridSnapshot& map, char which) { return map.count(*map.catalogue().find_letter(which)); }

// Returns the number of 4-connected areas of cells with this letter.
uint32_t areas_of(const GridSnapshot& map, char which) {
    const std::vector<Terrain> cells = map.cells();
    const AreaMap areas = find_areas(cells, map.width(), map.height());
    std::set<uint32_t> found;
    for (size_t k = 0; k < cells.size(); ++k) {
        if (map.catalogue()[cells[k]].letter == which) found.insert(areas.area[k]);
    }
    return static_cast<uint32_t>(found.size());
}

void expect_refused(const Result<TerrainGrid>& made, std::string_view reason) {
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::kBadValue);
    EXPECT_EQ(made.error().message(), reason);
}

// The bytes are guaranteed: a change of these hashes is a change of results and belongs in the changelog.
TEST(FamiliesGolden, RoomsAreThoseOfEveryOtherMachine) {
    EXPECT_EQ(hash(generate_rooms({128, 128, 1, 8})), 0x293ef4cecf9d8244u);
    EXPECT_EQ(hash(generate_rooms({201, 77, 2, 16, 50})), 0xde6d1d9745303cc2u);
}

TEST(FamiliesGolden, MazesAreThoseOfEveryOtherMachine) {
    EXPECT_EQ(hash(generate_maze({128, 128, 1, 1})), 0xc9a059870480b4ccu);
    EXPECT_EQ(hash(generate_maze({201, 77, 2, 4})), 0x43de2dac3e4fa371u);
}

TEST(FamiliesGolden, RandomObstaclesAreThoseOfEveryOtherMachine) {
    EXPECT_EQ(hash(generate_random({128, 128, 1, 40})), 0x237a053e86ab5353u);
    EXPECT_EQ(hash(generate_random({201, 77, 2, 10, false})), 0x7964d07b310a2ac1u);
}

TEST(FamiliesGolden, ScatteredTerrainIsThatOfEveryOtherMachine) {
    EXPECT_EQ(hash(generate_scatter({128, 128, 1, 8})), 0x5e14e6da5c7c2105u);
    EXPECT_EQ(hash(generate_scatter({201, 77, 2, 16})), 0x97da05da54bcd5fau);
}

TEST(FamiliesGolden, VoronoiMapsAreThoseOfEveryOtherMachine) {
    EXPECT_EQ(hash(generate_voronoi({128, 128, 1, 64, 8})), 0xb43926d06c2b10fau);
    EXPECT_EQ(hash(generate_voronoi({201, 77, 2, 5000, 16})), 0xdd87883cf7590e63u);
}

TEST(Families, SeedsDiffer) {
    std::set<uint64_t> hashes;
    for (uint64_t seed = 0; seed < 10; ++seed) {
        hashes.insert(hash(generate_rooms({64, 64, seed})));
        hashes.insert(hash(generate_maze({64, 64, seed})));
        hashes.insert(hash(generate_random({64, 64, seed})));
        hashes.insert(hash(generate_scatter({64, 64, seed})));
        hashes.insert(hash(generate_voronoi({64, 64, seed})));
    }
    EXPECT_EQ(hashes.size(), 50u);
}

TEST(Rooms, HaveWallsOnTheLatticeAndNowhereElse) {
    const GridSnapshot map = generate_rooms({100, 70, 1, 8, 80, false})->snapshot();
    for (int32_t y = 0; y < 70; ++y) {
        for (int32_t x = 0; x < 100; ++x) {
            if (x % 8 == 0 && y % 8 == 0) {
                EXPECT_EQ(letter(map, x, y), '@');
            }
            if (x % 8 != 0 && y % 8 != 0) {
                EXPECT_EQ(letter(map, x, y), '.');
            }
        }
    }
}

// Counts the doors of each wall, horizontal and vertical, on a map whose sides are multiples of `room`.
std::vector<int32_t> doors(const GridSnapshot& map, int32_t room) {
    std::vector<int32_t> counts;
    for (int32_t y = 0; y < map.height(); y += room) {
        for (int32_t x = 0; x < map.width(); x += room) {
            int32_t above = 0, beside = 0;
            for (int32_t k = 1; k < room; ++k) above += !wall(map, x + k, y), beside += !wall(map, x, y + k);
            counts.insert(counts.end(), {above, beside});
        }
    }
    return counts;
}

TEST(Rooms, FourWallsInFiveHaveOneDoor) {
    const std::vector<int32_t> counts = doors(generate_rooms({512, 512, 3, 8})->snapshot(), 8);
    ASSERT_EQ(counts.size(), 8192u);
    EXPECT_EQ(std::ranges::count(counts, 0) + std::ranges::count(counts, 1), 8192);
    EXPECT_NEAR(static_cast<double>(std::ranges::count(counts, 1)) / 8192, 0.8, 0.02);
}

TEST(Rooms, EveryWallOrNoneHasADoorWhenAskedFor) {
    EXPECT_EQ(std::ranges::count(doors(generate_rooms({64, 64, 1, 8, 100})->snapshot(), 8), 1), 128);
    EXPECT_EQ(std::ranges::count(doors(generate_rooms({64, 64, 1, 8, 0})->snapshot(), 8), 0), 128);
}

TEST(Rooms, GroundIsOneArea) {
    for (uint64_t seed = 0; seed < 20; ++seed) {
        const GridSnapshot filled = generate_rooms({96, 80, seed, 8, 55})->snapshot();
        EXPECT_EQ(areas_of(filled, '.'), 1u) << "seed " << seed;
        EXPECT_GT(count(filled, 'T'), 0u) << "seed " << seed;
    }
}

TEST(Rooms, WithoutDoorsTheFirstOfTheLargestStays) {
    const GridSnapshot map = generate_rooms({24, 16, 1, 8, 0})->snapshot();
    EXPECT_EQ(count(map, '.'), 49u);
    EXPECT_EQ(letter(map, 1, 1), '.');
    EXPECT_EQ(letter(map, 9, 1), 'T');
}

TEST(Rooms, OddSizesAreFine) {
    for (const auto& [width, height] : {std::pair{2, 2}, {2, 100}, {100, 2}, {33, 17}, {9, 8}, {97, 3}}) {
        for (const int32_t room : {2, 3, 8, 32768}) {
            const auto made = generate_rooms({width, height, 1, room});
            ASSERT_TRUE(made);
            EXPECT_EQ(made->width(), width);
            EXPECT_EQ(areas_of(made->snapshot(), '.'), 1u);
        }
    }
}

TEST(Rooms, RefuseInvalidOptions) {
    expect_refused(generate_rooms({1, 64}), "a map of rooms of 1x64 cells: expected sides of 2 to 32768 cells");
    expect_refused(generate_rooms({64, 32769}), "a map of rooms of 64x32769 cells: expected sides of 2 to 32768 cells");
    expect_refused(generate_rooms({64, 64, 1, 1}), "rooms of 1 cells: expected a side of 2 to 32768 cells, including one wall");
    expect_refused(generate_rooms({64, 64, 1, 32769}), "rooms of 32769 cells: expected a side of 2 to 32768 cells, including one wall");
    expect_refused(generate_rooms({64, 64, 1, 8, -1}), "doors in -1% of the walls: expected 0 to 100");
    expect_refused(generate_rooms({64, 64, 1, 8, 101}), "doors in 101% of the walls: expected 0 to 100");
}

// A maze parsed from its cells: spots and openings between them. Fails if a spot is blocked, a post is open, or a wall is partly open.
struct MazePlan {
    uint32_t spots = 0, openings = 0, dead_ends = 0;

    MazePlan(const GridSnapshot& map, int32_t corridor) {
        const int32_t pitch = corridor + 1, columns = (map.width() - 2) / pitch + 1, rows = (map.height() - 2) / pitch + 1;
        std::vector<int32_t> exits(static_cast<size_t>(columns * rows), 0);
        spots = static_cast<uint32_t>(columns * rows);
        for (int32_t j = 0; j < rows; ++j) {
            for (int32_t i = 0; i < columns; ++i) {
                const int32_t x = i * pitch, y = j * pitch;
                EXPECT_TRUE(wall(map, x, y));
                EXPECT_EQ(open_cells(map, {{x + 1, y + 1}, {pitch - 1, pitch - 1}}), 1) << "spot " << i << "," << j;
                const auto pass = [&](Rect rect, int32_t other) {
                    const int32_t open = open_cells(map, rect);
                    EXPECT_TRUE(open == 0 || (open == 1 && other >= 0)) << "wall of " << i << "," << j;
                    if (open != 1 || other < 0) return;
                    ++openings, ++exits[static_cast<size_t>(j * columns + i)], ++exits[static_cast<size_t>(other)];
                };
                pass({{x, y + 1}, {1, pitch - 1}}, i > 0 ? j * columns + i - 1 : -1);
                pass({{x + 1, y}, {pitch - 1, 1}}, j > 0 ? (j - 1) * columns + i : -1);
            }
        }
        dead_ends = static_cast<uint32_t>(std::ranges::count(exits, 1));
    }

    // Returns 1 if all cells on the map are open, 0 if none is, -1 otherwise.
    static int32_t open_cells(const GridSnapshot& map, const Rect& rect) {
        const Rect part = intersection(rect, map.layout().rect());
        int32_t open = 0;
        for (int32_t y = part.y; y < part.bottom(); ++y) {
            for (int32_t x = part.x; x < part.right(); ++x) open += !wall(map, x, y);
        }
        if (open == 0) return 0;
        return open == part.width * part.height ? 1 : -1;
    }
};

void expect_perfect(int32_t width, int32_t height, uint64_t seed, int32_t corridor) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height) + " corridor " + std::to_string(corridor));
    const GridSnapshot map = generate_maze({width, height, seed, corridor})->snapshot();
    const MazePlan plan(map, corridor);
    EXPECT_EQ(plan.openings, plan.spots - 1);  // connected, and so a tree
    EXPECT_EQ(areas_of(map, '.'), 1u);
    EXPECT_EQ(count(map, '.') + count(map, '@'), map.layout().cells());
}

TEST(Maze, IsATreeWithCorridorsOfAnyWidth) {
    for (int32_t corridor = 1; corridor <= 32; ++corridor) expect_perfect(140, 120, static_cast<uint64_t>(corridor), corridor);
}

TEST(Maze, IsATreeAtOddSizes) {
    for (const auto& [width, height] : {std::pair{2, 2}, {2, 90}, {90, 2}, {3, 3}, {33, 34}, {35, 97}, {100, 5}}) {
        for (const int32_t corridor : {1, 2, 3, 7, 32}) expect_perfect(width, height, 5, corridor);
    }
}

TEST(Maze, HasTheDeadEndsOfThePublishedOnes) {
    const MazePlan plan(generate_maze({512, 512, 1, 2})->snapshot(), 2);
    EXPECT_EQ(plan.spots, 171u * 171u);
    EXPECT_NEAR(static_cast<double>(plan.dead_ends) / plan.spots, 0.188, 0.01);
}

TEST(Maze, RefusesInvalidOptions) {
    expect_refused(generate_maze({64, 1}), "a maze of 64x1 cells: expected sides of 2 to 32768 cells");
    expect_refused(generate_maze({32769, 64}), "a maze of 32769x64 cells: expected sides of 2 to 32768 cells");
    expect_refused(generate_maze({64, 64, 1, 0}), "corridors of 0 cells: expected a width of 1 to 32 cells");
    expect_refused(generate_maze({64, 64, 1, 33}), "corridors of 33 cells: expected a width of 1 to 32 cells");
}

TEST(Random, DensityIsExact) {
    for (const int32_t density : {0, 1, 10, 25, 40, 99, 100}) {
        for (const auto& [width, height] : {std::pair{1, 1}, {100, 100}, {37, 91}}) {
            const GridSnapshot map = generate_random({width, height, 4, density})->snapshot();
            EXPECT_EQ(count(map, '@'), static_cast<uint32_t>(width * height * density / 100)) << density;
        }
    }
}

TEST(Random, ObstaclesAreUniformlyDistributed) {
    const GridSnapshot map = generate_random({200, 200, 9, 25, false})->snapshot();
    uint32_t left = 0, upper = 0;
    for (int32_t y = 0; y < 200; ++y) {
        for (int32_t x = 0; x < 200; ++x) left += wall(map, x, y) && x < 100, upper += wall(map, x, y) && y < 100;
    }
    EXPECT_NEAR(left, 5000, 250);
    EXPECT_NEAR(upper, 5000, 250);
}

TEST(Random, GroundIsTheLargestAreaAndTheRestTrees) {
    for (uint64_t seed = 0; seed < 12; ++seed) {
        for (const int32_t density : {20, 40, 60}) {
            const GridSnapshot raw = generate_random({60, 50, seed, density, false})->snapshot();
            const GridSnapshot filled = generate_random({60, 50, seed, density})->snapshot();
            std::vector<Terrain> cells = raw.cells();
            const AreaMap areas = find_areas(cells, 60, 50);  // numbered in row order
            uint32_t largest = UINT32_MAX;
            for (size_t k = 0; k < cells.size(); ++k) {
                const bool better = largest == UINT32_MAX || areas.cells[areas.area[k]] > areas.cells[largest];
                if (cells[k] == 0 && better) largest = areas.area[k];
            }
            for (size_t k = 0; k < cells.size(); ++k) {
                if (cells[k] == 0 && areas.area[k] != largest) cells[k] = *raw.catalogue().find("trees");
            }
            ASSERT_EQ(filled.cells(), cells) << "seed " << seed << " density " << density;
        }
    }
}

TEST(Random, RefusesInvalidOptions) {
    expect_refused(generate_random({0, 64}), "a map of 0x64 cells: expected sides of 1 to 32768 cells");
    expect_refused(generate_random({64, 64, 1, -1}), "walls in -1% of the cells: expected 0 to 100");
    expect_refused(generate_random({64, 64, 1, 101}), "walls in 101% of the cells: expected 0 to 100");
}

TEST(Scatter, EveryTerrainHasItsShare) {
    const GridSnapshot map = generate_scatter({256, 256, 2, 16})->snapshot();
    for (Terrain t = 0; t < 16; ++t) EXPECT_NEAR(map.count(t), 4096, 350) << map.catalogue()[t].name;
}

TEST(Scatter, FewTerrainsAreTheWalkableOnes) {
    const GridSnapshot map = generate_scatter({64, 64, 2, 3})->snapshot();
    for (const char* name : {"ground", "road", "plains"}) EXPECT_GT(map.count(*map.catalogue().find(name)), 1000u) << name;
    EXPECT_EQ(generate_scatter({1, 1, 2, 1})->snapshot().at(Cell{0, 0}), *map.catalogue().find("ground"));
}

TEST(Scatter, RefusesInvalidOptions) {
    expect_refused(generate_scatter({64, 0}), "a map of 64x0 cells: expected sides of 1 to 32768 cells");
    expect_refused(generate_scatter({64, 64, 1, 0}), "0 terrains: expected 1 to 16");
    expect_refused(generate_scatter({64, 64, 1, 17}), "17 terrains: expected 1 to 16");
}

// Naive implementation of the documented rule.
Terrain nearest_terrain(const std::vector<VoronoiSite>& sites, Cell c) {
    const auto key = [&](const VoronoiSite& s) {
        const int32_t dx = s.cell.x - c.x, dy = s.cell.y - c.y;
        return std::pair(dx * dx + dy * dy, std::pair(s.cell.x, s.cell.y));
    };
    return std::ranges::min(sites, {}, key).terrain;
}

TEST(Voronoi, EveryCellHasTheTerrainOfItsNearestSite) {
    for (const auto& [width, height] : {std::pair{1, 1}, {40, 30}, {1, 50}, {50, 1}, {64, 64}}) {
        for (const int32_t sites : {1, 2, 7, 50, 400, 4096}) {
            const VoronoiOptions options{width, height, static_cast<uint64_t>(sites), std::min(sites, width * height), 16};
            const GridSnapshot map = generate_voronoi(options)->snapshot();
            const std::vector<VoronoiSite> all = voronoi_sites(options).value();
            for (int32_t y = 0; y < height; ++y) {
                for (int32_t x = 0; x < width; ++x) {
                    if (sites > 400 && (x * 7 + y) % 16 != 0) continue;  // a sample
                    ASSERT_EQ(map.at(Cell{x, y}), nearest_terrain(all, {x, y})) << sites << " sites, cell " << x << "," << y;
                }
            }
        }
    }
}

TEST(Voronoi, HasTheRequestedNumberOfSitesInDistinctCells) {
    for (const int32_t sites : {1, 100, 1200}) {
        std::set<std::pair<int32_t, int32_t>> cells;
        const std::vector<VoronoiSite> all = voronoi_sites({40, 30, 6, sites}).value();
        for (const VoronoiSite& s : all) cells.insert({s.cell.y, s.cell.x});
        EXPECT_EQ(cells.size(), static_cast<size_t>(sites));
        EXPECT_LT(cells.rbegin()->first, 30);
    }
}

TEST(Voronoi, MoreTerrainsLeaveTheSitesWhereTheyAre) {
    const auto few = voronoi_sites({100, 100, 8, 30, 2}).value(), many = voronoi_sites({100, 100, 8, 30, 16}).value();
    for (size_t k = 0; k < few.size(); ++k) EXPECT_EQ(few[k].cell, many[k].cell);
}

TEST(Voronoi, RefusesInvalidOptions) {
    expect_refused(generate_voronoi({0, 0}), "a map of 0x0 cells: expected sides of 1 to 32768 cells");
    expect_refused(generate_voronoi({64, 64, 1, 0}), "0 sites: expected 1 to 4096 on this map");
    expect_refused(generate_voronoi({64, 64, 1, 4097}), "4097 sites: expected 1 to 4096 on this map");
    expect_refused(generate_voronoi({32768, 32768, 1, 1'000'001}), "1000001 sites: expected 1 to 1000000 on this map");
    expect_refused(generate_voronoi({64, 64, 1, 8, 17}), "17 terrains: expected 1 to 16");
    EXPECT_FALSE(voronoi_sites({64, 64, 1, 0}));
}

}  // namespace
}  // namespace terrane
