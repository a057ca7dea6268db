// Result<T>: a value, or why there is none. For bad files and bad bytes; ordinary search outcomes
// are a Status.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "terrane/base/assert.h"

namespace terrane {

enum class ErrorCode : uint8_t {
    kCannotOpen,   // missing, a directory, no permission, disk full
    kBadHeader,    // the file does not begin as its format does
    kBadValue,     // a number or a name that cannot be
    kBadLetter,    // a map letter that nothing explains
    kTruncated,    // the file ends too early
    kTrailing,     // the file goes on after its end
    kTooLarge,     // more cells, bytes or lines than the limit allows
    kUnknownName,  // a terrain, profile or method that does not exist
    kUnsupported,  // valid, but not something this build or this format can do
    kCancelled,    // the caller said to stop
    kNoMemory,     // that cannot be had
};

// `file` may be empty (text in memory); `line` counts from 1, 0 where no line is to blame.
struct Error {
    ErrorCode code = ErrorCode::kBadValue;
    std::string file;
    uint32_t line = 0;
    std::string reason;

    // "island.map:7: row 3 has 12 cells, expected 16"
    std::string message() const;
};

namespace detail {
// A broken contract at `file` and `line`: goes to the assert handler (assert.h) with the error's message, and ends the program where that
// returns, for there is no value to go on with. In the library, so that it is the same for all that call it.
[[noreturn]] void no_value(const Error& error, const char* file, int line);
[[noreturn]] void no_error(const char* file, int line);
}  // namespace detail

template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return value_.has_value(); }
    bool has_value() const { return value_.has_value(); }

    // Only with a value. Checked in every build type: without one, the program ends with the error's message and the place of the call.
    // `file` and `line` are that place; leave them to their defaults.
    T& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) & { return check_value(file, line), *value_; }
    const T& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const& { return check_value(file, line), *value_; }
    T&& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) && { return check_value(file, line), *std::move(value_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    // Only without a value; checked likewise.
    const Error& error(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (value_.has_value()) detail::no_error(file, line);
        return error_;
    }

private:
    void check_value(const char* file, int line) const {
        if (!value_.has_value()) detail::no_value(error_, file, line);
    }

    std::optional<T> value_;
    Error error_;
};

// For calls that return nothing but may fail: `return Done{};`
struct Done {};

}  // namespace terrane
