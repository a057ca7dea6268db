// Contests of methods that solve the same problems: scenes x contenders x best of N passes. A contest checks every answer against the
// first contender's before it starts a clock, measures wall and CPU time, and reports the same metrics for every bench.
//
//   Contest contest({.passes = 3});
//   for (const BenchScene& scene : scenes) {
//       if (const auto done = contest.run(scene_of(scene), contenders_on(scene)); !done) return done.error();
//   }
//   report.add(contest.rows());
//
// A contender may be anything that solves numbered problems: a method of the planner, a query class, a crowd, another library, another
// program. grid_contest.h has the contenders on grids.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bench/measurements.h"
#include "bench/stopwatch.h"
#include "terrane/base/result.h"

namespace terrane {

// A contender's answer to one problem.
struct Answer {
    bool found = false;
    double cost = 0;  // in the unit of one straight step between cells of cost 1
    double expansions = 0;
    double expansions_first = 0;  // until the first move is known; 0: not counted
    double bound = 0;             // proven suboptimality bound; 0: none
};

// The times of one problem, in milliseconds.
struct Times {
    double ms = std::numeric_limits<double>::infinity(), cpu_ms = ms;
    std::optional<double> first_ms = {};  // until the first move is known
};

// Lets a contender record when the first move is known.
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

    // Called before each pass over the problems and before each problem, outside of the clock: for contenders that start with empty caches.
    virtual void begin_pass() {}
    virtual void begin_problem() {}
    // Solves a problem. The clock runs.
    virtual void solve(size_t problem, Lap& lap) = 0;
    // Returns the answer of the last solve(), or an error that states what is wrong with it: an illegal path, a wrong cost. `extras`:
    // further measurements of the bench.
    virtual Result<Answer> answer(size_t problem, NamedSamples& extras) = 0;
    // The times that the contender measured itself, for programs that run elsewhere; null: the contest measures.
    virtual const Times* own_times(size_t problem) const;
};

// A runner of two functions: solve(problem, lap) and answer(problem, extras).
template <class Solve, class AnswerOf>
std::unique_ptr<Runner> make_runner(Solve solve, AnswerOf answer) {
    class Functions final : public Runner {
    public:
        Functions(Solve s, AnswerOf a) : solve_(std::move(s)), answer_(std::move(a)) {}
        void solve(size_t problem, Lap& lap) override { solve_(problem, lap); }
        Result<Answer> answer(size_t problem, NamedSamples& extras) override { return answer_(problem, extras); }

    private:
        Solve solve_;
        AnswerOf answer_;
    };
    return std::make_unique<Functions>(std::move(solve), std::move(answer));
}

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
    int passes = 0;                        // 0: those of the contest
};

struct ContestScene {
    std::string name;                   // for errors
    nlohmann::ordered_json label = {};  // keys of the rows' cases; scenes of the same label share rows
    size_t problems = 0;
    std::function<std::string(size_t)> describe = {};  // "from 1,2 to 3,4", for errors; none: "problem 0"
    // Further keys of the case by problem, from the first contender's answer; none: all problems share a row. An array: the problem counts
    // in a row for each of its elements. Called after all contenders have solved all problems.
    std::function<nlohmann::ordered_json(size_t, const Answer&)> group = {};
};

// What the first contender's costs are to the other contenders.
enum class FirstCosts : uint8_t {
    kOptimal,    // answers are checked against them
    kReference,  // of another program: rows have ratios to them, which may be below 1
    kUnrelated,  // rows have no ratios
};

struct ContestOptions {
    // The best pass of each problem counts. More than one: they follow a pass in which the answers are checked. One: the answers that are
    // checked are those that were timed.
    int passes = 3;
    // A problem that took longer in the first pass is not repeated: its time varies little. The first problem of a scene always is; it may
    // include allocations.
    double once_ms = 100;
    // If the first contender's are not optimal, only Runner::answer() checks answers.
    FirstCosts first_costs = FirstCosts::kOptimal;
    std::string cost_metric = "cost_cells";  // the name of costs in the rows, with their unit
};

class Contest {
public:
    explicit Contest(const ContestOptions& options = {}) : options_(options) {}

    // Contenders run one after another. Returns an error, with scene, contender and problem, if an answer is wrong. Where the first
    // contender solved only a sample, the others' answers to the remaining problems are timed but not compared. Calls `done` after each
    // contender.
    Result<void> run(const ContestScene& scene, const std::vector<Contender>& contenders, const std::function<void()>& done = {});

    MeasuredRows& results() { return results_; }
    std::vector<ReportRow> rows() const { return results_.rows(); }

private:
    struct Entry;
    Result<Entry> measure(const ContestScene& scene, const Contender& contender, const Entry* reference) const;
    void add(const ContestScene& scene, const std::vector<Contender>& contenders, const std::vector<Entry>& entries);

    ContestOptions options_;
    MeasuredRows results_;
};

}  // namespace terrane
