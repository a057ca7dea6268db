#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "mapgen/areas.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {
namespace {

struct Drawing {
    std::vector<Terrain> cells;
    int32_t width = 0;
    int32_t height = 0;
};

// Rows of letters, one terrain each; `a` is 0. Blanks are ignored.
Drawing draw(std::string_view text) {
    Drawing d;
    int32_t column = 0;
    for (const char c : text) {
        if (c == '\n') column = 0;
        if (c < 'a' || c > 'z') continue;
        d.cells.push_back(static_cast<Terrain>(c - 'a'));
        d.width = std::max(d.width, ++column);
    }
    d.height = static_cast<int32_t>(d.cells.size()) / d.width;
    return d;
}

std::string merged(std::string_view text, uint32_t min_cells) {
    Drawing d = draw(text);
    merge_small_areas(d.cells, d.width, d.height, min_cells);
    std::string rows;
    for (size_t k = 0; k < d.cells.size(); ++k) {
        if (k > 0 && k % static_cast<size_t>(d.width) == 0) rows += '/';
        rows += static_cast<char>('a' + d.cells[k]);
    }
    return rows;
}

// Blobs of several sizes, so that merges cascade.
Drawing random_map(uint64_t seed) {
    Rng rng(seed);
    Drawing d;
    d.width = rng.between(1, 40);
    d.height = rng.between(1, 40);
    const uint32_t terrains = rng.below(5) + 1, stay = rng.below(8);
    for (int32_t k = 0; k < d.width * d.height; ++k) {
        const bool copy = rng.below(8) < stay && k > 0;
        const int32_t from = rng.chance(1, 2) && k >= d.width ? k - d.width : k - 1;
        d.cells.push_back(copy ? d.cells[static_cast<size_t>(from)] : static_cast<Terrain>(rng.below(terrains)));
    }
    return d;
}

TEST(Merge, ASmallAreaTakesItsOnlyNeighbour) {
    EXPECT_EQ(merged(R"(aaaa
                        abba
                        aaaa)",
                     3),
              "aaaa/aaaa/aaaa");
}

TEST(Merge, TheLongestBorderWins) {
    EXPECT_EQ(merged(R"(aabbb
                        aacbb
                        aacbb
                        aabbb)",
                     3),
              "aabbb/aabbb/aabbb/aabbb");  // c: 2 along a, 4 along b
}

TEST(Merge, EqualBordersGoToTheSmallerId) {
    EXPECT_EQ(merged("bbbcaaa", 2), "bbbaaaa");
    EXPECT_EQ(merged("aaacbbb", 2), "aaaabbb");
}

TEST(Merge, BordersAreCountedByAreaAndNotByTerrain) {
    EXPECT_EQ(merged(R"(bbbbb
                        baaab
                        bbcbb
                        baaab
                        bbbbb)",
                     2),
              "bbbbb/baaab/bbbbb/baaab/bbbbb");  // c: 2 along b, 1 along each of two a
}

TEST(Merge, AMergedAreaJoinsAllNeighboursOfItsNewTerrain) {
    EXPECT_EQ(merged("aabaa", 4), "aaaaa");  // b first (1 cell); then the two a are one of 5
}

TEST(Merge, SmallestFirst) {
    // c (1) takes b, and so b (2 + 1) is no longer small; had b gone first, both would be a.
    EXPECT_EQ(merged("aaaabbc", 3), "aaaabbb");
}

TEST(Merge, EqualSizesGoFromTheTop) {
    EXPECT_EQ(merged("dcba", 2), "ccaa");  // d takes c; then b, between c and a, takes a. From the other end: bbbb
}

TEST(Merge, DiagonalCellsAreDifferentAreas) {
    EXPECT_EQ(merged(R"(aaaa
                        abaa
                        aaba
                        aaaa)",
                     2),
              "aaaa/aaaa/aaaa/aaaa");
}

