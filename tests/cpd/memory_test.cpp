// Fails each single allocation of building, saving, opening, sharding, updating and searching path databases.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cpd/changed_world.h"
#include "support/allocations.h"
#include "support/scene.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/cpd/path_database_shards.h"

namespace terrane::test {
namespace {

// The edit blocks cells, unblocks one and makes one costlier.
constexpr const char* kBefore = R"(S.......
                                   ..####..
                                   ..#..#..
                                   ..#.....
                                   ..####..
                                   .......G)";

class CpdOutOfMemory : public ::testing::Test {
protected:
    void SetUp() override {
        if (!can_fail_allocations()) GTEST_SKIP() << "an allocation failure ends this program";
        Scene drawn = scene(kBefore);
        before_ = drawn.grid.snapshot();
        costs_ = drawn.profile.compile(before_.catalogue()).value();
        expected_ = format_path_database(build());
        edit_ = drawn.grid.apply(std::vector<CellEdit>{{{1, 0}, 0}, {{1, 1}, 0}, {{4, 1}, 1}, {{6, 5}, 9}});
    }

    Result<PathDatabasePlan> plan() const { return PathDatabasePlan::make({before_, costs_, Movement::kEightNoCornerCutting}, {}); }
    PathDatabase build() const { return build_path_database({before_, costs_, Movement::kEightNoCornerCutting}).value(); }

