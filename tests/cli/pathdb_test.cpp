// Runs `terrane pathdb`: builds by one process, by shards, after a kill, and by MPI ranks.
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "terrane/base/cost.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

class Pathdb : public Cli {
protected:
    // Generates a map of a few shards, and builds its database by one process on one thread.
    void build_reference() {
        ASSERT_EQ(run("gen rooms --size 40x36 --seed 5 -o r.map").exit, 0);
        const Outcome o = run("pathdb build r.map --profile walker -o alone.pathdb -j 1");
        ASSERT_EQ(o.exit, 0) << o.out;
        EXPECT_FALSE(fs::exists(folder_ / "alone.pathdb.parts"));
    }
    void expect_reference(const std::string& file) {
        EXPECT_TRUE(read(file) == read("alone.pathdb")) << file;
        EXPECT_FALSE(fs::exists(folder_ / (file + ".parts")));
    }
    nlohmann::json json(const std::string& file) const { return nlohmann::json::parse(read(file)); }
};

TEST_F(Pathdb, BuildReportsTheEstimateAndTheResult) {
    write("m.map", kMap);
    const Outcome o = run("pathdb build m.map --profile walker -o m.pathdb --json b.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    EXPECT_NE(o.out.find("m.map for walker, movement eight: 13 cells, paths to all of them\nestimate: "), std::string::npos) << o.out;
    EXPECT_EQ(json("b.json")["nodes"], 13);
    EXPECT_EQ(json("b.json")["targets"], 13);
    EXPECT_EQ(json("b.json")["file_bytes"], fs::file_size(folder_ / "m.pathdb"));
    const Outcome quiet = run("pathdb build m.map --profile walker -o m.pathdb --json -");
    EXPECT_EQ(nlohmann::json::parse(quiet.out)["ranks"], 1) << "the output is JSON only";
}

TEST_F(Pathdb, PathBuildsNoLargeDatabaseImplicitly) {
    ASSERT_EQ(run("gen random --density 0 --size 240x210 -o large.map").exit, 0);
    for (const char* verb : {"path large.map --from 0,0 --to 9,9", "path large.map --from 0,0 --to 9,9 --compare"}) {
        const Outcome o = run(std::string(verb) + " --profile walker --method cpd");
        EXPECT_EQ(o.exit, 2) << o.out;
        EXPECT_NE(o.out.find("run 'terrane pathdb build' first, then pass the file with --pathdb"), std::string::npos) << o.out;
    }
}

TEST_F(Pathdb, BadArgumentsExitWith2AndMakeNothing) {
    write("m.map", kMap);
    write("none.map", "type octile\nheight 1\nwidth 2\nmap\n@@\n");
    write("off.txt", "0 0\n# and\n9 9\n");
    for (const char* arguments : {"build m.map",
                                  "build missing.map -o x",
                                  "build m.map -o x --profile dragon",
                                  "build m.map -o x --encoding best",
                                  "build m.map -o x --order random",
                                  "build m.map -o x --targets 1,1",
                                  "build m.map -o x --targets 9,9,1,1",
                                  "build m.map -o x --targets 0,0,0,1",
                                  "build m.map -o x --targets-file missing.txt",
                                  "build m.map -o x --targets-file off.txt",
                                  "build m.map -o x --targets 0,0,1,1 --targets-file off.txt",
                                  "build m.map -o x --shard 3/3",
                                  "build m.map -o x --shard 1",
                                  "build m.map -o x --max-bytes much",
                                  "build none.map -o x --profile walker",
                                  "info",
                                  "info m.map",
                                  "info missing",
                                  "path m.map --from 0,0 --to 1,1",
                                  "path m.map --pathdb missing --from 0,0 --to 1,1"}) {
        const Outcome o = run(std::string("pathdb ") + arguments);
        EXPECT_EQ(o.exit, 2) << arguments << "\n" << o.out;
        EXPECT_FALSE(o.out.empty()) << arguments;
        EXPECT_FALSE(fs::exists(folder_ / "x") || fs::exists(folder_ / "x.parts")) << arguments;
    }
    EXPECT_NE(run("pathdb build m.map -o x --targets-file off.txt").out.find("off.txt:3: this cell is outside the map"), std::string::npos);
    // Lines that are not two numbers: a number of more than six digits, two in one word, three numbers.
    for (const std::string& line : {std::string("00000101"), std::string("1+1"), std::string("1 1 2")}) {
        write("odd.txt", "0 0\n" + line + "\n");
        const Outcome o = run("pathdb build m.map -o x --targets-file odd.txt");
        EXPECT_EQ(o.exit, 2) << line;
        EXPECT_NE(o.out.find("odd.txt:2: expected a cell: X Y"), std::string::npos) << line << "\n" << o.out;
    }
}

TEST_F(Pathdb, TooLargeBuildsAreRefusedUnlessForced) {
    write("m.map", kMap);
    const Outcome refused = run("pathdb build m.map --profile walker -o m.pathdb --max-bytes 10");
    EXPECT_EQ(refused.exit, 1);
    EXPECT_NE(refused.out.find("estimate: "), std::string::npos) << refused.out;
    EXPECT_NE(refused.out.find("refused: about "), std::string::npos) << refused.out;
    EXPECT_FALSE(fs::exists(folder_ / "m.pathdb") || fs::exists(folder_ / "m.pathdb.parts"));
    EXPECT_EQ(run("pathdb build m.map --profile walker -o m.pathdb --max-bytes 10 --force").exit, 0);
    EXPECT_EQ(run("pathdb build m.map --profile walker -o m.pathdb --max-bytes 1MB").exit, 0);
}

TEST_F(Pathdb, InfoReportsEveryProperty) {
    write("m.map", kMap);
    write("targets.txt", "0 0\n4 0  # the other side\n\n4 1\n");
    ASSERT_EQ(
        run("pathdb build m.map --profile walker --movement four --encoding small --order dfs --targets-file targets.txt -o m.pathdb").exit,
        0);
    const Outcome o = run("pathdb info m.pathdb --verify --json i.json");
    ASSERT_EQ(o.exit, 0) << o.out;
    for (const char* text : {"every byte checked", "5 x 3 cells, 13 passable", "movement   four", "3 cells within 0,0 to 4,1",
                             "encoding   small, order dfs"}) {
        EXPECT_NE(o.out.find(text), std::string::npos) << text << "\n" << o.out;
    }
    EXPECT_EQ(json("i.json")["targets"], 3);
    EXPECT_EQ(json("i.json")["everywhere"], false);
    EXPECT_EQ(json("i.json")["file_bytes"], fs::file_size(folder_ / "m.pathdb"));
    std::string altered = read("m.pathdb");
    altered.back() = static_cast<char>(altered.back() ^ 1);
    write("altered.pathdb", altered);
    EXPECT_EQ(run("pathdb info altered.pathdb").exit, 0) << "its header is intact";
    const Outcome checked = run("pathdb info altered.pathdb --verify");
    EXPECT_EQ(checked.exit, 2);
    EXPECT_NE(checked.out.find("terrane: altered.pathdb: the rows do not match"), std::string::npos) << checked.out;
}

TEST_F(Pathdb, PathsAreReadFromTheDatabase) {
    write("m.map", kMap);
    ASSERT_EQ(run("pathdb build m.map --profile walker -o m.pathdb").exit, 0);
    const std::string query = "pathdb path m.map --pathdb m.pathdb --profile walker --from 0,0 ";
    const Outcome o = run(query + "--to 4,0 --compare --json p.json --png p.png");
    ASSERT_EQ(o.exit, 0) << o.out;
    const auto answer = json("p.json")["answers"][0];
    EXPECT_EQ(answer["cost_cells"], to_real(2 * 200 * 985 * 2 + 2 * 200 * 1393));
    EXPECT_EQ(answer["cost_cells"], answer["optimal_cost_cells"]);
    EXPECT_EQ(answer["path"].back(), nlohmann::json({4, 0}));
    EXPECT_EQ(answer["expansions"], 0);
    EXPECT_EQ(read("p.png").substr(1, 3), "PNG");
    EXPECT_EQ(run(query + "--to 0,0").exit, 0);
    const Outcome none = run(query + "--to 2,0");
    EXPECT_EQ(none.exit, 1);
    EXPECT_NE(none.out.find("blocked goal"), std::string::npos) << none.out;
    ASSERT_EQ(run("pathdb build m.map --profile walker --targets 4,0,1,1 -o one.pathdb").exit, 0);
    EXPECT_EQ(run("pathdb path m.map --pathdb one.pathdb --profile walker --from 0,0 --to 4,0").exit, 0);
    EXPECT_EQ(run("pathdb path m.map --pathdb one.pathdb --profile walker --from 0,0 --to 4,1").exit, 1) << "not covered";
}

TEST_F(Pathdb, DatabasesOfAnotherMapProfileOrRuleAreRefused) {
    write("m.map", kMap);
    write("other.map", "type octile\nheight 3\nwidth 5\nmap\n.....\n..@..\n.....\n");
    write("small.map", "type octile\nheight 1\nwidth 5\nmap\n.....\n");
    ASSERT_EQ(run("pathdb build m.map --profile walker -o m.pathdb").exit, 0);
    for (const auto& [arguments, why] : {std::pair("other.map --profile walker", "another map"),
                                         {"small.map --profile walker", "a map of 5 x 3 cells"},
                                         {"m.map --profile person", "another profile"},
                                         {"m.map --profile walker --movement four", "movement 'eight', not 'four'"}}) {
        const Outcome o = run(std::string("pathdb path ") + arguments + " --pathdb m.pathdb --from 0,0 --to 4,0");
        EXPECT_EQ(o.exit, 2) << o.out;
        EXPECT_NE(o.out.find("terrane: m.pathdb: built for "), std::string::npos) << o.out;
        EXPECT_NE(o.out.find(why), std::string::npos) << o.out;
    }
}

TEST_F(Pathdb, PathsOnAChangedMapAreWithinTheirBound) {
    write("m.map", "type octile\nheight 4\nwidth 6\nmap\n......\n......\n......\n......\n");
    write("now.map", "type octile\nheight 4\nwidth 6\nmap\n..@...\n..@...\n..@...\n......\n");
    ASSERT_EQ(run("pathdb build m.map --profile walker -o m.pathdb").exit, 0);
    const std::string query = "pathdb path m.map --pathdb m.pathdb --profile walker --from 0,0 --to 5,0 --now now.map --strict --compare ";
    for (const char* method : {"cpd", "cpd:1", "cpd:1.1", "cpd/nosp", "cpd/focal", "cpd/branching", "cpd:1/branching"}) {
        const Outcome o = run(query + "--json p.json --method " + method);
        ASSERT_EQ(o.exit, 0) << method << o.out;
        EXPECT_NE(o.out.find("now.map: 3 cells have another cost"), std::string::npos) << o.out;
        const auto answer = json("p.json")["answers"][0];
        EXPECT_GE(answer["ratio"], 1.0);
        EXPECT_LE(answer["ratio"], std::string_view(method).starts_with("cpd:1/") || std::string_view(method) == "cpd:1" ? 1.0 : 1.1);
        EXPECT_LE(answer["lower_bound_cost_cells"], answer["optimal_cost_cells"]);
        EXPECT_GT(answer["lookups"], 0);
    }
    EXPECT_EQ(run(query + "--method astar").exit, 2);
    write("shut.map", "type octile\nheight 4\nwidth 6\nmap\n..@...\n..@...\n..@...\n..@...\n");
    EXPECT_EQ(run("pathdb path m.map --pathdb m.pathdb --profile walker --from 0,0 --to 5,0 --now shut.map").exit, 1);
    write("small.map", "type octile\nheight 1\nwidth 5\nmap\n.....\n");
    EXPECT_EQ(run("pathdb path m.map --pathdb m.pathdb --profile walker --from 0,0 --to 5,0 --now small.map").exit, 2);
}

TEST_F(Pathdb, AnyNumberOfThreadsAndShardsMakeTheSameFile) {
    build_reference();
    ASSERT_EQ(run("pathdb build r.map --profile walker -o threads.pathdb -j 4").exit, 0);
    expect_reference("threads.pathdb");
    for (const char* shard : {"2/3", "0/3", "1/3"}) {
        const Outcome o = run(std::string("pathdb build r.map --profile walker -o shards.pathdb --json s.json --shard ") + shard);
        ASSERT_EQ(o.exit, 0) << o.out;
        EXPECT_FALSE(fs::exists(folder_ / "shards.pathdb"));
    }
    EXPECT_EQ(json("s.json")["shards_finished"], json("s.json")["shards_total"]);
    ASSERT_EQ(run("pathdb build r.map --profile walker -o shards.pathdb --json s.json").exit, 0);
    EXPECT_EQ(json("s.json")["shards_kept"], json("s.json")["shards"]) << "all shards existed already";
    expect_reference("shards.pathdb");
}

TEST_F(Pathdb, KilledBuildsResume) {
    build_reference();
    for (const char* signal : {"KILL", "INT"}) {
        for (const char* after : {"0.02", "0.05", "0.1", "0.2"}) {
            const Outcome o = shell(std::string("timeout -s ") + signal + " " + after +
                                    " '" TERRANE_BINARY "' pathdb build r.map --profile walker -o killed.pathdb -j 1");
            if (!fs::exists(folder_ / "killed.pathdb")) continue;
            EXPECT_TRUE(read("killed.pathdb") == read("alone.pathdb")) << "a partial file: " << o.out;
            fs::remove(folder_ / "killed.pathdb");
        }
        ASSERT_EQ(run("pathdb build r.map --profile walker -o killed.pathdb").exit, 0);
        expect_reference("killed.pathdb");
        fs::remove(folder_ / "killed.pathdb");
    }
}

TEST_F(Pathdb, DamagedOrForeignShardsAreRebuilt) {
    build_reference();
    ASSERT_EQ(run("pathdb build r.map --profile walker -o f.pathdb --shard 0/2").exit, 0);
    std::string damaged = read("f.pathdb.parts/shard-0002");
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 1);
    write("f.pathdb.parts/shard-0002", damaged);
    ASSERT_EQ(run("pathdb build r.map --profile walker --movement four -o f.pathdb --shard 1/4").exit, 0)
        << "another build in the same folder";
    ASSERT_EQ(run("pathdb build r.map --profile walker -o f.pathdb").exit, 0);
    expect_reference("f.pathdb");
}

