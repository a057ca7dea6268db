// Runs `terrane crowd`.
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

class CrowdVerb : public Cli {
protected:
    nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read(file)); }
    void SetUp() override { ASSERT_EQ(run("gen island --size 64 --seed 3 -o i.map").exit, 0); }
};

TEST_F(CrowdVerb, EveryMethodRunsAndReports) {
    for (const char* method :
         {"replan", "flock", "ca", "whca:8", "whca:8,1", "cpra:4", "pibt", "lacam", "lacam+improve", "swarm", "pibt+flow"}) {
        const Outcome o =
            run("crowd run i.map --agents 10 --profile person --profile deer --lower-bound --ticks 300 --json c.json --method " +
                std::string(method));
        EXPECT_LE(o.exit, 1) << o.out;
        const auto reported = json("c.json");
        EXPECT_EQ(reported["metrics"]["faults"], 0) << method;
        EXPECT_EQ(reported["metrics"]["problems"], 10) << method;
        EXPECT_EQ(reported["agents"].size(), 10u);
        EXPECT_EQ(reported["agents"][1]["profile"], "deer");
        EXPECT_EQ(o.exit == 0, reported["metrics"]["solved"] == 10) << method;
        if (o.exit == 0) {
            EXPECT_GE(reported["metrics"]["ratio_mean"], 1.0) << method;
        }
    }
}

TEST_F(CrowdVerb, DrawsAnAnimationAndAPicture) {
    const Outcome o = run("crowd run i.map --agents 20 --method pibt --sides --gif c.gif --every 2 --png c.png --edit 5:20,20,10,10:lava");
    ASSERT_LE(o.exit, 1) << o.out;
    EXPECT_EQ(read("c.gif").substr(0, 6), "GIF89a");
    EXPECT_EQ(read("c.png").substr(1, 3), "PNG");
}

TEST_F(CrowdVerb, LifelongAgentsGetNewGoals) {
    const Outcome o = run("crowd run i.map --agents 5 --method swarm --lifelong --ticks 300 --json c.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_NE(o.out.find("goals reached in 300 ticks"), std::string::npos) << o.out;
    EXPECT_GT(json("c.json")["metrics"]["arrivals"], 5);
}

TEST_F(CrowdVerb, BudgetsLimitTheExpansionsOfATick) {
    const auto first_tick = [&](const char* budget) {
        EXPECT_LE(run("crowd run i.map --agents 100 --method swarm --ticks 1 --json c.json --budget " + std::string(budget)).exit, 1);
        return json("c.json")["metrics"]["expansions"].get<int>();
    };
    EXPECT_EQ(first_tick("100"), first_tick("100"));
    EXPECT_LE(first_tick("100"), 100);
    EXPECT_GT(first_tick("20000"), 500);
    const Outcome o = run("crowd run i.map --method pibt --budget 100");
    EXPECT_EQ(o.exit, 2);
    EXPECT_NE(o.out.find("'pibt' has no budget: these methods have one: lacam, swarm"), std::string::npos) << o.out;
}

TEST_F(CrowdVerb, StartsAndGoalsComeFromTheScenario) {
    write("room.map", "type octile\nheight 2\nwidth 4\nmap\n....\n....\n");
    write("room.scen", "version 1\n0\troom.map\t4\t2\t0\t0\t3\t0\t3\n0\troom.map\t4\t2\t3\t0\t0\t0\t3\n");
    const Outcome o =
        run("crowd run room.map --scen room.scen --profile walker --movement four --method lacam --lower-bound --json c.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto reported = json("c.json");
    EXPECT_EQ(reported["agents"][1]["start"], nlohmann::json({3, 0}));
    EXPECT_EQ(reported["agents"][1]["at"], nlohmann::json({0, 0}));
    EXPECT_EQ(reported["metrics"]["cost_cells"], 8.0);  // one of the two makes a detour
}

TEST_F(CrowdVerb, BadInputExitsWith2AndReportsWhatIsWrong) {
    const auto refused = [&](const std::string& arguments, const std::string& why) {
        const Outcome o = run("crowd " + arguments);
        EXPECT_EQ(o.exit, 2) << o.out;
        EXPECT_NE(o.out.find(why), std::string::npos) << o.out;
    };
    refused("run none.map", "none.map");
    refused("run i.map --method walk", "whca:W");
    refused("run i.map --profile dragon", "dragon");
    refused("run i.map --agents 100000", "there is room for");
    refused("run i.map --edit 5:lava", "TICK:X,Y,WIDTH,HEIGHT:TERRAIN");
    refused("run i.map --edit 0:1,1,1,1:cheese", "cheese");
    refused("run i.map --scen i.map", "i.map");
    refused("run i.map --agents 0", "--agents");
}

}  // namespace
}  // namespace terrane
