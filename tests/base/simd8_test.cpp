// Both storage policies of Simd8, lane by lane against scalar code.
#include "base/simd8.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "terrane/base/rng.h"

namespace terrane::detail {
namespace {

template <class Storage, class T>
struct Of {
    using Number = T;
    using Numbers = Simd8Of<T, Storage>;
};

template <class Which>
struct Simd8Test : testing::Test {
    using T = typename Which::Number;
    using V = typename Which::Numbers;
    using Lanes = std::array<T, kLanes>;

    static V eight(const Lanes& lanes) { return V::load(lanes.data()); }
    static Lanes lanes(const V& v) {
        Lanes out;
        v.store(out.data());
        return out;
    }

    // Signed numbers are small enough that no sum overflows; unsigned ones take any value. Equal lanes are frequent.
    static Lanes draw(Rng& rng) {
        Lanes out;
        for (T& lane : out) {
            const uint64_t any = rng.next();
            if (rng.below(4) == 0)
                lane = static_cast<T>(any % 3);
            else if constexpr (std::numeric_limits<T>::is_signed)
                lane = static_cast<T>(rng.between(-16000, 16000));
            else
                lane = static_cast<T>(any);
        }
        return out;
    }

    // Checks that whole(a, b) equals single(a[i], b[i]) in each lane.
    template <class Whole, class Single>
    static void expect_lane_by_lane(Whole&& whole, Single&& single) {
        Rng rng(7);
        for (int round = 0; round < 200; ++round) {
            const Lanes a = draw(rng), b = draw(rng);
            const Lanes got = lanes(whole(eight(a), eight(b)));
            for (size_t i = 0; i < kLanes; ++i)
                ASSERT_EQ(got[i], static_cast<T>(single(a[i], b[i]))) << "lane " << i << ", round " << round;
        }
    }
};

using Forms = testing::Types<
#ifdef TERRANE_HAS_VECTORS
    Of<Vectors, int16_t>, Of<Vectors, uint16_t>, Of<Vectors, uint32_t>, Of<Vectors, uint64_t>,
#endif
    Of<Arrays, int16_t>, Of<Arrays, uint16_t>, Of<Arrays, uint32_t>, Of<Arrays, uint64_t>>;
TYPED_TEST_SUITE(Simd8Test, Forms);

TYPED_TEST(Simd8Test, AddsSubtractsAndMultiplies) {
    this->expect_lane_by_lane([](auto a, auto b) { return a + b; }, [](auto a, auto b) { return a + b; });
    this->expect_lane_by_lane([](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a - b; });
    this->expect_lane_by_lane([](auto a, auto b) { return a * b; }, [](auto a, auto b) { return uint64_t{1} * a * b; });
}

TYPED_TEST(Simd8Test, CombinesBits) {
    this->expect_lane_by_lane([](auto a, auto b) { return a & b; }, [](auto a, auto b) { return a & b; });
    this->expect_lane_by_lane([](auto a, auto b) { return a | b; }, [](auto a, auto b) { return a | b; });
    this->expect_lane_by_lane([](auto a, auto b) { return a ^ b; }, [](auto a, auto b) { return a ^ b; });
}

TYPED_TEST(Simd8Test, ComparesToAllBitsOrNone) {
    this->expect_lane_by_lane([](auto a, auto b) { return a == b; }, [](auto a, auto b) { return a == b ? -1 : 0; });
    this->expect_lane_by_lane([](auto a, auto b) { return a < b; }, [](auto a, auto b) { return a < b ? -1 : 0; });
}

TYPED_TEST(Simd8Test, Chooses) {
    using Numbers = typename TypeParam::Numbers;
    using Number = typename TypeParam::Number;
    this->expect_lane_by_lane([](Numbers a, Numbers b) { return Numbers::least(a, b); }, [](Number a, Number b) { return std::min(a, b); });
    this->expect_lane_by_lane([](Numbers a, Numbers b) { return Numbers::greatest(a, b); },
                              [](Number a, Number b) { return std::max(a, b); });
    this->expect_lane_by_lane([](Numbers a, Numbers b) { return Numbers::where_equal(a, b, Numbers::all(5), b - a); },
                              [](Number a, Number b) { return a == b ? 5 : b - a; });
}

TYPED_TEST(Simd8Test, AnySeesEveryLaneAndEveryBit) {
    using Number = typename TypeParam::Number;
    EXPECT_FALSE(TypeParam::Numbers::all(0).any());
    for (size_t lane = 0; lane < kLanes; ++lane) {
        for (int bit = 0; bit < std::numeric_limits<Number>::digits; ++bit) {
            typename TestFixture::Lanes lanes{};
            lanes[lane] = static_cast<Number>(Number{1} << bit);
            ASSERT_TRUE(TestFixture::eight(lanes).any()) << "lane " << lane << ", bit " << bit;
        }
    }
}

// With the storage policy of this build.
TEST(Simd8, GreatestLaneIsFoundWhereverItIs) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
        std::array<int16_t, kLanes> lanes{-3, -2, -9, -4, -5, -6, -7, -8};
        lanes[lane] = 11;
        EXPECT_EQ(greatest_lane(Simd8<int16_t>::load(lanes.data())), 11);
    }
}

}  // namespace
}  // namespace terrane::detail
