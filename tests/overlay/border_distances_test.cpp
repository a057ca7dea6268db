#include "overlay/border_distances.h"

#include <gtest/gtest.h>

#include <vector>

#include "terrane/base/rng.h"

namespace terrane::detail {
namespace {

uint32_t at(BorderDistances distances, uint32_t i) { return distances.narrow != nullptr ? distances.narrow[i] : distances.wide[i]; }

TEST(BorderDistances, OfUniformClustersAreThoseOfEachCell) {
    const int32_t last = kClusterSide - 1;
    BorderBuffer buffer;
    for (const Movement movement : {Movement::kFour, Movement::kEightNoCornerCutting}) {
        for (const uint32_t cost : {1u, 7u, 17u, 24u, 25u, 400u, 65000u}) {
            for (int32_t i = 0; i < 2 * 33; ++i) {
                const bool vertical = i % 2 == 0;
                const Rect border = vertical ? Rect{{64, 32}, {1, 33}} : Rect{{64, 32}, {33, 1}};
                // A cell on the farther side, and one on the border itself.
                for (const int32_t across : {0, 1, last}) {
                    const Cell to = vertical ? Cell{64 - across, 32 + i / 2} : Cell{64 + i / 2, 32 - across};
                    const BorderDistances got = uniform_distances(border, to, cost, movement, buffer);
                    for (int32_t k = 0; k <= last; ++k) {
                        const Cell from = vertical ? Cell{64, 32 + k} : Cell{64 + k, 32};
                        ASSERT_EQ(at(got, static_cast<uint32_t>(k)), uniform_distance(from, to, cost, movement)) << cost;
                    }
                }
            }
        }
    }
}

// In 16 or 32 bits: the first of the least, or `own` if nothing is less; an unreachable cell never wins.
TEST(BorderDistances, LeastSumIsThatOfATrialOfAll) {
    Rng rng(5);
    uint32_t moved = 0, stayed = 0;
    for (int round = 0; round < 20000; ++round) {
        const uint32_t length = rng.chance(3, 4) ? kClusterSide : 1 + rng.below(kClusterSide);
        const uint32_t most = uint32_t{1} << rng.between(1, 16);
        std::vector<uint16_t> narrow[2];
        std::vector<uint32_t> wide[2];
        for (int k = 0; k < 2; ++k) {
            for (uint32_t i = 0; i < kClusterSide; ++i) {
                const bool far = rng.chance(1, 10);
                const uint32_t distance = std::min(rng.below(most), 0xfffeu);
                narrow[k].push_back(static_cast<uint16_t>(far ? 0xffff : distance));
                wide[k].push_back(far ? kNoPath : distance);
            }
        }
        const uint32_t own = rng.below(length);
        const auto sum = [&](uint32_t i) {
            return wide[0][i] == kNoPath || wide[1][i] == kNoPath ? uint64_t{1} << 40 : uint64_t{wide[0][i]} + wide[1][i];
        };
        if (sum(own) == uint64_t{1} << 40) continue;  // a portal reaches both
        uint32_t best = own;
        for (uint32_t i = 0; i < length; ++i) best = sum(i) < sum(best) ? i : best;
        for (int forms = 0; forms < 4; ++forms) {
            const auto side = [&](int k, bool is_narrow) {
                return is_narrow ? BorderDistances{narrow[k].data(), nullptr} : BorderDistances{nullptr, wide[k].data()};
            };
            const LeastSum got = least_sum(side(0, (forms & 1) != 0), side(1, (forms & 2) != 0), length, own);
            ASSERT_EQ(got.at, best) << "length " << length << ", own " << own << ", forms " << forms;
            ASSERT_EQ(got.gain, sum(own) - sum(best));
        }
        ++(best == own ? stayed : moved);
    }
    EXPECT_GT(moved, 1000u);
    EXPECT_GT(stayed, 100u);
}

}  // namespace
}  // namespace terrane::detail
