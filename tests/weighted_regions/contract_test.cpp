// What callers of this module must keep to, and that it is checked.
#include "support/contract.h"

#include <limits>

#include "terrane/weighted_regions/boundary_point_search.h"
#include "terrane/weighted_regions/boundary_search.h"
#include "terrane/weighted_regions/field_picture.h"
#include "terrane/weighted_regions/proven_search.h"
#include "terrane/weighted_regions/square_search.h"
#include "weighted_regions/open_fields.h"

namespace terrane {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
constexpr Point kFrom{0.5, 0.5}, kTo{2.5, 1.5};

TEST(SubdivisionDeathTest, CostsArePositiveAndPolygonsThere) {
    Subdivision field = test::three_on_one();
    EXPECT_BROKEN(field.set_cost(4, 1), "polygon < size");
    EXPECT_BROKEN(field.set_cost(0, 0), "cost > 0");
    EXPECT_BROKEN(field.set_cost(0, kNan), "cost > 0");
    EXPECT_BROKEN(field.area(4), "polygon < size");
}

TEST(BoundarySearchDeathTest, OptionsAreFinite) {
    const Subdivision field = test::three_on_one();
    BoundarySearch search;
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.heuristic = kNan}), "heuristic");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.heuristic = -1}), "heuristic");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.epsilon = kNan}), "epsilon");
}

TEST(BoundaryPointSearchDeathTest, SpacingIsPositiveAndFinite) {
    const Subdivision field = test::three_on_one();
    BoundaryPointSearch search;
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.spacing = 0}), "spacing");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.spacing = kInfinity}), "spacing");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.heuristic = kNan}), "heuristic");
    EXPECT_BROKEN(count_boundary_points(field, kNan), "spacing > 0");
}

TEST(SquareSearchDeathTest, SidesArePositiveAndFinite) {
    const Subdivision field = test::three_on_one();
    SquareSearch search;
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.side = -1}), "side");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.side = kInfinity}), "side");
    EXPECT_BROKEN(count_squares(field, 0), "side > 0");
}

TEST(ProvenSearchDeathTest, GapIsBelowOne) {
    const Subdivision field = test::three_on_one();
    ProvenSearch search;
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.gap = 1}), "gap");
    EXPECT_BROKEN(search.begin(field, kFrom, kTo, {.gap = kNan}), "gap");
}

TEST(FieldPictureDeathTest, NeedsAField) { EXPECT_BROKEN(draw_field({}), "field != nullptr"); }

// Not contracts: ends that are no numbers have a status.
TEST(OpenSearches, EndsThatAreNotFiniteAreOutsideTheMap) {
    const Subdivision field = test::three_on_one();
    for (const Point bad : {Point{kNan, 0.5}, Point{0.5, kInfinity}}) {
        BoundarySearch boundaries;
        boundaries.begin(field, bad, kTo);
        EXPECT_EQ(boundaries.run(), Status::kOutsideMap);
        SquareSearch squares;
        squares.begin(field, kFrom, bad);
        EXPECT_EQ(squares.run(), Status::kOutsideMap);
        ProvenSearch proven;
        proven.begin(field, bad, bad);
        EXPECT_EQ(proven.run(), Status::kOutsideMap);
    }
}

}  // namespace
}  // namespace terrane
