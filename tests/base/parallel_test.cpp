#include "base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <vector>

#include "base/catch_bad_alloc.h"

namespace terrane {
namespace {

TEST(Parallel, EveryTaskOnceOnAnyNumberOfThreads) {
    for (const uint32_t threads : {0u, 1u, 2u, 5u}) {
        for (const uint32_t tasks : {0u, 1u, 3u, 100u}) {
            std::vector<std::atomic<int>> done(tasks), busy(workers_for(threads, tasks));
            parallel_for(threads, tasks, [&](uint32_t task, uint32_t worker) {
                EXPECT_EQ(busy.at(worker)++, 0);
                ++done[task];
                --busy[worker];
            });
            for (const auto& count : done) EXPECT_EQ(count, 1);
        }
    }
}

TEST(Parallel, ATaskMayWaitForASmallerOneOnAnyNumberOfThreads) {
    for (const uint32_t threads : {1u, 2u, 7u}) {
        std::atomic<uint32_t> ready = 0;
        parallel_for(threads, 20, [&](uint32_t task, uint32_t) {
            for (uint32_t seen; (seen = ready) < task;) ready.wait(seen);
            ready = task + 1;
            ready.notify_all();
        });
        EXPECT_EQ(ready, 20u);
    }
}

TEST(Parallel, AnExceptionOfATaskReachesTheCaller) {
    for (const uint32_t threads : {1u, 3u}) {
        const auto throws = [&](auto exception) {
            parallel_for(threads, 20, [&](uint32_t task, uint32_t) {
                if (task == 7) throw exception;
            });
        };
        EXPECT_THROW(throws(std::domain_error("of a callback")), std::domain_error);
        EXPECT_THROW(throws(std::bad_alloc()), std::bad_alloc);
    }
}

TEST(CatchBadAlloc, ConvertsOnlyAllocationFailures) {
    const auto converted = [](auto exception) { return detail::catch_bad_alloc([&]() -> bool { throw exception; }, [] { return true; }); };
    EXPECT_TRUE(converted(std::bad_alloc()));
    EXPECT_TRUE(converted(std::length_error("more elements than there can be")));
    EXPECT_THROW(converted(std::domain_error("of a callback")), std::domain_error);
    EXPECT_THROW(converted(7), int);
}

}  // namespace
}  // namespace terrane
