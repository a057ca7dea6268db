#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "terrane/bucket_queue.h"
#include "terrane/heap_queue.h"
#include "terrane/rng.h"

namespace terrane {
namespace {

// Against a plain model: a vector per bucket, last in first out.
TEST(BucketQueue, PopsBucketsInOrderLastInFirstOut) {
    Rng rng(1);
    BucketQueue<uint32_t, uint32_t> queue;
    for (int round = 0; round < 200; ++round) {
        const uint32_t shift = rng.below(12);
        const uint32_t spread = 1 + rng.below(1u << rng.between(1, 22));
        queue.reset(shift);
        std::map<uint64_t, std::vector<uint32_t>> model;
        uint64_t size = 0, low = 1'000'000'000;
        for (uint32_t i = 0; i < 500; ++i) {
            if (size > 0 && rng.chance(2, 5)) {
                ASSERT_EQ(queue.floor(), model.begin()->first << shift);
                ASSERT_EQ(queue.pop().node, model.begin()->second.back());
                model.begin()->second.pop_back();
                if (model.begin()->second.empty()) model.erase(model.begin());
                --size;
            } else {
                const uint64_t key = low + rng.below(spread);
                if (rng.chance(1, 10)) low -= rng.below(spread) / 4;  // keys may fall, as in weighted A*
                queue.push(key, i, 0);
                model[key >> shift].push_back(i);
                ++size;
            }
            ASSERT_EQ(queue.size(), size);
        }
    }
}

TEST(BucketQueue, ResetForgetsWhatWasLeft) {
    BucketQueue<uint32_t, uint64_t> queue;
    queue.reset(3);
    for (uint32_t i = 0; i < 1000; ++i) queue.push(i * 97, i, i);
    queue.reset(5);
    EXPECT_TRUE(queue.empty());
    queue.push(7, 1, 2);
    EXPECT_EQ(queue.pop().g, 2u);
    EXPECT_TRUE(queue.empty());
}

TEST(HeapQueue, PopsByKeyThenLargerGThenSmallerNode) {
    Rng rng(2);
    HeapQueue<uint32_t, uint32_t> queue;
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> expected;
    for (uint32_t i = 0; i < 2000; ++i) {
        const uint32_t key = rng.below(50), g = rng.below(10);
        queue.push(key, i, g);
        expected.emplace_back(key, 10 - g, i);
    }
    std::sort(expected.begin(), expected.end());
    for (const auto& [key, inverse_g, node] : expected) {
        ASSERT_EQ(queue.floor(), key);
        const auto entry = queue.pop();
        ASSERT_EQ(entry.node, node);
        ASSERT_EQ(entry.g, 10 - inverse_g);
    }
    EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace terrane
