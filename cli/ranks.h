// The processes that share a build: `terrane` alone, or MPI ranks (mpi_main.cpp).
#pragma once
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

namespace terrane::cli {

// Hands out each number below `count` once, and calls `given` for it, one call at a time. Thread-safe.
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

// The implementation for one process.
class Ranks {
public:
    using Next = std::function<std::optional<uint32_t>()>;

    Ranks() = default;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    virtual ~Ranks() = default;

    virtual uint32_t rank() const { return 0; }  // rank 0 prints
    virtual uint32_t count() const { return 1; }

    // All ranks must call these in the same order.

    // Returns whether the value is true in all ranks.
    virtual bool all(bool mine) { return mine; }

    // Calls work(next) once in every rank. `next` returns each number below `tasks` once over all ranks, and then nothing; any thread may
    // call it, one at a time. Rank 0 calls `given` for each number. Returns whether `work` succeeded in all ranks.
    virtual bool share(uint32_t tasks, const std::function<void()>& given, const std::function<bool(const Next& next)>& work) {
        Dispenser dispenser(tasks, given);
        return work([&] { return dispenser.take(); });
    }
};

}  // namespace terrane::cli
