// Result<T>: a value or an Error. Used for invalid files, names and options; the outcomes of searches are a Status.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "terrane/base/assert.h"

namespace terrane {

enum class ErrorCode : uint8_t {
    kCannotOpen,   // missing, a directory, no permission, disk full
    kBadHeader,    // the file does not begin as its format requires
    kBadValue,     // an invalid number or name
    kBadLetter,    // a map letter without a terrain
    kTruncated,    // the file ends too early
    kTrailing,     // data after the end of the content
    kTooLarge,     // more cells, bytes or lines than the limit allows
    kUnknownName,  // a terrain, profile or method that does not exist
    kUnsupported,  // valid, but this build or this format cannot do it
    kCancelled,    // stopped by the caller
    kNoMemory,     // allocation failure
};

// `file` is empty for text in memory. `line` counts from 1; 0 if the error concerns no line.
struct Error {
    ErrorCode code = ErrorCode::kBadValue;
    std::string file;
    uint32_t line = 0;
    std::string reason;

    // "island.map:7: row 3 has 12 cells, expected 16"
    std::string message() const;
};

namespace detail {
// Report a broken contract at `file` and `line` to the assert handler (assert.h) and abort if it returns: there is no value to continue
// with. Not inline, so that every program has the same check.
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

    // Requires a value. Checked in every build type: otherwise the program aborts with the error's message and the location of the call,
    // which `file` and `line` receive by default.
    T& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) & { return check_value(file, line), *value_; }
    const T& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const& { return check_value(file, line), *value_; }
    T&& value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) && { return check_value(file, line), *std::move(value_); }
    T& operator*() { return value(); }
    const T& operator*() const { return value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    // Requires an error; checked in every build type.
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

// The result of a function that returns no value but may fail. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : error_(std::move(error)) {}

    explicit operator bool() const { return !error_.has_value(); }
    bool has_value() const { return !error_.has_value(); }

    // Requires success. Checked in every build type: otherwise the program aborts with the error's message and the location of the call.
    void value(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (error_) detail::no_value(*error_, file, line);
    }

    // Requires a failure; checked in every build type.
    const Error& error(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        if (!error_) detail::no_error(file, line);
        return *error_;
    }

private:
    std::optional<Error> error_;
};

}  // namespace terrane
