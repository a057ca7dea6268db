#include "base/text.h"

#include <array>
#include <cstdlib>

namespace terrane::detail {

namespace {

struct Signature {
    std::string_view bytes;
    std::string_view meaning;
};
constexpr std::array kSignatures{
    Signature{"\xef\xbb\xbf", "text with a byte-order mark: save it without one (as ASCII, or as UTF-8 without BOM)"},
    Signature{"\xff\xfe", "UTF-16 text: save it as ASCII or UTF-8"},
    Signature{"\xfe\xff", "UTF-16 text: save it as ASCII or UTF-8"},
    Signature{"\x89PNG", "a PNG image"},
    Signature{"\xff\xd8\xff", "a JPEG image"},
    Signature{"GIF8", "a GIF image"},
    Signature{"\x1f\x8b", "a gzip archive"},
    Signature{"PK\x03\x04", "a zip archive"},
    Signature{"%PDF-", "a PDF document"},
    Signature{"\x7f"
              "ELF",
              "an ELF executable"},
    Signature{"\x89TRN", "a .terrane file"},
};

bool is_control(char c) { return static_cast<uint8_t>(c) < 0x20 && c != '\n' && c != '\r' && c != '\t'; }

}  // namespace

std::string_view describe_binary(std::string_view bytes) {
    constexpr size_t kLook = 64;
    const auto known = std::ranges::find_if(kSignatures, [&](const Signature& each) { return bytes.starts_with(each.bytes); });
    if (known != kSignatures.end()) return known->meaning;
    return std::ranges::any_of(bytes.substr(0, kLook), is_control) ? "binary data" : "";
}

std::optional<double> parse_number(std::string_view text) {
    if (text.empty() || text.front() == '+' || text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return std::nullopt;
#ifdef __cpp_lib_to_chars
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
#else  // libc++ has from_chars() for integers only
    const std::string copy(text);
    char* end = nullptr;
    const double value = std::strtod(copy.c_str(), &end);
    if (end != copy.c_str() + copy.size()) return std::nullopt;
#endif
    return value;
}

}  // namespace terrane::detail
