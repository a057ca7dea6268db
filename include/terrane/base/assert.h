// Contract checks. A broken contract is a bug in the caller. Bad input and ordinary outcomes are reported through Result and Status
// instead.
//
// TERRANE_CHECK is on in every build type. It is the only one of the three for headers: an inline function must be the same in the
// library and in the program that includes it, whatever either defines (the one-definition rule). tools/rules checks that.
//
// TERRANE_ASSERT and TERRANE_VALIDATE are for sources. TERRANE_ASSERT is on unless TERRANE_NO_ASSERT is defined (plain Release defines
// it for the library; RelWithDebInfo and Debug keep it). TERRANE_VALIDATE is for costly checks: Debug only.
#pragma once

namespace terrane {

// Receives the failed expression and its source location. Execution continues if the handler returns; the default handler prints to
// stderr and aborts. There is one handler per process: set it once, before other threads start. Null restores the default.
using AssertHandler = void (*)(const char* expression, const char* file, int line);
void set_assert_handler(AssertHandler handler);

namespace detail {
void assert_failed(const char* expression, const char* file, int line);
}

}  // namespace terrane

// Compiles `expression` without evaluating it, so that variables used only in checks cause no warnings in builds without checks.
#define TERRANE_UNCHECKED(expression) (true ? static_cast<void>(0) : static_cast<void>(expression))

#define TERRANE_CHECK(expression) \
    (static_cast<bool>(expression) ? static_cast<void>(0) : ::terrane::detail::assert_failed(#expression, __FILE__, __LINE__))

#if defined(TERRANE_NO_ASSERT)
#define TERRANE_ASSERT(expression) TERRANE_UNCHECKED(expression)
#else
#define TERRANE_ASSERT(expression) TERRANE_CHECK(expression)
#endif

#if defined(NDEBUG) || defined(TERRANE_NO_ASSERT)
#define TERRANE_VALIDATE(expression) TERRANE_UNCHECKED(expression)
#else
#define TERRANE_VALIDATE(expression) TERRANE_ASSERT(expression)
#endif
