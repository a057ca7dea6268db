// A parallel loop.
#pragma once
#include <cstdint>
#include <functional>

namespace terrane {

// Calls work(task, worker) once for every task in [0, tasks) and returns when all calls have returned. Uses at most `threads` threads (0:
// one per hardware thread), the caller's included. `worker` is below workers_for(threads, tasks), and no two concurrent calls get the
// same one: use it to index scratch memory.
//
// Tasks start in ascending order, so a task may wait for a smaller one, but not for a larger one. The assignment of tasks to workers is
// not deterministic: results must not depend on it. If `work` throws, no further tasks start, and the first exception is rethrown after
// the running tasks have returned. All workers allocate from the caller's MemoryScope (memory.h).
void parallel_for(uint32_t threads, uint32_t tasks, const std::function<void(uint32_t task, uint32_t worker)>& work);

// The number of workers that parallel_for() uses at most; at least 1.
uint32_t workers_for(uint32_t threads, uint32_t tasks);

}  // namespace terrane
