// The command line itself: options mean the same in every verb, and commands that cannot be meant are refused before any work.
#include "cli/arguments.h"

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/command.h"
#include "cli/common.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

// ---- One meaning for each option

// The type of an option, and its help up to the colon; what a verb adds stands after it. Limits stand after a semicolon.
std::string meaning(const CLI::Option& option) {
    const std::string help = option.get_description();
    const std::string text = help.substr(0, help.find_first_of(":;[\n"));
    return option.get_type_name() + " " + text.substr(0, text.find_last_not_of(' ') + 1);
}

// Options with several types or meanings, and why.
const std::map<std::string, std::string> kExceptions = {
    {"--from", "cells are whole numbers, points of a subdivision are real, points of a mesh have a height"},
    {"--to", "as --from"},
    {"--out", "demo writes several files, into a folder"},
};

void collect(const CLI::App& app, const std::string& verb, std::map<std::string, std::map<std::string, std::string>>& meanings) {
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) meanings["--" + name].emplace(meaning(*option), verb);
    }
    for (const CLI::App* sub : app.get_subcommands({})) collect(*sub, verb + " " + sub->get_name(), meanings);
}

TEST(Options, HaveOneTypeAndOneMeaningInAllVerbs) {
    CLI::App app("", "terrane");
    cli::Run run;
    cli::add_verbs(app, run);
    std::map<std::string, std::map<std::string, std::string>> meanings;  // option -> meaning -> a verb
    collect(app, "terrane", meanings);
    EXPECT_GT(meanings.size(), 80u);
    for (const auto& [option, each] : meanings) {
        if (kExceptions.contains(option)) {
            EXPECT_GT(each.size(), 1u) << option << " is no exception any more";
            continue;
        }
        std::string text;
        for (const auto& [what, verb] : each) text += "\n  " + verb + ": " + what;
        EXPECT_EQ(each.size(), 1u) << option << text;
    }
}

class Arguments : public Cli {
protected:
    void SetUp() override { write("m.map", kMap); }

    void refuses(const std::string& arguments, const std::string& reason) const {
        const Outcome o = run(arguments);
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_NE(o.out.find(reason), std::string::npos) << arguments << "\n" << o.out;
    }
};

TEST_F(Arguments, RefusedValuesSayWhatIsExpected) {
    const std::string path = "path m.map --to 1,1 --from ";
    for (const char* cell : {"x", "1", "1,2,3", "1,2x", "1.5,2", "99999999999,1", "nan,1", ""})
        refuses(path + "'" + cell + "'", "--from: invalid cell '" + std::string(cell) + "': expected X,Y as in 120,80");
    for (const char* rect : {"1,1", "1,1,0,1", "1,1,2,-1", "0,0,1,1,1", "2000000000,1,2000000000,1"})
        refuses(std::string("why m.map --from 0,0 --to 1,1 --through ") + rect, "expected X,Y,WIDTH,HEIGHT as in 100,80,32,16");
    for (const char* size : {"0", "-5", "16x", "x16", "40000", "16x16x16", "nan"})
        refuses(std::string("gen maze -o n.map --size ") + size, "expected a side or WxH as in 1024 or 640x480");
    for (const char* point : {"1", "1,nan", "inf,2", "1,2,3"})
        refuses(std::string("weighted-regions path m.map --to 1,1 --from ") + point, "expected X,Y as in 12.5,40");
    for (const char* shard : {"3/3", "1", "a/b", "-1/3", "/3", "1/"})
        refuses(std::string("pathdb build m.map -o d.pathdb --shard ") + shard, "expected I/N with I below N, as in 0/3");
    refuses("path m.map --from 0,0 --to 1,1 --pixels 8", "expected a whole number from 16 to 16384");
    refuses("path m.map --from 0,0 --to 1,1 --movement king", "expected eight|cutting|four");
    refuses("crowd traffic --rate nan", "expected a whole number from 0 to 7200");
}

TEST_F(Arguments, OldOptionsNameTheNewOnes) {
    const std::pair<const char*, const char*> cases[] = {
        {"crowd run m.map --bound", "'--bound' is now '--lower-bound'"},
        {"reach m.map --from 0,0 --nearest road", "'--nearest' is now '--nearest-terrain'"},
        {"weighted-regions path m.map --from 0,0 --to 1,1 --heuristic 2", "'--heuristic' is now '--heuristic-cost'"},
        {"weighted-regions path m.map --from 0,0 --to 1,1 --tolerance 2", "'--tolerance' is now '--simplify'"},
        {"path m.map --from 0,0 --to 1,1 --heuristic landmarks:2", "--method astar+landmarks:8"},
        {"pathdb path m.map --db d.pathdb --from 0,0 --to 1,1", "'--db' is now '--pathdb'"},
        {"pathdb info d.pathdb --check", "'--check' is now '--verify'"},
        {"import m.map -o n.map --tolerance 4", "'--tolerance' is now '--colour-tolerance'"},
    };
    for (const auto& [arguments, hint] : cases) refuses(arguments, hint);
}

