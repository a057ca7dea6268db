#include "bench/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "bench/progress_line.h"

namespace terrane {

std::string progress_line(const std::string& what, uint64_t done, uint64_t total, double seconds) {
    if (total == 0) return fmt::format("{}: {}", what, done);
    constexpr uint64_t kWidth = 30;
    const uint64_t reached = std::min(done, total), filled = kWidth * reached / total;
    const double left = seconds * static_cast<double>(total - reached) / static_cast<double>(std::max<uint64_t>(reached, 1));
    return fmt::format("{} [{:#>{}}{:.>{}}] {:3}%{}", what, "", filled, "", kWidth - filled, 100 * reached / total,
                       reached == 0 ? "" : fmt::format(", {:.0f} s left", left));
}

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
    fmt::print(stderr, "\r\x1b[K{}", progress_line(what_, done_, total_, std::chrono::duration<double>(now - start_).count()));
    std::fflush(stderr);
}

}  // namespace terrane
