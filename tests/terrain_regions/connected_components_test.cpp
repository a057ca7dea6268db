// ConnectedComponents: the partition of a flood fill of the cells, before and after any edits; and the nearest reachable cell.
#include "terrane/terrain_regions/connected_components.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "support/scene.h"

namespace terrane::test {
namespace {

constexpr std::array<uint32_t, 8> kReachSectors = {4, 5, 7, 8, 16, 32, 128, kWholeMap};

// Flood fill of the cells: a component number for each cell by rows, -1 if blocked. Independent of regions.
std::vector<int> flood(const GridSnapshot& grid, const PassableSet& set) {
    const int32_t width = grid.width(), height = grid.height();
    std::vector<int> found(static_cast<size_t>(width) * static_cast<size_t>(height), -1);
    const auto index = [&](Cell c) { return static_cast<size_t>(c.y * width + c.x); };
    int parts = 0;
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            if (found[index({x, y})] >= 0 || !set.contains(grid.at(Cell{x, y}))) continue;
            std::vector<Cell> stack = {{x, y}};
            found[index({x, y})] = parts;
            while (!stack.empty()) {
                const Cell c = stack.back();
                stack.pop_back();
                for (size_t move = 0; move < (set.cutting ? 8 : 4); ++move) {
                    const Cell to = {c.x + kMoves[move].x, c.y + kMoves[move].y};
                    if (!grid.layout().contains(to) || !set.contains(grid.at(to)) || found[index(to)] >= 0) continue;
                    found[index(to)] = parts;
                    stack.push_back(to);
                }
            }
            ++parts;
        }
    }
    return found;
}

void expect_flooded(const ConnectedComponents& components, const TerrainRegions& regions) {
    const GridSnapshot& grid = regions.grid();
    const std::vector<int> parts = flood(grid, components.set());
    std::map<int, ComponentId> of_part;
    std::map<ComponentId, int> of_component;
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            const int part = parts[static_cast<size_t>(y * grid.width() + x)];
            const ComponentId component = components.component_of(regions.region_of({x, y}));
            ASSERT_EQ(part < 0, component == kNoComponent) << x << "," << y;
            if (part < 0) continue;
            ASSERT_EQ(of_part.emplace(part, component).first->second, component) << x << "," << y;
            ASSERT_EQ(of_component.emplace(component, part).first->second, part) << x << "," << y;
        }
    }
    ASSERT_EQ(components.count(), of_part.size());
}

// The same partition of the regions, whatever the ids.
void expect_same_partition(const ConnectedComponents& a, const ConnectedComponents& b, const TerrainRegions& regions) {
    ASSERT_TRUE(a.valid_for(regions) && b.valid_for(regions));
    ASSERT_EQ(a.count(), b.count());
    std::map<ComponentId, ComponentId> to_b, to_a;
    for (uint32_t s = 0; s < regions.sectors(); ++s) {
        for (uint32_t r = 0; r < regions.regions_in(s); ++r) {
            const ComponentId in_a = a.component_of(regions.id(s, r)), in_b = b.component_of(regions.id(s, r));
            ASSERT_EQ(in_a == kNoComponent, in_b == kNoComponent);
            ASSERT_EQ(to_b.emplace(in_a, in_b).first->second, in_b) << "sector " << s << ", region " << r;
            ASSERT_EQ(to_a.emplace(in_b, in_a).first->second, in_a) << "sector " << s << ", region " << r;
        }
    }
}

// A map with obstacles, from a few to more than can be crossed, as cells or as blocks. Each profile blocks some of the terrains 0 to 2,
// none blocks 3.
TerrainGrid random_obstacles(Rng& rng, int32_t max_side) {
    const int32_t width = rng.between(1, max_side), height = rng.between(1, max_side), patch = rng.between(1, 5);
    const uint32_t density = 10 + rng.below(60);
    std::vector<Terrain> coarse(static_cast<size_t>((width / patch + 1) * (height / patch + 1)));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.chance(density, 100) ? rng.below(3) : 3);
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain t = coarse[static_cast<size_t>((y / patch) * (width / patch + 1) + x / patch)];
            cells.push_back(rng.chance(1, 20) ? static_cast<Terrain>(rng.below(4)) : t);
        }
    }
    return {width, height, cells};
}

