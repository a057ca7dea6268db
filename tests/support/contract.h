// Death tests of contracts. Skipped in Release builds, whose library has no assertions.
#pragma once
#include <gtest/gtest.h>

#if defined(TERRANE_LIBRARY_WITHOUT_ASSERTS)
#define EXPECT_BROKEN(statement, expression) GTEST_SKIP() << "this build has no assertions"
#else
// `expression`: a regular expression that matches a part of the failed assertion.
#define EXPECT_BROKEN(statement, expression) EXPECT_DEATH(statement, "contract broken: .*" expression)
#endif
