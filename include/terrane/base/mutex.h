// Mutex: std::mutex, or nothing to wait for where a program cannot have threads (WebAssembly without them).
#pragma once
#include <mutex>

namespace terrane {

#ifdef __STDCPP_THREADS__
using Mutex = std::mutex;
#else
struct Mutex {
    void lock() {}
    void unlock() {}
};
#endif

}  // namespace terrane
