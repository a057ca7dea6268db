// Heuristics of the region graph: admissible bounds for one profile and for many, before and after any edits; refused for any other map.
#include "terrane/dta/region_heuristics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "dta/region_graph.h"
#include "grid_search/heuristic_checks.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/search/heap_queue.h"

namespace terrane::test {
namespace {

// Independent implementation of the region graph, from the regions and the paper's formula.
struct PlainGraph {
    std::map<RegionId, std::vector<std::pair<RegionId, uint64_t>>> edges;  // of the passable regions

    PlainGraph(const TerrainRegions& regions, const Ground& ground) {
        bool has_obstacles = false;
        for (const Terrain t : regions.grid().cells()) has_obstacles |= !ground.costs().passable(t);
        for (uint32_t s = 0; s < regions.sectors(); ++s) {
            for (uint32_t n = 0; n < regions.regions_in(s); ++n) {
                const RegionId from = regions.id(s, n);
                const Region& a = regions.region(from);
                if (!ground.costs().passable(a.terrain)) continue;
                auto& list = edges[from];
                regions.for_each_edge(from, [&](RegionId to, bool diagonal_only) {
                    const Region& b = regions.region(to);
                    if (!ground.costs().passable(b.terrain) ||
                        (diagonal_only && has_obstacles && ground.movement() != Movement::kEightCutCorners))
                        return;
                    const auto dx = static_cast<uint64_t>(std::abs(a.x - b.x)), dy = static_cast<uint64_t>(std::abs(a.y - b.y));
                    const uint64_t both = std::min(dx, dy), rest = std::max(dx, dy) - both;
                    const uint64_t length = kStraight * rest + (ground.movement() == Movement::kFour ? 2 * kStraight : kDiagonal) * both;
                    list.emplace_back(to, length * (ground.costs().cost[a.terrain] + ground.costs().cost[b.terrain]));
                });
            }
        }
    }

    // To all reachable regions.
    std::map<RegionId, uint64_t> distances(RegionId from) const {
        std::map<RegionId, uint64_t> best;
        std::set<std::pair<uint64_t, RegionId>> open{{0, from}};
        while (!open.empty()) {
            const auto [g, id] = *open.begin();
            open.erase(open.begin());
            if (!best.emplace(id, g).second) continue;
            for (const auto& [to, cost] : edges.at(id)) {
                if (best.find(to) == best.end()) open.insert({g + cost, to});
            }
        }
        return best;
    }
};

// A random world with its regions.
struct Regioned {
    RandomWorld world;
    TerrainRegions regions;

