// Contracts of this module's entry points: violations are detected.
#include "support/contract.h"

#include <vector>

#include "crowd/cooperative/rra_star.h"
#include "crowd/crowd_ground.h"
#include "crowd/drawn_crowd.h"
#include "crowd/goal_fields.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_picture.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/lacam.h"
#include "terrane/crowd/reservations.h"
#include "terrane/crowd/swarm.h"
#include "terrane/crowd/traffic.h"

namespace terrane {
namespace {

constexpr const char* kMap = R"(a..A
                                ..#.)";

std::unique_ptr<CrowdMethod> pibt() { return make_crowd_method({}); }

TEST(CrowdDeathTest, NeedsATypeAndAMethod) {
    test::DrawnCrowd drawn(kMap);
    EXPECT_BROKEN(Crowd(drawn.world(), {}, pibt()), "types_.empty");
    EXPECT_BROKEN(Crowd(drawn.world(), {drawn.costs()}, nullptr), "method_ != nullptr");
}

TEST(CrowdDeathTest, AcceptsOnlyItsTypesAndOneMovePerAgent) {
    test::DrawnCrowd drawn(kMap);
    Crowd crowd = drawn.crowd(pibt());
    EXPECT_BROKEN(crowd.add({0, 1}, {1, 1}, 1), "type < types_.size");
    EXPECT_BROKEN(crowd.check({}), "next.size");
}

TEST(CrowdGroundDeathTest, NeedsATypeAndCellsOfTheMap) {
    test::DrawnCrowd drawn(kMap);
    const GridSnapshot grid = drawn.world().grid();
    const AgentType type(drawn.costs());
    const CellId off = grid.layout().id({0, 0}) + 4;  // in the first tile, right of the map
    EXPECT_BROKEN(CrowdGround(grid, {}, Movement::kFour), "types.empty");
    EXPECT_BROKEN(CrowdGround(grid, {&type, 1}, Movement::kFour, {&off, 1}), "extra_cells");
}

TEST(GoalFieldsDeathTest, TakeSpotsOfTheGroundAndDropWhatWasTaken) {
    test::DrawnCrowd drawn(kMap);
    const AgentType type(drawn.costs());
    const CrowdGround ground(drawn.world().grid(), {&type, 1}, Movement::kFour);
    GoalFields fields(ground);
    const FieldRequest bad_goal{kNoSpot, 0}, bad_type{0, 1};
    EXPECT_BROKEN(fields.take({&bad_goal, 1}), "requests");
    EXPECT_BROKEN(fields.take({&bad_type, 1}), "requests");
    const FieldRequest good{0, 0};
    const FieldId field = fields.take({&good, 1})[0];
    fields.drop(field);
    EXPECT_BROKEN(fields.drop(field), "users > 0");
}

TEST(LacamDeathTest, TakesAgentsOnCellsOfTheirOwn) {
    test::DrawnCrowd drawn(kMap);
    const GridSnapshot grid = drawn.world().grid();
    const AgentType type(drawn.costs());
    const CellId here = grid.layout().id({0, 0}), there = grid.layout().id({1, 0});
    Lacam lacam(grid, {&type, 1}, Movement::kFour);
    EXPECT_BROKEN(lacam.begin(std::vector<LacamAgent>{{kNoCell, there}}), "agents");
    EXPECT_BROKEN(lacam.begin(std::vector<LacamAgent>{{here, there, 1}}), "agents");
    EXPECT_BROKEN(lacam.begin(std::vector<LacamAgent>{{here, there}, {here, here}}), "taken");
    EXPECT_BROKEN(lacam.at(0, 0), "kPlanned");
    lacam.begin(std::vector<LacamAgent>{{here, there}});
    ASSERT_EQ(lacam.run(), Status::kFound);
    EXPECT_BROKEN(lacam.at(1, 0), "agent <");
}

TEST(CrowdMethodDeathTest, RefuseOptionsOutsideTheirRanges) {
    EXPECT_BROKEN(make_cooperative({.window = 0}), "window");
    EXPECT_BROKEN(make_replan({.patience = 0}), "patience");
    EXPECT_BROKEN(make_flock({.radius = 9}), "radius");
    EXPECT_BROKEN(make_swarm({.stuck_ticks = 0}), "stuck_ticks");
}

TEST(CrowdSceneDeathTest, NeedsTypes) {
    test::DrawnCrowd drawn(kMap);
    EXPECT_BROKEN(static_cast<void>(random_places(drawn.world().snapshot(), {}, Movement::kFour, 1, 1)), "types.empty");
    EXPECT_BROKEN(static_cast<void>(scenario_places(drawn.world().snapshot(), {}, {}, 0)), "types.empty");
}

TEST(CrowdSceneDeathTest, RandomGoalsAreOfTypesThatTheCrowdHas) {
    test::DrawnCrowd drawn(kMap);
    const Crowd crowd = drawn.crowd(pibt());
    RandomGoals goals(crowd, 1);
    EXPECT_BROKEN(goals.next(crowd, 1), "type < cells_.size");
}

TEST(CrowdPictureDeathTest, PicturesAreOfTheMap) {
    test::DrawnCrowd drawn(kMap);
    const Crowd crowd = drawn.crowd(pibt());
    Picture small = draw_terrain(drawn.world().grid(), {1, 1});
    EXPECT_BROKEN(draw_agents(small, crowd, {4, 1}), "picture.width");
    EXPECT_BROKEN(draw_agents(small, crowd, {0, 1}), "scale.scale");
}

TEST(CrowdPictureDeathTest, FilmsAreOfOneCrowd) {
    test::DrawnCrowd drawn(kMap), other("a.A");
    const Crowd crowd = drawn.crowd(pibt()), larger = other.crowd(pibt());
    CrowdFilm film(crowd, {4, 1});
    ASSERT_TRUE(film.add(crowd, 10));
    EXPECT_BROKEN(static_cast<void>(film.add(larger, 10)), "background_.size");
}

TEST(DirectionMapDeathTest, LearnsMovesOnItsMap) {
    test::DrawnCrowd drawn(kMap);
    DirectionMap map(drawn.world().grid().layout(), {});
    EXPECT_BROKEN(map.learn(0, 8), "move < 8");
    EXPECT_BROKEN(map.learn(kNoCell, 0), "tile <");
    EXPECT_BROKEN(DirectionMap(drawn.world().grid().layout(), {.block = 3}), "sensible");
}

TEST(ReservationTableDeathTest, ReservesCellsOfItsMapThatAreFree) {
    test::DrawnCrowd drawn(kMap);
    const GridLayout layout = drawn.world().grid().layout();
    ReservationTable table(layout);
    EXPECT_BROKEN(table.reserve(0, layout.id_limit(), 1), "id_limit");
    table.reserve(0, 0, 1);
    EXPECT_BROKEN(table.reserve(1, 0, 1), "holder");
    table.discard_before(2);
    EXPECT_BROKEN(table.discard_before(1), "tick >= first_");
}

TEST(RraStarDeathTest, GoalAndStartAreOnTheMap) {
    test::DrawnCrowd drawn(kMap);
    const RraSpace space({drawn.world().grid(), drawn.costs(), Movement::kFour});
    EXPECT_BROKEN(RraStar(space, kNoCell, 0), "goal");
    EXPECT_BROKEN(RraStar(space, 0, kNoCell), "from");
}

// Each of these passed, as the sums wrapped.
TEST(TrafficDeathTest, SharesAndPhasesThatWrapAreRefused) {
    EXPECT_BROKEN(Traffic({.left = 0xffffffff, .right = 1}), "sensible");
    EXPECT_BROKEN(Traffic({.green = 0x80000000, .yellow = 0}), "sensible");
}

TEST(TrafficDeathTest, RoadsLanesAndPlacesAreThere) {
    const Traffic traffic({.lanes = 1});
    EXPECT_BROKEN(traffic.light(kRoads, 0), "road < kRoads");
    EXPECT_BROKEN(traffic.crossing().path(0, 1, Turn::kAhead), "lane < lanes_");
    EXPECT_BROKEN(traffic.crossing().path(0, 0, Turn::kAhead).at(-1), "position >= 0");
}

}  // namespace
}  // namespace terrane
