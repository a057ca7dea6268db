// Checks that the fuzzers make of every parser.
#pragma once
#include <cstdio>
#include <cstdlib>

#include "terrane/base/result.h"

namespace terrane {

inline void require(bool condition, const char* claim) {
    if (condition) return;
    std::fprintf(stderr, "broken promise: %s\n", claim);
    std::abort();
}

// An error must have the name of the file and a reason in printable ASCII.
inline void require_valid_error(const Error& error, const char* file) {
    require(!error.reason.empty(), "an error has a reason");
    require(error.file == file, "an error names its file");
    for (const char c : error.reason) require(c >= 0x20 && c < 0x7f, "an error is printable");
}

}  // namespace terrane
