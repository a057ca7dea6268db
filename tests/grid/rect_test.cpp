#include <gtest/gtest.h>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/grid/grid.h"
#include "terrane/world/world.h"

namespace terrane {
namespace {

constexpr int32_t kMax = INT32_MAX, kMin = INT32_MIN;

// Four integers were two corners, so none of their spellings may compile.

template <class T>
concept InitialisedByFourIntegers = requires {
    T{0, 0, 10, 10};
}
|| requires { T(0, 0, 10, 10); }
|| requires { T({0, 0, 10, 10}); };
template <class T>
concept AssignedFromFourIntegers = requires(T t) {
    t = {0, 0, 10, 10};
};
template <class Map>
concept FilledByFourIntegers = requires(Map map) {
    map.fill({0, 0, 10, 10}, Terrain{1});
}
|| requires(Map map) { map.fill({0, 0, 10, 10}, "lava"); };
template <class Map>
concept FilledByCornerAndSize = requires(Map map) {
    map.fill({{0, 0}, {10, 10}}, Terrain{1});
};
template <class T>
concept HasCorners = requires(T t) {
    t.left;
}
|| requires(T t) { t.top; }
|| requires(T t) { t.right + 1; }
|| requires(T t) { t.bottom + 1; };

struct Corners {
    int32_t left, top, right, bottom;
};
static_assert(InitialisedByFourIntegers<Corners> && AssignedFromFourIntegers<Corners> && HasCorners<Corners>, "the concepts can hold");

static_assert(!InitialisedByFourIntegers<Rect> && !AssignedFromFourIntegers<Rect> && !HasCorners<Rect>);
static_assert(!FilledByFourIntegers<TerrainGrid> && !FilledByFourIntegers<World>);
static_assert(FilledByCornerAndSize<TerrainGrid> && FilledByCornerAndSize<World>);
static_assert(!std::is_aggregate_v<Rect> && !std::constructible_from<Rect, int, int, int, int> &&
              std::constructible_from<Rect, Cell, Size>);
static_assert(std::is_trivially_copyable_v<Rect> && sizeof(Rect) == 16);

TEST(Rect, HasACornerAndASize) {
    constexpr Rect rect({3, 4}, {10, 20});
    static_assert(rect.x == 3 && rect.y == 4 && rect.width == 10 && rect.height == 20);
    static_assert(rect.right() == 13 && rect.bottom() == 24 && rect.area() == 200 && !rect.empty());
    static_assert(rect.corner() == Cell{3, 4} && rect.size() == Size{10, 20});
    static_assert(rect.contains({3, 4}) && rect.contains({12, 23}) && !rect.contains({13, 4}) && !rect.contains({3, 24}) &&
                  !rect.contains({2, 4}));
}

TEST(Rect, SpansTwoCornersInAnyOrder) {
    const Rect want({2, 3}, {4, 6});
    EXPECT_EQ(Rect::spanning({2, 3}, {5, 8}), want);
    EXPECT_EQ(Rect::spanning({5, 8}, {2, 3}), want);
    EXPECT_EQ(Rect::spanning({5, 3}, {2, 8}), want);
    EXPECT_EQ(Rect::spanning({7, 7}, {7, 7}), Rect({7, 7}, {1, 1}));
}

TEST(Rect, IsEmptyIfASideIsZeroOrNegative) {
    for (const Size size : {Size{0, 5}, Size{5, 0}, Size{-1, 5}, Size{5, -1}, Size{-3, -3}, Size{kMin, kMin}, Size{kMax, kMin}}) {
        for (const Cell corner : {Cell{0, 0}, Cell{kMin, kMin}, Cell{kMax, kMax}}) {
            const Rect rect(corner, size);
            EXPECT_TRUE(rect.empty());
            EXPECT_EQ(rect.area(), 0u);
            EXPECT_FALSE(rect.contains(corner));
            EXPECT_FALSE(rect.contains({corner.x / 2, corner.y / 2}));
            EXPECT_TRUE(intersection(rect, {{kMin, kMin}, {kMax, kMax}}).empty());
            EXPECT_EQ(hull(rect, {{1, 2}, {3, 4}}), Rect({1, 2}, {3, 4}));
            EXPECT_EQ(hull({{1, 2}, {3, 4}}, rect), Rect({1, 2}, {3, 4}));
        }
    }
    EXPECT_TRUE(Rect{}.empty());
}

// Signed overflow here would be an error in builds with UndefinedBehaviorSanitizer, and in constant expressions everywhere.
TEST(Rect, DoesNotOverflowAtTheLimitsOfIntegers) {
    constexpr Rect far({kMax, kMax}, {kMax, kMax}), whole({kMin, kMin}, {kMax, kMax}), last({kMax, 5}, {1, 1});
    static_assert(far.right() == kMax && far.bottom() == kMax && far.area() == uint64_t{kMax} * kMax);
    static_assert(far.contains({kMax, kMax}) && !far.contains({kMax - 1, kMax}) && !far.contains({kMin, kMin}));
    static_assert(last.contains({kMax, 5}) && !last.contains({kMax, 6}) && !last.contains({kMin, 5}));
    static_assert(whole.right() == -1 && whole.contains({kMin, -2}) && !whole.contains({-1, -2}) && !whole.contains({kMax, 0}));
    static_assert(Rect({kMin, 0}, {-1, 1}).right() == kMin);
    static_assert(intersection(far, far) == far && intersection(far, whole).empty() && intersection(far, last).empty());
    static_assert(intersection(Rect({-10, -10}, {kMax, kMax}), Rect({}, {8, 9})) == Rect({}, {8, 9}));
    static_assert(intersection(far, Rect({kMin, kMin}, {kMin, kMin})).width == 0);
    static_assert(hull(whole, far) == Rect({kMin, kMin}, {kMax, kMax}), "sides are at most INT32_MAX");
    static_assert(hull(last, Rect({kMax - 2, 4}, {1, 1})) == Rect({kMax - 2, 4}, {3, 2}));
    static_assert(Rect::spanning({kMin, 0}, {kMax, 0}) == Rect({kMin, 0}, {kMax, 1}));
}

TEST(Rect, IntersectionAndHullAreThoseOfTheCells) {
    Rng rng(5);
    const auto draw = [&] { return Rect({rng.between(-2, 6), rng.between(-2, 6)}, {rng.between(-1, 5), rng.between(-1, 5)}); };
    for (int i = 0; i < 500; ++i) {
        const Rect a = draw(), b = draw(), both = intersection(a, b), around = hull(a, b);
        Rect least;
        uint64_t common = 0;
        for (int32_t y = -4; y < 14; ++y) {
            for (int32_t x = -4; x < 14; ++x) {
                const bool in_a = a.contains({x, y}), in_b = b.contains({x, y});
                ASSERT_EQ(both.contains({x, y}), in_a && in_b);
                common += in_a && in_b;
                if (in_a || in_b)
                    least = least.empty() ? Rect({x, y}, {1, 1})
                                          : Rect::spanning({std::min(least.x, x), least.y}, {std::max(least.right() - 1, x), y});
            }
        }
        ASSERT_EQ(both.area(), common);
        ASSERT_TRUE(both.width >= 0 && both.height >= 0);
        if (!around.empty() || !least.empty()) {
            ASSERT_EQ(around, least);
        }
    }
}

TEST(Rect, FillsTheCellsOnTheMap) {
    TerrainGrid grid(10, 10, 3);
    EXPECT_EQ(grid.fill({{kMax, kMax}, {kMax, kMax}}, Terrain{4}).cells_changed, 0u);
    EXPECT_EQ(grid.fill({{0, 0}, {-5, 5}}, Terrain{4}).cells_changed, 0u);
    const EditResult edit = grid.fill({{8, -1}, {kMax, kMax}}, Terrain{4});
    EXPECT_EQ(edit.cells_changed, 20u);
    EXPECT_EQ(edit.cells_outside, uint64_t{kMax} * kMax - 20);
    EXPECT_EQ(edit.bounds, Rect({8, 0}, {2, 10}));
}

}  // namespace
}  // namespace terrane
