#include "bench/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace terrane {

// What one contender did on one scene, by problem; nothing for the problems that are not in its sample.
struct Contest::Entry {
    struct Solved {
        Answer answer;
        Times times;
        NamedSamples extras;
    };
    std::vector<std::optional<Solved>> problems;
    std::optional<double> build_ms = {}, bytes = {};
};

namespace {

constexpr const char* kBaseline = "baseline";

// The CPU time that one reading of the clock takes.
double clock_ms() {
    static const double ms = [] {
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 100; ++i) best = std::min(best, CpuStopwatch().ms());
        return best;
    }();
    return ms;
}

std::vector<size_t> sample_of(size_t problems, size_t most) {
    const size_t take = std::min(problems, most);
    std::vector<size_t> out(take);
    for (size_t i = 0; i < take; ++i) out[i] = i * problems / take;
    return out;
}

// Returns the better of the times so far and those of another run.
void time_once(Runner& runner, size_t problem, Times& best) {
    runner.begin_problem();
    const CpuStopwatch cpu;
    Lap lap;
    runner.solve(problem, lap);
    Times now{lap.ms(), 0, lap.first_ms()};
    now.cpu_ms = std::max(0.0, cpu.ms() - clock_ms());
    if (const Times* own = runner.own_times(problem)) now = *own;
    best.ms = std::min(best.ms, now.ms);
    best.cpu_ms = std::min(best.cpu_ms, now.cpu_ms);
    if (now.first_ms) best.first_ms = std::min(best.first_ms.value_or(*now.first_ms), *now.first_ms);
}

double ratio_of(const Answer& answer, const Answer& reference) { return reference.cost == 0 ? 1 : answer.cost / reference.cost; }

// Returns what is wrong with an answer; empty if nothing is.
std::string fault_of(const Contender& contender, const Answer& answer, const Answer& reference) {
    if (answer.found != reference.found) return answer.found ? "found a path where there is none" : "found no path";
    if (!answer.found) return {};
    const double slack = contender.tolerance * reference.cost;
    if (!(answer.cost >= reference.cost - slack)) return fmt::format("cost {} is below the optimum {}", answer.cost, reference.cost);
    if (answer.cost > contender.guarantee * reference.cost + slack)
        return fmt::format("cost {} exceeds {} times the optimum {}", answer.cost, contender.guarantee, reference.cost);
    if (answer.bound > 0 && ratio_of(answer, reference) > answer.bound + contender.tolerance)
        return fmt::format("bound {}, but the suboptimality ratio is {}", answer.bound, ratio_of(answer, reference));
    return {};
}

nlohmann::ordered_json merged(nlohmann::ordered_json first, const nlohmann::ordered_json& second) {
    if (first.is_null()) return second;
    if (!second.is_null()) first.update(second);
    return first;
}

// The keys of the rows that a problem counts in.
std::vector<nlohmann::ordered_json> groups_of(const ContestScene& scene, size_t problem, const Answer& first) {
    if (!scene.group) return {nullptr};
    const nlohmann::ordered_json groups = scene.group(problem, first);
    return groups.is_array() ? groups.get<std::vector<nlohmann::ordered_json>>() : std::vector{groups};
}

// Adds a contender's answer and times to a row. `Solved` is private to Contest.
template <class Solved>
void add_problem(const Solved& solved, const std::optional<Solved>& reference, const ContestOptions& options, Measurements& row) {
    const auto& [answer, times, extras] = solved;
    ++row.problems;
    row.ms.add(times.ms);
    row.cpu_ms.add(times.cpu_ms);
    if (times.first_ms) row.first_ms.add(*times.first_ms);
    row.expansions.add(answer.expansions);
    row.expansions_first.add(answer.expansions_first);
    if (reference) row.with_reference.add(reference->times.ms, times.ms);
    for (const auto& [name, samples] : extras.all()) row[name].add(samples);
    if (!answer.found) return;
    ++row.solved;
    (options.cost_metric == "cost_cells" ? row.cost_cells : row[options.cost_metric]).add(answer.cost);
    if (answer.bound > 0) row.bound.add(answer.bound);
    if (!reference || !reference->answer.found || options.first_costs == FirstCosts::kUnrelated) return;
    row.with_optimum.add(reference->answer.cost, answer.cost);
    row.ratio.add(ratio_of(answer, reference->answer));
}

}  // namespace

