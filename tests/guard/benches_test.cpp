// Runs every bench of `terrane bench` at its smallest size, compares its rows and the published ones, without times, and validates its
// JSON.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "guard/expected.h"
#include "guard/small_maps.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/io/map_file.h"
#include "terrane/io/scenario.h"

namespace terrane::guard {
namespace {

constexpr std::array kBenchNames = {
    "cpd-ageing",       "cpd-build",      "cpd-table1",      "cpd-table2", "crowd",      "crowd-flow", "crowd-mapf",   "crowd-swarm",
    "distances",        "dta-cost-range", "dta-figures",     "dta-reimpl", "dta-table1", "dta-table2", "dta-workload", "frames",
    "heuristics",       "minimal-memory",
#ifdef TERRANE_HAS_NAVMESH
    "navmesh",
#endif
    "weighted-regions", "overlay",        "overlay-scaling", "pra",        "any-angle",  "search",     "uniform"};

// Benches whose bytes are the size of an encoding. In other benches, bytes depend on the machine's pointers and allocator.
constexpr std::array kBytesCompared = {"cpd-build", "dta-table1", "minimal-memory"};

// Whether a metric is a time or computed from times. Metric names are words joined by underscores.
bool is_time(const std::string& bench, std::string_view metric) {
    static const std::set<std::string_view> kTimes = {"ms", "us", "ns", "speedup", "second"};
    static const std::set<std::string_view> kFromTimes = {"pays_after", "take", "take_strict"};
    if (kFromTimes.contains(metric)) return true;
    for (bool more = true; more;) {
        const size_t end = metric.find('_');
        const std::string_view word = metric.substr(0, end);
        if (kTimes.contains(word)) return !(bench == "crowd" && word == "second");  // expansions per simulated second
        if (word == "bytes" && std::ranges::count(kBytesCompared, bench) == 0) return true;
        more = end != std::string_view::npos;
        if (more) metric.remove_prefix(end + 1);
    }
    return false;
}

struct Finished {
    int exit = -1;
    std::string out;
};

Finished run_command(const std::string& command) {
    Finished done;
    FILE* pipe = popen((command + " </dev/null 2>&1").c_str(), "r");
    char buffer[4096];
    for (size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) done.out.append(buffer, n);
    done.exit = WEXITSTATUS(pclose(pipe));
    return done;
}

// Runs in `folder`, where benches write their pictures.
Finished run_bench(const std::string& folder, const std::string& arguments) {
    return run_command("cd '" + folder + "' && '" TERRANE_BENCH_BINARY "' " + arguments);
}

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

// Numbers rows of the same name.
void add_bench_rows(const std::string& bench, const char* part, const Metrics& rows, Expected& expected) {
    std::map<std::string, int> names;
    for (const Metrics& row : rows) {
        std::string name = std::string(part) + row["method"].get<std::string>();
        for (const auto& [key, value] : row["case"].items())
            name += " " + key + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
        if (const int before = names[name]++; before > 0) name += " (" + std::to_string(before + 1) + ")";
        Metrics metrics = Metrics::object();
        for (const auto& [metric, value] : row["metrics"].items()) {
            if (!is_time(bench, metric)) metrics[metric] = rounded(value.is_number() ? value.get<double>() : 0);
        }
        expected.add(name, metrics);
    }
}

// Writes the input of crowd-mapf: a map and a scenario in the form of the public benchmark.
void write_mapf_instance(const std::string& folder) {
    const World world(generate_random({.width = 40, .height = 40, .seed = 5, .density = 10}).value());
    const CostTable costs = Profile::preset("walker")->compile(world.grid().catalogue()).value();
    const std::vector<CrowdPlace> places = random_places(world.snapshot(), {&costs, 1}, Movement::kFour, 200, 7).value();
    Scenario scenario;
    for (const CrowdPlace& place : places)
        scenario.problems.push_back({.map = "small.map", .width = 40, .height = 40, .start = place.start, .goal = place.goal});
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(save_map(folder + "/small.map", world.grid()));
    ASSERT_TRUE(save_scenario(folder + "/small-random-1.scen", scenario));
}

TEST(GuardBenches, RowsAreAsInTheFiles) {
    const TemporaryFolder folder;
    write_mapf_instance(folder / "mapf");
    std::string reports;
    for (const std::string bench : kBenchNames) {
        SCOPED_TRACE("terrane bench " + bench);
        const std::string file = bench + ".json";
        const Finished done =
            run_bench(folder.path(), bench + " --quick --tiny --json " + file + (bench == "crowd-mapf" ? " --maps mapf" : ""));
        ASSERT_EQ(done.exit, 0) << done.out;
        reports += " '" + folder / file + "'";
        const auto text = read_file(folder / file, size_t{1} << 24);
        ASSERT_TRUE(text);
        const Metrics report = Metrics::parse(*text);
        Expected expected("bench_" + bench);
        add_bench_rows(bench, "", report["rows"], expected);
        add_bench_rows(bench, "paper: ", report["paper"], expected);
        EXPECT_GT(report["rows"].size(), 0u);
        expected.compare();
    }
    const Finished valid = run_command("/usr/bin/python3 '" TERRANE_SOURCE_DIR "/tests/cli/json_schema.py' --reports '" TERRANE_SOURCE_DIR
                                       "/docs/json.schema.json'" +
                                       reports);
    EXPECT_TRUE(valid.exit == 0 || valid.exit == 77) << valid.out;  // 77: no jsonschema
}

// A plot without rows fails: the script names the metrics and cases that it draws.
TEST(GuardBenches, EveryPlotIsDrawnFromTheReportOfItsBench) {
    const std::string plot = "'" TERRANE_SOURCE_DIR "/tools/plot'";
    if (run_command("/usr/bin/python3 -c 'import matplotlib'").exit != 0) GTEST_SKIP() << "no matplotlib for /usr/bin/python3";
    const TemporaryFolder folder;
    const std::vector<std::string> benches = words_of(run_command(plot + " --benches").out);
    EXPECT_GT(benches.size(), 5u);
    for (const std::string& bench : benches) {
        SCOPED_TRACE("terrane bench " + bench);
        const Finished measured = run_bench(folder.path(), bench + " --quick --tiny --json report.json");
        ASSERT_EQ(measured.exit, 0) << measured.out;
        const Finished drawn = run_command(plot + " '" + folder / "report.json" + "' --out '" + folder / "plots" + "'");
        ASSERT_EQ(drawn.exit, 0) << drawn.out;
        const std::vector<std::string> files = words_of(drawn.out);
        EXPECT_GT(files.size(), 0u);
        for (const std::string& file : files) {
            const auto svg = read_file(file, size_t{1} << 24);
            ASSERT_TRUE(svg) << drawn.out;
            EXPECT_TRUE(svg->starts_with("<?xml") && svg->ends_with("</svg>\n")) << file;
        }
    }
    write_file(folder / "report.json", R"({"bench": "pra", "rows": [], "paper": []})").value();
    const Finished empty = run_command(plot + " '" + folder / "report.json" + "' --out '" + folder / "plots" + "'");
    EXPECT_EQ(empty.exit, 1);
    EXPECT_NE(empty.out.find("the report has no rows for the plot cliques-nodes"), std::string::npos) << empty.out;
}

// Compares with the list of the program.
TEST(GuardBenches, EveryBenchIsInTheTable) {
    const std::string help = run_bench(testing::TempDir(), "--help").out;
    size_t at = help.find("Benches:\n");
    ASSERT_NE(at, std::string::npos) << help;
    size_t listed = 0;
    for (at += 9; help.compare(at, 2, "  ") == 0; at = help.find('\n', at) + 1, ++listed) {
        const std::string name = help.substr(at + 2, help.find(' ', at + 2) - at - 2);
        EXPECT_EQ(std::ranges::count(kBenchNames, name), 1) << name << " is not in the table of tests/guard/benches_test.cpp";
    }
    EXPECT_EQ(listed, kBenchNames.size());
}

}  // namespace
}  // namespace terrane::guard