PassableSet random_set(Rng& rng) {
    PassableSet set;
    set.terrains[0] = 8 | rng.below(7);  // never blocks all three
    set.cutting = rng.chance(1, 3);
    return set;
}

EditResult edit_anywhere(Rng& rng, TerrainGrid& grid) {
    const GridSnapshot now = grid.snapshot();
    const auto terrain = static_cast<Terrain>(rng.below(4));
    const Cell c = random_cell(rng, now);
    const uint32_t kind = rng.below(10);
    if (kind < 6) return grid.set(c, terrain);
    if (kind < 8) return grid.fill({c, {rng.between(1, 6), rng.between(1, 6)}}, terrain);
    if (kind < 9) return grid.fill({c, {rng.between(1, 30), 1}}, terrain);  // a wall, or a road through some
    std::vector<CellEdit> batch(1 + rng.below(6));
    const int32_t spread = rng.chance(1, 2) ? 9 : 70;  // partly off the map
    for (CellEdit& edit : batch) {
        edit = {{c.x + rng.between(-spread, spread), c.y + rng.between(-spread, spread)}, static_cast<Terrain>(rng.below(4))};
    }
    return grid.apply(batch);
}

// A scene's regions and components, with updates after edits.
struct Watched {
    explicit Watched(std::string_view drawing, uint32_t sector = 4, Movement movement = Movement::kEightNoCornerCutting)
        : s(scene(drawing)),
          set(PassableSet::of(s.profile.compile(s.grid.snapshot().catalogue()).value(), movement)),
          regions(TerrainRegions::build(s.grid.snapshot(), {sector})),
          components(ConnectedComponents::build(regions, set)) {}

    bool connected(Cell a, Cell b) const { return components.connected(regions.region_of(a), regions.region_of(b)); }
    // False if the components were rebuilt.
    bool set_cell(Cell cell, Terrain terrain) {
        RepairReport report;
        const EditResult edit = s.grid.set(cell, terrain);
        regions = regions.updated(edit, &report).value();
        const auto kept = components.updated(regions, edit, report);
        components = kept ? *kept : ConnectedComponents::build(regions, set);
        expect_flooded(components, regions);
        return kept.has_value();
    }

    Scene s;
    PassableSet set;
    TerrainRegions regions;
    ConnectedComponents components;
};

