// The rows of a bench while it measures: one row for each method and case, with the standard metrics and those of the bench.
//
//   MeasuredRows rows;
//   for (const BenchScene& scene : scenes) {
//       Measurements& row = rows.at("dta:16", {{"map", scene.name}});
//       row.build_ms.add(best_ms(3, [&] { return TerrainRegions::build(scene.grid); }));
//       row["cells_moved"].add(repair.cells_moved);
//   }
//   report.add(rows.rows());
//
// Contests (contest.h) fill such rows with the answers and times of queries.
#pragma once
#include <deque>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/report.h"
#include "bench/samples.h"

namespace terrane {

// Samples by name, in order of first use.
class NamedSamples {
public:
    Samples& operator[](std::string_view name);
    const Samples& at(std::string_view name) const;  // none if there is no such name
    const std::vector<std::pair<std::string, Samples>>& all() const { return all_; }

private:
    std::vector<std::pair<std::string, Samples>> all_;
};

// Sums over problems that two contenders solved.
struct Comparison {
    double count = 0, theirs = 0, ours = 0;
    double theirs_squared = 0, ours_squared = 0, product = 0;

    void add(double of_other, double own) { add({1, of_other, own, of_other * of_other, own * own, of_other * own}); }
    void add(const Comparison& other) {
        for (double Comparison::*sum : {&Comparison::count, &Comparison::theirs, &Comparison::ours, &Comparison::theirs_squared,
                                        &Comparison::ours_squared, &Comparison::product})
            this->*sum += other.*sum;
    }
    double ratio() const { return theirs / ours; }  // NaN if there were no such problems
    // Half the width of the 95% confidence interval of ratio(), by the delta method; NaN for fewer than two problems.
    double ratio_95() const;
};

// The measurements of one row.
struct Measurements {
    size_t problems = 0, solved = 0;
    Samples ms, cpu_ms, first_ms;                      // of each problem
    Samples expansions, expansions_first, cost_cells;  // of each problem; costs of solved ones
    Samples ratio, bound;                              // suboptimality, and its proven bound, of each solved problem
    Samples build_ms, repair_ms, bytes;
    Comparison with_reference;  // times of the first contender
    Comparison with_baseline;   // times of the contender "baseline"
    Comparison with_optimum;    // costs of the first contender
    NamedSamples extras;

    Samples& operator[](std::string_view name) { return extras[name]; }
    void add(const Measurements& other);

    // Those that were measured of: problems, solved, expansions, expansions_first, cost_cells, ratio_mean, ratio_p99, ratio_max,
    // bound_mean, ms_mean, ms_p50, ms_p99, ms_max, ms_first, cpu_ms_mean, speedup, speedup_baseline, build_ms, repair_ms, bytes. Then the
    // means of the extras.
    Metrics metrics() const;

    // By the first part of a metric's name: "ms", "cpu_ms", "ms_first", "ratio", "build_ms", ..., or the name of an extra.
    const Samples& samples(std::string_view name) const;
};

// Half the width of the 95% confidence interval of the mean; NaN for fewer than two values.
double mean_95(const Samples& samples);

// The mean cost over the mean optimal cost, as many papers print it. For MeasuredRows::show().
double ratio_of_sums(const Measurements& row);

struct MeasuredRow {
    std::string method;
    nlohmann::ordered_json label;  // the case
    Measurements measured;
};

class MeasuredRows {
public:
    // Adds the row if there is none; references stay valid.
    Measurements& at(const std::string& method, const nlohmann::ordered_json& label);

    // Every row also gets NAME_STATISTIC for each statistic (Samples::statistic), if it has such samples.
    void show(const std::string& name, const std::vector<std::string>& statistics);
    // Every row also gets this metric; a value of NaN leaves it out.
    void show(std::string name, std::function<double(const Measurements&)> value);

    // Returns these rows without a key of the case: those that differ in nothing else become one row, with all their measurements. With
    // `value`: the key has this value instead, "mean of 3".
    MeasuredRows without(const std::string& key, const nlohmann::ordered_json& value = {}) const;

    // Sorts the rows by the number that a key of the case begins with; equal numbers keep their order.
    void sort_by(const std::string& key);
    std::vector<ReportRow> rows() const;

private:
    std::deque<MeasuredRow> rows_;
    std::vector<std::pair<std::string, std::function<double(const Measurements&)>>> shown_;
};

}  // namespace terrane