const Times* Runner::own_times(size_t /*problem*/) const { return nullptr; }

Result<Contest::Entry> Contest::measure(const ContestScene& scene, const Contender& contender, const Entry* reference) const {
    auto opened = contender.open();
    if (!opened) return opened.error();
    Runner& runner = *opened->runner;
    const std::vector<size_t> problems = sample_of(scene.problems, contender.sample);
    const int passes = contender.passes > 0 ? contender.passes : options_.passes;
    Entry entry{std::vector<std::optional<Entry::Solved>>(scene.problems), opened->build_ms, opened->bytes};
    std::vector<size_t> repeated;
    runner.begin_pass();
    for (const size_t problem : problems) {
        const auto wrong = [&](const std::string& what) {
            const std::string which = scene.describe ? scene.describe(problem) : fmt::format("problem {}", problem);
            return Error{ErrorCode::kBadValue, scene.name, 0, fmt::format("{} {}: {}", contender.method, which, what)};
        };
        Entry::Solved& solved = entry.problems[problem].emplace();
        time_once(runner, problem, solved.times);
        const auto answer = runner.answer(problem, solved.extras);
        if (!answer) return wrong(answer.error().reason);
        solved.answer = *answer;
        if (reference != nullptr && options_.first_costs == FirstCosts::kOptimal && reference->problems[problem]) {
            const std::string fault = fault_of(contender, *answer, reference->problems[problem]->answer);
            if (!fault.empty()) return wrong(fault);
        }
        if (passes > 1 && (solved.times.ms < options_.once_ms || problem == problems.front())) {
            solved.times = {};
            repeated.push_back(problem);
        }
    }
    for (int pass = 0; pass < passes && !repeated.empty(); ++pass) {
        runner.begin_pass();
        for (const size_t problem : repeated) time_once(runner, problem, entry.problems[problem]->times);
    }
    return entry;
}

void Contest::add(const ContestScene& scene, const std::vector<Contender>& contenders, const std::vector<Entry>& entries) {
    const auto baseline = std::ranges::find(contenders, kBaseline, &Contender::method);
    const Entry* const of_baseline = baseline == contenders.end() ? nullptr : &entries[static_cast<size_t>(baseline - contenders.begin())];
    for (size_t c = 0; c < contenders.size(); ++c) {
        const Entry& entry = entries[c];
        std::set<Measurements*> touched;
        for (size_t p = 0; p < scene.problems; ++p) {
            if (!entry.problems[p]) continue;
            const auto& reference = entries.front().problems[p];
            for (const auto& group : groups_of(scene, p, reference ? reference->answer : Answer{})) {
                const nlohmann::ordered_json label = merged(merged(scene.label, group), contenders[c].label);
                Measurements& row = results_.at(contenders[c].method, label);
                touched.insert(&row);
                add_problem(*entry.problems[p], reference, options_, row);
                if (of_baseline != nullptr && of_baseline->problems[p])
                    row.with_baseline.add(of_baseline->problems[p]->times.ms, entry.problems[p]->times.ms);
            }
        }
        for (Measurements* row : touched) {
            if (entry.build_ms) row->build_ms.add(*entry.build_ms);
            if (entry.bytes) row->bytes.add(*entry.bytes);
        }
    }
}

Result<void> Contest::run(const ContestScene& scene, const std::vector<Contender>& contenders, const std::function<void()>& done) {
    std::vector<Entry> entries;
    entries.reserve(contenders.size());
    for (const Contender& contender : contenders) {
        auto entry = measure(scene, contender, entries.empty() ? nullptr : &entries.front());
        if (!entry) return entry.error();
        entries.push_back(std::move(*entry));
        if (done) done();
    }
    add(scene, contenders, entries);
    return {};
}

}  // namespace terrane
