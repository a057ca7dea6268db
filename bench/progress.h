// A progress bar on standard error for work that takes more than a second. Prints nothing if standard error is not a terminal.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace terrane {

class Progress {
public:
    // `total`: number of steps; 0: unknown.
    Progress(std::string what, uint64_t total);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance(uint64_t steps = 1);

private:
    using Clock = std::chrono::steady_clock;
    void draw(Clock::time_point now);

    std::string what_;
    uint64_t total_;
    uint64_t done_ = 0;
    bool terminal_;
    bool drawn_ = false;
    Clock::time_point start_ = Clock::now();
    Clock::time_point last_ = start_;
};

}  // namespace terrane
