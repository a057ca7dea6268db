#include "terrane/cpd/path_database_file.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <functional>

#include "base/checksum.h"
#include "io/mangle.h"
#include "support/hostile.h"
#include "support/scene.h"
#include "support/temporary.h"
#include "terrane/base/file.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/grid/grid_graph.h"

namespace terrane {
namespace {

constexpr std::array<PathEncoding, 3> kEncodings = {PathEncoding::kFast, PathEncoding::kWalk, PathEncoding::kSmall};
constexpr size_t kVersionAt = 8, kHeaderLengthAt = 12, kRowsChecksumAt = 24, kWidthAt = 32, kOrderAt = 42, kNodesAt = 44, kTargetsAt = 68;
constexpr size_t kChecksumBytes = 8;

// Looks up all pairs of cells, also those without a path; sanitizers detect invalid reads.
uint64_t moves_hash(const PathDatabase& database) {
    const GridLayout& layout = database.grid().layout();
    uint64_t hash = 0;
    for (int32_t y = 0; y < layout.height; ++y) {
        for (int32_t x = 0; x < layout.width; ++x) {
            const PathDatabase::Towards towards = database.towards(layout.id({x, y}));
            for (int32_t v = 0; v < layout.height; ++v) {
                for (int32_t u = 0; u < layout.width; ++u) hash = mix64(hash ^ towards(layout.id({u, v})));
            }
        }
    }
    return hash;
}

// Two rooms, obstacles, costly terrain, and an unreachable cell.
test::Scene rooms() {
    return test::scene(R"(..#....#.
                          ..#.33.##
                          ....33...
                          ..#......)");
}

struct Built {
    explicit Built(const test::Scene& scene, const PathDatabaseOptions& options = {}, Movement movement = Movement::kEightNoCornerCutting)
        : grid(scene.grid.snapshot()),
          costs(scene.profile.compile(grid.catalogue()).value()),
          database(build_path_database({grid, costs, movement}, options).value()),
          bytes(format_path_database(database)) {}

    Result<PathDatabase> parse(const std::string& file, PathFileCheck check) const {
        return parse_path_database(file, {grid, costs, database.ground().movement()}, check, "f.pathdb");
    }
    Error error_of(const std::string& file, PathFileCheck check = PathFileCheck::kHeader) const {
        const auto parsed = parse(file, check);
        return parsed ? Error{ErrorCode::kUnsupported, "f.pathdb", 0, "no error"} : parsed.error();
    }
    size_t header_bytes() const { return detail::read_word<uint32_t>(bytes.data() + kHeaderLengthAt); }
    // With the header's checksum recomputed, as an attacker would do.
    std::string sealed(std::string file) const {
        const size_t covered = header_bytes() - kChecksumBytes;
        const uint64_t sum = detail::checksum(std::string_view(file).substr(0, covered));
        for (size_t i = 0; i < kChecksumBytes; ++i) file[covered + i] = static_cast<char>(sum >> (8 * i));
        return file;
    }
    std::string with(size_t at, uint8_t value) const {
        std::string file = bytes;
        file[at] = static_cast<char>(value);
        return sealed(file);
    }

    GridSnapshot grid;
    CostTable costs;
    PathDatabase database;
    std::string bytes;
};

PathDatabaseOptions options_for(PathEncoding encoding, PathTargets targets = {}) {
    PathDatabaseOptions options;
    options.encoding = encoding;
    options.targets = std::move(targets);
    return options;
}

TEST(PathDatabaseFile, RoundTrips) {
    const TemporaryFolder folder;
    const std::string file = folder / "f.pathdb";
    Rng rng(71);
    for (int i = 0; i < 40; ++i) {
        const test::RandomWorld world = test::random_world(rng, 16);
        const GridSnapshot grid = world.grid.snapshot();
        const Cell a = test::random_cell(rng, grid);
        const Cell b = test::random_cell(rng, grid);
        const auto targets = i % 2 == 0 ? PathTargets::everywhere() : PathTargets::rect({a, {b.x + 3 - a.x, b.y + 3 - a.y}});
        const auto built =
            build_path_database({grid, world.costs, world.movement}, options_for(kEncodings[static_cast<size_t>(i) % 3], targets));
        if (!built) continue;  // all is blocked
        ASSERT_TRUE(save_path_database(*built, file));
        EXPECT_EQ(read_file(file, 1 << 24).value(), format_path_database(*built));
        for (const PathFileCheck check : {PathFileCheck::kHeader, PathFileCheck::kAll}) {
            const auto opened = open_path_database(file, {grid, world.costs, world.movement}, check);
            ASSERT_TRUE(opened) << opened.error().message();
            EXPECT_EQ(opened->nodes(), built->nodes());
            EXPECT_EQ(opened->targets(), built->targets());
            EXPECT_EQ(opened->encoding(), built->encoding());
            EXPECT_EQ(opened->order(), built->order());
            EXPECT_EQ(moves_hash(*opened), moves_hash(*built));
            EXPECT_EQ(format_path_database(*opened), format_path_database(*built));
        }
    }
}

TEST(PathDatabaseFile, CanBeInspectedWithoutItsMap) {
    const TemporaryFolder folder;
    const std::string file = folder / "f.pathdb";
    const Built all(rooms());
    ASSERT_TRUE(save_path_database(all.database, file));
    const auto info = inspect_path_database(file, PathFileCheck::kAll);
    ASSERT_TRUE(info) << info.error().message();
    EXPECT_EQ(info->version, 1u);
    EXPECT_EQ(info->width, 9);
    EXPECT_EQ(info->height, 4);
    EXPECT_EQ(info->nodes, 30u);
    EXPECT_EQ(info->targets, 30u);
    EXPECT_TRUE(info->everywhere);
    EXPECT_EQ(info->target_bounds, (Rect{{0, 0}, {9, 4}}));
    EXPECT_EQ(info->file_bytes, all.bytes.size());

    const Built some(rooms(), options_for(PathEncoding::kFast, PathTargets::rect({{1, 1}, {4, 2}})), Movement::kFour);
    ASSERT_TRUE(save_path_database(some.database, file));
    const auto part = inspect_path_database(file);
    ASSERT_TRUE(part) << part.error().message();
    EXPECT_EQ(part->movement, Movement::kFour);
    EXPECT_EQ(part->encoding, PathEncoding::kFast);
    EXPECT_EQ(part->targets, 7u);
    EXPECT_FALSE(part->everywhere);
    EXPECT_EQ(part->target_bounds, (Rect{{1, 1}, {4, 2}}));
    EXPECT_NE(part->costs_checksum, 0u);
}

TEST(PathDatabaseFile, TargetsAreHonoured) {
    for (const std::vector<Cell>& cells :
         {std::vector<Cell>{}, {{0, 0}}, {{8, 3}}, {{8, 1}, {0, 2}, {8, 0}}, {{3, 0}, {4, 0}, {2, 0}, {3, 0}}}) {
        const Built built(rooms(), options_for(PathEncoding::kWalk, PathTargets::these(cells)));
        const auto parsed = built.parse(built.bytes, PathFileCheck::kAll);
        ASSERT_TRUE(parsed) << parsed.error().message();
        const GridLayout& layout = built.grid.layout();
        for (int32_t y = 0; y < layout.height; ++y) {
            for (int32_t x = 0; x < layout.width; ++x) {
                const bool wanted = std::ranges::count(cells, Cell{x, y}) > 0 && built.costs.passable(built.grid.at(Cell{x, y}));
                EXPECT_EQ(parsed->covers(layout.id({x, y})), wanted) << x << "," << y;
            }
        }
    }
}

TEST(PathDatabaseFile, CutAnywhereIsRefused) {
    const Built built(rooms(), options_for(PathEncoding::kWalk, PathTargets::rect({{0, 0}, {5, 3}})));
    for_each_cut(built.bytes, [&](const std::string& file, const std::string& what) {
        const Error error = built.error_of(file);
        expect_printable_error(error, "f.pathdb", what);
        EXPECT_EQ(error.code, ErrorCode::kTruncated) << what << ": " << error.reason;
    });
    EXPECT_EQ(built.error_of(built.bytes + '\0').code, ErrorCode::kTrailing);
}

TEST(PathDatabaseFile, EveryChangedByteIsRefused) {
    for (const PathEncoding encoding : kEncodings) {
        const Built built(rooms(), options_for(encoding, PathTargets::rect({{0, 0}, {5, 3}})));
        for_each_change(built.bytes, [&](const std::string& file, const std::string& what) {
            const Error error = built.error_of(file, PathFileCheck::kAll);
            expect_printable_error(error, "f.pathdb", what);
            EXPECT_NE(error.reason, "no error") << what;
            if (std::string_view(file).substr(0, built.header_bytes()) != std::string_view(built.bytes).substr(0, built.header_bytes())) {
                EXPECT_NE(built.error_of(file).reason, "no error") << what;
            }
        });
    }
}

TEST(PathDatabaseFile, UnverifiedChangedRowsAreSafeToRead) {
    for (const PathEncoding encoding : kEncodings) {
        const Built built(rooms(), options_for(encoding));
        const std::string rows = built.bytes.substr(built.header_bytes());
        for_each_change(rows, [&](const std::string& changed, const std::string&) {
            const auto parsed = built.parse(built.bytes.substr(0, built.header_bytes()) + changed, PathFileCheck::kHeader);
            if (parsed) static_cast<void>(moves_hash(*parsed));
        });
    }
}

// Returns "an illegal step" or "another cost"; empty if the path is legal and has the reported cost.
std::string path_fault(const CpdSearch& search, const PathDatabase& database, const GridSnapshot& now) {
    std::vector<Cell> cells;
    search.path(cells);
    Cost cost = 0;
    for (size_t i = 0; i + 1 < cells.size(); ++i) {
        const Cost step = database.ground().on(now).step_cost(cells[i], cells[i + 1]);
        if (step == kInfiniteCost) return "an illegal step";
        cost += step;
    }
    return cost == search.cost() * database.ground().costs().divisor ? "" : "another cost";
}

TEST(PathDatabaseFile, PathsAreLegalWhateverTheRowsContain) {
    const Built built(rooms(), options_for(PathEncoding::kFast));
    const std::string rows = built.bytes.substr(built.header_bytes());
    test::Scene scene = rooms();
    TerrainGrid& edited = scene.grid;
    edited.set({2, 0}, built.grid.at(Cell{0, 0}));  // unblocked
    edited.set({8, 3}, built.grid.at(Cell{2, 0}));  // blocked
    CpdSearch search;
    int found = 0;
    for_each_change(rows, [&](const std::string& changed, const std::string& what) {
        const auto parsed = built.parse(built.bytes.substr(0, built.header_bytes()) + changed, PathFileCheck::kHeader);
        if (!parsed) return;
        for (const GridSnapshot& now : {built.grid, edited.snapshot()}) {
            const Perturbation perturbation(*parsed, now);
            for (const Cell goal : {Cell{0, 0}, {1, 3}, {3, 0}, {5, 3}, {6, 0}, {8, 2}}) {
                for (int32_t x = 0; x < now.width(); ++x) {
                    search.begin(*parsed, perturbation, {x, x % 2}, goal, {CpdVariant::kFocal, {11, 10}, true});
                    if (search.run() != Status::kFound) continue;
                    ++found;
                    EXPECT_EQ(path_fault(search, *parsed, now), "") << what;
                }
            }
        }
    });
    EXPECT_GT(found, 100);
}

TEST(PathDatabaseFile, ChangedHeadersWithAValidChecksumAreSafe) {
    const Built built(rooms(), options_for(PathEncoding::kWalk, PathTargets::these({{0, 0}, {1, 1}, {5, 2}, {6, 2}})));
    for (size_t at = 0; at < built.header_bytes() - kChecksumBytes; ++at) {
        for (uint32_t value = 0; value < 256; ++value) {
            const auto parsed = built.parse(built.with(at, static_cast<uint8_t>(value)), PathFileCheck::kHeader);
            if (parsed) static_cast<void>(moves_hash(*parsed));
        }
    }
    EXPECT_NE(built.error_of(built.with(kOrderAt, 0)).reason, "no error") << "kChoose";
    EXPECT_NE(built.error_of(built.with(kNodesAt, 29)).reason, "no error");
    EXPECT_NE(built.error_of(built.with(kTargetsAt, 2)).reason, "no error") << "another cell";
    EXPECT_NE(built.error_of(built.with(kTargetsAt + 1, 0)).reason, "no error") << "an empty run";
    EXPECT_EQ(built.error_of(built.with(kRowsChecksumAt, 0)).reason, "no error") << "kHeader does not verify rows";
}

TEST(PathDatabaseFile, AnyOffsetOrCountIsSafe) {
    for (const PathEncoding encoding : kEncodings) {
        const Built built(rooms(), options_for(encoding, PathTargets::rect({{0, 0}, {7, 4}})));
        test::expect_cheap([&] {
            test::for_each_wild_word(built.bytes, kVersionAt, built.bytes.size(), 2,
                                     [&](const std::string& changed, const std::string& what) {
                                         const auto parsed = built.parse(built.sealed(changed), PathFileCheck::kHeader);
                                         if (!parsed) return expect_printable_error(parsed.error(), "f.pathdb", what);
                                         static_cast<void>(moves_hash(*parsed));
                                     });
        });
    }
}

TEST(PathDatabaseFile, IsForOneMapProfileAndRule) {
    const Built built(rooms());
    const auto refused = [&](const Ground& ground) {
        const auto parsed = parse_path_database(built.bytes, ground, PathFileCheck::kHeader, "f.pathdb");
        return parsed ? "no error" : parsed.error().message();
    };
    test::Scene other = rooms();
    other.grid.set({0, 0}, Terrain{2});
    EXPECT_EQ(refused({other.grid.snapshot(), built.costs, Movement::kEightNoCornerCutting}),
              "f.pathdb: built for another map of the same size: the cells differ");
    EXPECT_EQ(refused({test::scene("..").grid.snapshot(), built.costs, Movement::kEightNoCornerCutting}),
              "f.pathdb: built for a map of 9 x 4 cells; this one has 2 x 1");
    const CostTable costlier = test::digit_profile().cost("cost_3", 4).compile(built.grid.catalogue()).value();
    EXPECT_EQ(refused({built.grid, costlier, Movement::kEightNoCornerCutting}),
              "f.pathdb: built for another profile: the terrain costs differ");
    EXPECT_EQ(refused({built.grid, built.costs, Movement::kFour}), "f.pathdb: built for movement 'eight', not 'four'");
    const CostTable elsewhere = test::digit_profile().cost("cost_7", 4).compile(built.grid.catalogue()).value();
    EXPECT_EQ(refused({built.grid, elsewhere, Movement::kEightNoCornerCutting}), "no error") << "a terrain that is not on this map";
    EXPECT_EQ(refused({rooms().grid.snapshot(), built.costs, Movement::kEightNoCornerCutting}), "no error") << "the same map again";
}

TEST(PathDatabaseFile, ReportsWhatIsWrong) {
    const Built built(rooms());
    EXPECT_EQ(built.error_of(built.with(kVersionAt, 2)).message(), "f.pathdb: unsupported format version 2: expected 1");
    EXPECT_EQ(built.error_of("type octile\n").message(), "f.pathdb: not a path database: wrong signature");
    EXPECT_EQ(built.error_of("").message(), "f.pathdb: truncated: the file ends within its signature");
    std::string altered = built.bytes;
    altered[kWidthAt] = 8;
    EXPECT_EQ(built.error_of(altered).message(), "f.pathdb: the header does not match its checksum: the file was altered or damaged");
    altered = built.bytes;
    altered.back() = static_cast<char>(altered.back() ^ 1);
    EXPECT_EQ(built.error_of(altered, PathFileCheck::kAll).message(),
              "f.pathdb: the rows do not match their checksum: the file was altered or damaged");
}

TEST(PathDatabaseFile, FilesThatCannotBeOpenedAreNamed) {
    const TemporaryFolder folder;
    const Built built(rooms());
    const auto refused = [&](const std::string& file) {
        const auto opened = open_path_database(file, {built.grid, built.costs, Movement::kEightNoCornerCutting});
        return opened ? Error{} : opened.error();
    };
    EXPECT_EQ(refused(folder / "none").code, ErrorCode::kCannotOpen);
    EXPECT_EQ(refused(folder / "none").file, folder / "none");
    EXPECT_EQ(refused(folder.path()).code, ErrorCode::kCannotOpen);
    ASSERT_TRUE(write_file(folder / "empty", ""));
    EXPECT_EQ(refused(folder / "empty").code, ErrorCode::kTruncated);
    EXPECT_EQ(inspect_path_database(folder / "none").error().code, ErrorCode::kCannotOpen);
}

TEST(PathDatabaseFile, OpenFilesMayBeReplacedAndRemoved) {
    const TemporaryFolder folder;
    const std::string file = folder / "f.pathdb";
    const Built first(rooms()), second(test::scene("...\n.#."));
    ASSERT_TRUE(save_path_database(first.database, file));
    const auto opened = open_path_database(file, {first.grid, first.costs, Movement::kEightNoCornerCutting});
    ASSERT_TRUE(opened);
    ASSERT_TRUE(save_path_database(second.database, file));
    EXPECT_EQ(moves_hash(*opened), moves_hash(first.database));
    EXPECT_TRUE(open_path_database(file, {second.grid, second.costs, Movement::kEightNoCornerCutting}));
    std::filesystem::remove(file);
    EXPECT_EQ(moves_hash(*opened), moves_hash(first.database));
    EXPECT_TRUE(save_path_database(*opened, file));
    EXPECT_EQ(read_file(file, 1 << 20).value(), first.bytes);
}

TEST(PathDatabaseFile, FailedSavesLeaveNothingBehind) {
    const TemporaryFolder folder;
    const Built built(rooms());
    EXPECT_EQ(save_path_database(built.database, folder / "none/f.pathdb").error().code, ErrorCode::kCannotOpen);
    std::filesystem::create_directories(folder / "taken/by a folder");
    EXPECT_EQ(save_path_database(built.database, folder / "taken").error().code, ErrorCode::kCannotOpen);
    EXPECT_FALSE(std::filesystem::exists(folder / "taken.partial"));
}

TEST(PathDatabaseFile, GoldenHeader) {
    const Built built(rooms(), options_for(PathEncoding::kSmall, PathTargets::rect({{1, 1}, {4, 2}})), Movement::kEightCutCorners);
    const std::string_view bytes = built.bytes;
    const std::string_view end = bytes.substr(kWidthAt, built.header_bytes() - kChecksumBytes - kWidthAt);  // all but lengths and checksums
    EXPECT_EQ(detail::checksum(std::string(bytes.substr(0, 16)) + std::string(end)), 8775960774861304243u);
    EXPECT_EQ(detail::checksum("The quick brown fox jumps over the lazy dog."), 4629818088562517419u);
}

}  // namespace
}  // namespace terrane
