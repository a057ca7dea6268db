// Runs the terrane command and checks exit codes, messages, JSON and files.
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/command.h"
#include "terrane/base/cost.h"
#include "terrane/grid/profile.h"
#include "terrane/io/picture.h"

namespace terrane {
namespace {

const char* const kScen = "version 1\n0\tm.map\t5\t3\t0\t0\t4\t0\t5.656854\n0\tm.map\t5\t3\t0\t0\t0\t0\t0\n";

TEST_F(Cli, EveryVerbHasHelp) {
    EXPECT_EQ(run("--help").exit, 0);
    EXPECT_EQ(run("--version").exit, 0);
    for (const char* verb : {"gen", "import", "info", "path", "reach", "scen", "world", "world save", "world edit", "world check", "pathdb",
                             "pathdb build", "pathdb info", "pathdb path", "bench", "demo"}) {
        const Outcome o = run(std::string(verb) + " --help");
        EXPECT_EQ(o.exit, 0) << verb;
        EXPECT_NE(o.out.find("Usage: terrane " + std::string(verb)), std::string::npos) << o.out;
    }
}

TEST_F(Cli, AnAnyAnglePathIsAPolyline) {
    write("open.map", "type octile\nheight 3\nwidth 7\nmap\n.......\n.......\n.......\n");
    const Outcome o = run("path open.map --from 0,0 --to 6,2 --profile walker --method astar+any_angle --svg l.svg --json l.json");
    EXPECT_EQ(o.exit, 0) << o.out;
    EXPECT_NE(o.out.find("polyline"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("6.32"), std::string::npos) << o.out;
    const auto answer = nlohmann::json::parse(read("l.json"))["answers"][0];
    EXPECT_EQ(answer["polyline"], nlohmann::json::parse("[[0.5,0.5],[6.5,2.5]]"));
    EXPECT_NEAR(answer["polyline_cost_cells"].get<double>(), 6.324555320336759, 1e-12);
    EXPECT_NEAR(answer["polyline_saved"].get<double>(), 1 - 6.324555320336759 / 6.82842712474619, 1e-12);
    EXPECT_EQ(run("path open.map --from 0,0 --to 6,2 --profile walker --method astar+any_angle+any_angle").exit, 2);
}

TEST_F(Cli, AnswersThatCannotBeWrittenAreNotLostSilently) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
    write("m.map", kMap);
    for (const char* arguments : {"info m.map", "path m.map --from 0,0 --to 4,0", "path m.map --from 0,0 --to 4,0 --json -", "--help"}) {
        const Outcome outcome = run(std::string(arguments) + " >/dev/full");
        EXPECT_EQ(outcome.exit, 2) << arguments;
        EXPECT_NE(outcome.out.find("cannot write to standard output"), std::string::npos) << arguments;
    }
    EXPECT_EQ(run("info none.map 2>/dev/full").exit, 2);  // the message cannot be written either
}

TEST_F(Cli, BadArgumentsExitWith2) {
    write("m.map", kMap);
    for (const char* arguments : {"",
                                  "frobnicate",
                                  "gen",
                                  "gen island",
                                  "gen castle -o x.map",
                                  "gen island --size 1x1 -o x.map",
                                  "gen island --size -5 -o x.map",
                                  "info",
                                  "info none.map",
                                  "info .",
                                  "path m.map --from 0,0",
                                  "path m.map --from 0:0 --to 1,1",
                                  "path m.map --from 0,0 --to 1,1 --profile dragon",
                                  "path m.map --from 0,0 --to 1,1 --method magic",
                                  "path m.map --from 0,0 --to 1,1 --movement sideways",
                                  "scen none.scen",
                                  "scen m.map",
                                  "bench nothing",
                                  "bench search --maps /nowhere",
                                  "info m.map --sector 3",
                                  "info m.map --sector 129",
                                  "info m.map --sector 8x",
                                  "info m.map --sector 8 --sector 8",
                                  "info m.map --sector 8 --sector 16 --png p.png",
                                  "world",
                                  "world save m.map",
                                  "world save m.map -o m.txt",
                                  "world save none.map -o w.terrane",
                                  "world edit m.map",
                                  "world check none.terrane"}) {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_FALSE(o.out.empty()) << arguments;
    }
}

TEST_F(Cli, BadFilesAreNamedWithLineAndReason) {
    write("short.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n...\n.....\n");
    const Outcome map = run("info short.map");
    EXPECT_EQ(map.exit, 2);
    EXPECT_NE(map.out.find("short.map:6: "), std::string::npos) << map.out;
    write("m.map", kMap);
    write("bad.profile", "ground 1\nswamp cheap\n");
    const Outcome profile = run("path m.map --from 0,0 --to 4,0 --profile bad.profile");
    EXPECT_EQ(profile.exit, 2);
    EXPECT_NE(profile.out.find("bad.profile:2: "), std::string::npos) << profile.out;
    write("bad.scen", "version 1\n0\tm.map\t5\t3\t0\t0\t9\t0\t4\n");
    EXPECT_NE(run("scen bad.scen").out.find("bad.scen:2: "), std::string::npos);
}

TEST_F(Cli, PathsAreReportedInJson) {
    write("m.map", kMap);
    const Outcome o = run("path m.map --from 0,0 --to 4,0 --profile walker --json - --png p.png");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto json = nlohmann::json::parse(o.out);
    EXPECT_EQ(json["answers"][0]["status"], "found");
    EXPECT_EQ(json["answers"][0]["cost_cells"], to_real(2 * 200 * 985 * 2 + 2 * 200 * 1393));
    EXPECT_EQ(json["answers"][0]["cells"], json["answers"][0]["path"].size());
    EXPECT_EQ(json["answers"][0]["path"].front(), nlohmann::json({0, 0}));
    EXPECT_EQ(json["answers"][0]["path"].back(), nlohmann::json({4, 0}));
    EXPECT_EQ(read("p.png").substr(1, 3), "PNG");
}

TEST_F(Cli, EveryMethodAndHeuristicFindsThePath) {
    write("m.map", kMap);
    for (const char* method : {"astar", "wastar:1.5", "focal:1.5", "nbs", "dijkstra"}) {
        for (const char* heuristic : {"", "+landmarks:2", "+fastmap:2"}) {
            if (std::string_view(method) == "dijkstra" && *heuristic != 0) continue;
            const Outcome o = run(std::string("path m.map --from 0,0 --to 4,0 --profile walker --method ") + method + heuristic);
            EXPECT_EQ(o.exit, 0) << o.out;
            EXPECT_NE(o.out.find("6.83"), std::string::npos) << o.out;
        }
    }
    EXPECT_EQ(run("path m.map --from 0,0 --to 4,0 --method astar+landmarks:0").exit, 2);
    EXPECT_EQ(run("path m.map --from 0,0 --to 4,0 --profile walker --method astar+landmarks:2 --trace t.json").exit, 0);
    const Outcome old = run("path m.map --from 0,0 --to 4,0 --heuristic landmarks:2");
    EXPECT_EQ(old.exit, 2);
    EXPECT_NE(old.out.find("--method astar+landmarks:8"), std::string::npos) << old.out;
}

// Rewrite the page with tools/methods.
TEST_F(Cli, MethodsPrintsTheTablesOfItsPage) {
    const std::string page = read_file(TERRANE_SOURCE_DIR "/docs/methods.md", 1 << 20).value();
    const Outcome tables = run("methods --markdown");
    ASSERT_EQ(tables.exit, 0) << tables.out;
    const size_t from = page.find("## Grids");
    ASSERT_NE(from, std::string::npos);
    EXPECT_EQ((page.substr(from) + "\n").substr(0, tables.out.size()), tables.out);  // navigation meshes, which a build may lack, are last
    const Outcome text = run("methods");
    EXPECT_NE(text.out.find("overlay:K[+QUALITY]"), std::string::npos) << text.out;
}

TEST_F(Cli, EveryDtaMethodFindsAPath) {
    write("m.map", kMap);
    const std::string query = "path m.map --from 0,0 --to 4,0 --profile walker --method ";
    for (const char* method :
         {"dta:4", "dta:16/nbs", "dta:map/wastar:2/wastar:1.2", "dta:8+trim+smooth", "dta:4+exact", "dta:4+cache+bfs"}) {
        const Outcome o = run(query + method + " --compare --json r.json");
        ASSERT_EQ(o.exit, 0) << method << o.out;
        EXPECT_NE(o.out.find("first"), std::string::npos) << o.out;
        const auto answer = nlohmann::json::parse(read("r.json"))["answers"][0];
        EXPECT_EQ(answer["status"], "found");
        EXPECT_GE(answer["ratio"], 1.0);
        EXPECT_LE(answer["ratio"], 1.5);
        EXPECT_LE(answer["expansions_first"], answer["expansions"]);
    }
    for (const char* heuristic : {"landmarks:2", "fastmap:2", "paths"}) {
        EXPECT_EQ(run(query + "dta:4+" + heuristic).exit, 0) << heuristic;
        const Outcome exact = run(query + "dta:4+exact+" + heuristic);
        EXPECT_EQ(exact.exit, 2) << "the heuristic bounds estimated costs, not exact ones";
        EXPECT_NE(exact.out.find("+exact"), std::string::npos) << exact.out;
    }
    EXPECT_EQ(run(query + "astar+paths").exit, 2) << "for regions only";
}

TEST_F(Cli, HeatAndTraceAreRefusedForAbstractions) {
    write("m.map", kMap);
    for (const char* arguments : {"--heat --png p.png", "--trace t.json"}) {
        const Outcome o = run(std::string("path m.map --from 0,0 --to 4,0 --profile walker --method dta:8 ") + arguments);
        EXPECT_EQ(o.exit, 2) << o.out;
        EXPECT_NE(o.out.find("dta:8 searches an abstraction"), std::string::npos) << o.out;
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "p.png"));
}

TEST_F(Cli, NearestReportsWhereThePathEnds) {
    write("m.map", "type octile\nheight 1\nwidth 6\nmap\n...@..\n");
    for (const char* method : {"astar", "dta:4"}) {
        for (const char* goal : {"5,0", "3,0"}) {  // unreachable, blocked
            const Outcome o =
                run(std::string("path m.map --from 0,0 --profile walker --nearest --json r.json --method ") + method + " --to " + goal);
            EXPECT_EQ(o.exit, 1) << "the path does not reach the goal";
            EXPECT_NE(o.out.find("ends at 2,0"), std::string::npos) << o.out;
            EXPECT_EQ(nlohmann::json::parse(read("r.json"))["answers"][0]["status"], "partial");
        }
        EXPECT_EQ(run(std::string("path m.map --from 0,0 --to 2,0 --profile walker --nearest --method ") + method).exit, 0);
    }
}

TEST_F(Cli, PathWritesSvgAndTrace) {
    write("m.map", kMap);
    ASSERT_EQ(run("path m.map --from 0,0 --to 4,0 --profile walker --method astar --svg p.svg --trace t.json").exit, 0);
    EXPECT_NE(read("p.svg").find("<svg"), std::string::npos);
    const auto trace = nlohmann::json::parse(read("t.json"));
    EXPECT_EQ(trace["version"], "1.4.0");
    EXPECT_FALSE(trace["events"].empty());
}

TEST_F(Cli, ReachAnswersOneToManyQueries) {
    write("m.map", kMap);
    EXPECT_NE(run("reach m.map --from 0,0 --within 1 --profile walker --png r.png").out.find("3 cells within cost 1"), std::string::npos);
    const Outcome many = run("reach m.map --from 0,0 --to 4,0 --to 1,1 --to 2,0 --profile walker");
    EXPECT_EQ(many.exit, 0);
    EXPECT_NE(many.out.find("1,1 (nearest)"), std::string::npos) << many.out;
    EXPECT_NE(many.out.find("6.83"), std::string::npos) << many.out;
    EXPECT_EQ(run("reach m.map --from 0,0 --nearest-terrain swamp --profile walker").exit, 1);
    EXPECT_EQ(run("reach m.map --from 0,0 --nearest-terrain cheese --profile walker").exit, 2);
    EXPECT_EQ(run("reach m.map --from 0,0 --profile walker").exit, 2);
}

TEST_F(Cli, WorldsRoundTripThroughTerraneFiles) {
    write("m.map", kMap);
    ASSERT_EQ(run("import m.map -o m.terrane").exit, 0);
    ASSERT_EQ(run("import m.terrane -o again.map").exit, 0);
    EXPECT_EQ(read("again.map"), kMap);
    EXPECT_EQ(run("info m.terrane").exit, 0);
}

TEST_F(Cli, VerbsReadMapsOfEveryFormatAndListThem) {
    for (const char* verb : {"info", "path", "reach", "why", "import", "world save", "crowd run"}) {
        const std::string help = run(std::string(verb) + " --help").out;
        for (const char* extension : {".map", ".terrane", ".png", ".tmx"}) EXPECT_NE(help.find(extension), std::string::npos) << verb;
    }
    write("bom.map", std::string("\xef\xbb\xbf") + kMap);
    Outcome o = run("info bom.map");
    EXPECT_EQ(o.exit, 2);
    EXPECT_NE(o.out.find("bom.map:1: expected 'type octile'"), std::string::npos) << o.out;
    EXPECT_NE(o.out.find("byte-order mark"), std::string::npos) << o.out;
    write("notes.txt", "hello");
    o = run("path notes.txt --from 0,0 --to 1,1");
    EXPECT_EQ(o.exit, 2);
    EXPECT_NE(o.out.find("notes.txt: unknown map format: expected one of MovingAI map (.map)"), std::string::npos) << o.out;
    o = run("gen maze --size 9 -o m.map --png m.png");
    if (o.out.find("built without libpng") != std::string::npos) GTEST_SKIP() << "built without libpng";
    ASSERT_EQ(o.exit, 0) << o.out;
    o = run("info m.png");
    EXPECT_EQ(o.exit, 0) << o.out;
}

TEST_F(Cli, InfoReportsTheMemoryOfRegions) {
    write("m.map", kMap);
    const Outcome o = run("info m.map --sector 4 --sector map --json i.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto all = nlohmann::json::parse(read("i.json"))["abstractions"];
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[0]["sector"], "4");
    EXPECT_EQ(all[0]["sectors"], 2);
    EXPECT_EQ(all[0]["regions"], 3);  // ground, wall, ground
    EXPECT_EQ(all[0]["regions_per_sector_max"], 2);
    EXPECT_EQ(all[1]["sector"], "map");
    EXPECT_EQ(all[1]["regions"], 2);
    EXPECT_EQ(all[1]["edges"], 2);
    EXPECT_GT(all[0]["bytes_per_cell"], 0);
    ASSERT_EQ(run("info m.map --png plain.png").exit, 0);
    ASSERT_EQ(run("info m.map --sector 4 --png regions.png").exit, 0);
    EXPECT_NE(read("regions.png"), read("plain.png")) << "regions are drawn";
}

TEST_F(Cli, SavedWorldsAreReadInsteadOfBuilt) {
    write("m.map", kMap);
    const Outcome save = run("world save --sector 4 --sector 8 m.map -o w.terrane --json s.json");
    ASSERT_EQ(save.exit, 0) << save.out;
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["abstractions"].size(), 2u);
    const Outcome check = run("world check w.terrane --json -");
    ASSERT_EQ(check.exit, 0) << check.out;
    EXPECT_EQ(nlohmann::json::parse(check.out)["same"], true);
    const std::string query = " --from 0,0 --to 4,0 --profile walker --json - --method ";
    const auto built = [&](const std::string& rest) {
        const Outcome o = run("path " + rest);
        EXPECT_EQ(o.exit, 0) << o.out;
        return nlohmann::json::parse(o.out)["abstractions"][0]["built"].get<bool>();
    };
    EXPECT_FALSE(built("w.terrane" + query + "dta:4"));
    EXPECT_TRUE(built("w.terrane" + query + "dta:16"));
    EXPECT_TRUE(built("m.map" + query + "dta:4"));
    EXPECT_NE(run("world check m.map").out.find("no saved regions"), std::string::npos);
    EXPECT_EQ(run("import w.terrane -o again.map").exit, 0);
    EXPECT_EQ(read("again.map"), kMap);
}

