#include "bench/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace terrane {

// One contender on one scene.
struct Contest::Measured {
    std::vector<size_t> problems;  // ascending
    std::vector<Answer> answers;   // of these
    std::vector<Times> times;
    std::vector<Extras> extras;
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

Times time_one(Runner& runner, size_t problem) {
    runner.reset();
    const CpuStopwatch cpu;
    Lap lap;
    runner.solve(problem, lap);
    Times times{lap.ms(), 0, lap.first_ms()};
    times.cpu_ms = std::max(0.0, cpu.ms() - clock_ms());
    if (const Times* own = runner.own_times(problem)) times = *own;
    return times;
}

void improve(Times& best, const Times& now) {
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

}  // namespace

Samples& Extras::operator[](const std::string& name) {
    const auto it = std::ranges::find(all_, name, &std::pair<std::string, Samples>::first);
    return it != all_.end() ? it->second : all_.emplace_back(name, Samples()).second;
}

const Samples& Extras::at(const std::string& name) const {
    static const Samples kNone;
    const auto it = std::ranges::find(all_, name, &std::pair<std::string, Samples>::first);
    return it != all_.end() ? it->second : kNone;
}

const Times* Runner::own_times(size_t /*problem*/) const { return nullptr; }

Result<Contest::Measured> Contest::measure(const ContestScene& scene, const Contender& contender,
                                           const std::vector<Answer>& reference) const {
    auto opened = contender.open();
    if (!opened) return opened.error();
    Runner& runner = *opened->runner;
    Measured m{sample_of(scene.problems, contender.sample), {}, {}, {}, opened->build_ms, opened->bytes};
    m.times.resize(m.problems.size());
    m.extras.resize(m.problems.size());
    const int passes = contender.passes > 0 ? contender.passes : options_.passes;
    for (size_t i = 0; i < m.problems.size(); ++i) {
        const size_t problem = m.problems[i];
        const auto wrong = [&](const std::string& what) {
            return Error{ErrorCode::kBadValue, scene.name, 0, fmt::format("{} {}: {}", contender.method, scene.describe(problem), what)};
        };
        const Times first = time_one(runner, problem);
        const auto answer = runner.answer(problem, m.extras[i]);
        if (!answer) return wrong(answer.error().reason);
        const std::string fault = fault_of(contender, *answer, reference.empty() ? *answer : reference[problem]);
        if (!fault.empty()) return wrong(fault);
        m.answers.push_back(*answer);
        if (passes == 1) m.times[i] = first;
    }
    for (int pass = 0; passes > 1 && pass < passes; ++pass) {
        for (size_t i = 0; i < m.problems.size(); ++i) improve(m.times[i], time_one(runner, m.problems[i]));
    }
    return m;
}

Measurements& Contest::tally_of(const std::string& method, const nlohmann::ordered_json& label) {
    const auto it = std::ranges::find_if(rows_, [&](const ContestRow& row) { return row.method == method && row.label == label; });
    return it != rows_.end() ? it->tally : rows_.emplace_back(method, label, Measurements{}).tally;
}

void Contest::add(const ContestScene& scene, const std::vector<Contender>& contenders, std::vector<Measured>& measured) {
    const Measured& reference = measured.front();
    const auto found = std::ranges::find(contenders, kBaseline, &Contender::method);
    std::vector<double> baseline_ms(scene.problems, -1);
    if (found != contenders.end()) {
        const Measured& baseline = measured[static_cast<size_t>(found - contenders.begin())];
        for (size_t i = 0; i < baseline.problems.size(); ++i) baseline_ms[baseline.problems[i]] = baseline.times[i].ms;
    }
    for (size_t c = 0; c < contenders.size(); ++c) {
        Measured& m = measured[c];
        std::vector<Measurements*> opened;
        for (size_t i = 0; i < m.problems.size(); ++i) {
            const size_t problem = m.problems[i];
            const Answer &answer = m.answers[i], &optimum = reference.answers[problem];
            const nlohmann::ordered_json group = scene.group ? scene.group(problem, optimum) : nlohmann::ordered_json();
            Measurements& tally = tally_of(contenders[c].method, merged(merged(scene.label, group), contenders[c].label));
            if (std::ranges::find(opened, &tally) == opened.end()) opened.push_back(&tally);
            ++tally.problems;
            tally.ms.add(m.times[i].ms);
            tally.cpu_ms.add(m.times[i].cpu_ms);
            if (m.times[i].first_ms) tally.first_ms.add(*m.times[i].first_ms);
            tally.expansions.add(answer.expansions);
            tally.expansions_first.add(answer.expansions_first);
            tally.reference_ms += reference.times[problem].ms;
            if (baseline_ms[problem] >= 0) {
                tally.baseline_ms += baseline_ms[problem];
                tally.ms_with_baseline += m.times[i].ms;
            }
            for (const auto& [name, samples] : m.extras[i].all()) tally.extras[name].add(samples);
            if (!answer.found) continue;
            ++tally.solved;
            tally.cost.add(answer.cost);
            tally.optimum += optimum.cost;
            tally.ratio.add(ratio_of(answer, optimum));
            if (answer.bound > 0) tally.bound.add(answer.bound);
        }
        for (Measurements* tally : opened) {
            if (m.build_ms) tally->build_ms.add(*m.build_ms);
            if (m.bytes) tally->bytes.add(*m.bytes);
        }
    }
}

Result<void> Contest::run(const ContestScene& scene, const std::vector<Contender>& contenders, const std::function<void()>& done) {
    std::vector<Measured> measured;
    measured.reserve(contenders.size());
    for (const Contender& contender : contenders) {
        auto m = measure(scene, contender, measured.empty() ? std::vector<Answer>() : measured.front().answers);
        if (!m) return m.error();
        measured.push_back(std::move(*m));
        if (done) done();
    }
    add(scene, contenders, measured);
    return {};
}

std::vector<ReportRow> Contest::rows() const {
    std::vector<ReportRow> out;
    out.reserve(rows_.size());
    for (const ContestRow& row : rows_) out.push_back({row.method, row.label, row.tally.metrics()});
    return out;
}

Metrics Measurements::metrics() const {
    Metrics out{{"problems", static_cast<double>(problems)}, {"solved", static_cast<double>(solved)}};
    const auto add = [&out](const char* name, double value) { out.emplace_back(name, value); };
    if (expansions.sum() > 0) add("expansions", expansions.mean());
    if (expansions_first.sum() > 0) add("expansions_first", expansions_first.mean());
    add("cost", cost.mean());
    add_statistics(out, "ratio", ratio, {"mean", "p99", "max"});
    if (!bound.empty()) add("bound_mean", bound.mean());
    add_statistics(out, "ms", ms, {"mean", "p50", "p99", "max"});
    add("cpu_ms_mean", cpu_ms.mean());
    if (!first_ms.empty()) add("ms_first", first_ms.mean());
    add("speedup", reference_ms / ms.sum());
    if (baseline_ms > 0) add("speedup_baseline", baseline_ms / ms_with_baseline);
    if (!build_ms.empty()) add("build_ms", build_ms.mean());
    if (!bytes.empty()) add("bytes", bytes.mean());
    for (const auto& [name, samples] : extras.all()) add(name.c_str(), samples.mean());
    return out;
}

}  // namespace terrane
