#include "terrane/pra/cliques.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "pra/cliques_of.h"
#include "support/scene.h"
#include "terrane/grid/path.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

constexpr CliqueRule kRules[] = {CliqueRule::kCliques, CliqueRule::kSectors};

std::vector<uint64_t> counts(const Cliques& cliques) {
    std::vector<uint64_t> out;
    for (uint32_t level = 0; level <= cliques.levels(); ++level) out.push_back(cliques.nodes(level));
    return out;
}

using Counts = std::vector<uint64_t>;

TEST(Cliques, AnEmptyMapIsMergedByFours) {
    const TerrainGrid grid(64, 64, 1, digit_catalogue());
    const CostTable costs = digit_profile().compile(digit_catalogue()).value();
    for (const CliqueRule rule : kRules) {
        const Cliques cliques = cliques_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, rule);
        EXPECT_EQ(counts(cliques), (Counts{4096, 1024, 256, 64, 16, 4, 1}));
        EXPECT_EQ(cliques.edges(6), 0u);
        EXPECT_EQ(cliques.edges(5), 12u);
    }
}

TEST(Cliques, ACorridorIsMergedByPairs) {
    const Scene s = scene("S..............G");
    for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners, Movement::kFour}) {
        EXPECT_EQ(counts(cliques_of(s, movement)), (Counts{16, 8, 4, 2, 1}));
    }
}

TEST(Cliques, WithoutDiagonalsThereAreNoCliquesOfCells) {
    const Scene s = scene(R"(....
                             ....)");
    EXPECT_EQ(cliques_of(s, Movement::kEightNoCornerCutting).nodes(1), 2u);
    EXPECT_EQ(cliques_of(s, Movement::kFour).nodes(1), 4u);
}

TEST(Cliques, ALoneNodeIsMergedIntoANeighbour) {
    const Cliques cliques = cliques_of(scene(R"(..#
                                                ...)"));  // a clique of four, and a lone cell to the right
    EXPECT_EQ(counts(cliques), (Counts{5, 1}));
    EXPECT_EQ(cliques.ancestor({2, 1}, 1), cliques.ancestor({0, 0}, 1));
}

TEST(Cliques, CellsThatTouchAtACornerAreConnectedIfCornersAreCut) {
    const Scene s = scene(R"(..##
                             ..##
                             ##..
                             ##..)");
    const Cliques keeping = cliques_of(s), cutting = cliques_of(s, Movement::kEightCutCorners);
    EXPECT_EQ(counts(keeping), (Counts{8, 2}));
    EXPECT_FALSE(keeping.connected({0, 0}, {3, 3}));
    EXPECT_EQ(counts(cutting), (Counts{8, 2, 1}));
    EXPECT_EQ(cutting.common_level({0, 0}, {3, 3}), 2u);
}

TEST(Cliques, ABlockedCellIsInNone) {
    const Cliques cliques = cliques_of(scene(".#."));
    EXPECT_EQ(cliques.ancestor({1, 0}, 1), kNoClique);
    EXPECT_FALSE(cliques.connected({1, 0}, {1, 0}));
    EXPECT_FALSE(cliques.connected({0, 0}, {2, 0}));
    EXPECT_FALSE(cliques.connected({0, 0}, {3, 0}));  // outside the map
    EXPECT_EQ(cliques.common_level({0, 0}, {0, 0}), 0u);
}

TEST(Cliques, SmallestWorlds) {
    const Cliques empty;
    EXPECT_EQ(empty.levels(), 0u);
    EXPECT_EQ(empty.nodes(0), 0u);
    EXPECT_FALSE(empty.connected({0, 0}, {0, 0}));
    EXPECT_EQ(Cliques::build({}, {}, Movement::kEightNoCornerCutting), empty);
    EXPECT_EQ(counts(cliques_of(scene("."))), (Counts{1, 1}));
    EXPECT_EQ(counts(cliques_of(scene("#"))), (Counts{0, 0}));
}

// Checks everything that the header promises, from the cells up.
void expect_sound(const Cliques& cliques, const CostTable& costs) {
    const GridSnapshot& grid = cliques.grid();
    std::map<CliqueId, std::set<CliqueId>> adjacent;  // neighbours of each node of the current level
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            if (!costs.passable(grid.at(Cell{x, y}))) continue;
            std::set<CliqueId>& to = adjacent[grid.layout().id({x, y})];
            for (const Cell move : kMoves) {
                const Cell other{x + move.x, y + move.y};
                if (Ground({grid, costs, cliques.movement()}).step_cost({x, y}, other) != kInfiniteCost) to.insert(grid.layout().id(other));
            }
        }
    }
    for (uint32_t level = 0; level < cliques.levels(); ++level) {
        ASSERT_EQ(adjacent.size(), cliques.nodes(level));
        std::map<CliqueId, std::set<CliqueId>> members, above;
        for (const auto& [id, to] : adjacent) {
            ASSERT_LT(id, cliques.id_limit(level));
            const CliqueId up = cliques.parent(level, id);
            ASSERT_EQ(up == kNoClique, level > 0 && to.empty());
            if (up == kNoClique) continue;
            members[up].insert(id);
            above.try_emplace(up);
            for (const CliqueId other : to) {
                if (cliques.parent(level, other) != up) above[up].insert(cliques.parent(level, other));
            }
        }
        ASSERT_EQ(members.size(), cliques.nodes(level + 1));
        for (const auto& [up, nodes] : members) {
            const Cell at = cliques.representative(level + 1, up);
            ASSERT_EQ(cliques.ancestor(at, level + 1), up);
            ASSERT_TRUE(nodes.contains(cliques.ancestor(at, level)) && cliques.representative(level, cliques.ancestor(at, level)) == at);
            std::set<CliqueId> reached{*nodes.begin()};  // by edges inside the node
            for (std::vector<CliqueId> stack{*nodes.begin()}; !stack.empty();) {
                const CliqueId from = stack.back();
                stack.pop_back();
                for (const CliqueId to : adjacent[from]) {
                    if (nodes.contains(to) && reached.insert(to).second) stack.push_back(to);
                }
            }
            ASSERT_EQ(reached, nodes);
            std::vector<CliqueId> edges;
            cliques.for_each_edge(level + 1, up, [&](CliqueId to) { edges.push_back(to); });
            ASSERT_EQ(std::set<CliqueId>(edges.begin(), edges.end()), above[up]);
            ASSERT_EQ(edges.size(), above[up].size());
        }
        adjacent.swap(above);
    }
    for (const auto& [id, to] : adjacent) ASSERT_TRUE(to.empty());
}

