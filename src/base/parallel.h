// Work shared out among threads.
#pragma once
#include <cstdint>
#include <functional>

namespace terrane {

// Calls work(task, worker) once for every task below `tasks`, on at most `threads` threads (0: as many as the machine
// has), the caller's among them; returns when all are done. `worker` is below workers_for(threads, tasks) and is never
// in use twice at a time: an index for scratch.
//
// Tasks are taken in ascending order, so a task may wait for one with a smaller number, but not the other way round. Which
// worker gets which task is not determined: results must not depend on it. Where `work` runs out of memory, no more tasks are begun, and
// std::bad_alloc is thrown when those at work are done. All of them take memory from where the caller's thread does (memory.h).
void parallel_for(uint32_t threads, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work);

// At least 1.
uint32_t workers_for(uint32_t threads, uint32_t tasks);

}  // namespace terrane
