// Contracts of this module's callers, checked by assertions.
#include "support/contract.h"

#include <limits>

#include "terrane/weighted_regions/bprep.h"
#include "terrane/weighted_regions/brep.h"
#include "terrane/weighted_regions/proven_search.h"
#include "terrane/weighted_regions/square_search.h"
#include "terrane/weighted_regions/subdivision_picture.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();
constexpr Point kFrom{0.5, 0.5}, kTo{2.5, 1.5};

TEST(SubdivisionDeathTest, CostsArePositiveAndPolygonsThere) {
    Subdivision subdivision = test::three_on_one();
    EXPECT_BROKEN(subdivision.set_cost(4, 1), "polygon < size");
    EXPECT_BROKEN(subdivision.set_cost(0, 0), "cost > 0");
    EXPECT_BROKEN(subdivision.set_cost(0, kNan), "cost > 0");
    EXPECT_BROKEN(subdivision.area(4), "polygon < size");
}

TEST(BrepSearchDeathTest, OptionsAreFinite) {
    const Subdivision subdivision = test::three_on_one();
    BrepSearch search;
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.heuristic = kNan}), "heuristic");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.heuristic = -1}), "heuristic");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.epsilon = kNan}), "epsilon");
}

TEST(BprepSearchDeathTest, SpacingIsPositiveAndFinite) {
    const Subdivision subdivision = test::three_on_one();
    BprepSearch search;
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.spacing = 0}), "spacing");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.spacing = kInfinity}), "spacing");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.heuristic = kNan}), "heuristic");
    EXPECT_BROKEN(count_boundary_points(subdivision, kNan), "spacing > 0");
}

TEST(SquareSearchDeathTest, SidesArePositiveAndFinite) {
    const Subdivision subdivision = test::three_on_one();
    SquareSearch search;
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.side = -1}), "side");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.side = kInfinity}), "side");
    EXPECT_BROKEN(count_squares(subdivision, 0), "side > 0");
}

TEST(ProvenSearchDeathTest, GapIsBelowOne) {
    const Subdivision subdivision = test::three_on_one();
    ProvenSearch search;
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.gap = 1}), "gap");
    EXPECT_BROKEN(search.begin(subdivision, kFrom, kTo, {.gap = kNan}), "gap");
}

TEST(SubdivisionPictureDeathTest, NeedsASubdivision) { EXPECT_BROKEN(draw_subdivision({}), "subdivision != nullptr"); }

// Not a contract: endpoints that are not finite give a status.
TEST(SubdivisionSearches, EndsThatAreNotFiniteAreOutsideTheMap) {
    const Subdivision subdivision = test::three_on_one();
    for (const Point bad : {Point{kNan, 0.5}, Point{0.5, kInfinity}}) {
        BrepSearch boundaries;
        boundaries.begin(subdivision, bad, kTo);
        EXPECT_EQ(boundaries.run(), Status::kOutsideMap);
        SquareSearch squares;
        squares.begin(subdivision, kFrom, bad);
        EXPECT_EQ(squares.run(), Status::kOutsideMap);
        ProvenSearch proven;
        proven.begin(subdivision, bad, bad);
        EXPECT_EQ(proven.run(), Status::kOutsideMap);
    }
}

}  // namespace
}  // namespace terrane