    const CostTable& costs() const { return world.costs; }
    Movement movement() const { return world.movement; }
    PlainGraph plain() const { return PlainGraph(regions, {regions.grid(), world.costs, world.movement}); }
    void edit(Rng& rng) { regions = regions.updated(random_edit(rng, world)).value(); }
};

Regioned random_regions(Rng& rng, int32_t max_side) {
    constexpr uint32_t kHeuristicSectors[] = {4, 5, 8, 16, 16, kWholeMap};
    RandomWorld world = random_world(rng, max_side);
    TerrainRegions regions = TerrainRegions::build(world.grid.snapshot(), {kHeuristicSectors[rng.below(6)], !rng.chance(1, 4), 1});
    return {std::move(world), std::move(regions)};
}

RegionHeuristic build(RegionHeuristicKind kind, const TerrainRegions& regions, const Ground& ground, uint32_t count = 5,
                      uint32_t threads = 1) {
    switch (kind) {
        case RegionHeuristicKind::kLandmarks: return RegionHeuristic::landmarks(regions, ground, {count, threads});
        case RegionHeuristicKind::kFastMap: return RegionHeuristic::fastmap(regions, ground, {count});
        case RegionHeuristicKind::kPathTable: break;
    }
    return RegionHeuristic::path_table(regions, ground, {size_t{256} << 20, threads}).value();
}
RegionHeuristic build(RegionHeuristicKind kind, const Regioned& r, uint32_t count = 5, uint32_t threads = 1) {
    return build(kind, r.regions, {r.regions.grid(), r.costs(), r.movement()}, count, threads);
}

constexpr RegionHeuristicKind kKinds[] = {RegionHeuristicKind::kLandmarks, RegionHeuristicKind::kFastMap, RegionHeuristicKind::kPathTable};

// Admissible, consistent, and zero at the goal.
void expect_consistent(const RegionBound& h, const PlainGraph& graph, RegionId goal) {
    ASSERT_EQ(h(goal), 0u);
    for (const auto& [id, distance] : graph.distances(goal)) ASSERT_LE(h(id), distance);
    for (const auto& [from, edges] : graph.edges) {
        for (const auto& [to, cost] : edges) ASSERT_LE(h(from), h(to) + cost);
    }
}

// With every `stride`th region as a goal.
void expect_admissible(const RegionHeuristic& heuristic, const TerrainRegions& regions, const Ground& ground, size_t stride = 1) {
    RegionHeuristicScratch scratch;
    const PlainGraph graph(regions, ground);
    size_t count = 0;
    for (const auto& [goal, edges] : graph.edges) {
        if (count++ % stride != 0) continue;
        const auto bound = heuristic.bound_to(goal, regions, ground, scratch);
        ASSERT_TRUE(bound.has_value());
        ASSERT_NO_FATAL_FAILURE(expect_consistent(*bound, graph, goal)) << "goal " << goal;
    }
}

// The potentials of a landmark are feasible on all edges, not only on those that a search expands.
void expect_feasible(const RegionHeuristic& h, const Regioned& r) {
    RegionHeuristicScratch scratch;
    const PlainGraph graph = r.plain();
    for (const auto& [from, edges] : graph.edges) {
        const auto bound = h.bound_to(from, r.regions, {r.regions.grid(), r.costs(), r.movement()}, scratch);
        ASSERT_TRUE(bound.has_value());
        for (const auto& [to, cost] : edges) ASSERT_LE((*bound)(to), cost) << from << " to " << to;
    }
}

uint64_t hash_of_bounds(const RegionHeuristic& h, const TerrainRegions& regions, const Ground& ground) {
    RegionHeuristicScratch scratch;
    uint64_t hash = 0;
    for (const Cell c : h.landmark_cells()) hash = mix64(hash ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
    for (int32_t i = 0; i < std::min(regions.grid().width(), regions.grid().height()); i += 7) {
        const auto bound = h.bound_to(regions.region_of({i, i}), regions, ground, scratch);
        for (uint32_t s = 0; s < regions.sectors(); ++s) {
            for (uint32_t n = 0; n < regions.regions_in(s); ++n) hash = mix64(hash ^ (*bound)(regions.id(s, n)));
        }
    }
    return hash;
}
uint64_t hash_of_bounds(const RegionHeuristic& h, const Regioned& r) {
    return hash_of_bounds(h, r.regions, {r.regions.grid(), r.costs(), r.movement()});
}

template <class H>
Answer search_regions(const H& h, const Regioned& r, RegionId start, RegionId goal) {
    PagedLabels<RegionId, uint64_t, RegionId> labels;
    HeapQueue<RegionId, uint64_t> queue;
    labels.reset(r.regions.id_limit());
    BestFirst search(RegionGraph(r.regions, {r.regions.grid(), r.costs(), r.movement()}), h, OneGoal<RegionId>{goal}, labels, queue);
    search.start(start, 0, kNoRegion);
    const Status status = search.run();
    return {status, search.reached() ? search.goal_cost() : 0, search.expansions()};
}

// Costs for the terrains of random worlds, different from those of the world.
CostTable random_costs(Rng& rng) {
    Profile profile;
    const uint32_t unit = 1 + rng.below(30), steps = 1 + rng.below(40);
    for (uint32_t t = 0; t < 8; ++t) {
        profile.rule(Catalogue::standard()[static_cast<Terrain>(t)].name, rng.chance(1, 6) ? kBlocked : unit * (1 + rng.below(steps)));
    }
    return profile.compile(Catalogue::standard()).value();
}

TEST(RegionOctile, IsTheDistanceOverTheCheapestTerrain) {
    TerrainGrid grid(16, 16, Terrain{3}, digit_catalogue());
    static_cast<void>(grid.fill({{12, 12}, {4, 4}}, Terrain{2}));
    const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {4});
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();  // integer costs: divisor 100
    const RegionId goal = regions.region_of({1, 1}), far = regions.region_of({13, 5});     // 3 sectors across, 1 down
    const RegionBound octile = RegionBound::octile(goal, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting});
    EXPECT_EQ(octile(goal), 0u);
    EXPECT_EQ(octile(far), uint64_t{2} * 2 * (8 * kStraight + 4 * kDiagonal));
    EXPECT_EQ(RegionBound::octile(goal, regions, {regions.grid(), costs, Movement::kFour})(far), uint64_t{2} * 2 * 16 * kStraight);
}

TEST(RegionOctile, IsConsistentOnRandomWorlds) {
    Rng rng(4);
    for (int i = 0; i < 60; ++i) {
        const Regioned r = random_regions(rng, 30);
        const PlainGraph graph = r.plain();
        size_t count = 0;
        for (const auto& [goal, edges] : graph.edges) {
            if (count++ % 7 != 0) continue;
            ASSERT_NO_FATAL_FAILURE(
                expect_consistent(RegionBound::octile(goal, r.regions, {r.regions.grid(), r.costs(), r.movement()}), graph, goal));
        }
    }
}

TEST(RegionHeuristics, NeverAboveTheTrueDistance) {
    Rng rng(11);
    for (int i = 0; i < 300; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const Regioned r = random_regions(rng, i % 10 == 0 ? 60 : 24);
        for (const RegionHeuristicKind kind : kKinds) {
            const RegionHeuristic h = build(kind, r, 1 + rng.below(9));
            EXPECT_EQ(h.kind(), kind);
            ASSERT_NO_FATAL_FAILURE(expect_admissible(h, r.regions, {r.regions.grid(), r.costs(), r.movement()}, i % 10 == 0 ? 61 : 9))
                << to_string(kind);
        }
    }
}

TEST(RegionPathTable, IsTheDistanceItself) {
    Rng rng(12);
    RegionHeuristicScratch scratch;  // shared by all
    for (int i = 0; i < 150; ++i) {
        const Regioned r = random_regions(rng, 30);
        const RegionHeuristic h = build(RegionHeuristicKind::kPathTable, r);
        const PlainGraph graph = r.plain();
        for (const auto& [goal, edges] : graph.edges) {
            const auto bound = h.bound_to(goal, r.regions, {r.regions.grid(), r.costs(), r.movement()}, scratch);
            for (const auto& [id, distance] : graph.distances(goal)) ASSERT_EQ((*bound)(id), distance) << id << " to " << goal;
        }
    }
}

TEST(RegionPathTable, ScratchStopsGrowing) {
    Rng rng(6);
    Regioned r = random_regions(rng, 60);
    while (r.regions.region_count() < 200) r = random_regions(rng, 60);
    const RegionHeuristic h = build(RegionHeuristicKind::kPathTable, r);
    RegionHeuristicScratch scratch;
    const PlainGraph graph = r.plain();
    const auto ask_all = [&] {
        for (const auto& [goal, edges] : graph.edges) {
            const auto bound = h.bound_to(goal, r.regions, {r.regions.grid(), r.costs(), r.movement()}, scratch);
            for (const auto& [id, more_edges] : graph.edges) static_cast<void>((*bound)(id));
        }
    };
    ask_all();
    const size_t bytes = scratch.bytes();
    ask_all();
    EXPECT_EQ(scratch.bytes(), bytes);
}

TEST(RegionPathTable, IsRefusedWhereItWouldBeTooLarge) {
    IslandOptions island;
    island.width = island.height = 256;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const TerrainRegions regions = TerrainRegions::build(grid, {16});
    const size_t bytes = RegionHeuristic::path_table(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}).value().bytes();
    const auto with = [&](size_t max_bytes) {
        return RegionHeuristic::path_table(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, {max_bytes, 2});
    };
    EXPECT_TRUE(with(2 * bytes).has_value());
    for (const size_t max_bytes : {size_t{0}, size_t{1000}, bytes / 2, bytes - bytes / 8}) {
        const auto refused = with(max_bytes);
        ASSERT_FALSE(refused.has_value()) << max_bytes << " of " << bytes;
        EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge);
        EXPECT_NE(refused.error().reason.find("MiB; the limit is"), std::string::npos) << refused.error().reason;
    }
    for (size_t max_bytes = bytes - bytes / 16; max_bytes < bytes; max_bytes += bytes / 100) {  // independent of the estimate
        const auto table = with(max_bytes);
        if (table.has_value()) {
            EXPECT_LE(table->bytes(), max_bytes + 4096);  // the profile is stored besides the table
        }
    }
}

