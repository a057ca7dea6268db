// find_method, find_crowd_method and find_subdivision_method: an accepted method is found again by its own name.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "terrane/world/methods.h"

namespace terrane {

namespace {

std::string name_of(const Method& method) { return method.name(); }
std::string name_of(const CrowdMethodSpec& method) { return method.name; }
std::string name_of(const SubdivisionMethod& method) { return method.name; }

template <class Find>
void check(std::string_view name, Find&& find) {
    const auto found = find(name);
    if (!found) return require_valid_error(found.error(), "");
    const auto again = find(name_of(*found));
    require(again.has_value() && name_of(*again) == name_of(*found), "a method is found by its own name");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const std::string_view name(reinterpret_cast<const char*>(data), size);
    check(name, [](std::string_view text) { return find_method(text); });
    check(name, [](std::string_view text) { return find_crowd_method(text); });
    check(name, [](std::string_view text) { return find_subdivision_method(text); });
    return 0;
}
