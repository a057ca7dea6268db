// Corrupts files: truncation at every byte, and changes of every byte.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane {

// Calls visit(text, what) for each proper prefix of `text`.
template <class Visit>
void for_each_cut(const std::string& text, Visit&& visit) {
    for (size_t length = 0; length < text.size(); ++length) visit(text.substr(0, length), "cut at byte " + std::to_string(length));
}

// Calls visit(text, what) for copies of `text` with one byte changed.
template <class Visit>
void for_each_change(const std::string& text, Visit&& visit) {
    for (size_t i = 0; i < text.size(); ++i) {
        for (const char value :
             {'\0', '0', '9', '"', '<', '-', '\x7f', '\xff', static_cast<char>(text[i] ^ 1), static_cast<char>(text[i] ^ 0x40)}) {
            if (text[i] == value) continue;
            std::string changed = text;
            changed[i] = value;
            visit(changed, "byte " + std::to_string(i) + " set to " + std::to_string(static_cast<uint8_t>(value)));
        }
    }
}

// Checks that an error names the file and has a reason in printable ASCII.
inline void expect_printable_error(const Error& error, const std::string& file, const std::string& what) {
    EXPECT_FALSE(error.reason.empty()) << what;
    EXPECT_EQ(error.file, file) << what;
    for (const char c : error.reason) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << what;
}

}  // namespace terrane
