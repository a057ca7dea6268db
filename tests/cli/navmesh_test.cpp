// Runs `terrane navmesh`: meshes from OBJ files and generated worlds, areas, pictures, paths, bad input.
#include <nlohmann/json.hpp>

#include "cli/command.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

// 30 x 30 metres, with a step of half a metre across the middle.
constexpr const char* kLevel =
    "v 0 0 0\nv 0 0 30\nv 15 0 30\nv 15 0 0\nv 15 0.5 0\nv 15 0.5 30\nv 30 0.5 30\nv 30 0.5 0\nf 1 2 3 4\nf 5 6 7 8\n";

class NavmeshVerb : public Cli {
protected:
    nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read(file)); }
    static int polygons(const nlohmann::json& output, const std::string& area) {
        for (const auto& each : output["navmesh"]["areas"]) {
            if (each["area"] == area) return each["polygons"];
        }
        return 0;
    }
};

TEST_F(NavmeshVerb, BuildsFromAnObjAndReportsTheResult) {
    write("level.obj", kLevel);
    const Outcome o = run("navmesh build level.obj -o level.navmesh --json b.json --png level.png --pixels 200 --obj mesh.obj");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_EQ(json("b.json")["triangles"], 4);
    EXPECT_EQ(json("b.json")["triangles_degenerate"], 0);
    EXPECT_EQ(json("b.json")["navmesh"]["tiles"], 4);
    EXPECT_EQ(polygons(json("b.json"), "ground"), json("b.json")["navmesh"]["polygons"]);
    EXPECT_GT(fs::file_size(folder_ / "level.png"), 100u);
    EXPECT_NE(read("mesh.obj").find("\nf "), std::string::npos);
    const Outcome info = run("navmesh info level.navmesh --json i.json");
    ASSERT_EQ(info.exit, 0) << info.out;
    EXPECT_NE(info.out.find("polygons in 4 tiles"), std::string::npos) << info.out;
    EXPECT_EQ(json("i.json")["navmesh"], json("b.json")["navmesh"]);
}

TEST_F(NavmeshVerb, PaintsAreasAndLinks) {
    write("level.obj", kLevel);
    write("level.areas", "area mud 120 90 40\nvolume mud -1 2  3 3  9 3  9 9  3 9\nlink road 12 0 12  18 0.5 12  0.6 one_way\n");
    ASSERT_EQ(run("navmesh build level.obj --areas level.areas -o a.navmesh -j 1").exit, 0);
    const Outcome o = run("navmesh info a.navmesh --json -");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto info = nlohmann::json::parse(o.out);
    EXPECT_EQ(info["navmesh"]["links"], 1);
    EXPECT_EQ(polygons(info, "road"), 1);
    EXPECT_GE(polygons(info, "mud"), 1);
}

TEST_F(NavmeshVerb, AWorldIsTheSameForASeedAndAnyThreads) {
    ASSERT_EQ(run("navmesh build --world 80 --seed 3 -o one.navmesh -j 1").exit, 0);
    ASSERT_EQ(run("navmesh build --world 80 --seed 3 -o two.navmesh -j 2").exit, 0);
    EXPECT_TRUE(read("one.navmesh") == read("two.navmesh"));
    ASSERT_EQ(run("navmesh build --world 80 --seed 4 -o two.navmesh -j 2").exit, 0);
    EXPECT_FALSE(read("one.navmesh") == read("two.navmesh"));
}

TEST_F(NavmeshVerb, ALevelIsBuiltAndDrawn) {
    const Outcome o = run("navmesh build --level 3 --storeys 2 --seed 5 -o l.navmesh --json b.json --svg l.svg --lift 8 --obj l.obj");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_EQ(json("b.json")["navmesh"]["links"], 2);
    EXPECT_GT(polygons(json("b.json"), "bridge"), 0);
    EXPECT_TRUE(read("l.svg").starts_with("<svg "));
    EXPECT_NE(read("l.obj").find("usemtl bridge"), std::string::npos);
    for (const char* wrong : {"--level 1 -o x", "--level 3 --storeys 9 -o x", "--level 3 --world 80 -o x", "--level 3 --areas a -o x"}) {
        EXPECT_EQ(run("navmesh build " + std::string(wrong)).exit, 2) << wrong;
    }
}

TEST_F(NavmeshVerb, PathsLeadAroundObstacles) {
    write("level.obj", kLevel);
    const std::string query = "navmesh path level.obj --from 4,15 --to 26,0.5,15 --json p.json ";
    ASSERT_EQ(run(query).exit, 0);
    const auto straight = json("p.json")["answers"][0]["length_metres"].get<double>();
    const Outcome o = run(query + "--obstacle 9,0,15,3,2 --obstacle 20,0.5,15,2,2 --svg p.svg --obj p.obj --png p.png --pixels 200");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_GT(json("p.json")["answers"][0]["length_metres"].get<double>(), straight + 0.5);
    EXPECT_NE(read("p.svg").find("<polyline"), std::string::npos);
    EXPECT_NE(read("p.obj").find("g path_1"), std::string::npos);
    EXPECT_TRUE(fs::exists(folder_ / "p.png"));
    ASSERT_EQ(run("navmesh build level.obj -o l.navmesh").exit, 0);
    for (const std::string wrong : {"level.obj --obstacle 1,2,3,4", "level.obj --obstacle 1,2,3,nan,2", "level.obj --obstacle 9,0,15,-1,2",
                                    "l.navmesh --obstacle 9,0,15,3,2", "missing.obj --obstacle 9,0,15,3,2"}) {
        EXPECT_EQ(run("navmesh path " + wrong + " --from 4,15 --to 26,15").exit, 2) << wrong;
    }
}

