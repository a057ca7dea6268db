#include "terrane/base/paged_vector.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace terrane {
namespace {

PagedVector<uint32_t> numbers(size_t size) {
    PagedVector<uint32_t> out(size);
    for (size_t i = 0; i < size; ++i) out.set(i, static_cast<uint32_t>(i));
    return out;
}

TEST(PagedVector, WritingToACopyLeavesTheOthersAlone) {
    const PagedVector<uint32_t> before = numbers(200);
    PagedVector<uint32_t> after = before;
    after.set(70, 7);
    after.set(199, 9);
    for (size_t i = 0; i < 200; ++i) {
        EXPECT_EQ(before[i], i);
        EXPECT_EQ(after[i], i == 70 ? 7 : i == 199 ? 9 : i);
    }
    EXPECT_EQ(&before[0], &after[0]);  // unwritten pages are shared
    EXPECT_NE(&before[70], &after[70]);
}

TEST(PagedVector, WritesInPlaceWhereNoOtherCopyIsLeft) {
    PagedVector<uint32_t> vector = numbers(64);
    const uint32_t* place = &vector[5];
    vector.set(5, 50);
    EXPECT_EQ(&vector[5], place);
    { const PagedVector<uint32_t> copy = vector; }
    vector.set(5, 51);
    EXPECT_EQ(&vector[5], place);
    EXPECT_EQ(vector[5], 51u);
}

TEST(PagedVector, ElementsAreDroppedWithTheLastCopy) {
    const auto counted = std::make_shared<int>(1);
    PagedVector<std::shared_ptr<int>> vector(3);
    vector.set(1, counted);
    PagedVector<std::shared_ptr<int>> copy = vector;
    copy.set(2, counted);
    EXPECT_EQ(counted.use_count(), 4);
    copy = PagedVector<std::shared_ptr<int>>();
    EXPECT_EQ(counted.use_count(), 2);
    vector = {};
    EXPECT_EQ(counted.use_count(), 1);
}

// Another thread reads and destroys a copy while this one writes, in place if the copy is already gone. ThreadSanitizer reports a race if
// the ownership check does not synchronise.
TEST(PagedVector, ReadsOfADroppedCopyComeBeforeWritesInPlace) {
    PagedVector<uint32_t> vector = numbers(64);
    for (uint32_t round = 0; round < 200; ++round) {
        uint64_t sum = 0;
        std::thread reader([copy = vector, &sum]() mutable {
            for (size_t i = 0; i < copy.size(); ++i) sum += copy[i];
            copy = {};
        });
        for (size_t i = 0; i < vector.size(); ++i) vector.set(i, vector[i] + 1);
        reader.join();
        EXPECT_EQ(sum, 64u * 63 / 2 + uint64_t{64} * round);
    }
}

}  // namespace
}  // namespace terrane