TEST_F(Pathdb, AnyNumberOfRanksMakesTheSameFile) {
#ifdef TERRANE_MPI_BINARY
    build_reference();
    // Open MPI refuses to run as root, or with more ranks than cores, without these settings. It leaks, so leak detection is off.
    const std::string mpi =
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 "
        "ASAN_OPTIONS=\"$ASAN_OPTIONS:detect_leaks=0\" '" TERRANE_MPIEXEC "' -n ";
    const std::string command = " '" TERRANE_MPI_BINARY "' pathdb build r.map --profile walker ";
    for (const char* ranks : {"1", "2", "3"}) {
        const Outcome o = shell(mpi + ranks + command + "-o ranks.pathdb --json m.json");
        ASSERT_EQ(o.exit, 0) << o.out;
        EXPECT_EQ(json("m.json")["ranks"], std::stoi(ranks));
        expect_reference("ranks.pathdb");
        fs::remove(folder_ / "ranks.pathdb");
    }
    ASSERT_EQ(run("pathdb build r.map --profile walker -o ranks.pathdb --shard 1/3").exit, 0);
    ASSERT_EQ(shell(mpi + "2" + command + "-o ranks.pathdb -j 2").exit, 0) << "reuses the shards of other commands";
    expect_reference("ranks.pathdb");
    EXPECT_EQ(shell(mpi + "2" + command + "-o x.pathdb --max-bytes 10").exit, 1) << "all ranks end";
    EXPECT_EQ(shell(mpi + "2" + command).exit, 2);
    EXPECT_FALSE(fs::exists(folder_ / "x.pathdb.parts"));
#else
    GTEST_SKIP() << "terrane-mpi was not built: no MPI was found";
#endif
}

}  // namespace
}  // namespace terrane
