#include "terrane/base/result.h"

#include <cstdlib>

namespace terrane {

std::string Error::message() const {
    std::string text = file;
    if (line > 0) text += (text.empty() ? "line " : ":") + std::to_string(line);
    return text.empty() ? reason : text + ": " + reason;
}

namespace detail {

void no_value(const Error& error, const char* file, int line) {
    assert_failed(("value() of a Result that holds an error: " + error.message()).c_str(), file, line);
    std::abort();
}

void no_error(const char* file, int line) {
    assert_failed("error() of a Result that holds a value", file, line);
    std::abort();
}

}  // namespace detail

}  // namespace terrane
