// Path costs as integers, so that every machine finds the same path.
//
// A terrain cost is a whole number of hundredths (1 = 0.01 ... 65000 = 650). A step from cell a to
// cell b costs d(a,b) * (tc(a) + tc(b)) / 2; in integers: kStraight or kDiagonal times the sum of the
// two terrain costs in hundredths. 1393/985 is sqrt 2 to 2.6e-7.
//
// Inside a search, costs are divided by the common divisor of the profile's terrain costs (see
// profile.h); every Cost that a caller sees is in the full unit below, so that costs of different
// profiles compare.
#pragma once
#include <cstdint>
#include <limits>

namespace terrane {

using Cost = uint64_t;

inline constexpr uint32_t kStraight = 985;
inline constexpr uint32_t kDiagonal = 1393;
inline constexpr uint32_t kCostPerUnit = 2 * 100 * kStraight;  // one straight step at terrain cost 1
inline constexpr Cost kInfiniteCost = std::numeric_limits<Cost>::max();

// Converts a cost to real units: 1.0 is one straight step over terrain of cost 1.
inline double to_real(Cost cost) { return static_cast<double>(cost) / kCostPerUnit; }

}  // namespace terrane
