#include "bench/navmesh_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>

#include "bench/samples.h"

namespace terrane {

namespace navmesh_rows_bench {
namespace {

double mean(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v;
    return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Returns half the width of the 95% confidence interval of the mean.
double half_interval(const std::vector<double>& values) {
    const double middle = mean(values);
    double squares = 0;
    for (const double v : values) squares += (v - middle) * (v - middle);
    const auto n = static_cast<double>(values.size());
    return n < 2 ? 0 : 1.96 * std::sqrt(squares / (n - 1) / n);
}

using Answers = std::vector<const NavmeshAnswer*>;

template <class Of>
std::vector<double> values(const Answers& answers, Of&& of) {
    std::vector<double> out;
    out.reserve(answers.size());
    for (const NavmeshAnswer* a : answers) out.push_back(of(*a));
    return out;
}

void add_times(size_t method, const Answers& answers, Metrics& out) {
    std::vector<double> ms = values(answers, [&](const NavmeshAnswer& a) { return a.ms[method]; });
    out.emplace_back("ms_mean", mean(ms));
    out.emplace_back("ms_95", half_interval(ms));
    out.emplace_back("ms_p50", quantile(ms, 0.5));
    out.emplace_back("ms_p99", quantile(ms, 0.99));
    if (method == kDetour) return;
    // Delta method for the ratio of two means of paired samples.
    const double ours = mean(ms), ratio = mean(values(answers, [](const NavmeshAnswer&a) { return a.ms[kDetour]; })) / ours;
    const std::vector<double> rest = values(answers, [&](const NavmeshAnswer& a) { return a.ms[kDetour] - ratio * a.ms[method]; });
    out.emplace_back("speedup", ratio);
    out.emplace_back("speedup_95", half_interval(rest) / ours);
}

void add_costs(size_t method, const Answers& answers, Metrics& out) {
    out.emplace_back("cost", mean(values(answers, [&](const NavmeshAnswer& a) { return a.cost[method]; })));
    out.emplace_back("length", mean(values(answers, [&](const NavmeshAnswer& a) { return a.length[method]; })));
    if (method == kDetour) return;
    const std::vector<double> ratios = values(answers, [&](const NavmeshAnswer& a) { return a.cost[method] / a.cost[kDetour]; });
    const auto cheaper = std::ranges::count_if(ratios, [](double r) { return r < 1 - 1e-6; });
    out.emplace_back("ratio_mean", mean(ratios));
    out.emplace_back("ratio_max", *std::ranges::max_element(ratios));
    out.emplace_back("cheaper", static_cast<double>(cheaper) / static_cast<double>(ratios.size()));
}

void add_rows(const std::string& profile, const std::string& which, const Answers& answers, Report& report) {
    if (answers.empty()) return;
    const bool solved = std::ranges::all_of(answers, &NavmeshAnswer::is_solved);
    for (size_t m = 0; m < kNavmeshMethods.size(); ++m) {
        ReportRow row{kNavmeshMethods[m], {{"profile", profile}, {"queries", which}}, {{"timed", static_cast<double>(answers.size())}}};
        add_times(m, answers, row.metrics);
        if (solved) add_costs(m, answers, row.metrics);
        if (m != kDetour)
            row.metrics.emplace_back("expansions", mean(values(answers, [&](const NavmeshAnswer& a) { return a.expansions[m]; })));
        report.rows.push_back(std::move(row));
    }
}

// Counts the outcomes of one creature's queries.
ReportRow outcome_row(size_t creature, const std::vector<NavmeshAnswer>& answers) {
    double queries = 0, unreachable = 0, cut = 0;
    for (const NavmeshAnswer& a : answers) {
        if (a.query.creature != creature) continue;
        ++queries;
        if (!a.query.reachable) ++unreachable;
        if (a.query.reachable && a.detour != Status::kFound) ++cut;
    }
    return {"all",
            {{"profile", kNavmeshCreatures[creature]}},
            {{"queries", queries}, {"unreachable", unreachable}, {"found_by_ours", queries - unreachable}, {"cut_short_by_detour", cut}}};
}

// `answers` must ascend by the distance between start and goal.
Answers longer_half(const Answers& answers) { return {answers.begin() + static_cast<ptrdiff_t>(answers.size() / 2), answers.end()}; }

void add_profile_rows(const std::string& profile, Answers answers, Report& report) {
    std::ranges::sort(answers, {}, [](const NavmeshAnswer* a) { return a->query.distance; });
    Answers solved;
    std::ranges::copy_if(answers, std::back_inserter(solved), &NavmeshAnswer::is_solved);
    add_rows(profile, "solved by Detour", solved, report);
    add_rows(profile, "their longer half", longer_half(solved), report);
    if (solved.size() < answers.size()) add_rows(profile, "longer half of all", longer_half(answers), report);
}

}  // namespace
}  // namespace navmesh_rows_bench

void add_query_rows(const std::vector<NavmeshAnswer>& answers, Report& report) {
    using namespace navmesh_rows_bench;
    for (size_t c = 0; c < kNavmeshCreatures.size(); ++c) report.rows.push_back(outcome_row(c, answers));
    Answers both;
    std::array<Answers, kNavmeshCreatures.size()> each;
    for (const NavmeshAnswer& a : answers) {
        if (!a.query.reachable) continue;
        both.push_back(&a);
        each[a.query.creature].push_back(&a);
    }
    add_profile_rows("both", both, report);
    for (size_t c = 0; c < kNavmeshCreatures.size(); ++c) add_profile_rows(kNavmeshCreatures[c], each[c], report);
}

}  // namespace terrane
