// The bench harness: bench/contest.h, measurements.h, samples.h.
#include "bench/contest.h"

#include <gtest/gtest.h>

#include <cmath>

namespace terrane {
namespace {

// Answers problem i with a cost, in times that follow from the number of calls: no clock is read.
class Scripted final : public Runner {
public:
    Scripted(std::vector<double> costs, std::vector<double> times, int& solved)
        : costs_(std::move(costs)), times_(std::move(times)), solved_(solved) {}

    void solve(size_t /*problem*/, Lap& /*lap*/) override {
        time_.ms = times_[static_cast<size_t>(solved_++) % times_.size()];
        time_.cpu_ms = time_.ms / 2;
    }
    Result<Answer> answer(size_t problem, NamedSamples& extras) override {
        extras["steps"].add(static_cast<double>(problem));
        return Answer{costs_[problem] >= 0, costs_[problem], 10};
    }
    const Times* own_times(size_t /*problem*/) const override { return &time_; }

private:
    std::vector<double> costs_, times_;
    int& solved_;
    Times time_;
};

// Counts its calls of solve().
struct Counted {
    std::string method;
    std::vector<double> costs;
    std::vector<double> times = {1};
    double guarantee = kNoGuarantee;
    size_t sample = SIZE_MAX;
    int solved = 0;

