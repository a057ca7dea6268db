// The measured values of one quantity, their statistics, and the clocks that measure builds, repairs and frames.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bench/stopwatch.h"

namespace terrane {

// Returns the q-quantile (0 to 1), the nearest value; 0 if there are none.
inline double quantile(std::vector<double> values, double q) {
    if (values.empty()) return 0;
    const auto nth = values.begin() + std::lround(q * static_cast<double>(values.size() - 1));
    std::ranges::nth_element(values, nth);
    return *nth;
}

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

    // All statistics are NaN if there are no values.
    double mean() const { return sum() / static_cast<double>(count()); }
    double min() const { return quantile(0); }
    double max() const { return quantile(1); }
    double quantile(double q) const { return empty() ? std::numeric_limits<double>::quiet_NaN() : terrane::quantile(values_, q); }
    // "mean", "min", "max", or a quantile: "p50", "p99", "p999" (99.9%).
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

// Calls work(), appends its milliseconds to `ms` (Samples) or adds them (double), and returns its result.
template <class Watch = Stopwatch, class To, class Work>
auto timed(To& ms, Work&& work) {
    const Watch watch;
    const auto stop = [&] {
        if constexpr (std::is_same_v<To, Samples>) {
            ms.add(watch.ms());
        } else {
            ms += watch.ms();
        }
    };
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
        work();
        stop();
    } else {
        auto out = work();
        stop();
        return out;
    }
}

// Calls work() `passes` times and returns the milliseconds of the fastest.
template <class Watch = Stopwatch, class Work>
double best_ms(int passes, Work&& work) {
    Samples ms;
    for (int pass = 0; pass < passes; ++pass) timed<Watch>(ms, [&] { static_cast<void>(work()); });
    return ms.min();
}

// The times of the steps of a process that is repeated: the best time of each step counts, which removes the load of other processes.
//
//   BestTimes frames;
//   for (int pass = 0; pass < 3; ++pass, frames.restart()) {
//       for (Frame& frame : game) frames.time([&] { frame.run(); });
//   }
class BestTimes {
public:
    template <class Work>
    auto time(Work&& work) {
        double ms = 0;
        if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
            timed(ms, work);
            add(ms);
        } else {
            auto out = timed(ms, work);
            add(ms);
            return out;
        }
    }
    // Adds the time of the next step.
    void add(double ms) {
        if (next_ == best_.size()) best_.push_back(ms);
        best_[next_] = std::min(best_[next_], ms);
        ++next_;
    }
    // The next step is the first one again.
    void restart() { next_ = 0; }
    Samples samples() const { return Samples(best_); }

private:
    std::vector<double> best_;
    size_t next_ = 0;
};

}  // namespace terrane
