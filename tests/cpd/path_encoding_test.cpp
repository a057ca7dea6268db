// Lookups in truncated, altered and random images.
#include <gtest/gtest.h>

#include <string>

#include "cpd/path_database_data.h"
#include "support/scene.h"
#include "terrane/cpd/path_database_builder.h"

namespace terrane {
namespace {

struct Small {
    test::Scene scene = test::scene(R"(1111#11111
                                       1331#15551
                                       1331#11151
                                       1111111111
                                       ####1##11#
                                       1111111191)");
    GridSnapshot grid = scene.grid.snapshot();
    CostTable costs = scene.profile.compile(grid.catalogue()).value();

    PathDatabase build(PathEncoding encoding) const {
        PathDatabaseOptions options;
        options.encoding = encoding;
        options.order = PathOrder::kHilbert;
        return build_path_database({grid, costs, Movement::kEightNoCornerCutting}, options).value();
    }
    // Opens an exact-length copy, so that a sanitizer detects reads past its end.
    Result<PathDatabase> open(PathEncoding encoding, std::string_view bytes) const {
        auto copy = std::make_shared<std::vector<char>>(bytes.begin(), bytes.end());
        const std::string_view image(copy->data(), copy->size());
        return detail::path_database_from_image({grid, costs, Movement::kEightNoCornerCutting}, encoding, PathOrder::kHilbert, {}, image,
                                                copy);
    }
};

// Every lookup must return a move or kNoMove.
void look_up_everything(const PathDatabase& database) {
    const GridLayout& layout = database.grid().layout();
    for (int32_t t = 0; t < layout.width * layout.height; ++t) {
        const CellId to = layout.id({t % layout.width, t / layout.width});
        const PathDatabase::Towards towards = database.towards(to);
        for (int32_t f = 0; f < layout.width * layout.height; ++f) {
            const CellId from = layout.id({f % layout.width, f / layout.width});
            ASSERT_LE(towards(from), kNoMove);
            ASSERT_LE(database.first_move(from, to), kNoMove);
        }
    }
}

class PathEncodings : public testing::TestWithParam<PathEncoding> {};
INSTANTIATE_TEST_SUITE_P(All, PathEncodings, testing::Values(PathEncoding::kWalk, PathEncoding::kSmall));

TEST_P(PathEncodings, AnImageIsReadInPlace) {
    const Small small;
    const PathDatabase built = small.build(GetParam());
    const PathDatabase opened = small.open(GetParam(), detail::path_image(built)).value();
    EXPECT_EQ(detail::path_image(opened), detail::path_image(built));
    EXPECT_NE(detail::path_image(opened).data(), detail::path_image(built).data());
    EXPECT_EQ(opened.bytes(), built.bytes());
    const GridLayout& layout = small.grid.layout();
    for (CellId from = 0; from < 300; ++from) {
        if (!layout.contains(layout.cell(from))) continue;
        EXPECT_EQ(opened.first_move(from, 0), built.first_move(from, 0));
    }
}

TEST_P(PathEncodings, TruncatedImagesAreRefusedOrSafe) {
    const Small small;
    const PathDatabase built = small.build(GetParam());
    const std::string_view image = detail::path_image(built);
    for (size_t size = 0; size < image.size(); ++size) EXPECT_FALSE(small.open(GetParam(), image.substr(0, size)));
    EXPECT_FALSE(small.open(GetParam(), std::string(image) + std::string(4, '\0')));
}

TEST_P(PathEncodings, AlteredImagesAreRefusedOrSafe) {
    const Small small;
    const PathDatabase built = small.build(GetParam());
    const std::string image(detail::path_image(built));
    for (size_t at = 0; at < image.size(); ++at) {
        for (const int value : {0, 255, image[at] + 1, image[at] ^ 128}) {
            std::string altered = image;
            altered[at] = static_cast<char>(value);
            const auto opened = small.open(GetParam(), altered);
            if (opened) look_up_everything(*opened);
        }
    }
}

TEST_P(PathEncodings, RandomBytesAreRefusedOrSafe) {
    const Small small;
    const PathDatabase built = small.build(GetParam());
    const std::string image(detail::path_image(built));
    const size_t before = 4 + 4 * 2;  // two blocks
    Rng rng(1);
    for (int i = 0; i < 300; ++i) {
        std::string altered = image;
        const uint32_t limit = rng.chance(1, 2) ? 256 : 6;
        for (size_t at = before; at < altered.size(); ++at) altered[at] = static_cast<char>(rng.below(limit));
        const auto opened = small.open(GetParam(), altered);
        ASSERT_TRUE(opened);
        look_up_everything(*opened);
    }
}

// Weighted terrain makes rows of hundreds of segments, so that varints take one byte or two, or end in a zero byte. The encodings may
// return different optimal first moves.
TEST(PathEncodingsOnWeightedTerrain, EachFollowsOptimalPaths) {
    Rng rng(3);
    std::vector<Terrain> cells(44 * 44);
    for (Terrain& t : cells) t = static_cast<Terrain>(rng.chance(1, 12) ? 0 : 1 + rng.below(9));
    const GridSnapshot grid = TerrainGrid(44, 44, cells, test::digit_catalogue()).snapshot();
    const CostTable costs = test::digit_profile().compile(grid.catalogue()).value();
    for (const PathEncoding encoding : {PathEncoding::kWalk, PathEncoding::kSmall}) {
        PathDatabaseOptions options;
        options.encoding = encoding;
        options.order = PathOrder::kHilbert;
        const PathDatabase database = build_path_database({grid, costs, Movement::kEightNoCornerCutting}, options).value();
        for (int32_t t = 0; t < 44 * 44; t += 37) {
            const Cell to = {t % 44, t / 44};
            if (!costs.passable(grid.at(to))) continue;
            const std::vector<double> truth = oracle::distances(test::to_oracle(grid, costs), to.x, to.y, oracle::Rule::kStrict);
            const auto cost_to = [&](Cell c) { return truth[static_cast<size_t>(c.y * 44 + c.x)]; };
            for (int32_t f = 0; f < 44 * 44; ++f) {
                const Cell from = {f % 44, f / 44};
                const Move move = database.first_move(grid.layout().id(from), grid.layout().id(to));
                const double cost = cost_to(from);
                ASSERT_EQ(move == kNoMove, cost == 0 || cost == oracle::kFar);
                if (move == kNoMove) continue;
                const Cell next = {from.x + kMoves[move].x, from.y + kMoves[move].y};
                ASSERT_NEAR(to_real(Ground(grid, costs, Movement::kEightNoCornerCutting).step_cost(from, next)) + cost_to(next), cost,
                            cost * 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace terrane
