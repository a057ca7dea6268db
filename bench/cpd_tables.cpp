// `terrane bench cpd-table1` and `cpd-table2`: the two experiments of "Dynamic Pathfinding in Video Games" (Shi, Harabor, Maheo). Searches
// run on maps that received obstacles after the path database was built, within 1.10 times the optimum. cpd_experiment.h places obstacles.
//
// We read the radius of an obstacle as a number of hops. On every 25th problem of 30 DAO maps that accepts 56.9% in experiment 1 and 32.3%
// in experiment 2; Euclidean distance accepts 61.5% and 33.2%, the paper 54.2% and 33.3%. The rows report both readings.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>

#include "bench/cpd_experiment.h"
#include "bench/progress.h"

namespace terrane {

namespace cpd_tables_bench {
namespace {

constexpr Weight kBound{11, 10};
constexpr Ball kBall = Ball::kHops;

struct Experiment {
    const char* bench;
    uint32_t percent;
};
constexpr Experiment kFirst{"cpd-table1", 0}, kSecond{"cpd-table2", 15};

// ---- Measuring

// The instances of a map. Those of other readings of the radius are only counted.
std::vector<CpdInstance> place_all(const CpdScene& scene, const Experiment& experiment, MeasuredRows& obstacles) {
    std::vector<CpdInstance> out;
    Progress progress(scene.family + " " + scene.name + ": obstacles", scene.problems.size());
    for (const auto& problem : scene.problems) {
        for (const Ball ball : {Ball::kHops, Ball::kEuclid}) {
            Measurements& row = obstacles.at("obstacles", {{"maps", scene.family}, {"ball", to_string(ball)}});
            auto instance = place_obstacles(scene, problem, experiment.percent, ball);
            ++row.problems;
            row["accepted"].add(instance ? 1 : 0);
            if (!instance) continue;
            ++row.solved;
            row["beyond"].add(instance->optimal * kBound.denominator > instance->original * kBound.numerator ? 1 : 0);
            if (ball == kBall) out.push_back(std::move(*instance));
        }
        progress.advance();
    }
    return out;
}

// Times a query and its path. Finding the map's changes is not included: it is done once for all queries.
Result<void> measure(const CpdScene& scene, const Experiment& experiment, Contest& contest, MeasuredRows& obstacles) {
    const auto database = build_for(scene);
    if (!database) return database.error();
    const std::vector<CpdInstance> instances = place_all(scene, experiment, obstacles);
    std::vector<Perturbation> perturbations;
    perturbations.reserve(instances.size());
    std::vector<CpdProblem> problems;
    for (const CpdInstance& i : instances) {
        perturbations.emplace_back(*database, i.now);
        problems.push_back({i.start, i.goal, &perturbations.back(), i.optimal});
    }
    ChangedMap map({scene.grid, scene.costs, Movement::kEightNoCornerCutting}, false);
    std::vector<Contender> contenders;
    for (const CpdMethod& method : kCpdMethods)
        contenders.push_back(cpd_contender(method, {method.variant, kBound, false}, *database, problems, map, true));
    return contest.run(cpd_contest_scene(scene.name, {{"maps", scene.family}}, problems), contenders);
}

// ---- The paper's rows

using PaperRow = std::array<double, 8>;  // quartiles and mean of milliseconds, then of expansions

struct PaperFamily {
    const char* maps;
    double instances;
    double problems;  // 0: unknown
    std::array<PaperRow, kCpdMethods.size()> rows;
};

constexpr PaperFamily kTable1[] = {
    {"DAO",
     86168,
     159000,
     {{{0.1444, 1.0284, 4.4480, 3.6352, 224, 1716, 6933, 5656.0434},
       {0.0883, 0.6045, 2.5364, 2.7777, 82, 674, 3637, 4873.9047},
       {0.0515, 0.2677, 1.0155, 2.1336, 10, 32, 296, 3216.0227},
       {0.0684, 0.3565, 1.1968, 1.9807, 16, 52, 238, 2322.7684},
       {0.0648, 0.2891, 0.9688, 1.0916, 5, 10, 48, 782.5864}}}},
    {"WC3",
     55256,
     0,
     {{{0.7952, 2.8244, 5.9796, 4.0559, 814, 3261.5, 7062.25, 4652.0796},
       {0.4336, 1.231, 2.250, 1.7058, 210, 855, 2317, 2046.64},
       {0.2151, 0.4946, 0.7640, 0.6000, 15, 30, 50, 148.8786},
       {0.2981, 0.6344, 0.9538, 0.7101, 21, 38, 53, 71.3175},
       {0.2284, 0.5081, 0.7701, 0.5620, 4, 5, 6, 36.7413}}}},
    {"DA2",
     34154,
     0,
     {{{0.1071, 0.5411, 2.0530, 1.4639, 173, 1031, 3755, 2651.0535},
       {0.0693, 0.3638, 1.4655, 1.3507, 73, 553, 2844, 2659.4576},
       {0.0421, 0.1711, 1.0373, 1.1076, 10, 35, 1857.75, 1872.5753},
       {0.05637, 0.2152, 0.8537, 1.0617, 16, 60, 665, 1426.0440},
       {0.0419, 0.1294, 0.6514, 1.0765, 5, 15, 128, 1197.9411}}}},
    {"Rooms",
     72176,
     0,
     {{{1.1908, 3.5281, 8.0156, 6.5631, 1182, 4220, 10063.25, 8239.8466},
       {0.8667, 1.7838, 3.9868, 4.4759, 536, 1622, 5255, 5992.7210},
       {0.5031, 0.8632, 2.7548, 3.9119, 45, 179, 3434, 4752.4454},
       {0.6733, 1.5899, 4.8110, 4.7323, 88, 487, 1880, 2754.9014},
       {0.5756, 1.0969, 3.1325, 4.2567, 9, 44, 326.5, 2423.3055}}}},
    {"Mazes",
     59041,
     0,
     {{{2.2209, 13.4103, 29.5315, 18.4086, 3406, 19442, 39507, 24356.0220},
       {1.2948, 4.0600, 6.8108, 4.6814, 1080, 3543, 8406, 6230.3124},
       {0.4349, 1.0649, 1.5982, 1.0756, 27, 52, 70, 136.4209},
       {0.5393, 1.2880, 1.8858, 1.3110, 41, 73, 120, 151.0278},
       {0.6374, 1.1552, 1.6056, 1.1648, 6, 8, 10, 61.0495}}}},
};

constexpr PaperFamily kTable2[] = {
    {"DAO",
     52994,
     159000,
     {{{0.2257, 1.5472, 6.3717, 5.1855, 440, 2890, 11292.75, 8955.6108},
       {0.2064, 1.5988, 6.9065, 5.5735, 416, 3230, 13804, 10923.2367},
       {0.2016, 1.4428, 6.4694, 5.4374, 346, 2482.5, 10782.5, 8859.0063},
       {0.2288, 1.6594, 7.2204, 5.9881, 297, 2058, 9009, 7362.8974},
       {0.2900, 1.8802, 7.8538, 6.4591, 290, 2036, 8949, 7321.8748}}}},
    {"WC3",
     54930,
     0,
     {{{4.5235, 17.4584, 37.9798, 24.7890, 6098.5, 22887.5, 48050.75, 31205.7816},
       {4.5100, 18.7757, 42.9921, 29.3423, 7459.5, 33034, 78956.75, 56318.98},
       {3.2454, 12.2471, 26.8529, 18.0109, 4193, 15643, 32799, 21528.5831},
       {3.8315, 14.1875, 30.5568, 20.7191, 3364.25, 12477.5, 26143, 17384.1859},
       {3.6523, 13.0869, 27.4052, 18.5209, 3312.25, 12277, 25626.75, 17042.6905}}}},
    {"DA2",
     20293,
     0,
     {{{0.1659, 0.7730, 2.7495, 1.7637, 321, 1611, 5398, 3499.3343},
       {0.1478, 0.7508, 2.8225, 1.9345, 302, 1715, 5970, 4192.1684},
       {0.1511, 0.7721, 2.9311, 1.9159, 250, 1512, 5393, 3548.0450},
       {0.1671, 0.8662, 3.3205, 2.1486, 218, 1282, 4578, 3064.7706},
       {0.2152, 1.0845, 3.9170, 2.4945, 212, 1283, 4548, 3051.4203}}}},
    {"Rooms",
     64020,
     0,
     {{{5.8221, 22.9227, 52.6085, 32.6960, 9185.75, 33837, 73443, 45571.0538},
       {5.3547, 20.8479, 48.4040, 30.6577, 8896.5, 33521, 75906, 48484.0258},
       {5.5204, 21.8831, 53.3117, 38.3008, 8238.75, 31595.5, 73989.5, 60854.28},
       {7.4893, 30.9623, 72.2652, 45.9588, 6706, 22787, 48361.5, 31186.7727},
       {8.0138, 30.9655, 70.7227, 45.9739, 6061, 20656, 43900.75, 28403.4312}}}},
    {"Mazes",
     8154,
     0,
     {{{0.0864, 0.4591, 1.7051, 1.4543, 144, 875, 3104.75, 2510.8889},
       {0.0772, 0.4367, 1.7110, 1.5349, 130.25, 857, 3264.5, 2929.3164},
       {0.0792, 0.3862, 1.3670, 1.1956, 109, 634, 2195, 1818.6837},
       {0.0884, 0.4383, 1.5742, 1.3960, 97, 554, 1957.75, 1644.9327},
       {0.1152, 0.5105, 1.6654, 1.4536, 94, 539, 1927, 1621.9207}}}},
};

std::vector<ReportRow> paper_rows(std::span<const PaperFamily> table) {
    constexpr const char* kNames[] = {"ms_p25",         "ms_p50",         "ms_p75",         "ms_mean",
                                      "expansions_p25", "expansions_p50", "expansions_p75", "expansions"};
    std::vector<ReportRow> out;
    for (const PaperFamily& family : table) {
        for (size_t m = 0; m < kCpdMethods.size(); ++m) {
            const PaperRow& values = family.rows[m];
            ReportRow row{kCpdMethods[m].name, {{"maps", family.maps}, {"algorithm", kCpdMethods[m].paper}}, {}};
            for (size_t i = 0; i < values.size(); ++i) row.metrics.emplace_back(kNames[i], values[i]);
            row.metrics.emplace_back("speedup", family.rows[0][3] / values[3]);
            row.metrics.emplace_back("problems", family.instances);
            out.push_back(std::move(row));
        }
        if (family.problems == 0) continue;
        out.push_back(
            {"obstacles", {{"maps", family.maps}}, {{"problems", family.problems}, {"accepted", family.instances / family.problems}}});
    }
    return out;
}

CpdScale scale_for(const BenchOptions& options) {
    if (options.quick) return {.maps = 2, .problems = 30, .max_cells = 4000, .window = 48};
    return {.maps = 4, .problems = 250, .max_cells = 24000, .window = options.maps.empty() ? 128 : 192};
}

Result<Report> run(const BenchOptions& options, const Experiment& experiment, std::span<const PaperFamily> table) {
    const auto scenes = cpd_scenes(options, scale_for(options));
    if (!scenes) return scenes.error();
    Contest contest({.passes = 3, .first_costs = FirstCosts::kUnrelated});
    contest.results().show("ms", {"p25", "p75"});
    contest.results().show("expansions", {"p25", "p50", "p75"});
    MeasuredRows obstacles;
    for (const CpdScene& scene : *scenes) {
        if (const auto done = measure(scene, experiment, contest, obstacles); !done) return done.error();
    }
    Report report{experiment.bench, contest.rows(), paper_rows(table)};
    report.add(contest.results().without("maps", "all").rows());
    report.add(obstacles.rows());
    report.notes.push_back("Maps: " + cpd_scene_names(*scenes) + ".");
    report.notes.push_back(
        "Obstacles are balls of hops. Rows 'obstacles': accepted is the share of problems that became instances, for each "
        "reading of the radius; beyond is the share of those whose optimal path costs more than 1.10 times the original, so "
        "that the search must raise the lower bound. speedup: over 'cpd'. walked: share of problems solved without an expansion.");
    return report;
}

}  // namespace
}  // namespace cpd_tables_bench

Result<Report> bench_cpd_table1(const BenchOptions& options) {
    using namespace cpd_tables_bench;
    return run(options, kFirst, kTable1);
}
Result<Report> bench_cpd_table2(const BenchOptions& options) {
    using namespace cpd_tables_bench;
    return run(options, kSecond, kTable2);
}

}  // namespace terrane