TEST_F(Cli, PreparedMethodsAreSavedAndAnswerFromTheFile) {
    write("m.map", kMap);
    const Outcome save = run("world save m.map -o w.terrane --method overlay:2 --profile walker --json s.json");
    ASSERT_EQ(save.exit, 0) << save.out;
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["prepared"][0]["method"], "overlay:2");
    EXPECT_EQ(run("world save w.terrane -o w.terrane --method cpd --profile walker --json s.json").exit, 0);
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["prepared"].size(), 2u) << "those of the input stay";
    EXPECT_EQ(run("world edit w.terrane --set 1,0,swamp").exit, 0);
    EXPECT_EQ(run("world save w.terrane -o again.terrane --json s.json").exit, 0);
    EXPECT_EQ(nlohmann::json::parse(read("s.json"))["prepared"].size(), 2u) << "and so they do after an edit";
    const Outcome path = run("path again.terrane --from 0,0 --to 4,0 --profile walker --json -");
    ASSERT_EQ(path.exit, 0) << path.out;
    EXPECT_EQ(nlohmann::json::parse(path.out)["answers"][0]["method"], "overlay:2");
    EXPECT_EQ(run("world save m.map -o w.terrane --method astar").exit, 2);
    EXPECT_EQ(run("world save m.map -o w.terrane --method overlay:2 --profile unicorn").exit, 2);
}

