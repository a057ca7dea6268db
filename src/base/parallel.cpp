#include "terrane/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace terrane {

#ifdef __STDCPP_THREADS__

uint32_t workers_for(uint32_t threads, uint32_t tasks) {
    if (threads == 0) threads = std::thread::hardware_concurrency();
    return std::max(1u, std::min(threads, tasks));
}

void parallel_for(uint32_t threads, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work) {
    std::atomic<uint32_t> next = 0;
    const auto drain = [&](uint32_t worker) {
        for (uint32_t task = next++; task < tasks; task = next++) work(task, worker);
    };
    std::vector<std::thread> others;
    for (uint32_t worker = 1; worker < workers_for(threads, tasks); ++worker) others.emplace_back(drain, worker);
    drain(0);
    for (std::thread& other : others) other.join();
}

#else  // one thread does it all

uint32_t workers_for(uint32_t, uint32_t) { return 1; }

void parallel_for(uint32_t, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work) {
    for (uint32_t task = 0; task < tasks; ++task) work(task, 0);
}

#endif

}  // namespace terrane
