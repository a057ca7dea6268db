// Parsers of arguments that several methods share.
#pragma once
#include <memory>
#include <numeric>
#include <utility>

#include "base/text.h"
#include "terrane/grid/profile.h"
#include "terrane/method/method_interface.h"
#include "terrane/search/best_first.h"

namespace terrane::detail {

// Parses a weight from 1 to 100 with at most two decimals, as an exact fraction.
inline Result<Weight> parse_weight(const MethodText& text, std::string_view argument) {
    const auto hundredths = parse_hundredths(argument);
    if (!hundredths || *hundredths < 100 || *hundredths > 10000) {
        return text.refuse(ErrorCode::kBadValue, "the weight must be from 1 to 100, with at most two decimals");
    }
    const uint32_t divisor = std::gcd(*hundredths, 100u);
    return Weight{*hundredths / divisor, 100 / divisor};
}

// Parses the sector size after the name: cells per side or, if `whole_map`, "map" (kWholeMap). If it is missing, the error is the usage.
inline Result<uint32_t> parse_sector(const MethodText& text, const MethodInfo& info, bool whole_map) {
    if (!text.head.argument) return text.expected(info);
    if (whole_map && *text.head.argument == "map") return kWholeMap;
    const auto side = parse_integer<uint32_t>(*text.head.argument, kMinSector, kMaxSector);
    if (side) return *side;
    return text.refuse(ErrorCode::kBadValue, "sectors are " + std::to_string(kMinSector) + " to " + std::to_string(kMaxSector) +
                                                 " cells per side" + (whole_map ? ", or map (one sector for all of it)" : "") + ", not " +
                                                 quote(*text.head.argument));
}

template <class M, class... Arguments>
Result<SharedGridMethod> make_method(Arguments&&... arguments) {
    return SharedGridMethod(std::make_shared<const M>(std::forward<Arguments>(arguments)...));
}

template <class Query>
std::unique_ptr<MethodQuery> make_query(size_t /*cache_bytes*/) {
    return std::make_unique<Query>();
}

}  // namespace terrane::detail