TEST(RegionHeuristics, CheapestOfTakesTheLeastOfEach) {
    const Catalogue catalogue = digit_catalogue();
    const CostTable a = Profile().blocked("wall").blocked("cost_1").cost("cost_2", 3).otherwise(4.5).compile(catalogue).value();
    const CostTable b = Profile().blocked("wall").cost("cost_1", 9).cost("cost_2", 6).otherwise(6).compile(catalogue).value();
    const CostTable both[] = {a, b};
    const CostTable least = cheapest_of(both);
    EXPECT_EQ(least.cost[0], 0u);
    EXPECT_EQ(least.hundredths(1), 900u);
    EXPECT_EQ(least.hundredths(2), 300u);
    EXPECT_EQ(least.hundredths(3), 450u);
    EXPECT_EQ(least.cost[kOutside], 0u);
    EXPECT_EQ(least.divisor, 150u);
    const CostTable alone = cheapest_of({both, 1});
    EXPECT_EQ(alone.cost, a.cost);
    EXPECT_EQ(alone.divisor, a.divisor);
    EXPECT_EQ(cheapest_of({}).cost, CostTable{}.cost);
}

TEST(RegionHeuristics, OneServesSeveralProfiles) {
    Rng rng(13);
    int other_divisors = 0;
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        const Regioned r = random_regions(rng, 24);
        std::vector<CostTable> profiles;
        for (uint32_t n = 1 + rng.below(4); n > 0; --n) profiles.push_back(random_costs(rng));
        const CostTable least = cheapest_of(profiles);
        for (const RegionHeuristicKind kind : kKinds) {
            const RegionHeuristic h = build(kind, r.regions, {r.regions.grid(), least, r.movement()}, 1 + rng.below(6));
            for (const CostTable& costs : profiles) {
                other_divisors += costs.divisor != least.divisor ? 1 : 0;
                ASSERT_TRUE(h.valid_for(r.regions, {r.regions.grid(), costs, r.movement()}));
                ASSERT_NO_FATAL_FAILURE(expect_admissible(h, r.regions, {r.regions.grid(), costs, r.movement()}, 11)) << to_string(kind);
            }
        }
    }
    EXPECT_GT(other_divisors, 100);
}

