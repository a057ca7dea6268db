// Attributes of functions and classes.
#pragma once

// Of the small functions of the inner loop: left to itself, g++ calls some of them (68 ns an expansion of A* on a
// 2048x2048 map; 50 with them inlined). After a lambda's parameters, before a function's type.
#if defined(__GNUC__)
#define TERRANE_INLINE __attribute__((always_inline))
#define TERRANE_COLD __attribute__((noinline))
#else
#define TERRANE_INLINE
#define TERRANE_COLD
#endif

// Marks public classes that may change in any version.
#define TERRANE_EXPERIMENTAL
