#include "base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/catch_bad_alloc.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"

namespace terrane {

#ifdef __STDCPP_THREADS__

uint32_t workers_for(uint32_t threads, uint32_t tasks) {
    if (threads == 0) threads = std::thread::hardware_concurrency();
    return std::max(1u, std::min(threads, tasks));
}

void parallel_for(uint32_t threads, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work) {
    TERRANE_ASSERT(tasks == 0 || work != nullptr);
    std::atomic<uint32_t> next = 0;
    detail::ExceptionCarrier carrier;
    Memory* const memory = current_memory();
    const auto drain = [&](uint32_t worker) {
        const MemoryScope scope(memory);
        const auto all = [&] {
            for (uint32_t task = next++; task < tasks; task = next++) work(task, worker);
        };
        if (!carrier.run(all)) next = tasks;
    };
    std::vector<std::thread> others;
    const auto start_others = [&] {
        const uint32_t workers = workers_for(threads, tasks);
        others.reserve(workers - 1);
        for (uint32_t worker = 1; worker < workers; ++worker) others.emplace_back(drain, worker);
    };
    detail::catch_thread_failure(start_others, [] {});  // continue with the threads that could be started
    drain(0);
    for (std::thread& other : others) other.join();
    carrier.rethrow();
}

#else  // without threads, the caller runs all tasks

uint32_t workers_for(uint32_t, uint32_t) { return 1; }

void parallel_for(uint32_t, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work) {
    for (uint32_t task = 0; task < tasks; ++task) work(task, 0);
}

#endif

}  // namespace terrane
