// Edge cases of reservations, direction maps, the node table of LaCAM, and pictures.
#include <gtest/gtest.h>

#include <algorithm>

#include "crowd/drawn_crowd.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_picture.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/lacam.h"
#include "terrane/crowd/reservations.h"
#include "terrane/crowd/traffic.h"

namespace terrane {
namespace {

TEST(CrowdTables, ReservationsAreEmptyAfterClear) {
    ReservationTable table(GridLayout(40, 40));
    table.discard_before(9);
    table.clear();
    table.reserve(1, 5, 0);
    EXPECT_EQ(table.holder(5, 0), 1u);
    for (CellId cell = 100; cell < 140; ++cell) table.reserve(2, cell, 3);
    table.release(1, 5, 0);
    for (CellId cell = 100; cell < 140; ++cell) table.release(2, cell, 3);
    for (CellId cell = 200; cell < 300; ++cell) table.reserve(3, cell, 4);  // grows without live entries
    EXPECT_EQ(table.size(), 100u);
}

TEST(CrowdTables, DirectionMapsAcceptTheLimitsOfTheirOptions) {
    const GridLayout layout(96, 32);
    const DirectionMapOptions limits[] = {{.weight = 1},
                                          {.weight = 1000},
                                          {.learning = 1},
                                          {.learning = 100},
                                          {.decay = 1000},
                                          {.compact = true, .block = 1},
                                          {.compact = true, .block = 16}};
    for (const DirectionMapOptions& options : limits) {
        DirectionMap map(layout, options);
        for (int i = 0; i < 400; ++i) map.learn(layout.id({95, 31}), 1);
        EXPECT_GT(map.arrow(layout.id({95, 31})).x, 0);
        EXPECT_EQ(map.arrow(layout.id({95, 31})).y, 0);
    }
    DirectionMap drawn(layout, {.random_seed = 7});
    EXPECT_LT(drawn.bytes(), size_t{4} * kTileCells * 8 + 2048 * 8);  // three tiles, and none beside the map
}

TEST(CrowdTables, MovesOfCompactMapsVanishWithTime) {
    const GridLayout layout(64, 64);
    for (const uint32_t decay : {0u, 1u, 5u}) {
        DirectionMap map(layout, {.compact = true, .decay = decay, .random_seed = 3});
        const auto arrows = [&] {
            int count = 0;
            map.each_arrow(layout, [&](CellId, Arrow) { ++count; });
            return count;
        };
        EXPECT_EQ(arrows(), 64 * 64);
        for (int tick = 0; tick < 700; ++tick) map.decay();
        // 0.999^700 is a half, 0.995^700 three hundredths.
        EXPECT_NEAR(arrows() / 4096.0, decay == 0 ? 1 : decay == 1 ? 0.5 : 0.03, decay == 0 ? 0 : 0.1);
    }
}

// A corridor of 48 cells without a niche: LaCAM stores more than 1,000 configurations before it reports that two agents cannot pass.
TEST(CrowdTables, LacamTerminatesAfterVisitingEveryConfiguration) {
    test::DrawnCrowd drawn("B......................ab......................A");
    const AgentType type(drawn.costs());
    const GridLayout& layout = drawn.world().grid().layout();
    std::vector<LacamAgent> agents;
    for (const char c : {'a', 'b'}) agents.push_back({layout.id(drawn.start(c)), layout.id(drawn.goal(c))});
    Lacam begun(drawn.world().grid(), {&type, 1}, Movement::kFour, {.prioritized = false});
    begun.begin(agents);
    const size_t before = begun.bytes();
    Lacam moved(std::move(begun)), lacam(drawn.world().grid(), {&type, 1}, Movement::kFour, {});
    lacam = std::move(moved);
    size_t max_bytes = 0;
    while (lacam.run(50) == Status::kBudgetSpent) max_bytes = std::max(max_bytes, lacam.bytes());
    EXPECT_EQ(lacam.run(), Status::kUnreachable);
    EXPECT_GT(max_bytes, before + 1000 * 2 * sizeof(uint32_t));
}

TEST(CrowdTables, AgentsAreDiscsAndGoalsDots) {
    test::DrawnCrowd drawn(R"(a..A
                              b...)");
    Crowd crowd = drawn.crowd(make_crowd_method(find_crowd_method("pibt").value()));
    const PictureScale scale{.scale = 8, .shrink = 1};
    Picture picture = draw_terrain(drawn.world().grid(), scale);
    const Picture ground = picture;
    draw_agents(picture, crowd, scale);
    const Rgb colour = type_colour(0);
    EXPECT_EQ(type_colour(8), colour);
    EXPECT_EQ(picture.at(3, 3), colour);             // a, not at its goal
    EXPECT_EQ(picture.at(0, 0), ground.at(0, 0));    // beside the disc
    EXPECT_EQ(picture.at(28, 4), colour);            // its goal, in the middle
    EXPECT_EQ(picture.at(25, 1), ground.at(25, 1));  // a dot is smaller
    EXPECT_NE(picture.at(4, 12), colour);            // b is at its goal: pale
    EXPECT_NE(picture.at(4, 12), ground.at(4, 12));

    CrowdFilm film(crowd, scale);
    EXPECT_TRUE(film.add(crowd, 10));
    crowd.tick();
    drawn.world().set({2, 1}, Terrain{9});
    EXPECT_TRUE(film.add(crowd, 10));
    Picture small = draw_terrain(drawn.world().grid(), {.scale = 1, .shrink = 1});
    draw_agents(small, crowd, {.scale = 1, .shrink = 1});
    EXPECT_EQ(small.at(1, 0), colour);  // a cell each, and no goals
    EXPECT_NE(small.at(3, 0), colour);
}

TEST(CrowdTables, ControlsHaveNames) {
    EXPECT_STREQ(to_string(TrafficControl::kManager), "manager");
    EXPECT_STREQ(to_string(TrafficControl::kLights), "lights");
    EXPECT_STREQ(to_string(TrafficControl::kStopSigns), "stop");
}

}  // namespace
}  // namespace terrane