TEST(Cliques, AreSoundOnRandomWorlds) {
    Rng rng(11);
    for (int i = 0; i < 60; ++i) {
        const RandomWorld world = random_world(rng);
        for (const CliqueRule rule : kRules) {
            expect_sound(cliques_of({world.grid.snapshot(), world.costs, world.movement}, rule), world.costs);
            ASSERT_FALSE(HasFatalFailure()) << i;
        }
    }
}

TEST(Cliques, KnowConnectivity) {
    Rng rng(12);
    for (int i = 0; i < 150; ++i) {
        const RandomWorld world = random_world(rng, 50);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell start = random_cell(rng, grid);
        const std::vector<double> distance = oracle::distances(to_oracle(grid, world.costs), start.x, start.y, to_oracle(world.movement));
        const Cliques cliques = cliques_of({grid, world.costs, world.movement}, kRules[i % 2]);
        for (int32_t y = 0; y < grid.height(); ++y) {
            for (int32_t x = 0; x < grid.width(); ++x) {
                ASSERT_EQ(cliques.connected(start, {x, y}), distance[static_cast<size_t>(y * grid.width() + x)] != oracle::kFar) << i;
            }
        }
    }
}

// Edits a cell, a rectangle or scattered cells.
EditResult random_edit(Rng& rng, TerrainGrid& grid) {
    const GridSnapshot now = grid.snapshot();
    const auto terrain = [&] { return static_cast<Terrain>(rng.below(8)); };
    const Cell at = random_cell(rng, now);
    const Terrain to = terrain();
    if (rng.chance(6, 8)) return grid.set(at, to);
    if (rng.chance(1, 2)) {
        const int32_t width = rng.between(1, 20), height = rng.between(1, 20);
        return grid.fill({at, {width, height}}, to);
    }
    std::vector<CellEdit> edits(10);
    for (CellEdit& edit : edits) {
        edit.cell = random_cell(rng, now);
        edit.terrain = terrain();
    }
    return grid.apply(edits);
}