TEST(Merge, AreasOfExactlyTheMinimumSizeStay) { EXPECT_EQ(merged("aaabbb", 3), "aaabbb"); }

TEST(Merge, ZeroAndOneChangeNothing) {
    EXPECT_EQ(merged("abc", 0), "abc");
    EXPECT_EQ(merged("abc", 1), "abc");
}

TEST(Merge, OneAreaStaysHoweverSmall) {
    EXPECT_EQ(merged("a", 80), "a");
    EXPECT_EQ(merged("bbbb", 1000), "bbbb");
}

TEST(Merge, AMapSmallerThanTheMinimumSizeBecomesOneArea) {
    Drawing d = draw(R"(abab
                        cdcd
                        abab)");
    merge_small_areas(d.cells, d.width, d.height, 80);
    EXPECT_EQ(find_areas(d.cells, d.width, d.height).cells.size(), 1u);
}

TEST(Merge, LeavesNoSmallAreaAndNoLargeOneTouched) {
    for (uint64_t seed = 0; seed < 400; ++seed) {
        Drawing d = random_map(seed);
        const std::vector<Terrain> before = d.cells;
        const AreaMap old_areas = find_areas(before, d.width, d.height);
        const uint32_t least = Rng(seed).below(60);
        merge_small_areas(d.cells, d.width, d.height, least);
        const AreaMap areas = find_areas(d.cells, d.width, d.height);
        ASSERT_TRUE(areas.cells.size() == 1 || areas.smallest() >= least) << "seed " << seed;
        for (size_t k = 0; k < before.size(); ++k) {
            if (old_areas.cells[old_areas.area[k]] >= least) {
                ASSERT_EQ(d.cells[k], before[k]) << "seed " << seed;
            }
        }
        std::vector<Terrain> again = d.cells;
        merge_small_areas(again, d.width, d.height, least);
        ASSERT_EQ(again, d.cells) << "seed " << seed;
    }
}

// Naive implementation of the documented rule: recomputes all areas after each merge.
void merge_plainly(Drawing& d, uint32_t least) {
    for (;;) {
        const AreaMap map = find_areas(d.cells, d.width, d.height);  // numbered in row order
        if (map.cells.size() == 1 || map.smallest() >= least) return;
        uint32_t small = 0;
        while (map.cells[small] != map.smallest()) ++small;
        std::vector<uint32_t> border(map.cells.size(), 0);
        std::vector<Terrain> terrain(map.cells.size(), 0);
        const auto columns = static_cast<size_t>(d.width);
        const auto pair = [&](size_t a, size_t b) {
            terrain[map.area[a]] = d.cells[a], terrain[map.area[b]] = d.cells[b];
            if (map.area[a] == small && map.area[b] != small) ++border[map.area[b]];
            if (map.area[b] == small && map.area[a] != small) ++border[map.area[a]];
        };
        for (size_t k = 0; k < d.cells.size(); ++k) {
            if (k % columns + 1 < columns) pair(k, k + 1);
            if (k + columns < d.cells.size()) pair(k, k + columns);
        }
        uint32_t best = small;
        for (uint32_t a = 0; a < border.size(); ++a) {
            if (border[a] > border[best] || (border[a] == border[best] && border[a] > 0 && terrain[a] < terrain[best])) best = a;
        }
        for (size_t k = 0; k < d.cells.size(); ++k) {
            if (map.area[k] == small) d.cells[k] = terrain[best];
        }
    }
}

TEST(Merge, AgreesWithANaiveImplementation) {
    for (uint64_t seed = 0; seed < 60; ++seed) {
        Drawing fast = random_map(seed + 1000), plain = fast;
        const uint32_t least = Rng(seed).below(20);
        merge_small_areas(fast.cells, fast.width, fast.height, least);
        merge_plainly(plain, least);
        ASSERT_EQ(fast.cells, plain.cells) << "seed " << seed;
    }
}

}  // namespace
}  // namespace terrane