    Contender contender() {
        return {.method = method,
                .open = [this]() -> Result<Opened> {
                    return Opened{std::make_unique<Scripted>(costs, times, solved), 7.0, 100.0};
                },
                .guarantee = guarantee,
                .sample = sample};
    }
};

ContestScene scene_of(size_t problems) { return {.name = "scene", .label = {{"map", "m"}}, .problems = problems}; }

std::string error_of(Contest& contest, std::vector<Contender> contenders, size_t problems) {
    const auto done = contest.run(scene_of(problems), contenders);
    return done ? "no error" : done.error().message();
}

double metric(const std::vector<ReportRow>& rows, const std::string& method, const std::string& name) {
    for (const ReportRow& row : rows) {
        for (const auto& [metric, value] : row.metrics) {
            if (row.method == method && metric == name) return value;
        }
    }
    return std::nan("");
}

TEST(Contest, AWrongAnswerIsFoundBeforeTheNextProblemIsTimed) {
    Counted best{"best", {10, 20, 30}}, wrong{"wrong", {10, 19, 30}};
    Contest contest;
    EXPECT_EQ(error_of(contest, {best.contender(), wrong.contender()}, 3), "scene: wrong problem 1: cost 19 is below the optimum 20");
    EXPECT_EQ(wrong.solved, 2);
    EXPECT_TRUE(contest.rows().empty());
}

TEST(Contest, AnAnswerAboveTheGuaranteeIsAnError) {
    Counted best{"best", {10}}, bounded{"bounded", {15.1}};
    bounded.guarantee = 1.5;
    Contest contest;
    EXPECT_EQ(error_of(contest, {best.contender(), bounded.contender()}, 1),
              "scene: bounded problem 0: cost 15.1 exceeds 1.5 times the optimum 10");
}

TEST(Contest, AMissingOrAnImpossiblePathIsAnError) {
    Counted best{"best", {10, -1}}, none{"none", {-1, -1}}, magic{"magic", {10, 5}};
    Contest contest;
    EXPECT_EQ(error_of(contest, {best.contender(), none.contender()}, 2), "scene: none problem 0: found no path");
    EXPECT_EQ(error_of(contest, {best.contender(), magic.contender()}, 2), "scene: magic problem 1: found a path where there is none");
}

TEST(Contest, TheBestPassAfterTheCheckedOneCounts) {
    Counted best{"best", {10}, {1, 9, 4, 6}};  // checked in 1 ms, which does not count
    Contest contest({.passes = 3});
    EXPECT_EQ(error_of(contest, {best.contender()}, 1), "no error");
    EXPECT_EQ(best.solved, 4);
    EXPECT_EQ(metric(contest.rows(), "best", "ms_mean"), 4);
    EXPECT_EQ(metric(contest.rows(), "best", "cpu_ms_mean"), 2);
}

TEST(Contest, WithOnePassTheCheckedAnswersAreTimed) {
    Counted best{"best", {10, 20}, {3, 5}};
    Contest contest({.passes = 1});
    EXPECT_EQ(error_of(contest, {best.contender()}, 2), "no error");
    EXPECT_EQ(best.solved, 2);
    EXPECT_EQ(metric(contest.rows(), "best", "ms_mean"), 4);
}

TEST(Contest, LongProblemsButTheFirstAreNotRepeated) {
    Counted best{"best", {10, 20}, {500}};
    Contest contest({.passes = 3, .once_ms = 100});
    EXPECT_EQ(error_of(contest, {best.contender()}, 2), "no error");
    EXPECT_EQ(best.solved, 5);
}

TEST(Contest, SpeedupsAndRatiosAreOverTheSameProblems) {
    Counted best{"best", {10, 20, 30, 40}, {8}}, sampled{"sampled", {11, 20, 36, 40}, {2}};
    sampled.sample = 2;  // problems 0 and 2
    Contest contest;
    EXPECT_EQ(error_of(contest, {best.contender(), sampled.contender()}, 4), "no error");
    const auto rows = contest.rows();
    EXPECT_EQ(metric(rows, "sampled", "problems"), 2);
    EXPECT_EQ(metric(rows, "sampled", "speedup"), 4);
    EXPECT_DOUBLE_EQ(metric(rows, "sampled", "ratio_mean"), (1.1 + 1.2) / 2);
    EXPECT_DOUBLE_EQ(ratio_of_sums(contest.results().at("sampled", {{"map", "m"}})), 47.0 / 40);
    EXPECT_EQ(metric(rows, "sampled", "build_ms"), 7);
    EXPECT_EQ(metric(rows, "sampled", "steps"), 1);
}

TEST(Contest, ProblemsThatTheReferenceDidNotSolveAreNotCompared) {
    Counted best{"best", {10, 20}}, other{"other", {10, 5}};
    best.sample = 1;
    Contest contest;
    EXPECT_EQ(error_of(contest, {best.contender(), other.contender()}, 2), "no error");
    EXPECT_EQ(metric(contest.rows(), "other", "problems"), 2);
    EXPECT_EQ(metric(contest.rows(), "other", "ratio_max"), 1);
}

TEST(Contest, WithoutAnOptimalReferenceCostsAreNotCompared) {
    Counted first{"first", {10}}, cheaper{"cheaper", {5}};
    Contest contest({.first_costs = FirstCosts::kUnrelated});
    EXPECT_EQ(error_of(contest, {first.contender(), cheaper.contender()}, 1), "no error");
    EXPECT_EQ(metric(contest.rows(), "cheaper", "cost_cells"), 5);
    EXPECT_TRUE(std::isnan(metric(contest.rows(), "cheaper", "ratio_mean")));
}

TEST(Contest, CostsMayBeBelowThoseOfAReferenceThatIsNotOptimal) {
    Counted first{"first", {10, -1, 20}}, cheaper{"cheaper", {5, 7, 30}};
    Contest contest({.first_costs = FirstCosts::kReference, .cost_metric = "cost_metres"});
    EXPECT_EQ(error_of(contest, {first.contender(), cheaper.contender()}, 3), "no error");
    EXPECT_DOUBLE_EQ(metric(contest.rows(), "cheaper", "ratio_mean"), 1) << "only where the reference has a path";
    EXPECT_EQ(metric(contest.rows(), "cheaper", "ratio_max"), 1.5);
    EXPECT_EQ(metric(contest.rows(), "cheaper", "cost_metres"), 14);
    EXPECT_TRUE(std::isnan(metric(contest.rows(), "cheaper", "cost_cells")));
}

TEST(Contest, GroupsAreRowsAndMergeWithoutTheirKey) {
    Counted best{"best", {10, 20, 30}};
    ContestScene scene = scene_of(3);
    scene.group = [](size_t, const Answer& optimum) { return nlohmann::ordered_json{{"length", optimum.cost < 25 ? "short" : "long"}}; };
    Contest contest;
    ASSERT_TRUE(contest.run(scene, {best.contender()}));
    EXPECT_EQ(contest.rows().size(), 2u);
    EXPECT_EQ(contest.results().at("best", {{"map", "m"}, {"length", "short"}}).problems, 2u);
    const auto merged = contest.results().without("length").rows();
    ASSERT_EQ(merged.size(), 1u);
    EXPECT_EQ(metric(merged, "best", "problems"), 3);
    EXPECT_EQ(metric(merged, "best", "cost_cells"), 20);
}

TEST(Contest, AProblemMayCountInSeveralRows) {
    Counted best{"best", {10, 20, 30}};
    ContestScene scene = scene_of(3);
    scene.group = [](size_t problem, const Answer&) {
        auto groups = nlohmann::ordered_json::array({{{"length", "all"}}});
        if (problem > 0) groups.push_back({{"length", "longer"}});
        return groups;
    };
    Contest contest;
    ASSERT_TRUE(contest.run(scene, {best.contender()}));
    EXPECT_EQ(contest.results().at("best", {{"map", "m"}, {"length", "all"}}).problems, 3u);
    EXPECT_EQ(contest.results().at("best", {{"map", "m"}, {"length", "longer"}}).cost_cells.mean(), 25);
}

// Differences from the ratio times the own value: theirs - 2 * ours is 0, -1, 1.
TEST(Comparison, HasTheConfidenceIntervalOfItsRatio) {
    Comparison comparison;
    for (const auto& [theirs, ours] : {std::pair(2.0, 1.0), std::pair(3.0, 2.0), std::pair(7.0, 3.0)}) comparison.add(theirs, ours);
    EXPECT_EQ(comparison.ratio(), 2);
    EXPECT_NEAR(comparison.ratio_95(), 1.96 * std::sqrt((0.0 + 1 + 1) / 2 / 3) / 2, 1e-12);
    EXPECT_NEAR(mean_95(Samples({1, 2, 3})), 1.96 * std::sqrt((1.0 + 0 + 1) / 2 / 3), 1e-12);
    EXPECT_TRUE(std::isnan(mean_95(Samples({1}))));
}

TEST(MeasuredRows, ShowsStatisticsOnlyWhereThereAreSamples) {
    MeasuredRows rows;
    rows.show("repair_ms", {"p50", "max"});
    rows.at("with", {}).repair_ms.add(Samples({1, 2, 6}));
    rows.at("without", {})["edits"].add(3);
    EXPECT_EQ(metric(rows.rows(), "with", "repair_ms"), 3);
    EXPECT_EQ(metric(rows.rows(), "with", "repair_ms_p50"), 2);
    EXPECT_EQ(metric(rows.rows(), "with", "repair_ms_max"), 6);
    EXPECT_EQ(rows.rows()[1].metrics, (Metrics{{"edits", 3}}));
}

TEST(Samples, QuantilesAreNearestValues) {
    const Samples samples({5, 1, 4, 2, 3});
    EXPECT_EQ(samples.quantile(0), 1);
    EXPECT_EQ(samples.statistic("p50"), 3);
    EXPECT_EQ(samples.statistic("p999"), 5);
    EXPECT_EQ(samples.mean(), 3);
    EXPECT_TRUE(std::isnan(Samples().mean()));
    EXPECT_TRUE(std::isnan(Samples().max()));
}

TEST(BestTimes, KeepTheBestPassOfEachStep) {
    BestTimes best;
    for (const std::vector<double>& pass : {std::vector<double>{3, 8}, {5, 2}}) {
        for (const double ms : pass) best.add(ms);
        best.restart();
    }
    EXPECT_EQ(best.samples().values(), (std::vector<double>{3, 2}));
}

}  // namespace
}  // namespace terrane
