#include "bench/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace terrane {

Progress::Progress(std::string what, uint64_t total) : what_(std::move(what)), total_(total), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::advance(uint64_t steps) {
    done_ += steps;
    const auto now = Clock::now();
    if (!terminal_ || now - start_ < std::chrono::seconds(1) || now - last_ < std::chrono::milliseconds(100)) return;
    last_ = now;
    draw(now);
}

void Progress::draw(Clock::time_point now) {
    drawn_ = true;
    if (total_ == 0) {
        fmt::print(stderr, "\r\x1b[K{}: {}", what_, done_);
    } else {
        constexpr uint64_t kWidth = 30;
        const uint64_t filled = kWidth * done_ / total_;
        const double seconds = std::chrono::duration<double>(now - start_).count();
        fmt::print(stderr, "\r\x1b[K{} [{:#>{}}{:.>{}}] {:3}%, {:.0f} s left", what_, "", filled, "", kWidth - filled, 100 * done_ / total_,
                   seconds * static_cast<double>(total_ - done_) / static_cast<double>(done_));
    }
    std::fflush(stderr);
}

}  // namespace terrane