TEST(RegionLandmarks, AreApportionedToTheConnectedComponents) {
    const Scene s = scene(R"(....22223333#1122
                             ....22223333#1122
                             ....22223333#3344
                             ....22223333#3344
                             #################
                             5555666677778888#)");
    const TerrainRegions regions = TerrainRegions::build(s.grid.snapshot(), {32});
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const auto three = RegionHeuristic::landmarks(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, {3});
    std::set<int> parts;  // of 4, 4 and 3 regions: one each
    for (const Cell c : three.landmark_cells()) parts.insert(c.y > 4 ? 0 : c.x > 12 ? 1 : 2);
    EXPECT_EQ(parts.size(), 3u);
    const auto all = RegionHeuristic::landmarks(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, {256});
    std::set<RegionId> homes;
    for (const Cell c : all.landmark_cells()) homes.insert(regions.region_of(c));
    EXPECT_EQ(all.landmark_cells().size(), 11u);
    EXPECT_EQ(homes.size(), 11u);
}

TEST(RegionLandmarks, AreFarApart) {
    const Scene s = scene("....................");
    const TerrainRegions regions = TerrainRegions::build(s.grid.snapshot(), {4});
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const auto h = RegionHeuristic::landmarks(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, {3});
    ASSERT_EQ(h.landmark_cells().size(), 3u);
    EXPECT_EQ(regions.region_of(h.landmark_cells()[0]), 4u);  // the last region, farthest from the first; then the first; then the middle
    EXPECT_EQ(regions.region_of(h.landmark_cells()[1]), 0u);
    EXPECT_EQ(regions.region_of(h.landmark_cells()[2]), 2u);
    EXPECT_GE(h.bytes(), 5u * 3 * 8);
}

TEST(RegionHeuristics, KnowObstaclesThatOctileDistanceIgnores) {
    const Scene s = scene(R"(S.......#.......
                             ........#.......
                             ........#.......
                             ........#.......
                             ........#......G
                             ........#.......
                             ................
                             ................)");
    const TerrainRegions regions = TerrainRegions::build(s.grid.snapshot(), {4});
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const RegionId start = regions.region_of(s.start), goal = regions.region_of(s.goal);
    const uint64_t truth = PlainGraph(regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}).distances(goal)[start];
    RegionHeuristicScratch scratch;
    EXPECT_LT(RegionBound::octile(goal, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting})(start), truth);
    for (const RegionHeuristicKind kind : kKinds) {
        const RegionHeuristic h = build(kind, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, 8);
        EXPECT_EQ((*h.bound_to(goal, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, scratch))(start), truth)
            << to_string(kind);
    }
}

