// What is to be done where memory runs out: one place that knows of exceptions, which a build may be without.
#pragma once
#include <exception>

namespace terrane::detail {

// work(), or, where it ran out of memory (std::bad_alloc, or the std::length_error of more than there could be), failed(). Without
// exceptions the program has ended by then.
template <class Work, class Failed>
auto attempt(Work&& work, [[maybe_unused]] Failed&& failed) -> decltype(work()) {
#ifdef __cpp_exceptions
    try {
        return work();
    } catch (const std::exception&) {
        return failed();
    }
#else
    return work();
#endif
}

}  // namespace terrane::detail
