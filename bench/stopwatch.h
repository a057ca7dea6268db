// Wall-clock and CPU time for benches and the command line.
#pragma once
#include <chrono>
#include <ctime>

namespace terrane {

// Wall-clock time since its construction.
class Stopwatch {
public:
    double ms() const { return std::chrono::duration<double, std::milli>(Clock::now() - start_).count(); }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

// CPU time of the calling thread since its construction: what a loaded machine does not change, except through its caches.
class CpuStopwatch {
public:
    double ms() const { return now() - start_; }

private:
    static double now() {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
    }
    double start_ = now();
};

}  // namespace terrane