TEST_F(Cli, WorldEditRepairsAndReplacesTheFile) {
    write("m.map", kMap);
    ASSERT_EQ(run("world save m.map -o w.terrane --sector 4").exit, 0);
    const Outcome o = run("world edit w.terrane --set 2,0,swamp --fill 2,0,1,2,ground --set 4,2,grass --json e.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_NE(o.out.find("sectors labelled"), std::string::npos) << o.out;
    const auto edits = nlohmann::json::parse(read("e.json"))["edits"];
    ASSERT_EQ(edits.size(), 3u);
    EXPECT_EQ(edits[0]["edit"], "--set 2,0,swamp") << "in the order given";
    EXPECT_EQ(edits[0]["cells_changed"], 1);
    EXPECT_EQ(edits[1]["cells_changed"], 2) << "a column of two cells";
    EXPECT_EQ(edits[2]["repairs"][0]["sectors_labelled"], 1);
    EXPECT_EQ(run("world check w.terrane").exit, 0) << "equal to a build from scratch";
    ASSERT_EQ(run("import w.terrane -o after.map").exit, 0);
    EXPECT_EQ(read("after.map"), "type octile\nheight 3\nwidth 5\nmap\n.....\n.....\n....G\n");

    const std::string before = read("w.terrane");
    ASSERT_EQ(run("world edit w.terrane --set 0,0,wall -o other.terrane").exit, 0);
    for (const char* wrong : {"--set 0,0,cheese", "--set 9,9,wall", "--fill 0,0,1,wall", "--set 0,0", "--set 0,0,"}) {
        const Outcome refused = run(std::string("world edit w.terrane --set 1,1,wall ") + wrong);
        EXPECT_EQ(refused.exit, 2) << refused.out;
    }
    EXPECT_EQ(read("w.terrane"), before) << "a failed command changes nothing";
    EXPECT_NE(read("other.terrane"), before);
}

TEST_F(Cli, TruncatedAndAlteredWorldsAreRefused) {
    write("m.map", kMap);
    ASSERT_EQ(run("world save m.map -o w.terrane --sector 4").exit, 0);
    const std::string bytes = read("w.terrane");
    write("cut.terrane", bytes.substr(0, bytes.size() - 1));
    std::string altered = bytes;
    altered[bytes.size() - 5] = static_cast<char>(altered[bytes.size() - 5] ^ 1);
    write("altered.terrane", altered);
    for (const char* file : {"cut.terrane", "altered.terrane"}) {
        for (const char* verb : {"world check ", "world edit --set 0,0,wall ", "info "}) {
            const Outcome o = run(std::string(verb) + file);
            EXPECT_EQ(o.exit, 2) << verb << file;
            EXPECT_NE(o.out.find(std::string("terrane: ") + file + ": "), std::string::npos) << o.out;
        }
    }
}

TEST_F(Cli, NoPathExitsWith1AndReportsWhy) {
    write("m.map", "type octile\nheight 1\nwidth 3\nmap\n.@.\n");
    const Outcome unreachable = run("path m.map --from 0,0 --to 2,0 --profile walker");
    EXPECT_EQ(unreachable.exit, 1);
    EXPECT_NE(unreachable.out.find("unreachable"), std::string::npos);
    EXPECT_NE(run("path m.map --from 0,0 --to 1,0 --profile walker").out.find("blocked goal"), std::string::npos);
    EXPECT_NE(run("path m.map --from 0,0 --to 5,0 --profile walker").out.find("outside"), std::string::npos);
}

TEST_F(Cli, TheJsonOfAQueryWithoutAPathHasNoCost) {
    write("m.map", "type octile\nheight 1\nwidth 5\nmap\n..@..\n");
    for (const char* query :
         {"path m.map --to 4,0 --compare", "why m.map --to 4,0", "reach m.map --to 4,0", "reach m.map --nearest-terrain swamp"}) {
        const Outcome o = run(std::string(query) + " --from 0,0 --profile walker --json -");
        EXPECT_EQ(o.exit, 1) << o.out;
        EXPECT_NE(o.out.find(R"("status": "unreachable")"), std::string::npos) << o.out;
        EXPECT_EQ(o.out.find("cost"), std::string::npos) << o.out;
    }
}

TEST_F(Cli, TheSummaryHasTheNumbersButNoLongLists) {
    write("m.map", kMap);
    write("m.map.scen", kScen);
    const auto lines = [&](const std::string& arguments) {
        const Outcome o = run(arguments);
        EXPECT_LE(o.exit, 1) << o.out;
        EXPECT_NE(o.out.find("cells\": "), std::string::npos) << o.out;
        return std::ranges::count(o.out, '\n');
    };
    for (const char* verb :
         {"path m.map --from 0,0 --to 4,0 --profile walker", "why m.map --from 0,0 --to 4,0 --profile walker",
          "reach m.map --from 0,0 --within 3 --profile walker", "crowd run m.map --agents 2 --profile walker", "scen m.map.scen"})
        EXPECT_LT(lines(std::string(verb) + " --json - --summary"), lines(std::string(verb) + " --json -")) << verb;
}

TEST_F(Cli, ScenChecksPublishedLengths) {
    write("m.map", kMap);
    write("m.map.scen", kScen);
    const Outcome good = run("scen m.map.scen --method astar --check --json r.json");
    EXPECT_EQ(good.exit, 1) << good.out;  // the first length belongs to a path that cuts corners
    write("m.map.scen", std::regex_replace(std::string(kScen), std::regex("5.656854"), "6.828427"));
    const Outcome right = run("scen m.map.scen --method astar --check --json r.json");
    EXPECT_EQ(right.exit, 0) << right.out;
    EXPECT_NE(right.out.find("2 of 2 problems meet"), std::string::npos) << right.out;
    const auto json = nlohmann::json::parse(read("r.json"));
    EXPECT_EQ(json["verb"], "scen");
    EXPECT_EQ(json["files"][0]["answers"].size(), 2u);
    EXPECT_NEAR(json["files"][0]["answers"][0]["cost_cells"].get<double>(), 6.828427, 1e-6);
    EXPECT_EQ(json["rows"][0]["metrics"]["met"], 2);
}

TEST_F(Cli, ScenRunsMethodsThatAreNotOptimal) {
    const std::string scene =
        "scen '" TERRANE_SOURCE_DIR "/scenes/islet.map.scen' --profile '" TERRANE_SOURCE_DIR "/scenes/islet.profile' ";
    for (const char* method : {"dta:8", "dta:16+trim+smooth", "dta:16+exact", "wastar:1.5", "dta:16+landmarks:4"}) {
        const Outcome o = run(scene + "--check --json r.json --method " + method);
        EXPECT_EQ(o.exit, 0) << o.out;
        EXPECT_NE(o.out.find("with no path shorter than published"), std::string::npos) << o.out;
        const auto metrics = nlohmann::json::parse(read("r.json"))["rows"][0]["metrics"];
        EXPECT_EQ(metrics["solved"], metrics["problems"]);
        EXPECT_GE(metrics["ratio_mean"], 0.999999);
        EXPECT_LE(metrics["ratio_mean"], metrics["ratio_p99"]);
        EXPECT_LE(metrics["ratio_p99"], metrics["ratio_max"]);
        EXPECT_EQ(metrics.contains("expansions_first"), std::string_view(method).starts_with("dta"));
    }
    write("m.map", kMap);
    write("m.map.scen", "version 1\n0\tm.map\t5\t3\t0\t0\t4\t0\t9.5\n");
    const Outcome shorter = run("scen m.map.scen --check --method dta:4");
    EXPECT_EQ(shorter.exit, 1) << "shorter than published";
    EXPECT_NE(shorter.out.find("published 9.5, here 6.82"), std::string::npos) << shorter.out;
}

TEST_F(Cli, OwnScenesMeetTheirLengths) {
    const std::string scenes = TERRANE_SOURCE_DIR "/scenes/";
    for (const char* arguments : {"rooms.map.scen", "maze.map.scen", "islet.map.scen --profile islet.profile"}) {
        std::string full = arguments;
        full = std::regex_replace(full, std::regex("(\\w+\\.(map\\.scen|profile))"), scenes + "$1");
        const Outcome o = run("scen " + full + " --method astar --check");
        EXPECT_EQ(o.exit, 0) << o.out;
    }
}

TEST_F(Cli, GeneratedWorldsAreTheSameEveryTime) {
    ASSERT_EQ(run("gen island --size 64x48 --seed 3 -o a.map").exit, 0);
    ASSERT_EQ(run("gen island --size 64x48 --seed 3 -o b.map --png b.png").exit, 0);
    EXPECT_EQ(read("a.map"), read("b.map"));
    ASSERT_EQ(run("info a.map --json i.json").exit, 0);
    EXPECT_EQ(nlohmann::json::parse(read("i.json"))["map"]["width"], 64);
}

TEST_F(Cli, BenchRunsAndItsAnswersAreRight) {
    const Outcome o = run("bench search --quick --json b.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto json = nlohmann::json::parse(read("b.json"));
    for (const auto& row : json["rows"]) EXPECT_EQ(row["metrics"]["solved"], row["metrics"]["problems"]) << row;
    EXPECT_FALSE(json["paper"].empty());
}

TEST_F(Cli, DemoGoesAroundTheFireAndItsCommandsWork) {
    const Outcome o = run("demo --out pictures");
    ASSERT_EQ(o.exit, 0) << o.out;
    const size_t fire = o.out.find("The woods burn"), pictures = o.out.find("Pictures:");
    ASSERT_TRUE(fire != std::string::npos && pictures != std::string::npos) << o.out;
    for (const char* row : {"person    yellow  astar", "deer      orange  regions:16", "outlaw    violet  overlay:2"})
        EXPECT_LT(o.out.find(row), fire) << row;
    EXPECT_NE(o.out.find("it broke 3 of the 3 watched paths"), std::string::npos);
    EXPECT_GT(o.out.find("fire ", o.out.find("terrain of the path", fire)), pictures);  // no path crosses it
    for (const char* file : {"pictures/1-before.png", "pictures/2-after.png", "pictures/island.map"})
        EXPECT_TRUE(std::filesystem::exists(folder_ / file)) << file;
    const std::regex command("\n  ([^\n]*terrane [^\n]*)");
    int commands = 0;
    for (auto it = std::sregex_iterator(o.out.begin() + static_cast<ptrdiff_t>(pictures), o.out.end(), command);
         it != std::sregex_iterator(); ++it, ++commands) {
        const Outcome next = shell((*it)[1]);
        EXPECT_EQ(next.exit, 0) << (*it)[1] << "\n" << next.out;
    }
    EXPECT_EQ(commands, 3);
}

TEST_F(Cli, MissingBenchAndSelftestReportHowToBuildThem) {
    std::filesystem::copy_file(TERRANE_BINARY, folder_ / "terrane");
    for (const char* verb : {"bench", "selftest"}) {
        const Outcome o = shell(std::string("./terrane ") + verb + " --help");
        EXPECT_EQ(o.exit, 2);
        EXPECT_NE(o.out.find("make build"), std::string::npos) << o.out;
        EXPECT_EQ(run(std::string(verb) + " --help").exit, 0);
    }
    EXPECT_EQ(run("bench --no-such-option").exit, 2);
}

TEST(CreatureColours, AreThoseOfTheStudio) {
    const std::string source = read_file(TERRANE_SOURCE_DIR "/studio/src/creatures.ts", 1 << 20).value();
    std::string colours, presets;
    const auto hex = [](Rgb c) {
        char text[8];
        std::snprintf(text, sizeof text, "#%02x%02x%02x", c.r, c.g, c.b);
        return "'" + std::string(text) + "'";
    };
    for (const NamedColour& c : kCreatureColours) colours += (colours.empty() ? "" : ", ") + hex(c.colour);
    const std::vector<Profile>& profiles = Profile::presets();
    for (size_t i = 0; i < profiles.size(); ++i)
        presets += (i == 0 ? "" : ", ") + profiles[i].name() + ": " + hex(kCreatureColours[i].colour);
    EXPECT_NE(source.find("[" + colours + "]"), std::string::npos) << colours;
    EXPECT_NE(source.find("{ " + presets + " }"), std::string::npos) << presets;
}

TEST_F(Cli, ReadmeCommandsAndProgramWork) {
    const std::string readme = read_file(TERRANE_SOURCE_DIR "/README.md", 1 << 20).value();
    const std::regex command("\nbuild/release/terrane ([^\n]*)");
    int commands = 0;
    for (auto it = std::sregex_iterator(readme.begin(), readme.end(), command); it != std::sregex_iterator(); ++it, ++commands) {
        const Outcome o = run((*it)[1]);
        EXPECT_EQ(o.exit, 0) << (*it)[1] << "\n" << o.out;
    }
    EXPECT_GE(commands, 3);
    const Outcome program = shell(README_PROGRAM);
    EXPECT_EQ(program.exit, 0);
    EXPECT_EQ(std::count(program.out.begin(), program.out.end(), '\n'), 2) << program.out;
    EXPECT_NE(program.out.find("found"), std::string::npos) << program.out;
}

TEST_F(Cli, OldNamesAreRefusedWithTheNewOnes) {
    write("m.map", "type octile\nheight 1\nwidth 3\nmap\n...\n");
    const std::pair<const char*, const char*> cases[] = {
        {"openfield gen -o x.json", "'openfield' is now 'weighted-regions'"},
        {"bench cpd-agree", "'cpd-agree' is now 'terrane selftest path_databases'"},
        {"crowd run m.map --kind walker", "'--kind' is now '--profile'"},
        {"crowd run m.map --life-long", "'--life-long' is now '--lifelong'"},
        {"path m.map --from 0,0 --to 2,0 --profile walker --method mm:16", "'mm' is now 'minimal_memory'"},
        {"path m.map --from 0,0 --to 2,0 --profile walker --method astar+refract", "'refract' is now 'any_angle'"},
        {"path m.map --from 0,0 --to 2,0 --profile walker --method overlay:2+corridor", "'corridor' is now 'smooth'"},
        {"path m.map --from 0,0 --to 2,0 --profile walker --method astar+embedding:4", "'embedding' is now 'fastmap'"},
        {"path m.map --from 0,0 --to 2,0 --profile walker --method astar+certificates:4", "'certificates' is now 'lower_bounds'"},
        {"path m.map --from 0,0 --to 2,0 --certificates 4", "--method overlay:2+lower_bounds:32"},
    };
    for (const auto& [arguments, hint] : cases) {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << arguments;
        EXPECT_NE(o.out.find(hint), std::string::npos) << arguments << "\n" << o.out;
    }
}

}  // namespace
}  // namespace terrane
