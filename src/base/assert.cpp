#include "terrane/base/assert.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace terrane {

namespace {

void print_and_abort(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: contract broken: %s\n", file, line, expression);
    std::abort();
}

std::atomic<AssertHandler> g_handler{print_and_abort};  // one of the library's two mutable statics; the other counts grid ids

}  // namespace

void set_assert_handler(AssertHandler handler) { g_handler = handler != nullptr ? handler : print_and_abort; }

void detail::assert_failed(const char* expression, const char* file, int line) { g_handler.load()(expression, file, line); }

}  // namespace terrane
