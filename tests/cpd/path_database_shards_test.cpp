#include "terrane/cpd/path_database_shards.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/mangle.h"
#include "support/scene.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/cpd/path_database_file.h"

namespace terrane {
namespace {

namespace fs = std::filesystem;

// A world of several chunks, and the bytes of its unsharded database.
class PathDatabaseShardsTest : public testing::Test {
protected:
    void SetUp() override {
        Rng rng(5);
        std::vector<Terrain> cells(33 * 21);
        for (Terrain& t : cells) t = static_cast<Terrain>(rng.chance(1, 5) ? 0 : 1 + rng.below(3));
        grid_ = TerrainGrid(33, 21, cells, test::digit_catalogue()).snapshot();
        costs_ = test::digit_profile().compile(grid_.catalogue()).value();
        expected_ = format_path_database(build_path_database({grid_, costs_, Movement::kEightNoCornerCutting}).value());
        ASSERT_GE(plan().chunks(), 6u);
    }

    PathDatabasePlan plan(const PathDatabaseOptions& options = {}) const {
        return PathDatabasePlan::make({grid_, costs_, Movement::kEightNoCornerCutting}, options).value();
    }
    PathDatabaseShards open() const { return PathDatabaseShards::open(plan(), parts()).value(); }
    std::string parts() const { return folder_ / "f.pathdb.parts"; }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(parts())) names.push_back(entry.path().string());
        std::ranges::sort(names);
        return names;
    }

    // Makes the shards of one process: first, first + step, ...
    static void make(const PathDatabaseShards& shards, uint32_t first, uint32_t step, uint32_t threads = 1) {
        uint32_t at = first;
        const auto next = [&]() -> std::optional<uint32_t> {
            const uint32_t shard = at;
            at += step;
            return shard < shards.count() ? std::optional(shard) : std::nullopt;
        };
        ASSERT_TRUE(make_shards(shards, threads, next));
    }
    static uint32_t count_complete(const PathDatabaseShards& shards) {
        uint32_t count = 0;
        for (uint32_t s = 0; s < shards.count(); ++s) count += shards.has(s) ? 1 : 0;
        return count;
    }
    void expect_assembles(const PathDatabaseShards& shards) const {
        const auto database = shards.assemble();
        ASSERT_TRUE(database) << database.error().message();
        EXPECT_TRUE(format_path_database(*database) == expected_);
    }

    TemporaryFolder folder_;
    GridSnapshot grid_;
    CostTable costs_;
    std::string expected_;
};

TEST_F(PathDatabaseShardsTest, AnyNumberOfProcessesAndThreadsMakesTheSame) {
    for (const uint32_t max_shards : {1u, 4u, kMaxPathShards}) {
        const auto shards = PathDatabaseShards::open(plan(), parts(), max_shards).value();
        EXPECT_EQ(shards.count(), std::min(max_shards, shards.plan().chunks()));
        for (const uint32_t processes : {1u, 3u, 100u}) {
            for (uint32_t i = 0; i < processes; ++i) make(shards, i, processes, processes == 3 ? 4 : 1);
            EXPECT_EQ(count_complete(shards), shards.count());
            expect_assembles(shards);
            ASSERT_TRUE(shards.remove());
            EXPECT_FALSE(fs::exists(parts()));
            fs::create_directory(parts());
        }
    }
}

TEST_F(PathDatabaseShardsTest, ShardsMayBeMadeInAnyOrderAndTwice) {
    const PathDatabaseShards shards = open();
    for (const uint32_t process : {2u, 0u, 2u, 1u, 0u}) make(shards, process, 3);
    expect_assembles(shards);
}

