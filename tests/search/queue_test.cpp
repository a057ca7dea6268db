#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/search/bucket_queue.h"
#include "terrane/search/heap_queue.h"

namespace terrane {
namespace {

template <class Value>
struct InChunks {
    using Queue = BucketQueue<uint32_t, Value>;
};
template <class Value>
struct InLinks {
    using Queue = LinkedBucketQueue<uint32_t, Value>;
};
template <class Kind>
struct BucketQueueTest : testing::Test {};
using QueueKinds = testing::Types<InChunks<uint32_t>, InChunks<uint64_t>, InLinks<uint32_t>, InLinks<uint64_t>>;
TYPED_TEST_SUITE(BucketQueueTest, QueueKinds);

// Against a plain model: a vector per bucket, last in first out.
TYPED_TEST(BucketQueueTest, PopsBucketsInOrderLastInFirstOut) {
    Rng rng(1);
    typename TypeParam::Queue queue;
    for (int round = 0; round < 200; ++round) {
        const uint32_t shift = rng.below(12);
        const uint32_t spread = 1 + rng.below(1u << rng.between(1, 17));  // stays within the largest ring, including the falling keys
        queue.reset(shift);
        std::map<uint64_t, std::vector<uint32_t>> model;
        uint64_t size = 0, low = 1'000'000'000;
        for (uint32_t i = 0; i < 500; ++i) {
            if (size > 0 && rng.chance(2, 5)) {
                ASSERT_EQ(queue.floor(), model.begin()->first << shift);
                ASSERT_EQ(queue.top().node, model.begin()->second.back());
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

template <class Kind>
struct WideBucketQueueTest : testing::Test {};
using WideQueueKinds = testing::Types<InChunks<uint64_t>, InLinks<uint64_t>>;
TYPED_TEST_SUITE(WideBucketQueueTest, WideQueueKinds);

// With terrain costs of 0.01 and 650 on one map, edges of an abstraction are a hundred million buckets apart.
TYPED_TEST(WideBucketQueueTest, KeysFarApartTakeBoundedMemoryInWiderBuckets) {
    Rng rng(3);
    typename TypeParam::Queue queue;
    for (int round = 0; round < 20; ++round) {
        queue.reset(rng.below(4));
        std::multimap<uint64_t, uint32_t> model;
        const uint32_t bits = rng.below(20) + 25;
        const uint64_t width = uint64_t{1} << (bits - 18);  // the largest ring has 2^20 buckets, and they are widened by powers of two
        for (uint32_t i = 0; i < 3000; ++i) {
            if (!model.empty() && rng.chance(2, 5)) {
                const auto popped = queue.pop();
                ASSERT_LE(popped.g, model.begin()->first + width);
                const auto [first, last] = model.equal_range(popped.g);
                const auto it = std::find_if(first, last, [&](const auto& entry) { return entry.second == popped.node; });
                ASSERT_TRUE(it != last);
                model.erase(it);
            } else {
                const uint64_t key = rng.next() >> (64 - bits);
                queue.push(key, i, key);
                model.emplace(key, i);
            }
            ASSERT_EQ(queue.size(), model.size());
            ASSERT_TRUE(model.empty() || queue.floor() <= model.begin()->first);
        }
    }
    EXPECT_LT(queue.bytes(), size_t{8} << 20);
}

// The order within a bucket affects every result. In a widened bucket lower keys come first, each key last in, first out, and entries
// pushed later precede them all. Some keys have more than a chunk of entries, others none.
TYPED_TEST(WideBucketQueueTest, WiderBucketsKeepTheOrderOfNarrowOnes) {
    for (const uint64_t base : {uint64_t{0}, uint64_t{5}, uint64_t{1'000'003}}) {
        typename TypeParam::Queue queue;
        queue.reset(0);
        std::vector<std::pair<uint64_t, uint32_t>> expected;
        uint32_t node = 0;
        for (const uint64_t step : {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{7}, uint64_t{8}}) {
            const uint32_t count = step == 2 ? 70 : step == 3 ? 31 : step == 8 ? 1 : 3;
            for (uint32_t i = 0; i < count; ++i) queue.push(base + step, node++, base + step);
            for (uint32_t i = 0; i < count; ++i) expected.emplace_back(base + step, node - 1 - i);
        }
        const uint64_t last = base + (uint64_t{1} << 22) - 4;  // a little less than four times the largest ring: buckets of four keys
        queue.push(last, node, last);
        expected.emplace_back(last, node++);
        queue.push(base, node, base);
        expected.emplace(expected.begin(), base, node);
        EXPECT_EQ(queue.size(), expected.size());
        EXPECT_EQ(queue.floor(), base & ~uint64_t{3});
        for (const auto& [key, which] : expected) {
            ASSERT_LE(queue.floor(), key);
            ASSERT_GT(queue.floor() + 4, key);
            const auto popped = queue.pop();
            ASSERT_EQ(popped.g, key) << "from " << base;
            ASSERT_EQ(popped.node, which) << "from " << base;
        }
        EXPECT_TRUE(queue.empty());
    }
}

// One key fewer than would need wider buckets, and one more.
TYPED_TEST(WideBucketQueueTest, WidensBucketsOnlyBeyondTheLargestRing) {
    constexpr uint64_t kLargestRing = uint64_t{1} << 20;
    for (const uint64_t apart : {kLargestRing - 1, kLargestRing, 2 * kLargestRing - 2, 2 * kLargestRing}) {
        typename TypeParam::Queue queue;
        queue.reset(0);
        queue.push(3, 1, 3);
        queue.push(3 + apart, 2, 3 + apart);
        EXPECT_EQ(queue.floor(), apart < kLargestRing ? 3u : apart < 2 * kLargestRing ? 2u : 0u) << apart;
        queue.push(3 + 3 * kLargestRing, 3, 0);  // and again, from a ring that may be full
        for (uint32_t node = 1; node <= 3; ++node) ASSERT_EQ(queue.pop().node, node) << apart;
        EXPECT_TRUE(queue.empty());
        EXPECT_LE(queue.bytes(), size_t{5} << 20);
    }
}

TYPED_TEST(BucketQueueTest, ResetRemovesAllEntries) {
    typename TypeParam::Queue queue;
    queue.reset(3);
    for (uint32_t i = 0; i < 1000; ++i) queue.push(i * 97, i, i);
    queue.reset(5);
    EXPECT_TRUE(queue.empty());
    queue.push(7, 1, 2);
    EXPECT_EQ(queue.pop().g, 2u);
    EXPECT_TRUE(queue.empty());
    for (uint32_t i = 200; i > 0; --i) queue.push((i - 1) << 5, i - 1, 0);  // one bucket each
    for (uint32_t i = 0; i < 200; ++i) ASSERT_EQ(queue.pop().node, i);
    EXPECT_TRUE(queue.empty());
}

TEST(BucketQueue, MemoryIsBoundedByThePeakSize) {
    BucketQueue<uint32_t, uint32_t> queue;
    queue.reset(0);
    const size_t ring = 256 * 4 + 256 / 8;  // one head and one bit per bucket
    EXPECT_EQ(queue.bytes(), ring);
    queue.push(1, 1, 1);
    EXPECT_EQ(queue.bytes(), ring + 256);  // one chunk of 31 entries
    for (uint32_t i = 0; i < 1000; ++i) {
        queue.push(i % 200, i, 0);
        queue.pop();
        if (i % 10 == 0) {
            queue.reset(0);
            queue.push(200, 0, 0);
        }
    }
    EXPECT_LE(queue.bytes(), ring + 4 * 256);
}

TEST(BucketQueue, ReusesLinks) {
    LinkedBucketQueue<uint32_t, uint64_t> queue;
    queue.reset(0);
    const size_t ring = queue.bytes();
    for (uint32_t i = 0; i < 1000; ++i) {
        for (uint32_t k = 0; k < 3; ++k) queue.push(100 + i % 50, i, k);
        for (uint32_t k = 3; k-- > 0;) ASSERT_EQ(queue.pop().g, k);
    }
    EXPECT_LE(queue.bytes(), ring + 4 * 16);
}

// Random pushes and pops against a sorted list.
template <class Value>
void compare_with_a_list() {
    Rng rng(4);
    HeapQueue<uint32_t, Value> queue;
    std::vector<std::tuple<Value, Value, uint32_t>> model;  // key, g negated, node
    for (uint32_t i = 0; i < 4000; ++i) {
        if (!model.empty() && rng.chance(i < 2000 ? 2 : 4, 7)) {
            const auto least = std::min_element(model.begin(), model.end());
            ASSERT_EQ(queue.floor(), std::get<0>(*least));
            ASSERT_EQ(queue.top().node, std::get<2>(*least));
            const auto popped = queue.pop();
            ASSERT_EQ(popped.node, std::get<2>(*least));
            ASSERT_EQ(popped.g, 100 - std::get<1>(*least));
            model.erase(least);
        } else {
            const auto key = static_cast<Value>(rng.below(40)) / 4, g = static_cast<Value>(rng.below(5));
            queue.push(key, i, g);
            model.emplace_back(key, 100 - g, i);
        }
        ASSERT_EQ(queue.size(), model.size());
        ASSERT_EQ(queue.empty(), model.empty());
    }
    EXPECT_GE(queue.bytes(), 1000 * 2 * sizeof(Value));
    queue.push(1, 1, 1);
    queue.reset();
    EXPECT_TRUE(queue.empty());
    queue.push(2, 7, 3);
    EXPECT_EQ(queue.top().node, 7u);
    EXPECT_EQ(queue.size(), 1u);
}
TEST(HeapQueue, EqualsASortedListForIntegersAndDoubles) {
    compare_with_a_list<uint64_t>();
    compare_with_a_list<double>();
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
