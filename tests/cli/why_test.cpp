// Runs `terrane why`.
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace terrane {
namespace {

using Why = Cli;

// A wall with a gap of one cell of swamp.
constexpr const char* kGap = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..S..\n..@..\n";
constexpr const char* kWalled = "type octile\nheight 3\nwidth 6\nmap\n..@@..\n..@@..\n..@@..\n";

TEST_F(Why, ReportsTheCostOfEachTerrain) {
    write("gap.map", kGap);
    write("frog.txt", "swamp 0.5\nwall blocked\notherwise 2\n");
    const Outcome outcome = run("why gap.map --from 0,1 --to 4,1 --profile frog.txt --json -");
    ASSERT_EQ(outcome.exit, 0) << outcome.out;
    const auto json = nlohmann::json::parse(outcome.out);
    EXPECT_EQ(json["status"], "found");
    EXPECT_EQ(json["terrains"].size(), 2u);
    EXPECT_EQ(json["terrains"][0]["terrain"], "ground");
    double sum = 0;
    for (const auto& share : json["terrains"]) sum += share["cost_cells"].get<double>();
    EXPECT_NEAR(sum, json["cost_cells"].get<double>(), 1e-9);

    const auto path = nlohmann::json::parse(run("path gap.map --from 0,1 --to 4,1 --profile frog.txt --json -").out);
    EXPECT_EQ(json["cost_cells"], path["answers"][0]["cost_cells"]);
    const Outcome words = run("why gap.map --from 0,1 --to 4,1 --profile frog.txt");
    EXPECT_NE(words.out.find("The optimal path costs 6.50"), std::string::npos) << words.out;
}

TEST_F(Why, ReportsTheCostOfADetourThroughAnArea) {
    write("gap.map", kGap);
    const Outcome outcome = run("why gap.map --from 0,2 --to 1,2 --through 4,0,1,1 --profile walker");
    ASSERT_EQ(outcome.exit, 0) << outcome.out;
    EXPECT_NE(outcome.out.find("The optimal path through the area costs"), std::string::npos) << outcome.out;
    EXPECT_NE(run("why gap.map --from 0,2 --to 1,2 --through 0,2,1,1 --profile walker").out.find("costs no more"), std::string::npos);
    EXPECT_NE(run("why gap.map --from 0,2 --to 1,2 --through 2,0,1,1 --profile walker").out.find("No path goes through"),
              std::string::npos);
}

TEST_F(Why, ReportsTheObstacle) {
    write("walled.map", kWalled);
    const Outcome outcome = run("why walled.map --from 0,1 --to 5,1 --profile walker");
    EXPECT_EQ(outcome.exit, 1) << outcome.out;
    EXPECT_NE(outcome.out.find("unreachable"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("6 cells are reachable"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("if 2 blocked cells were passable, the first of them wall at 2,"), std::string::npos) << outcome.out;
    EXPECT_EQ(run("why walled.map --from 0,1 --to 50,1 --profile walker").exit, 2);
}

TEST_F(Why, RefusesBadInput) {
    write("walled.map", kWalled);
    EXPECT_EQ(run("why walled.map --from 0,1 --to 5,1 --through 1,2,3").exit, 2);
    EXPECT_EQ(run("why walled.map --from 0,1 --to 5,1 --through 1,2,0,3").exit, 2);
    EXPECT_EQ(run("why none.map --from 0,1 --to 5,1").exit, 2);
}

}  // namespace
}  // namespace terrane
