#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "terrane/grid/grid.h"

namespace terrane {
namespace {

// The writer fills the whole map with one terrain per version; a reader that sees two has seen half an edit.
TEST(Threads, ReadersSeeWholeVersionsWhileOneThreadEdits) {
    TerrainGrid grid(200, 150, 0);
    std::atomic<bool> stop = false;
    std::atomic<int> mixed = 0, looks = 0;
    const auto read = [&] {
        while (!stop) {
            const GridSnapshot s = grid.snapshot();
            const Terrain t = s.at(Cell{0, 0});
            for (int32_t i = 0; i < 150; ++i) mixed += s.at(Cell{i, i}) != t || s.at(Cell{199 - i, i}) != t;
            mixed += s.count(t) != 200 * 150;
            ++looks;
        }
    };
    std::thread a(read), b(read);
    for (int edit = 1; edit <= 300 || looks < 100; ++edit) grid.fill({{0, 0}, {200, 150}}, static_cast<Terrain>(edit % 19));
    stop = true;
    a.join();
    b.join();
    EXPECT_EQ(mixed, 0);
}

}  // namespace
}  // namespace terrane