    GridSnapshot before_;
    CostTable costs_;
    EditResult edit_;
    std::string expected_;
};

void report(uint64_t count, uint64_t least) {
    EXPECT_GE(count, least);
    ::testing::Test::RecordProperty("allocations", std::to_string(count));
}

TEST_F(CpdOutOfMemory, BuildingThrowsAndLosesNothing) {
    report(fail_each_allocation([&](Failure& failure) { failure.in([&] { ASSERT_EQ(format_path_database(build()), expected_); }); }), 50);
}

// With several threads, the n-th allocation differs from run to run.
TEST_F(CpdOutOfMemory, ABuildOnThreadsThrowsAndLosesNothing) {
    PathDatabaseOptions options;
    options.threads = 2;
    const auto build_on_two = [&] { return build_path_database({before_, costs_, Movement::kEightNoCornerCutting}, options).value(); };
    report(fail_each_allocation([&](Failure& failure) { failure.in([&] { ASSERT_EQ(format_path_database(build_on_two()), expected_); }); }),
           50);
}

TEST_F(CpdOutOfMemory, ASlicedBuildCanContinue) {
    report(fail_each_allocation([&](Failure& failure) {
               std::optional<PathDatabaseBuilder> builder;
               const auto begin = [&] { builder.emplace(plan().value()); };
               if (!failure.in(begin)) begin();
               bool done = false;
               while (!done) failure.in([&] { done = builder->run(1); });
               ASSERT_EQ(builder->progress(), 1);
               std::optional<PathDatabase> made;
               const auto take = [&] { made = builder->take().value(); };
               if (!failure.in(take)) {
                   ASSERT_TRUE(builder->run());
                   take();
               }
               ASSERT_EQ(format_path_database(*made), expected_);
           }),
           50);
}

TEST_F(CpdOutOfMemory, FilesAreTheOldOrTheNew) {
    const TemporaryFolder folder;
    const std::string path = folder / "f.pathdb";
    const PathDatabase database = build();
    report(fail_each_allocation([&](Failure& failure) {
               ASSERT_TRUE(write_file(path, "old"));
               const bool done = failure.in([&] { ASSERT_TRUE(save_path_database(database, path)); });
               ASSERT_FALSE(std::filesystem::exists(path + ".partial"));
               ASSERT_EQ(read_file(path, 1 << 20).value(), done ? expected_ : "old");
           }),
           5);
    ASSERT_TRUE(save_path_database(database, path));
    report(fail_each_allocation([&](Failure& failure) {
               failure.in([&] {
                   const auto opened = open_path_database(path, {before_, costs_, Movement::kEightNoCornerCutting}, PathFileCheck::kAll);
                   ASSERT_TRUE(opened);
                   ASSERT_EQ(format_path_database(*opened), expected_);
               });
               failure.in([&] { ASSERT_TRUE(inspect_path_database(path)); });
               failure.in([&] { ASSERT_TRUE(parse_path_database(expected_, {before_, costs_, Movement::kEightNoCornerCutting})); });
           }),
           10);
}

TEST_F(CpdOutOfMemory, ShardsAreCompleteOrAbsent) {
    const TemporaryFolder folder;
    const std::string parts = folder / "f.parts";
    report(fail_each_allocation([&](Failure& failure) {
               std::optional<PathDatabaseShards> shards;
               const auto open = [&] { shards.emplace(PathDatabaseShards::open(plan().value(), parts).value()); };
               if (!failure.in(open)) open();
               uint32_t next = 0;
               const auto make = [&] {
                   ASSERT_TRUE(make_shards(*shards, 1, [&] { return next < shards->count() ? std::optional(next++) : std::nullopt; }));
               };
               if (!failure.in(make)) {
                   for (const auto& entry : std::filesystem::directory_iterator(parts)) {
                       ASSERT_NE(entry.path().extension(), ".partial");
                   }
                   next = 0;
                   make();
               }
               const auto assemble = [&] { ASSERT_EQ(format_path_database(shards->assemble().value()), expected_); };
               if (!failure.in(assemble)) assemble();
               ASSERT_TRUE(shards->remove());  // without allocation failures: docs/world.md
               ASSERT_FALSE(std::filesystem::exists(parts));
           }),
           50);
}

TEST_F(CpdOutOfMemory, PerturbationsAreUpdatedOrUnchanged) {
    const PathDatabase database = build();
    const Perturbation expected(database, edit_.after);
    report(fail_each_allocation([&](Failure& failure) {
               failure.in([&] { ASSERT_EQ(Perturbation(database, edit_.after).changed_cells(), expected.changed_cells()); });
               const Perturbation none(database, before_);
               failure.in([&] { ASSERT_EQ(none.updated(edit_).changed_cells(), expected.changed_cells()); });
               ASSERT_EQ(none.changed_cells(), 0u);
           }),
           5);
}

TEST_F(CpdOutOfMemory, SearchesReportItAndTheNextOneWorks) {
    const PathDatabase database = build();
    const Perturbation changed(database, edit_.after);
    const Cell start{0, 0}, goal{7, 5};
    uint64_t all = 0;
    for (const CpdVariant variant : kAllVariants) {
        CpdSearch reference;
        reference.begin(database, changed, start, goal, {.variant = variant});
        ASSERT_EQ(reference.run(), Status::kFound);
        std::vector<Cell> expected;
        reference.path(expected);
        const uint64_t count = fail_each_allocation([&](Failure& failure) {
            CpdSearch search;
            std::vector<Cell> path;
            const bool asked = failure.in([&] {
                search.begin(database, changed, start, goal, {.variant = variant});
                search.run();
            });
            ASSERT_TRUE(asked);
            ASSERT_TRUE(search.status() == Status::kFound || (failure.met() && search.status() == Status::kOutOfMemory));
            if (search.status() != Status::kFound) {
                search.path(path);
                ASSERT_TRUE(path.empty());
                search.begin(database, changed, start, goal, {.variant = variant});
                ASSERT_EQ(search.run(), Status::kFound);
            }
            const auto read = [&] { search.path(path); };
            if (!failure.in(read)) read();
            ASSERT_EQ(path, expected);
            ASSERT_EQ(search.cost(), reference.cost());
        });
        EXPECT_GE(count, 5u);
        all += count;
    }
    RecordProperty("allocations", std::to_string(all));
}

}  // namespace
}  // namespace terrane::test