TEST_F(PathDatabaseShardsTest, MissingDamagedAndForeignShardsAreRebuilt) {
    make(open(), 0, 1);
    const std::vector<std::string> names = files();
    ASSERT_EQ(names.size(), open().count());
    const auto before = fs::last_write_time(names[5]);
    fs::remove(names[0]);
    const std::string whole = read_file(names[1], 1 << 24).value();
    ASSERT_TRUE(write_file(names[1], whole.substr(0, whole.size() / 2)));
    std::string altered = read_file(names[2], 1 << 24).value();
    altered[altered.size() / 2] = static_cast<char>(altered[altered.size() / 2] ^ 1);
    ASSERT_TRUE(write_file(names[2], altered));
    ASSERT_TRUE(write_file(names[3], whole)) << "another shard of this build";
    PathDatabaseOptions other;
    other.targets = PathTargets::rect({{0, 0}, {9, 9}});
    const auto foreign = PathDatabaseShards::open(plan(other), parts()).value();
    make(foreign, 4, 1000);
    ASSERT_TRUE(write_file(names[0] + ".partial", "what a killed build left"));

    const PathDatabaseShards shards = open();
    EXPECT_EQ(count_complete(shards), shards.count() - 5);
    PathDatabasePlan::Scratch scratch;
    EXPECT_FALSE(shards.make(5, scratch).value()) << "its file exists";
    EXPECT_TRUE(shards.make(2, scratch).value());
    make(shards, 0, 1);
    EXPECT_EQ(fs::last_write_time(names[5]), before);
    expect_assembles(shards);
    ASSERT_TRUE(shards.remove());
    EXPECT_FALSE(fs::exists(parts()));
}

TEST_F(PathDatabaseShardsTest, AssemblingReportsWhichShardIsWrong) {
    const PathDatabaseShards shards = open();
    make(shards, 0, 1);
    const std::vector<std::string> names = files();
    const std::string whole = read_file(names[1], 1 << 24).value();
    ASSERT_TRUE(write_file(names[1], whole + "x"));
    EXPECT_EQ(shards.assemble().error().message(), names[1] + ": the shard does not match its checksum: it was altered or damaged");
    ASSERT_TRUE(write_file(names[1], "x"));
    EXPECT_EQ(shards.assemble().error().message(), names[1] + ": not a shard of this build");
    fs::remove(names[1]);
    EXPECT_EQ(shards.assemble().error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(shards.assemble().error().file, names[1]);
}

TEST_F(PathDatabaseShardsTest, TruncatedOrChangedShardsAreRejected) {
    const auto small =
        PathDatabaseShards::open(
            PathDatabasePlan::make({test::scene("...\n.#.\n2..").grid.snapshot(), costs_, Movement::kEightNoCornerCutting}, {}).value(),
            parts())
            .value();
    make(small, 0, 1);
    const std::string name = files().at(0), whole = read_file(name, 1 << 24).value();
    for_each_cut(whole, [&](const std::string& bytes, const std::string& what) {
        ASSERT_TRUE(write_file(name, bytes));
        EXPECT_FALSE(small.has(0)) << what;
    });
    for (size_t i = 0; i < whole.size(); ++i) {
        std::string bytes = whole;
        bytes[i] = static_cast<char>(bytes[i] ^ 0x40);
        ASSERT_TRUE(write_file(name, bytes));
        EXPECT_FALSE(small.has(0)) << "byte " << i;
    }
    ASSERT_TRUE(write_file(name, whole));
    EXPECT_TRUE(small.has(0));
}

TEST_F(PathDatabaseShardsTest, OtherFilesAreNotRemoved) {
    const PathDatabaseShards shards = open();
    make(shards, 0, 1);
    ASSERT_TRUE(write_file(parts() + "/notes.txt", "mine"));
    ASSERT_TRUE(shards.remove());
    EXPECT_EQ(files(), std::vector<std::string>{parts() + "/notes.txt"});
}

TEST_F(PathDatabaseShardsTest, InvalidFoldersAreRefused) {
    ASSERT_TRUE(write_file(folder_ / "file", ""));
    EXPECT_EQ(PathDatabaseShards::open(plan(), folder_ / "file").error().code, ErrorCode::kCannotOpen);
    const PathDatabaseShards shards = open();
    fs::remove(parts());
    uint32_t asked = 0;
    const auto made = make_shards(shards, 2, [&]() -> std::optional<uint32_t> { return asked++ % shards.count(); });
    EXPECT_EQ(made.error().code, ErrorCode::kCannotOpen) << "and it ends";
    EXPECT_LE(asked, 4u);
}

}  // namespace
}  // namespace terrane
