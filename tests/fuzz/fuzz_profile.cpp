// parse_profile: profiles that compile have costs in range, and can be written as text again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "require.h"
#include "terrane/grid/profile.h"

namespace terrane {

namespace {

std::string in_words(const CostTable& table, const Catalogue& catalogue) {
    std::string text;
    for (uint32_t t = 0; t < catalogue.size(); ++t) {
        const auto terrain = static_cast<Terrain>(t);
        text += catalogue[terrain].name + ' ' + format_hundredths(table.hundredths(terrain)) + '\n';
    }
    return text;
}

void check(const Profile& profile, const Catalogue& catalogue) {
    const auto table = profile.compile(catalogue);
    if (!table) return require_valid_error(table.error(), "fuzz.profile");
    require(table->divisor >= 1 && !table->passable(kOutside), "a table is valid");
    for (uint32_t t = 0; t < 256; ++t) require(table->hundredths(static_cast<Terrain>(t)) <= kMaxTerrainCost, "costs are in range");

    const auto again = parse_profile(in_words(*table, catalogue));
    require(again.has_value(), "written output can be read");
    const auto same = again->compile(catalogue);
    require(same.has_value() && same->cost == table->cost && same->divisor == table->divisor, "the costs are the same");
}

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const auto profile = parse_profile({reinterpret_cast<const char*>(data), size}, "fuzz.profile");
    if (!profile) return require_valid_error(profile.error(), "fuzz.profile"), 0;
    check(*profile, Catalogue::standard());
    check(*profile, Catalogue::octile());
    return 0;
}
