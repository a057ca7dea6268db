#include "base/text.h"

#include <cstdlib>

namespace terrane::detail {

std::optional<double> parse_number(std::string_view text) {
    if (text.empty() || text.front() == '+' || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
#ifdef __cpp_lib_to_chars
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
#else  // libc++ has it for whole numbers only
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) return std::nullopt;
#endif
    return value;
}

}  // namespace terrane::detail