TEST(Cliques, EqualNewOnesAfterThousandsOfEdits) {
    Rng rng(13);
    for (int i = 0; i < 60; ++i) {
        RandomWorld world = random_world(rng, 60);
        const CliqueRule rule = kRules[i % 2];
        Cliques cliques = cliques_of({world.grid.snapshot(), world.costs, world.movement}, rule);
        for (int e = 0; e < 50; ++e) {
            const Cliques before = cliques;
            cliques = cliques.updated(random_edit(rng, world.grid)).value();
            ASSERT_EQ(cliques, cliques_of({world.grid.snapshot(), world.costs, world.movement}, rule)) << i << " " << e;
            if (e % 10 == 0) {
                ASSERT_EQ(before, cliques_of({before.grid(), world.costs, world.movement}, rule));  // versions are immutable
            }
        }
    }
}

TEST(Cliques, EqualNewOnesAfterEditsOfAMapOfManyTiles) {
    Rng rng(14);
    TerrainGrid grid = generate_random({.width = 333, .height = 217, .seed = 3, .density = 30}).value();
    const CostTable costs = Profile::preset("walker")->compile(grid.snapshot().catalogue()).value();
    const Terrain ground = *grid.snapshot().catalogue().find("ground"), wall = *grid.snapshot().catalogue().find("wall");
    Cliques cliques = cliques_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting});
    for (int e = 0; e < 400; ++e) {
        const Cell at = random_cell(rng, grid.snapshot());
        cliques = cliques.updated(grid.set(at, rng.chance(1, 2) ? ground : wall)).value();
        if (e % 50 == 0) {
            ASSERT_EQ(cliques, cliques_of({grid.snapshot(), costs, Movement::kEightNoCornerCutting})) << e;
        }
    }
}

TEST(Cliques, AnEditThatKeepsTheBlockedSetChangesNoNode) {
    Scene s = scene(R"(1111#11
                       1111#11)");
    const Cliques before = cliques_of(s);
    const Cliques after = before.updated(s.grid.fill({{0, 0}, {4, 2}}, Terrain{5})).value();
    EXPECT_EQ(before, after);
    EXPECT_NE(before.grid().version(), after.grid().version());
}

TEST(Cliques, AnEditOfAnotherVersionIsRefused) {
    Scene s = scene("....");
    const Cliques cliques = cliques_of(s);
    EXPECT_TRUE(cliques.updated(s.grid.set({0, 0}, Terrain{0})));
    EXPECT_FALSE(cliques.updated(s.grid.set({1, 0}, Terrain{0})));
}

TEST(Cliques, ServeAllProfilesWithTheSameBlockedSet) {
    const Scene s = scene("12#3");
    const GridSnapshot grid = s.grid.snapshot();
    const Cliques cliques = cliques_of(s);
    const CostTable same = Profile().blocked("wall").cost("cost_2", 7).compile(grid.catalogue()).value();
    const CostTable other = Profile().blocked("cost_2").compile(grid.catalogue()).value();
    EXPECT_TRUE(cliques.valid_for({grid, same, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(cliques.valid_for({grid, same, Movement::kFour}));
    EXPECT_FALSE(cliques.valid_for({grid, other, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(cliques.valid_for({scene("12#3").grid.snapshot(), same, Movement::kEightNoCornerCutting}));
}

TEST(CliquesGolden, SameNodesEverywhere) {
    Rng rng(15);
    uint64_t h = 0;
    for (int i = 0; i < 30; ++i) {
        const RandomWorld world = random_world(rng);
        const Cliques cliques = cliques_of({world.grid.snapshot(), world.costs, world.movement}, kRules[i % 2]);
        for (const uint64_t count : counts(cliques)) h = mix64(h ^ count);
        for (const detail::CliqueLevel& level : cliques.data().levels) {
            for (uint32_t tile = 0; tile < level.tiles(); ++tile) {
                for (const detail::CliqueNode& node : level.record(tile).nodes) h = mix64(h ^ (uint64_t{node.x} << 16 | node.y));
                for (const RegionEdge edge : level.record(tile).edges) h = mix64(h ^ edge.bits);
            }
        }
    }
    EXPECT_EQ(h, 0x2f7ffe4a40a17d88u);
}

}  // namespace
}  // namespace terrane::test
