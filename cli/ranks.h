// Processes that do one piece of work together: the plain command alone, or the ranks of MPI (mpi_main.cpp).
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace terrane::cli {

// Numbers below `count`, each to one caller; calls `given` for each, one at a time. Any thread may take.
class Dispenser {
public:
    Dispenser(uint32_t count, std::function<void()> given) : count_(count), given_(std::move(given)) {}

    std::optional<uint32_t> take() {
        const std::lock_guard lock(mutex_);
        if (next_ == count_) return std::nullopt;
        given_();
        return next_++;
    }

private:
    std::mutex mutex_;
    uint32_t next_ = 0;
    uint32_t count_;
    std::function<void()> given_;
};

// As it stands, of one process.
class Ranks {
public:
    using Next = std::function<std::optional<uint32_t>()>;

    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    virtual uint32_t rank() const { return 0; }  // 0 is the one that speaks
    virtual uint32_t count() const { return 1; }

    // What follows is called by all ranks, in the same order.

    // Whether it is true for all of them.
    virtual bool all(bool mine) { return mine; }

    // Calls work(next) once in every rank. `next` gives each number below `tasks` once, whichever rank asks first, and then nothing; any
    // thread may call it, one at a time. `given` is called in rank 0 for each, whoever took it. Whether `work` was well in all ranks.
    virtual bool share(uint32_t tasks, const std::function<void()>& given, const std::function<bool(const Next& next)>& work) {
        Dispenser dispenser(tasks, given);
        return work([&] { return dispenser.take(); });
    }
};

}  // namespace terrane::cli