TEST(RegionHeuristics, TheBoundBetweenDisconnectedComponentsStaysSmall) {
    const Scene s = scene(R"(11223#455667
                             12233#445667)");
    const TerrainRegions regions = TerrainRegions::build(s.grid.snapshot(), {4});
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    RegionHeuristicScratch scratch;
    const RegionId start = regions.region_of({0, 0}), goal = regions.region_of({11, 0}), wall = regions.region_of({5, 0});
    for (const RegionHeuristicKind kind : kKinds) {
        const RegionHeuristic h = build(kind, regions, {regions.grid(), costs, Movement::kFour}, 2);
        for (const RegionId to : {goal, wall}) {
            const auto bound = h.bound_to(to, regions, {regions.grid(), costs, Movement::kFour}, scratch);
            ASSERT_TRUE(bound.has_value());
            EXPECT_LT((*bound)(start), uint64_t{1} << 40) << to_string(kind);  // so that g + h cannot overflow
            EXPECT_LT((*bound)(wall), uint64_t{1} << 40) << to_string(kind);
        }
    }
}

TEST(RegionHeuristics, AStarFindsTheSameCostWithFewerExpansions) {
    Rng rng(14);
    uint64_t by_octile = 0, by_table[3] = {};
    RegionHeuristicScratch scratch;
    for (int i = 0; i < 60; ++i) {
        const Regioned r = random_regions(rng, 70);
        const GridSnapshot& grid = r.regions.grid();
        const Cell start_cell = random_cell(rng, grid), goal_cell = random_cell(rng, grid);
        if (!r.costs().passable(grid.at(start_cell)) || !r.costs().passable(grid.at(goal_cell))) continue;
        const RegionId start = r.regions.region_of(start_cell), goal = r.regions.region_of(goal_cell);
        const Answer blind = search_regions(ZeroHeuristic{}, r, start, goal);
        const Answer plain =
            search_regions(RegionBound::octile(goal, r.regions, {r.regions.grid(), r.costs(), r.movement()}), r, start, goal);
        ASSERT_EQ(plain.status, blind.status);
        ASSERT_EQ(plain.cost, blind.cost);
        if (blind.status == Status::kFound) by_octile += plain.expansions;
        for (const RegionHeuristicKind kind : kKinds) {
            const RegionHeuristic h = build(kind, r, 8);
            const Answer guided =
                search_regions(*h.bound_to(goal, r.regions, {r.regions.grid(), r.costs(), r.movement()}, scratch), r, start, goal);
            ASSERT_EQ(guided.status, blind.status);
            ASSERT_EQ(guided.cost, blind.cost);
            if (blind.status == Status::kFound) by_table[static_cast<size_t>(kind)] += guided.expansions;
        }
    }
    EXPECT_LT(by_table[0] * 2, by_octile);
    EXPECT_LT(by_table[1], by_octile);
    EXPECT_LT(by_table[2], by_table[0]);
    EXPECT_LT(by_table[2], by_table[1]);
}

TEST(RegionLandmarks, StayFeasibleThroughManyEdits) {
    Rng rng(15);
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        Regioned r = random_regions(rng, i % 10 == 0 ? 50 : 20);
        RegionHeuristic h = build(RegionHeuristicKind::kLandmarks, r, 1 + rng.below(6));
        for (int edit = 0; edit < 30; ++edit) {
            SCOPED_TRACE(testing::Message() << "edit " << edit);
            r.edit(rng);
            const auto next = h.updated(r.regions);
            ASSERT_TRUE(next.has_value());
            h = *next;
            ASSERT_NO_FATAL_FAILURE(expect_feasible(h, r));
            ASSERT_NO_FATAL_FAILURE(expect_admissible(h, r.regions, {r.regions.grid(), r.costs(), r.movement()}, i % 10 == 0 ? 97 : 17));
        }
    }
}