TEST_F(Arguments, MistypedVerbsAndOptionsAreCorrected) {
    refuses("pth m.map", "unknown verb 'pth': did you mean 'path'?");
    refuses("pth --help", "unknown verb 'pth': did you mean 'path'?");
    refuses("world sve m.map", "unknown verb 'sve': did you mean 'save'?");
    refuses("frobnicate", "expected one of ");
    refuses("", "expected a verb: one of ");
    refuses("path m.map --form 0,0 --to 1,1", "unknown option '--form': did you mean '--from'?");
    refuses("bench frmes --quick", "did you mean 'frames'?");
}

TEST_F(Arguments, HelpIsAVerb) {
    EXPECT_EQ(run("help").out, run("--help").out);
    EXPECT_EQ(run("help").exit, 0);
    EXPECT_EQ(run("help path").out, run("path --help").out);
    EXPECT_EQ(run("help world edit").out, run("world edit --help").out);
    refuses("help pth", "did you mean 'path'?");
    const Outcome bench = run("bench search --help");
    EXPECT_EQ(bench.exit, 0);
    EXPECT_NE(bench.out.find("terrane bench search"), std::string::npos) << bench.out;
    EXPECT_NE(bench.out.find("--quick"), std::string::npos) << bench.out;
    EXPECT_EQ(run("help bench search").out, bench.out);
}

// ---- Files

TEST_F(Arguments, OutputsMustNotOverwriteInputsOrEachOther) {
    fs::create_symlink("m.map", folder_ / "soft.map");
    fs::create_hard_link(folder_ / "m.map", folder_ / "hard.map");
    fs::create_symlink("new.map", folder_ / "dangling.map");
    fs::create_directory(folder_ / "sub");
    write("m.scen", "version 1\n0\tm.map\t5\t3\t0\t0\t4\t0\t6.828427\n");
    const std::string inside = fs::weakly_canonical(folder_).string();
    for (const std::string& same : {std::string("m.map"), std::string("./m.map"), std::string("sub/../m.map"), inside + "/m.map",
                                    std::string("soft.map"), std::string("hard.map")}) {
        refuses("path m.map --from 0,0 --to 1,1 --profile walker --png '" + same + "'", "is an input of this command");
        refuses("info '" + same + "' --json m.map", "is an input of this command");
        refuses("import m.map -o '" + same + "'", "is an input of this command");
        refuses("scen m.scen --json '" + same + "'", "is the map of m.scen");
    }
    refuses("path m.map --from 0,0 --to 1,1 --profile m.scen --svg m.scen", "is an input of this command");
    const std::pair<const char*, const char*> twice[] = {
        {"p.map", "p.map"}, {"p.map", "./p.map"}, {"sub/p.map", "sub/../sub/p.map"}, {"new.map", "dangling.map"}};
    for (const auto& [map, png] : twice) refuses(std::string("gen maze --size 8 -o ") + map + " --png " + png, "is also written by");
    refuses("crowd run m.map --profile walker --agents 1 --gif a --png a", "is also written by");
    EXPECT_EQ(read("m.map"), kMap);
    for (const char* name : {"p.map", "sub/p.map", "new.map", "a"}) EXPECT_FALSE(fs::exists(folder_ / name)) << name;

    ASSERT_EQ(run("world save m.map -o w.terrane").exit, 0);
    EXPECT_EQ(run("world edit w.terrane --set 0,0,wall -o w.terrane").exit, 0) << "an edit may replace its input";
    EXPECT_EQ(run("world save w.terrane --sector 8 -o w.terrane").exit, 0) << "so may regions";
    EXPECT_EQ(run("info m.map --json /dev/null --png /dev/null").exit, 0) << "devices are not replaced";
}

TEST_F(Arguments, FilesOfOtherKindsAreNamed) {
    const std::pair<std::string, const char*> files[] = {{"\x1f\x8b\x08", "a gzip archive"},
                                                         {"PK\x03\x04", "a zip archive"},
                                                         {"%PDF-1.4\n", "a PDF document"},
                                                         {"\x7f"
                                                          "ELF\x02",
                                                          "an ELF executable"},
                                                         {"\xff\xd8\xff", "a JPEG image"},
                                                         {"\xff\xfet\0y\0", "UTF-16 text"}};
    for (const auto& [bytes, what] : files) {
        write("strange.dat", bytes + "some more bytes, so that every probe has enough");
        for (const char* verb : {"info strange.dat", "path strange.dat --from 0,0 --to 1,1"}) {
            refuses(verb, what);
            refuses(verb, "expected one of MovingAI map (.map)");
        }
    }
}

// ---- Rectangles

