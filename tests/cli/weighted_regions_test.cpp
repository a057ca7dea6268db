// Runs `terrane weighted-regions`.
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

class WeightedRegionsVerb : public Cli {
protected:
    nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read(file)); }
};

TEST_F(WeightedRegionsVerb, GeneratesASubdivisionAndFindsAProvenPath) {
    const Outcome made = run("weighted-regions gen --sites 24 --seed 7 -o f.json --png f.png --svg f.svg --json g.json");
    ASSERT_EQ(made.exit, 0) << made.out;
    EXPECT_NE(made.out.find("f.json: 24 polygons"), std::string::npos) << made.out;
    EXPECT_EQ(json("g.json")["subdivision"]["polygons"], 24);
    EXPECT_TRUE(fs::exists(folder_ / "f.png") && fs::exists(folder_ / "f.svg"));
    const Outcome found = run("weighted-regions path f.json --from 20,20 --to 580.5,580 --gap 1e-9 --json p.json --png p.png --nodes");
    ASSERT_EQ(found.exit, 0) << found.out;
    const auto answer = json("p.json")["answers"][0];
    EXPECT_EQ(answer["method"], "brep+proven");
    EXPECT_EQ(answer["polyline"].front(), nlohmann::json({20.0, 20.0}));
    EXPECT_EQ(answer["polyline"].back(), nlohmann::json({580.5, 580.0}));
    EXPECT_LE(answer["cost_cells"].get<double>() - answer["lower_bound_cost_cells"].get<double>(),
              1e-9 * answer["cost_cells"].get<double>());
}

TEST_F(WeightedRegionsVerb, ComparesMethods) {
    ASSERT_EQ(run("weighted-regions gen --sites 8 --seed 3 -o f.json").exit, 0);
    const Outcome found =
        run("weighted-regions path f.json --from 20,20 --to 580,580 --method bprep:8 --method brep --method quadtree:4 --svg s.svg --json "
            "p.json "
            "--nodes");
    ASSERT_EQ(found.exit, 0) << found.out;
    EXPECT_EQ(json("p.json")["answers"].size(), 3u);
    EXPECT_NE(read("s.svg").find("<rect "), std::string::npos) << "the quadtree's squares";
}

TEST_F(WeightedRegionsVerb, AMapBecomesASubdivision) {
    ASSERT_EQ(run("gen island --size 64 --seed 3 -o i.map").exit, 0);
    ASSERT_EQ(run("weighted-regions gen --map i.map --profile deer --simplify 1 -o deer.json").exit, 0);
    const Outcome direct =
        run("weighted-regions path i.map --profile deer --simplify 1 --from 30.5,30.5 --to 40,36 --method bprep:1 --json a.json");
    const Outcome saved = run("weighted-regions path deer.json --from 30.5,30.5 --to 40,36 --method bprep:1 --json b.json");
    ASSERT_EQ(direct.exit, 0) << direct.out;
    ASSERT_EQ(saved.exit, 0) << saved.out;
    EXPECT_EQ(json("a.json")["answers"][0]["cost_cells"], json("b.json")["answers"][0]["cost_cells"]);
}

TEST_F(WeightedRegionsVerb, NoPathExitsWith1) {
    write("f.json", R"({"vertices": [[0, 0], [4, 0], [4, 4], [0, 4], [8, 0], [8, 4], [12, 0], [12, 4]],
        "polygons": [{"corners": [0, 1, 2, 3], "cost": 1}, {"corners": [1, 4, 5, 2], "blocked": true}, {"corners": [4, 6, 7, 5], "cost": 2}]})");
    for (const char* method : {"grid", "quadtree", "framed", "bprep", "brep", "brep+newton", "brep+proven"}) {
        const Outcome o = run("weighted-regions path f.json --from 1,1 --to 11,1 --method " + std::string(method));
        EXPECT_EQ(o.exit, 1) << o.out;
        EXPECT_NE(o.out.find("unreachable"), std::string::npos) << o.out;
    }
    EXPECT_NE(run("weighted-regions path f.json --from 1,1 --to 99,1").out.find("outside"), std::string::npos);
    EXPECT_NE(run("weighted-regions path f.json --from 6,1 --to 1,1").out.find("blocked"), std::string::npos);
}

TEST_F(WeightedRegionsVerb, ASpentBudgetReportsTheBestPathAndBound) {
    ASSERT_EQ(run("weighted-regions gen --sites 200 --seed 3 -o f.json").exit, 0);
    const Outcome o = run("weighted-regions path f.json --from 20,20 --to 580,580 --budget 3000 --gap 1e-12 --json p.json");
    EXPECT_EQ(o.exit, 1) << o.out;
    EXPECT_NE(o.out.find("budget spent"), std::string::npos) << o.out;
    const auto answer = json("p.json")["answers"][0];
    EXPECT_GE(answer["polyline"].size(), 2u);
    EXPECT_GT(answer["lower_bound_cost_cells"].get<double>(), 0.9 * answer["cost_cells"].get<double>());
    EXPECT_EQ(run("weighted-regions path f.json --from 20,20 --to 580,580 --budget 1 --method brep").exit, 1);
}

TEST_F(WeightedRegionsVerb, BadInputExitsWith2AndReportsWhatIsWrong) {
    write("bad.json", "{\"vertices\": [[0, 0], [4, 0]");
    write("holes.json", R"({"vertices": [[0, 0], [4, 0], [4, 4]], "polygons": [{"corners": [2, 1, 0], "cost": 1}]})");
    ASSERT_EQ(run("weighted-regions gen --sites 8 -o f.json").exit, 0);
    for (const char* arguments :
         {"gen", "gen --sites 0 -o x.json", "gen --min-cost 5 --max-cost 2 -o x.json", "gen --map missing.map -o x.json",
          "gen -o missing-folder/x.json", "path missing.json --from 1,1 --to 2,2", "path bad.json --from 1,1 --to 2,2",
          "path holes.json --from 1,1 --to 2,2", "path f.json --from 1 --to 2,2", "path f.json --from 1,1 --to nan,2",
          "path f.json --from 1,1 --to 2,2 --method astar", "path f.json --from 1,1 --to 2,2 --method grid:1e-9",
          "path f.json --from 1,1 --to 2,2 --gap -1"}) {
        const Outcome o = run("weighted-regions " + std::string(arguments));
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_FALSE(o.out.empty()) << arguments;
    }
    EXPECT_FALSE(fs::exists(folder_ / "x.json"));
}

}  // namespace
}  // namespace terrane
