// Converts allocation failures into a fallback, and carries exceptions between threads. The library's only try and catch. In a build
// without exceptions, an allocation failure aborts the program.
#pragma once
#include <atomic>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace terrane::detail {

// Returns work(), or failed() after an allocation failure: std::bad_alloc, or the std::length_error of a container whose requested size
// exceeds max_size() (sizes come from maps, files and options such as cache_bytes). Other exceptions come from the caller's callbacks and
// pass through.
template <class Work, class Failed>
auto catch_bad_alloc(Work&& work, [[maybe_unused]] Failed&& failed) -> decltype(work()) {
#ifdef __cpp_exceptions
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return failed();
    } catch (const std::length_error&) {
        return failed();
    }
#else
    return work();
#endif
}

// The same for work that starts threads; also calls failed() if the system cannot start one (std::system_error).
template <class Work, class Failed>
void catch_thread_failure(Work&& work, [[maybe_unused]] Failed&& failed) {
#ifdef __cpp_exceptions
    try {
        catch_bad_alloc(work, failed);
    } catch (const std::system_error&) {
        failed();
    }
#else
    work();
#endif
}

// Carries the first exception of a group of worker threads to the thread that waits for them.
class ExceptionCarrier {
public:
    // Calls work(); returns false if it threw, and stores the exception if it is the first. Thread-safe.
    template <class Work>
    bool run(Work&& work) {
#ifdef __cpp_exceptions
        try {
            work();
        } catch (...) {
            if (!thrown_.exchange(true)) first_ = std::current_exception();
            return false;
        }
#else
        work();
#endif
        return true;
    }

    // Rethrows the stored exception, if any. Call it after all threads have been joined.
    void rethrow() const {
#ifdef __cpp_exceptions
        if (first_) std::rethrow_exception(first_);
#endif
    }

private:
    std::atomic<bool> thrown_ = false;
    std::exception_ptr first_;
};

}  // namespace terrane::detail
