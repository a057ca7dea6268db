// Mutex: std::mutex, or an empty class on platforms without threads (WebAssembly).
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
