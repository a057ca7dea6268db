// Death tests of contracts. The library of a Release build has no assertions: there they are skipped.
#pragma once
#include <gtest/gtest.h>

#if defined(TERRANE_LIBRARY_WITHOUT_ASSERTS)
#define EXPECT_BROKEN(statement, expression) GTEST_SKIP() << "this build has no assertions"
#else
// `expression`: a part of what was asserted, as a regular expression.
#define EXPECT_BROKEN(statement, expression) EXPECT_DEATH(statement, "contract broken: .*" expression)
#endif