TEST_F(NavmeshVerb, FindsPathsForEachCreature) {
    write("level.obj", kLevel);
    write("level.areas", "volume swamp -1 2  8 0  12 0  12 24  8 24\n");
    write("wader.txt", "name wader\nswamp 1\n");
    write("dry.txt", "name dry\nswamp 20\n");
    ASSERT_EQ(run("navmesh build level.obj --areas level.areas -o l.navmesh").exit, 0);
    for (const std::string method : {"dta", "dta+portals"}) {
        const Outcome o =
            run("navmesh path l.navmesh --from 4,4 --to 25,0.5,4 --profile wader.txt --profile dry.txt --json p.json "
                "--png p.png --pixels 200 --method " +
                method);
        ASSERT_EQ(o.exit, 0) << o.out;
        const auto answers = json("p.json")["answers"];
        ASSERT_EQ(answers.size(), 2u);
        EXPECT_NEAR(answers[0]["length_metres"].get<double>(), 21, method == "dta" ? 8 : 0.5) << "straight through the swamp";
        EXPECT_GT(answers[1]["length_metres"].get<double>(), answers[0]["length_metres"].get<double>() + 8) << "around it";
        EXPECT_EQ(answers[1]["polyline"].front().size(), 3u);
    }
    EXPECT_TRUE(fs::exists(folder_ / "p.png"));
}

TEST_F(NavmeshVerb, NoPathExitsWith1) {
    write("level.obj", kLevel);
    write("level.areas", "volume water -1 2  10 0  12 0  12 30  10 30\n");
    write("dry.txt", "name dry\nwater blocked\n");
    ASSERT_EQ(run("navmesh build level.obj --areas level.areas -o l.navmesh").exit, 0);
    const Outcome no = run("navmesh path l.navmesh --from 4,4 --to 25,4 --profile dry.txt");
    EXPECT_EQ(no.exit, 1);
    EXPECT_NE(no.out.find("unreachable"), std::string::npos) << no.out;
    const Outcome near = run("navmesh path l.navmesh --from 4,4 --to 25,4 --profile dry.txt --nearest");
    EXPECT_EQ(near.exit, 1);
    EXPECT_NE(near.out.find("partial"), std::string::npos) << near.out;
    for (const char* wrong : {"--from 4 --to 5,5", "--from 4,4,4,4 --to 5,5", "--from 4,nan --to 5,5", "--from 400,4 --to 5,5",
                              "--from 4,4 --to 5,5 --method astar", "--from 4,4 --to 5,5 --profile dragon"}) {
        EXPECT_EQ(run("navmesh path l.navmesh " + std::string(wrong)).exit, 2) << wrong;
    }
}

TEST_F(NavmeshVerb, BadInputExitsWith2AndMakesNothing) {
    write("level.obj", kLevel);
    write("cut.obj", std::string(kLevel).substr(0, 60) + "\nf 1 2");
    write("bad.areas", "volume cheese 0 1 0 0 1 0 1 1\n");
    for (const char* arguments :
         {"build", "build -o x", "build level.obj", "build level.obj --world 80 -o x", "build missing.obj -o x", "build cut.obj -o x",
          "build level.obj --areas bad.areas -o x", "build level.obj --areas missing -o x", "build level.obj -o x --cell 0",
          "build level.obj -o x --cell wide", "build level.obj -o x --agent-radius 20", "build level.obj -o x --ground cheese",
          "build --world 10 -o x", "build level.obj -o x --pixels 1", "info", "info missing", "info level.obj"}) {
        const Outcome o = run(std::string("navmesh ") + arguments);
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_FALSE(o.out.empty()) << arguments;
        EXPECT_FALSE(fs::exists(folder_ / "x")) << arguments;
    }
    EXPECT_NE(run("navmesh build cut.obj -o x").out.find("cut.obj:"), std::string::npos);
    EXPECT_NE(run("navmesh build level.obj --areas bad.areas -o x").out.find("bad.areas:1: unknown area 'cheese'"), std::string::npos);
    EXPECT_NE(run("navmesh build level.obj -o x --agent-radius 20").out.find("level.obj: no walkable surface"), std::string::npos);
}

TEST_F(NavmeshVerb, ADamagedFileIsRefused) {
    write("level.obj", kLevel);
    ASSERT_EQ(run("navmesh build level.obj -o level.navmesh").exit, 0);
    std::string bytes = read("level.navmesh");
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write("level.navmesh", bytes);
    const Outcome o = run("navmesh info level.navmesh");
    EXPECT_EQ(o.exit, 2);
    EXPECT_NE(o.out.find("checksum"), std::string::npos) << o.out;
}

TEST_F(NavmeshVerb, EverySubcommandHasHelp) {
    for (const char* verb : {"navmesh", "navmesh build", "navmesh info"}) {
        const Outcome o = run(std::string(verb) + " --help");
        EXPECT_EQ(o.exit, 0);
        EXPECT_NE(o.out.find("navmesh"), std::string::npos);
    }
}

TEST_F(NavmeshVerb, NumbersThatAreNotFiniteAreRefused) {
    for (const char* arguments :
         {"navmesh info none.navmesh --png x.png --lift nan", "navmesh info none.navmesh --lift 1001",
          "navmesh build --world 64 -o w.navmesh --cell nan", "navmesh build --world 64 -o w.navmesh --slope inf"}) {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << o.out;
        EXPECT_NE(o.out.find("expected a number from 0 to"), std::string::npos) << o.out;
    }
}

}  // namespace
}  // namespace terrane
