#include "selftest/edit_case.h"

#include <gtest/gtest.h>

#include "selftest/selftest.h"

namespace terrane::selftest {
namespace {

// Copies the cells of a map, but ignores edits of cells for which `ignores` holds.
class Copy final : public Structure {
public:
    Copy(const GridSnapshot& grid, bool (*ignores)(Cell)) : ignores_(ignores), grid_(grid), cells_(grid.cells()) {}
    void update(const EditResult& edit) override {
        grid_ = edit.after;
        for_each_changed_cell(edit, [&](CellId id, Terrain, Terrain after) {
            const Cell c = grid_.layout().cell(id);
            if (!ignores_(c)) cells_[static_cast<size_t>(c.y) * static_cast<size_t>(grid_.width()) + static_cast<size_t>(c.x)] = after;
        });
    }
    bool is_as_new() const override {
        const auto now = grid_.cells();
        return std::equal(now.begin(), now.end(), cells_.begin(), cells_.end());
    }

private:
    bool (*ignores_)(Cell);
    GridSnapshot grid_;
    std::vector<Terrain> cells_;
};

StructureKind copy_that(bool (*ignores)(Cell)) {
    return {"copy", 1,
            [=](const Ground& ground, uint32_t) -> std::unique_ptr<Structure> { return std::make_unique<Copy>(ground.grid(), ignores); }};
}

const auto kAlways = [](uint32_t) { return true; };

TEST(EditCase, ACorrectStructureHasNoFailure) {
    Rng rng(1);
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(first_failure(draw_case(rng, 1, 40, 60), copy_that([](Cell) { return false; }), kAlways));
}

TEST(EditCase, AFailingCaseIsReducedToOneCell) {
    const StructureKind kind = copy_that([](Cell c) { return c.x % 5 == 3 && c.y >= 2; });
    Rng rng(2);
    int failed = 0;
    for (int i = 0; i < 30; ++i) {
        const EditCase c = draw_case(rng, 1, 40, 60);
        if (!first_failure(c, kind, kAlways)) continue;
        ++failed;
        const EditCase small = shrunk(c, kind);
        EXPECT_TRUE(first_failure(small, kind, kAlways));
        EXPECT_EQ(small.edits.size(), 1u);
        EXPECT_EQ(small.edits[0].size(), 1u);
        EXPECT_EQ(small.width, 4);  // up to the ignored column
        EXPECT_EQ(small.height, 3);
    }
    EXPECT_GT(failed, 15);
}

TEST(EditCase, IsFormattedAsText) {
    EditCase c{3, 2, {0, 1, 0, 2, 2, 1}, {100, 0, 250}, Movement::kEightNoCornerCutting, 0, {{{{2, 1}, 0}}}};
    EXPECT_EQ(to_text(c, copy_that([](Cell) { return true; })),
              "copy, setting 0, movement 0\ncost a (0): 1\ncost b (1): blocked\ncost c (2): 2.5\naba\nccb\nedit 2,1=0\n");
}

TEST(Selftest, EveryStructureInEverySettingCanBeBuiltFromOneCell) {
    for (const StructureKind& kind : structure_kinds()) {
        for (uint32_t choice = 0; choice < kind.choices; ++choice) {
            const EditCase c{1, 1, {0}, {100, 0}, Movement::kEightNoCornerCutting, choice, {{{{0, 0}, 1}}, {{{0, 0}, 0}}}};
            EXPECT_FALSE(first_failure(c, kind, kAlways)) << kind.name << " " << choice;
        }
    }
}

TEST(Selftest, HoldsForAShortWhile) {
    for (const selftest::Test& test : tests()) {
        const Outcome outcome = test.run({.seconds = 0.5, .seed = 5, .threads = 3, .folder = testing::TempDir()});
        EXPECT_EQ(outcome.failure, "") << test.name;
        EXPECT_GT(outcome.trials, 0u) << test.name;
    }
}

}  // namespace
}  // namespace terrane::selftest
