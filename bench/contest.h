// The bench harness: scenes x contenders x best of N passes. It checks every answer against the first contender's before it starts a
// clock, and reports the same metrics for every bench.
//
//   Contest contest({.passes = 3});
//   for (const BenchScene& scene : scenes) contest.run(scene_of(scene), contenders_on(scene));
//   report.rows = contest.rows();
//
// A contender may be anything that solves numbered problems: a method of the planner, a query class, another library, another program.
// grid_contest.h has the contenders on grids.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/report.h"
#include "bench/samples.h"
#include "bench/stopwatch.h"
#include "terrane/base/result.h"

namespace terrane {

// A contender's answer to one problem.
struct Answer {
    bool found = false;
    double cost = 0;
    double expansions = 0;
    double expansions_first = 0;  // until the first move is known; 0: not counted
    double bound = 0;             // proven suboptimality bound; 0: none
};

// Further measurements of a bench, by name.
class Extras {
public:
    Samples& operator[](const std::string& name);
    const Samples& at(const std::string& name) const;  // none if there is no such name

    const std::vector<std::pair<std::string, Samples>>& all() const { return all_; }

private:
    std::vector<std::pair<std::string, Samples>> all_;  // in order of first use
};

// The times of one problem, in milliseconds.
struct Times {
    double ms = std::numeric_limits<double>::infinity(), cpu_ms = ms;
    std::optional<double> first_ms = {};  // until the first move is known
};

// Lets a runner record when the first move is known.
class Lap {
public:
    void first() { first_ms_ = watch_.ms(); }
    double ms() const { return watch_.ms(); }
    std::optional<double> first_ms() const { return first_ms_; }

private:
    Stopwatch watch_;
    std::optional<double> first_ms_;
};

// One contender on one scene.
class Runner {
public:
    Runner() = default;
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    virtual ~Runner() = default;

    // Called before each problem, outside of the clock; for contenders that start each problem with empty caches.
    virtual void reset() {}
    // Solves a problem. The clock runs.
    virtual void solve(size_t problem, Lap& lap) = 0;
    // Returns the answer of the last solve(), or an error that states what is wrong with it: an illegal path, a wrong cost.
    virtual Result<Answer> answer(size_t problem, Extras& extras) = 0;
    // The times that the contender measured itself, for programs that run elsewhere; null: the harness measures.
    virtual const Times* own_times(size_t problem) const;
};

struct Opened {
    std::unique_ptr<Runner> runner;
    // Preparation before the first problem, if there is any.
    std::optional<double> build_ms = {}, bytes = {};
};

inline constexpr double kNoGuarantee = std::numeric_limits<double>::infinity();

struct Contender {
    std::string method;                    // as --method accepts it, or the name of a program
    nlohmann::ordered_json label = {};     // further keys of the row's case
    std::function<Result<Opened>()> open;  // prepares; called once for each scene
    double guarantee = kNoGuarantee;       // no answer may cost more than this times the optimum
    double tolerance = 1e-9;               // relative, of costs
    size_t sample = SIZE_MAX;              // solves at most so many problems of a scene, spread evenly
    int passes = 0;                        // 0: those of the contest. 1: the pass that is checked is the one that is timed
};

struct ContestScene {
    std::string name;                   // for errors
    nlohmann::ordered_json label = {};  // keys of the rows' cases; scenes of the same label share rows
    size_t problems = 0;
    std::function<std::string(size_t)> describe;  // "from 1,2 to 3,4", for errors
    // Further keys of the case by problem, from the first contender's answer; none: all problems share a row.
    std::function<nlohmann::ordered_json(size_t, const Answer&)> group = {};
};

// The measurements of one contender in one case.
struct Measurements {
    size_t problems = 0, solved = 0;
    Samples ms, cpu_ms, first_ms, expansions, expansions_first, cost, ratio, bound, build_ms, bytes;
    double reference_ms = 0, optimum = 0;          // sums over the same problems: times and costs of the first contender
    double baseline_ms = 0, ms_with_baseline = 0;  // sums over the problems that the contender "baseline" solved, too
    Extras extras;

    // All contests report these: problems, solved, expansions, expansions_first, cost, ratio_mean, ratio_p99, ratio_max, bound_mean,
    // ms_mean, ms_p50, ms_p99, ms_max, cpu_ms_mean, ms_first, speedup, speedup_baseline, build_ms, bytes; those that were not measured are
    // left out. Then the means of the extras.
    Metrics metrics() const;
};

struct ContestRow {
    std::string method;
    nlohmann::ordered_json label;  // scene, group and contender
    Measurements tally;
};

struct ContestOptions {
    int passes = 3;  // the best pass of each problem counts
};

class Contest {
public:
    explicit Contest(const ContestOptions& options = {}) : options_(options) {}

    // The first contender's answers are the reference: its costs are optimal. Returns an error, with scene, contender and problem, if an
    // answer is wrong. Calls `done` after each contender.
    Result<void> run(const ContestScene& scene, const std::vector<Contender>& contenders, const std::function<void()>& done = {});

    std::deque<ContestRow>& results() { return rows_; }
    std::vector<ReportRow> rows() const;

private:
    struct Measured;
    Result<Measured> measure(const ContestScene& scene, const Contender& contender, const std::vector<Answer>& reference) const;
    Measurements& tally_of(const std::string& method, const nlohmann::ordered_json& label);
    void add(const ContestScene& scene, const std::vector<Contender>& contenders, std::vector<Measured>& measured);

    ContestOptions options_;
    std::deque<ContestRow> rows_;  // references to rows stay valid
};

}  // namespace terrane
