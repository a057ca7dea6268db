// Converts an allocation failure into a fallback, and carries exceptions from one thread to another: the library's only try and catch. A
// build may be without exceptions; there an allocation failure ends the program.
#pragma once
#include <atomic>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>

namespace terrane::detail {

// work(), or failed() where it ran out of memory: std::bad_alloc, or the std::length_error of a container that was asked for more elements
// than there can be (sizes come from maps, files and options such as cache_bytes). Any other exception is not about memory and passes
// through: it is the caller's, from a callback.
template <class Work, class Failed>
auto attempt(Work&& work, [[maybe_unused]] Failed&& failed) -> decltype(work()) {
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

// The same for work that starts threads; failed() also where the system has no more of them (std::system_error).
template <class Work, class Failed>
void attempt_threads(Work&& work, [[maybe_unused]] Failed&& failed) {
#ifdef __cpp_exceptions
    try {
        attempt(work, failed);
    } catch (const std::system_error&) {
        failed();
    }
#else
    work();
#endif
}

// Takes an exception out of the threads that share some work, to the one that waits for them.
class ExceptionCarrier {
public:
    // work(); false where it threw. Keeps the first exception of all threads. Thread-safe.
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

    // After all threads were joined: throws what was kept, if there is anything.
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