TEST_F(Arguments, RectanglesAreACornerAndASize) {
    ASSERT_EQ(run("world save m.map -o w.terrane").exit, 0);
    const Outcome o = run("world edit w.terrane --fill 1,1,3,2,swamp --json e.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    ASSERT_EQ(run("import w.terrane -o after.map").exit, 0);
    EXPECT_EQ(read("after.map"), "type octile\nheight 3\nwidth 5\nmap\n..@..\n.SSS.\n.SSS.\n");
    ASSERT_EQ(run("world edit w.terrane --fill -2,-2,3,3,swamp").exit, 0) << "what lies beyond the map is ignored";
    ASSERT_EQ(run("import w.terrane -o after.map").exit, 0);
    EXPECT_EQ(read("after.map"), "type octile\nheight 3\nwidth 5\nmap\nS.@..\n.SSS.\n.SSS.\n");
    refuses("world edit w.terrane --fill 5,0,1,1,swamp", "is outside the map of 5 x 3 cells");
}

TEST_F(Arguments, CrowdEditsMustTouchTheMap) {
    const std::string crowd = "crowd run m.map --profile walker --agents 1 --ticks 20 --edit ";
    refuses(crowd + "5:9,9,2,2:swamp", "--edit 5:9,9,2,2:swamp is outside the map of 5 x 3 cells");
    refuses(crowd + "5:0,0,0,2:swamp", "expected TICK:X,Y,WIDTH,HEIGHT:TERRAIN as in 50:20,10,11,3:lava");
    refuses(crowd + "5:2,2,1,1:cheese", "this map has no terrain 'cheese'");
    EXPECT_LE(run(crowd + "5:4,2,100,100:swamp").exit, 1) << "partly outside";
}

TEST_F(Arguments, ConcurrentEditsOfOneFileWaitForEachOther) {
    write("wide.map", "type octile\nheight 1\nwidth 20\nmap\n....................\n");
    ASSERT_EQ(run("world save wide.map -o w.terrane").exit, 0);
    fs::create_symlink("w.terrane", folder_ / "link.terrane");
    const Outcome o = shell("for x in $(seq 0 19); do f=w.terrane; [ $((x % 2)) = 1 ] && f=link.terrane; '" TERRANE_BINARY
                            "' world edit $f --set $x,0,swamp >/dev/null & done; wait");
    ASSERT_EQ(o.exit, 0) << o.out;
    ASSERT_EQ(run("import w.terrane -o after.map").exit, 0);
    EXPECT_EQ(read("after.map"), "type octile\nheight 1\nwidth 20\nmap\nSSSSSSSSSSSSSSSSSSSS\n");
}

// ---- Defaults and exit codes

TEST_F(Arguments, PathUsesTheDefaultMethodOfTheLibraryAndNamesIt) {
    const std::string path = "path m.map --from 0,0 --to 4,0 --profile walker --json - ";
    const auto method = [&](const std::string& options) {
        const Outcome o = run(path + options);
        EXPECT_EQ(o.exit, 0) << o.out;
        return nlohmann::json::parse(o.out)["method"];
    };
    EXPECT_EQ(method(""), "regions:16");
    EXPECT_EQ(method("--bound 1.2"), "wastar:1.2");
    EXPECT_EQ(method("--method astar"), "astar");
    EXPECT_NE(run("path m.map --from 0,0 --to 4,0 --profile walker").out.find("method regions:16\n"), std::string::npos);
    EXPECT_NE(run("path --help").out.find("[regions:16; with --bound: weighted A*]"), std::string::npos);
    refuses("path m.map --from 0,0 --to 4,0 --profile walker --heat --png h.png", "--method astar");
    write("m.map.scen", "version 1\n0\tm.map\t5\t3\t0\t0\t4\t0\t6.828427\n");
    const Outcome scen = run("scen m.map.scen --check");
    EXPECT_EQ(scen.exit, 0) << scen.out;
    EXPECT_NE(scen.out.find("regions:16"), std::string::npos) << scen.out;
    EXPECT_NE(scen.out.find("no path shorter than published"), std::string::npos) << scen.out;
}

TEST_F(Arguments, CellsOutsideTheMapAreBadInputInAllVerbs) {
    const std::string outside = "--to 9,9 is outside the map of 5 x 3 cells";
    ASSERT_EQ(run("pathdb build m.map --profile walker -o d.pathdb").exit, 0);
    for (const char* arguments :
         {"path m.map --from 0,0 --to 9,9 --profile walker", "why m.map --from 0,0 --to 9,9 --profile walker",
          "reach m.map --from 0,0 --to 9,9 --profile walker", "reach m.map --from 0,0 --to 1,1 --to 9,9 --profile walker",
          "pathdb path m.map --pathdb d.pathdb --from 0,0 --to 9,9 --profile walker"})
        refuses(arguments, outside);
    refuses("why m.map --from 0,0 --to 1,1 --profile walker --through 9,9,1,1", "outside the map");
    const Outcome blocked = run("reach m.map --from 0,0 --to 2,0 --profile walker");
    EXPECT_EQ(blocked.exit, 1) << blocked.out;
    EXPECT_NE(blocked.out.find("blocked goal"), std::string::npos) << blocked.out;
}

}  // namespace
}  // namespace terrane