TEST(ConnectedComponents, AreSeparatedByAWall) {
    Watched w(R"(...#....
                 ...#....
                 ...#....
                 ...#####)");
    EXPECT_EQ(w.components.count(), 2u);
    EXPECT_TRUE(w.connected({0, 0}, {2, 3}));
    EXPECT_TRUE(w.connected({4, 0}, {7, 2}));
    EXPECT_FALSE(w.connected({0, 0}, {4, 0}));
    EXPECT_FALSE(w.connected({3, 0}, {3, 1}));  // blocked cells have no component
    EXPECT_EQ(w.components.component_of(w.regions.region_of({3, 0})), kNoComponent);
}

TEST(ConnectedComponents, SqueezeThroughCornersOnlyWhereCornersAreCut) {
    const char* drawing = R"(...#....
                             ..#.....
                             .#......
                             #.......
                             .......#)";
    for (const uint32_t sector : kReachSectors) {
        EXPECT_FALSE(Watched(drawing, sector, Movement::kEightNoCornerCutting).connected({0, 0}, {7, 0}));
        EXPECT_FALSE(Watched(drawing, sector, Movement::kFour).connected({0, 0}, {7, 0}));
        EXPECT_TRUE(Watched(drawing, sector, Movement::kEightCutCorners).connected({0, 0}, {7, 0}));
    }
}

TEST(ConnectedComponents, AreSharedByProfilesWithTheSameObstacles) {
    const Catalogue& catalogue = Catalogue::standard();
    const auto set = [&](const Profile& profile, Movement movement) {
        return PassableSet::of(profile.compile(catalogue).value(), movement);
    };
    const Profile slow = Profile().blocked("water").otherwise(5), fast = Profile().cost("road", 1).blocked("water").otherwise(2);
    const Profile swims = Profile().otherwise(1);
    EXPECT_EQ(set(slow, Movement::kEightNoCornerCutting), set(fast, Movement::kFour));
    EXPECT_NE(set(slow, Movement::kEightNoCornerCutting), set(slow, Movement::kEightCutCorners));
    EXPECT_NE(set(slow, Movement::kEightNoCornerCutting), set(swims, Movement::kEightNoCornerCutting));
    EXPECT_FALSE(set(swims, Movement::kEightNoCornerCutting).contains(kOutside));
}

TEST(ConnectedComponents, AnEmptyOrBlockedMapHasNone) {
    const TerrainRegions nothing;
    const ConnectedComponents none = ConnectedComponents::build(nothing, {});
    EXPECT_EQ(none.count(), 0u);
    EXPECT_TRUE(none.valid_for(nothing));
    EXPECT_FALSE(nearest_reachable(nothing, none, {0, 0}, {0, 0}));
    const Watched wall("#");
    EXPECT_EQ(wall.components.count(), 0u);
    EXPECT_EQ(Watched(".").components.count(), 1u);
}

TEST(ConnectedComponents, MatchAFloodFillOfTheCells) {
    Rng rng(1);
    for (int i = 0; i < 240; ++i) {
        const TerrainGrid grid = random_obstacles(rng, 60);
        const bool labels = i % 5 != 0;
        const TerrainRegions regions =
            TerrainRegions::build(grid.snapshot(), {kReachSectors[static_cast<size_t>(i) % kReachSectors.size()], labels});
        ASSERT_NO_FATAL_FAILURE(expect_flooded(ConnectedComponents::build(regions, random_set(rng)), regions)) << "world " << i;
    }
}

TEST(ConnectedComponents, AreValidForOneVersionOnly) {
    Watched w(R"(................
                 ................)");
    const TerrainRegions before = w.regions;
    const ConnectedComponents old = w.components;
    EXPECT_TRUE(w.set_cell({0, 0}, 2));
    EXPECT_TRUE(old.valid_for(before));
    EXPECT_FALSE(old.valid_for(w.regions));
    EXPECT_TRUE(w.components.valid_for(w.regions));
    EXPECT_GT(w.components.bytes(), 0u);
}

// Forty cells wide: ten sectors, of which an edit changes at most two.
TEST(ConnectedComponentsUpdate, IgnoresChangesOfCost) {
    Watched w(R"(........................................
                 ........................................
                 ....................#...................
                 ....................#...................)");
    EXPECT_TRUE(w.set_cell({5, 1}, 3));
    EXPECT_TRUE(w.set_cell({4, 1}, 3));
    EXPECT_TRUE(w.set_cell({3, 1}, 3));
    EXPECT_EQ(w.components.count(), 1u);
}

TEST(ConnectedComponentsUpdate, AnOpeningMergesAndAPocketSplits) {
    Watched w(R"(...................#....................
                 ...................#....................
                 ...................#....................
                 ...................#....................)");
    EXPECT_EQ(w.components.count(), 2u);
    EXPECT_TRUE(w.set_cell({19, 1}, 1));
    EXPECT_EQ(w.components.count(), 1u);
    EXPECT_TRUE(w.connected({0, 0}, {39, 3}));
    // A cell in a corner, then enclosed: it becomes a component of its own. A wall that encloses nothing splits nothing.
    EXPECT_TRUE(w.set_cell({1, 0}, 0));
    EXPECT_TRUE(w.set_cell({0, 1}, 0));
    EXPECT_EQ(w.components.count(), 2u);
    EXPECT_FALSE(w.connected({0, 0}, {2, 0}));
    EXPECT_TRUE(w.connected({2, 0}, {39, 3}));
    EXPECT_TRUE(w.set_cell({0, 0}, 0));
    EXPECT_EQ(w.components.count(), 1u);
}

TEST(ConnectedComponentsUpdate, GivesUpIfAPathIsCutAndNoDetourIsNearby) {
    Watched w(R"(...................#....................
                 ........................................
                 ...................#....................
                 ...................#....................)");
    EXPECT_TRUE(w.connected({0, 0}, {39, 0}));
    EXPECT_FALSE(w.set_cell({19, 1}, 0));
    EXPECT_FALSE(w.connected({0, 0}, {39, 0}));
}

// The opening in the third row of sectors is closed; the regions of that row and of the rows above and below get other neighbours. The
// detour leads through the sectors of the first row, which do not change, and through two regions there.
TEST(ConnectedComponentsUpdate, FindsTheDetourThroughUnchangedSectors) {
    Watched w(R"(222222..........
                 222222..........
                 222222..........
                 222222..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 ................
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........
                 .....#..........)");
    EXPECT_TRUE(w.set_cell({5, 9}, 0));
    EXPECT_EQ(w.components.count(), 1u);
}

TEST(ConnectedComponentsUpdate, IsRefusedToAnyOtherHistory) {
    Watched w(R"(................................
                 ................................)");
    Scene other = scene(R"(................................
                           ................................)");
    const TerrainRegions regions = TerrainRegions::build(other.grid.snapshot(), {4});
    RepairReport report;
    const EditResult edit = other.grid.set({1, 1}, Terrain{0});
    const TerrainRegions after = regions.updated(edit, &report).value();
    EXPECT_TRUE(ConnectedComponents::build(regions, w.set).updated(after, edit, report));
    EXPECT_FALSE(w.components.updated(after, edit, report));                                  // another map
    EXPECT_FALSE(ConnectedComponents::build(after, w.set).updated(after, edit, report));      // a version later
    EXPECT_FALSE(ConnectedComponents::build(regions, w.set).updated(regions, edit, report));  // not the regions after the edit
    const TerrainRegions coarse = TerrainRegions::build(regions.grid(), {8});
    EXPECT_FALSE(ConnectedComponents::build(coarse, w.set).updated(after, edit, report));  // other sectors
}

TEST(ConnectedComponentsUpdate, AnEditThatChangesNothingKeepsAll) {
    Watched w("........");
    EXPECT_TRUE(w.set_cell({3, 0}, 1));
    EXPECT_EQ(w.components.count(), 1u);
}

// Every opened comb of walls merges one more component; after enough of them only a rebuild helps.
TEST(ConnectedComponentsUpdate, MergesALimitedNumberOfComponentsBeforeARebuild) {
    constexpr int32_t kWidth = 1200;
    std::vector<Terrain> cells(kWidth * 4, 1);
    for (int32_t i = 0; i < kWidth * 4; i += 12) cells[static_cast<size_t>(i)] = 0;
    TerrainGrid grid(kWidth, 4, cells, digit_catalogue());
    PassableSet set;
    set.terrains[0] = 2;
    TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {4});
    ConnectedComponents components = ConnectedComponents::build(regions, set);
    ASSERT_EQ(components.count(), 100u);
    int kept = 0, given_up = 0;
    for (int32_t x = 12; x < kWidth; x += 12) {
        RepairReport report;
        const EditResult edit = grid.set({x, 2}, Terrain{1});
        regions = regions.updated(edit, &report).value();
        const auto next = components.updated(regions, edit, report);
        ++(next ? kept : given_up);
        components = next ? *next : ConnectedComponents::build(regions, set);
        ASSERT_NO_FATAL_FAILURE(expect_flooded(components, regions));
    }
    EXPECT_EQ(components.count(), 1u);
    EXPECT_EQ(kept, 98);
    EXPECT_EQ(given_up, 1);
}

TEST(ConnectedComponentsUpdate, ThousandsOfEditsLeaveThePartitionOfANewBuild) {
    Rng rng(2);
    int kept = 0, edits = 0;
    for (int world = 0; world < 80; ++world) {
        TerrainGrid grid = random_obstacles(rng, 70);
        const RegionOptions options = {kReachSectors[static_cast<size_t>(world) % kReachSectors.size()], world % 7 != 0};
        TerrainRegions regions = TerrainRegions::build(grid.snapshot(), options);
        std::vector<ConnectedComponents> watched;
        for (int i = 0; i < 3; ++i) watched.push_back(ConnectedComponents::build(regions, random_set(rng)));
        for (int i = 0; i < 60; ++i) {
            RepairReport report;
            const EditResult edit = edit_anywhere(rng, grid);
            regions = regions.updated(edit, &report).value();
            for (ConnectedComponents& components : watched) {
                const ConnectedComponents fresh = ConnectedComponents::build(regions, components.set());
                const auto next = components.updated(regions, edit, report);
                ++edits;
                kept += next ? 1 : 0;
                if (next) {
                    ASSERT_NO_FATAL_FAILURE(expect_same_partition(*next, fresh, regions)) << "world " << world << ", edit " << i;
                }
                components = next ? *next : fresh;
            }
        }
        for (const ConnectedComponents& components : watched)
            ASSERT_NO_FATAL_FAILURE(expect_flooded(components, regions)) << "world " << world;
    }
    EXPECT_GT(kept, edits / 4);  // otherwise updating is not worthwhile
}

// ---- the nearest cell ----

std::optional<Cell> nearest_by_flood(const GridSnapshot& grid, const PassableSet& set, Cell start, Cell goal) {
    if (!grid.layout().contains(start) || !set.contains(grid.at(start))) return std::nullopt;
    goal = {std::clamp(goal.x, 0, grid.width() - 1), std::clamp(goal.y, 0, grid.height() - 1)};
    const std::vector<int> parts = flood(grid, set);
    const auto part = [&](Cell c) { return parts[static_cast<size_t>(c.y * grid.width() + c.x)]; };
    std::optional<std::tuple<int64_t, int32_t, int32_t>> best;
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            if (part({x, y}) != part(start)) continue;
            const int64_t dx = std::abs(x - goal.x), dy = std::abs(y - goal.y), both = std::min(dx, dy);
            const std::tuple here(int64_t{kDiagonal} * both + int64_t{kStraight} * (dx + dy - 2 * both), y, x);
            if (!best || here < *best) best = here;
        }
    }
    return Cell{std::get<2>(*best), std::get<1>(*best)};
}

TEST(NearestReachable, IsTheGoalIfReachable) {
    const Watched w(R"(...#....
                       ...#....)");
    EXPECT_EQ(nearest_reachable(w.regions, w.components, {0, 0}, {2, 1}), (Cell{2, 1}));
    EXPECT_EQ(nearest_reachable(w.regions, w.components, {1, 1}, {1, 1}), (Cell{1, 1}));
}

TEST(NearestReachable, IsOnTheShoreFacingTheGoal) {
    const Watched w(R"(....##......
                       .....####...
                       ....##......
                       ............
                       ######......)");
    EXPECT_TRUE(w.connected({0, 0}, {11, 0}));
    const Watched cut(R"(....##......
                         .....####...
                         ....##......
                         ....##......
                         ......######)");
    EXPECT_EQ(nearest_reachable(cut.regions, cut.components, {0, 0}, {11, 1}), (Cell{4, 1}));
}

TEST(NearestReachable, TiesGoToTheUpperThenTheLeft) {
    const Watched w(R"(.........
                       .#######.
                       .#.....#.
                       .#.....#.
                       .#.....#.
                       .#.....#.
                       .#.....#.
                       .#######.
                       .........)");
    EXPECT_EQ(nearest_reachable(w.regions, w.components, {8, 8}, {4, 4}), (Cell{4, 0}));
    const Watched v(R"(.###.
                       .#.#.
                       .###.
                       .....)");
    EXPECT_EQ(nearest_reachable(v.regions, v.components, {4, 3}, {2, 1}), (Cell{0, 1}));
}

TEST(NearestReachable, AGoalOffTheMapIsClampedAndABlockedStartHasNone) {
    const Watched w(R"(...#....
                       ...#....)");
    EXPECT_EQ(nearest_reachable(w.regions, w.components, {0, 0}, {-5, 100}), (Cell{0, 1}));
    EXPECT_EQ(nearest_reachable(w.regions, w.components, {0, 0}, {1 << 30, -(1 << 30)}), (Cell{2, 0}));
    EXPECT_FALSE(nearest_reachable(w.regions, w.components, {3, 0}, {0, 0}));
    EXPECT_FALSE(nearest_reachable(w.regions, w.components, {8, 0}, {0, 0}));
    EXPECT_FALSE(nearest_reachable(w.regions, w.components, {-1, 0}, {0, 0}));
}

TEST(NearestReachable, MatchesAFloodFillOfTheCells) {
    Rng rng(3);
    for (int world = 0; world < 160; ++world) {
        const TerrainGrid grid = random_obstacles(rng, 60);
        const GridSnapshot now = grid.snapshot();
        const TerrainRegions regions =
            TerrainRegions::build(now, {kReachSectors[static_cast<size_t>(world) % kReachSectors.size()], world % 3 != 0});
        const ConnectedComponents components = ConnectedComponents::build(regions, random_set(rng));
        for (int i = 0; i < 25; ++i) {
            const Cell start = random_cell(rng, now), goal = {rng.between(-9, now.width() + 9), rng.between(-9, now.height() + 9)};
            ASSERT_EQ(nearest_reachable(regions, components, start, goal), nearest_by_flood(now, components.set(), start, goal))
                << "world " << world << ", from " << start.x << "," << start.y << " to " << goal.x << "," << goal.y;
        }
    }
}

TEST(ConnectedComponentsGolden, SameComponentsAndCellsEverywhere) {
    Rng rng(4);
    uint64_t hash = 0;
    for (int world = 0; world < 30; ++world) {
        const TerrainGrid grid = random_obstacles(rng, 60);
        const GridSnapshot now = grid.snapshot();
        const TerrainRegions regions = TerrainRegions::build(now, {kReachSectors[static_cast<size_t>(world) % kReachSectors.size()]});
        const ConnectedComponents components = ConnectedComponents::build(regions, random_set(rng));
        hash = mix64(hash ^ components.count());
        for (int i = 0; i < 50; ++i) {
            const Cell start = random_cell(rng, now), goal = random_cell(rng, now);
            const Cell nearest = nearest_reachable(regions, components, start, goal).value_or(Cell{-1, -1});
            hash = mix64(hash ^ components.component_of(regions.region_of(goal)));
            hash = mix64(hash ^ (static_cast<uint64_t>(nearest.x) << 32 | static_cast<uint32_t>(nearest.y)));
        }
    }
    EXPECT_EQ(hash, 117014764009910862u);
}

// ---- the cache ----

PassableSet only(uint64_t terrains) { return {{terrains, 0, 0, 0}, false}; }

// Not just equal: one is a copy of the other.
bool same(const ConnectedComponents& a, const ConnectedComponents& b) { return &a.set() == &b.set(); }

TEST(ConnectedComponentsCache, KeepsTheSetsAskedForLast) {
    const Watched w(R"(...#....)");
    ConnectedComponentsCache cache(2);
    const ConnectedComponents two = cache.get(w.regions, only(2)), four = cache.get(w.regions, only(4));
    EXPECT_TRUE(two.valid_for(w.regions));
    EXPECT_TRUE(same(cache.get(w.regions, only(2)), two));  // now 4 is the least recently used
    static_cast<void>(cache.get(w.regions, only(8)));
    EXPECT_EQ(cache.size(), 2u);
    EXPECT_TRUE(same(cache.get(w.regions, only(2)), two));
    EXPECT_FALSE(same(cache.get(w.regions, only(4)), four));
    ConnectedComponentsCache none(0);
    EXPECT_EQ(none.get(w.regions, w.set).count(), 2u);
    EXPECT_EQ(none.size(), 0u);
}

TEST(ConnectedComponentsCache, KeepsWhatWasBuiltForTheNewVersionAlready) {
    Watched w(R"(................)");
    ConnectedComponentsCache cache;
    EXPECT_EQ(cache.get(w.regions, w.set).count(), 1u);
    RepairReport report;
    const EditResult edit = w.s.grid.set({8, 0}, Terrain{0});
    const TerrainRegions older = w.regions;
    w.regions = w.regions.updated(edit, &report).value();
    const ConnectedComponents built = cache.get(w.regions, w.set);
    EXPECT_EQ(cache.get(older, w.set).count(), 1u);  // a late call evicts nothing
    EXPECT_TRUE(same(cache.get(w.regions, w.set), built));
    cache.edited(w.regions, edit, report);
    EXPECT_TRUE(same(cache.get(w.regions, w.set), built));
}

TEST(ConnectedComponentsCache, CarriesOverWhatItCanAndDropsTheRest) {
    Watched w(R"(...................#....................
                 ........................................
                 ...................#....................
                 ...................#....................)");
    ConnectedComponentsCache cache;
    const TerrainRegions before = w.regions;
    EXPECT_EQ(cache.get(w.regions, w.set).count(), 1u);
    EXPECT_EQ(cache.get(w.regions, only(3)).count(), 1u);  // passes through walls
    RepairReport report;
    const EditResult edit = w.s.grid.set({19, 1}, Terrain{0});
    w.regions = w.regions.updated(edit, &report).value();
    cache.edited(w.regions, edit, report);
    EXPECT_EQ(cache.size(), 1u);  // the path is cut for one of the two sets
    EXPECT_EQ(cache.get(w.regions, only(3)).count(), 1u);
    EXPECT_EQ(cache.size(), 1u);
    EXPECT_EQ(cache.get(w.regions, w.set).count(), 2u);
    EXPECT_EQ(cache.size(), 2u);
    // A reader of the map before the edit gets the result for that map, and evicts nothing.
    EXPECT_EQ(cache.get(before, w.set).count(), 1u);
    EXPECT_TRUE(cache.get(before, only(5)).valid_for(before));
    EXPECT_EQ(cache.size(), 2u);
    EXPECT_TRUE(cache.get(w.regions, w.set).valid_for(w.regions));
}

TEST(ConnectedComponentsCache, ThreadsGetTheirOwnVersionWhileOneEdits) {
    Rng rng(5);
    TerrainGrid grid(90, 70, 3);
    std::mutex mutex;
    TerrainRegions published = TerrainRegions::build(grid.snapshot(), {8});
    ConnectedComponentsCache cache(3);
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0, looks = 0;
    const auto look = [&](uint64_t seed) {
        Rng own(seed);
        while (!stop) {
            TerrainRegions regions;
            {
                const std::lock_guard lock(mutex);
                regions = published;
            }
            const PassableSet set = only(8 | own.below(4));
            const ConnectedComponents found = cache.get(regions, set), fresh = ConnectedComponents::build(regions, set);
            const auto connected = [&](const ConnectedComponents& c, Cell a, Cell b) {
                return c.connected(regions.region_of(a), regions.region_of(b));
            };
            bool same = found.valid_for(regions) && found.set() == set && found.count() == fresh.count();
            for (int i = 0; i < 20; ++i) {
                const Cell a = random_cell(own, regions.grid()), b = random_cell(own, regions.grid());
                same = same && connected(found, a, b) == connected(fresh, a, b);
            }
            wrong += same ? 0 : 1;
            ++looks;
        }
    };
    std::thread a(look, 6), b(look, 7);
    for (int i = 0; i < 300 || looks < 100; ++i) {
        RepairReport report;
        const EditResult edit = edit_anywhere(rng, grid);
        const TerrainRegions next = published.updated(edit, &report).value();
        if (rng.chance(1, 2)) cache.edited(next, edit, report);  // before other threads see it, or after
        {
            const std::lock_guard lock(mutex);
            published = next;
        }
        cache.edited(next, edit, report);
    }
    stop = true;
    a.join();
    b.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace terrane::test
