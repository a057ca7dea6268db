#include "bench/measurements.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace terrane {

namespace {

constexpr double k95 = 1.96;  // standard errors in half of a 95% confidence interval

}  // namespace

Samples& NamedSamples::operator[](std::string_view name) {
    const auto it = std::ranges::find(all_, name, &std::pair<std::string, Samples>::first);
    return it != all_.end() ? it->second : all_.emplace_back(name, Samples()).second;
}

const Samples& NamedSamples::at(std::string_view name) const {
    static const Samples kNone;
    const auto it = std::ranges::find(all_, name, &std::pair<std::string, Samples>::first);
    return it != all_.end() ? it->second : kNone;
}

double Comparison::ratio_95() const {
    const double r = ratio(), squares = theirs_squared - 2 * r * product + r * r * ours_squared;
    return count < 2 ? std::nan("") : k95 * std::sqrt(std::max(0.0, squares) / (count - 1) / count) / (ours / count);
}

double mean_95(const Samples& samples) {
    const double middle = samples.mean(), count = static_cast<double>(samples.count());
    double squares = 0;
    for (const double value : samples.values()) squares += (value - middle) * (value - middle);
    return count < 2 ? std::nan("") : k95 * std::sqrt(squares / (count - 1) / count);
}

Metrics Measurements::metrics() const {
    Metrics out;
    const auto add = [&out](std::string name, double value) {
        if (!std::isnan(value)) out.emplace_back(std::move(name), value);
    };
    const auto statistics = [&](const char* name, const Samples& of, std::initializer_list<const char*> names) {
        for (const char* statistic : names) add(std::string(name) + "_" + statistic, of.statistic(statistic));
    };
    if (problems > 0) {
        add("problems", static_cast<double>(problems));
        add("solved", static_cast<double>(solved));
    }
    if (expansions.sum() > 0) add("expansions", expansions.mean());
    if (expansions_first.sum() > 0) add("expansions_first", expansions_first.mean());
    add("cost_cells", cost_cells.mean());
    statistics("ratio", ratio, {"mean", "p99", "max"});
    add("bound_mean", bound.mean());
    statistics("ms", ms, {"mean", "p50", "p99", "max"});
    add("ms_first", first_ms.mean());
    add("cpu_ms_mean", cpu_ms.mean());
    add("speedup", with_reference.ratio());
    add("speedup_baseline", with_baseline.ratio());
    add("build_ms", build_ms.mean());
    add("repair_ms", repair_ms.mean());
    add("bytes", bytes.mean());
    for (const auto& [name, samples] : extras.all()) add(name, samples.mean());
    return out;
}

void Measurements::add(const Measurements& other) {
    problems += other.problems;
    solved += other.solved;
    for (Samples Measurements::*samples : {&Measurements::ms, &Measurements::cpu_ms, &Measurements::first_ms, &Measurements::expansions,
                                           &Measurements::expansions_first, &Measurements::cost_cells, &Measurements::ratio,
                                           &Measurements::bound, &Measurements::build_ms, &Measurements::repair_ms, &Measurements::bytes})
        (this->*samples).add(other.*samples);
    with_reference.add(other.with_reference);
    with_baseline.add(other.with_baseline);
    with_optimum.add(other.with_optimum);
    for (const auto& [name, samples] : other.extras.all()) extras[name].add(samples);
}

double ratio_of_sums(const Measurements& row) { return 1 / row.with_optimum.ratio(); }

const Samples& Measurements::samples(std::string_view name) const {
    const std::pair<std::string_view, const Samples*> standard[] = {{"ms", &ms},
                                                                    {"cpu_ms", &cpu_ms},
                                                                    {"ms_first", &first_ms},
                                                                    {"expansions", &expansions},
                                                                    {"expansions_first", &expansions_first},
                                                                    {"ratio", &ratio},
                                                                    {"bound", &bound},
                                                                    {"build_ms", &build_ms},
                                                                    {"repair_ms", &repair_ms},
                                                                    {"cost_cells", &cost_cells},
                                                                    {"bytes", &bytes}};
    const auto* const it = std::ranges::find(standard, name, &std::pair<std::string_view, const Samples*>::first);
    return it != std::end(standard) ? *it->second : extras.at(name);
}

Measurements& MeasuredRows::at(const std::string& method, const nlohmann::ordered_json& label) {
    const auto it = std::ranges::find_if(rows_, [&](const MeasuredRow& row) { return row.method == method && row.label == label; });
    return it != rows_.end() ? it->measured : rows_.emplace_back(method, label, Measurements{}).measured;
}

void MeasuredRows::show(const std::string& name, const std::vector<std::string>& statistics) {
    for (const std::string& s : statistics)
        show(name + "_" + s, [name, s](const Measurements& row) { return row.samples(name).statistic(s); });
}

void MeasuredRows::show(std::string name, std::function<double(const Measurements&)> value) {
    shown_.emplace_back(std::move(name), std::move(value));
}

MeasuredRows MeasuredRows::without(const std::string& key, const nlohmann::ordered_json& value) const {
    MeasuredRows out;
    out.shown_ = shown_;
    for (const MeasuredRow& row : rows_) {
        nlohmann::ordered_json label = row.label;
        if (label.is_object()) label.erase(key);
        if (!value.is_null()) label[key] = value;
        out.at(row.method, label).add(row.measured);
    }
    return out;
}

void MeasuredRows::sort_by(const std::string& key) {
    std::multimap<unsigned long, MeasuredRow> sorted;
    for (MeasuredRow& row : rows_) sorted.emplace(std::stoul(row.label[key].get<std::string>()), std::move(row));
    rows_.clear();
    for (auto& [number, row] : sorted) rows_.push_back(std::move(row));
}

std::vector<ReportRow> MeasuredRows::rows() const {
    std::vector<ReportRow> out;
    out.reserve(rows_.size());
    for (const MeasuredRow& row : rows_) {
        out.push_back({row.method, row.label, row.measured.metrics()});
        for (const auto& [name, value] : shown_) {
            if (const double v = value(row.measured); !std::isnan(v)) out.back().metrics.emplace_back(name, v);
        }
    }
    return out;
}

}  // namespace terrane