TEST(RegionLandmarks, TakeInSeveralEditsAtOnceAndServeOtherProfiles) {
    Rng rng(16);
    for (int i = 0; i < 100; ++i) {
        SCOPED_TRACE(testing::Message() << "world " << i);
        Regioned r = random_regions(rng, 24);
        const CostTable profiles[] = {random_costs(rng), random_costs(rng)};
        const CostTable least = cheapest_of(profiles);
        const RegionHeuristic h = RegionHeuristic::landmarks(r.regions, {r.regions.grid(), least, r.movement()}, {4});
        for (int edit = 0; edit < 5; ++edit) r.edit(rng);
        const auto next = h.updated(r.regions);
        ASSERT_TRUE(next.has_value());
        for (const CostTable& costs : profiles)
            ASSERT_NO_FATAL_FAILURE(expect_admissible(*next, r.regions, {r.regions.grid(), costs, r.movement()}, 5));
        ASSERT_NO_FATAL_FAILURE(expect_admissible(*next, r.regions, {r.regions.grid(), least, r.movement()}, 5));
    }
}

// Without the last obstacle every diagonal-only edge is usable, also in sectors far from the edit.
TEST(RegionLandmarks, RemovingTheLastObstacleOpensEveryCorner) {
    TerrainGrid grid(32, 32, Terrain{1}, digit_catalogue());
    static_cast<void>(grid.set({31, 31}, Terrain{0}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    const TerrainRegions before = TerrainRegions::build(grid.snapshot(), {4});
    const RegionHeuristic h = RegionHeuristic::landmarks(before, {before.grid(), costs, Movement::kEightNoCornerCutting}, {3});
    const TerrainRegions after = before.updated(grid.set({31, 31}, Terrain{1})).value();
    const RegionId start = after.region_of({0, 0}), goal = after.region_of({14, 14});
    ASSERT_LT(PlainGraph(after, {after.grid(), costs, Movement::kEightNoCornerCutting}).distances(goal)[start],
              PlainGraph(before, {before.grid(), costs, Movement::kEightNoCornerCutting})
                  .distances(before.region_of({14, 14}))[before.region_of({0, 0})]);
    ASSERT_NO_FATAL_FAILURE(expect_admissible(h.updated(after).value(), after, {after.grid(), costs, Movement::kEightNoCornerCutting}));
}

// A landmark's own region restarts at 0 after an edit of its sector, even if that sector covers the map.
TEST(RegionLandmarks, RestartAtZeroAfterAnEditOfTheirSector) {
    Rng rng(17);
    for (int i = 0; i < 100; ++i) {
        RandomWorld world = random_world(rng, 20);
        TerrainRegions regions = TerrainRegions::build(world.grid.snapshot(), {kWholeMap});
        const RegionHeuristic h = RegionHeuristic::landmarks(regions, {regions.grid(), world.costs, world.movement}, {3});
        const EditResult edit = random_edit(rng, world);
        if (edit.cells_changed == 0) continue;
        regions = regions.updated(edit).value();
        const RegionHeuristic next = h.updated(regions).value();
        RegionHeuristicScratch scratch;
        for (const Cell landmark : next.landmark_cells()) {
            if (!world.costs.passable(regions.grid().at(landmark))) continue;
            const RegionId home = regions.region_of(landmark);
            const auto bound = next.bound_to(home, regions, {regions.grid(), world.costs, world.movement}, scratch);
            for (const auto& [id, distance] : PlainGraph(regions, {regions.grid(), world.costs, world.movement}).distances(home)) {
                ASSERT_EQ((*bound)(id), distance) << "world " << i;
            }
        }
    }
}

TEST(RegionLandmarks, AnEditLeavesOlderVersionsAlone) {
    Rng rng(18);
    for (int i = 0; i < 20; ++i) {
        Regioned r = random_regions(rng, 40);
        const TerrainRegions old = r.regions;
        const RegionHeuristic h = build(RegionHeuristicKind::kLandmarks, r);
        const uint64_t hash = hash_of_bounds(h, r);
        RegionHeuristic next = h;
        for (int edit = 0; edit < 5; ++edit) {
            r.edit(rng);
            next = next.updated(r.regions).value();
        }
        ASSERT_EQ(hash_of_bounds(h, old, {old.grid(), r.costs(), r.movement()}), hash);
    }
}

TEST(RegionHeuristics, AreRefusedForAnythingButTheirOwn) {
    TerrainGrid grid(20, 20, Terrain{2}, digit_catalogue());
    static_cast<void>(grid.fill({{5, 5}, {4, 4}}, Terrain{3}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    CostTable costlier = costs, cheaper = costs, wider = costs, narrower = costs;
    costlier.cost[3] += 1;
    cheaper.cost[3] -= 1;
    wider.cost[0] = 5;
    narrower.cost[3] = 0;
    const TerrainRegions regions = TerrainRegions::build(grid.snapshot(), {8}), twin = TerrainRegions::build(grid.snapshot(), {8});
    const EditResult nothing = grid.set({5, 5}, Terrain{3});
    const TerrainRegions same = regions.updated(nothing).value();
    const EditResult edit = grid.set({6, 6}, Terrain{0});
    const TerrainRegions after = regions.updated(edit).value();
    RegionHeuristicScratch scratch;
    const Movement rule = Movement::kEightNoCornerCutting;
    for (const RegionHeuristicKind kind : kKinds) {
        SCOPED_TRACE(to_string(kind));
        const RegionHeuristic h = build(kind, regions, {regions.grid(), costs, rule});
        EXPECT_TRUE(h.valid_for(regions, {regions.grid(), costs, rule}));
        EXPECT_TRUE(h.valid_for(regions, {regions.grid(), costlier, rule}));
        EXPECT_TRUE(h.valid_for(regions, {regions.grid(), narrower, rule}));
        EXPECT_FALSE(h.valid_for(regions, {regions.grid(), cheaper, rule}));
        EXPECT_FALSE(h.valid_for(regions, {regions.grid(), wider, rule}));
        EXPECT_FALSE(h.valid_for(regions, {regions.grid(), costs, Movement::kEightCutCorners}));
        EXPECT_FALSE(h.valid_for(twin, {twin.grid(), costs, rule}));
        EXPECT_FALSE(h.valid_for(after, {after.grid(), costs, rule}));
        EXPECT_FALSE(h.bound_to(regions.region_of({0, 0}), after, {after.grid(), costs, rule}, scratch).has_value());
        EXPECT_FALSE(h.bound_to(kNoRegion, regions, {regions.grid(), costs, rule}, scratch).has_value());
        EXPECT_FALSE(h.updated(TerrainRegions::build(grid.snapshot(), {4})).has_value());
        EXPECT_EQ(h.edits(), 0u);
        ASSERT_TRUE(h.updated(same).has_value());
        EXPECT_TRUE(h.updated(same)->valid_for(same, {same.grid(), costs, rule}));
        EXPECT_EQ(h.updated(same)->edits(), 0u);
        const auto next = h.updated(after);
        ASSERT_EQ(next.has_value(), kind == RegionHeuristicKind::kLandmarks);
        if (next.has_value()) {
            EXPECT_TRUE(next->valid_for(after, {after.grid(), costs, rule}));
            EXPECT_FALSE(next->valid_for(regions, {regions.grid(), costs, rule}));
            EXPECT_EQ(next->edits(), 1u);
        }
    }
}

// Updated to an equal version, a heuristic holds that version and releases the older one.
TEST(RegionHeuristics, OutliveTheVersionTheyWereBuiltFor) {
    TerrainGrid grid(24, 24, Terrain{2}, digit_catalogue());
    static_cast<void>(grid.fill({{5, 5}, {4, 14}}, Terrain{0}));
    const CostTable costs = digit_profile().compile(grid.snapshot().catalogue()).value();
    for (const RegionHeuristicKind kind : kKinds) {
        std::optional<TerrainRegions> regions = TerrainRegions::build(grid.snapshot(), {8});
        std::optional<RegionHeuristic> h = build(kind, *regions, {regions->grid(), costs, Movement::kEightNoCornerCutting});
        regions = regions->updated(grid.set({0, 0}, Terrain{2}));
        h = h->updated(*regions);
        ASSERT_TRUE(h.has_value());
        ASSERT_NO_FATAL_FAILURE(expect_admissible(*h, *regions, {regions->grid(), costs, Movement::kEightNoCornerCutting}))
            << to_string(kind);
    }
}

TEST(RegionHeuristics, OfWorldsWithNothingInThem) {
    const CostTable blocked, open = digit_profile().compile(digit_catalogue()).value();
    RegionHeuristicScratch scratch;
    const TerrainRegions none, one = TerrainRegions::build(TerrainGrid(1, 1, Terrain{4}, digit_catalogue()).snapshot());
    for (const RegionHeuristicKind kind : kKinds) {
        SCOPED_TRACE(to_string(kind));
        EXPECT_GT(build(kind, none, {none.grid(), open, Movement::kEightNoCornerCutting}).bytes(), 0u);
        const RegionHeuristic all_blocked = build(kind, one, {one.grid(), blocked, Movement::kEightNoCornerCutting});
        EXPECT_EQ((*all_blocked.bound_to(0, one, {one.grid(), blocked, Movement::kEightNoCornerCutting}, scratch))(0), 0u);
        const RegionHeuristic cell = build(kind, one, {one.grid(), open, Movement::kEightNoCornerCutting});
        EXPECT_EQ((*cell.bound_to(0, one, {one.grid(), open, Movement::kEightNoCornerCutting}, scratch))(0), 0u);
    }
}

TEST(RegionHeuristics, SameForAnyNumberOfThreads) {
    Rng rng(19);
    for (int i = 0; i < 10; ++i) {
        const Regioned r = random_regions(rng, 60);
        for (const RegionHeuristicKind kind : {RegionHeuristicKind::kLandmarks, RegionHeuristicKind::kPathTable}) {
            const RegionHeuristic one = build(kind, r, 7, 1);
            for (const uint32_t threads : {2u, 5u, 0u}) {
                const RegionHeuristic many = build(kind, r, 7, threads);
                ASSERT_EQ(many.bytes(), one.bytes());
                ASSERT_EQ(hash_of_bounds(many, r), hash_of_bounds(one, r));
            }
        }
    }
}

TEST(RegionHeuristicsGolden, SameTablesEverywhere) {
    Rng rng(20);
    uint64_t hash = 0;
    for (int i = 0; i < 10; ++i) {
        Regioned r = random_regions(rng, 40);
        for (const RegionHeuristicKind kind : kKinds) hash = mix64(hash ^ hash_of_bounds(build(kind, r), r));
        const RegionHeuristic h = build(RegionHeuristicKind::kLandmarks, r);
        r.edit(rng);
        hash = mix64(hash ^ hash_of_bounds(h.updated(r.regions).value(), r));
    }
    IslandOptions island;
    island.width = island.height = 200;
    const GridSnapshot grid = generate_island(island).value().snapshot();
    const CostTable costs = Profile::preset("deer")->compile(grid.catalogue()).value();
    const TerrainRegions regions = TerrainRegions::build(grid, {16});
    for (const RegionHeuristicKind kind : kKinds) {
        const RegionHeuristic h = build(kind, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}, 8);
        hash = mix64(hash ^ hash_of_bounds(h, regions, {regions.grid(), costs, Movement::kEightNoCornerCutting}));
    }
    EXPECT_EQ(hash, 16836924604077140027u);
}

}  // namespace
}  // namespace terrane::test
