// The measured values of one quantity, and their statistics.
#pragma once
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/stopwatch.h"

namespace terrane {

using Metrics = std::vector<std::pair<std::string, double>>;  // by name, in display order

class Samples {
public:
    Samples() = default;
    explicit Samples(std::vector<double> values) : values_(std::move(values)) {}

    void add(double value) { values_.push_back(value); }
    void add(const Samples& other) { values_.insert(values_.end(), other.values_.begin(), other.values_.end()); }

    bool empty() const { return values_.empty(); }
    size_t count() const { return values_.size(); }
    const std::vector<double>& values() const { return values_; }
    double sum() const { return std::accumulate(values_.begin(), values_.end(), 0.0); }
    // All statistics are 0 if there are no values.
    double mean() const { return empty() ? 0 : sum() / static_cast<double>(count()); }
    double min() const { return quantile(0); }
    double max() const { return quantile(1); }
    // `q`: 0 to 1, rounded to the nearest value.
    double quantile(double q) const {
        if (empty()) return 0;
        std::vector<double> sorted = values_;
        const auto nth = sorted.begin() + std::lround(q * static_cast<double>(count() - 1));
        std::ranges::nth_element(sorted, nth);
        return *nth;
    }
    // "mean", "min", "max", "p50", "p99", "p999" (99.9%).
    double statistic(std::string_view name) const {
        if (name == "mean") return mean();
        if (name == "min") return min();
        if (name == "max") return max();
        double q = 0, digit = 1;
        for (const char c : name.substr(1)) q += (c - '0') * (digit /= 10);
        return quantile(q);
    }

private:
    std::vector<double> values_;
};

// Appends NAME_STATISTIC for each statistic: add_statistics(metrics, "ms", samples, {"mean", "p99"}) appends ms_mean and ms_p99.
inline void add_statistics(Metrics& metrics, const std::string& name, const Samples& samples,
                           std::initializer_list<std::string_view> statistics) {
    for (const std::string_view s : statistics) metrics.emplace_back(name + "_" + std::string(s), samples.statistic(s));
}

// Calls work() `passes` times and returns the milliseconds of the fastest.
template <class Work>
double best_ms(int passes, Work&& work) {
    double best = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < passes; ++pass) {
        const Stopwatch watch;
        work();
        best = std::min(best, watch.ms());
    }
    return best;
}

// Adds the milliseconds of work() to `ms` and returns its result.
template <class Work>
auto timed(double& ms, Work&& work) {
    const Stopwatch watch;
    auto out = work();
    ms += watch.ms();
    return out;
}

}  // namespace terrane
