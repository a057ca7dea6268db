// Allocation failures in weighted regions: at every single allocation of building, reading, writing and queries.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/allocations.h"
#include "terrane/weighted_regions/subdivision_file.h"
#include "terrane/weighted_regions/subdivision_from_grid.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "weighted_regions/subdivisions.h"

namespace terrane::test {
namespace {

Subdivision voronoi_of(uint32_t sites) {
    VoronoiSubdivisionOptions options;
    options.sites = sites;
    options.blocked = 20;
    options.seed = 5;
    return random_voronoi_subdivision(options).value();
}

class SubdivisionQueryOutOfMemory : public ::testing::TestWithParam<const char*> {};

// Includes the trace, which allocates, too.
TEST_P(SubdivisionQueryOutOfMemory, QueriesReportItAndTheNextOneWorks) {
    if (!can_fail_allocations()) GTEST_SKIP() << "allocation failures terminate this program";
    const Subdivision subdivision = voronoi_of(12);
    const SubdivisionMethod method = find_subdivision_method(GetParam()).value();
    const Point from{10, 10}, to{590, 580};
    SubdivisionPlanner reference;
    const SubdivisionPath expected = reference.find(subdivision, from, to, method);
    ASSERT_EQ(expected.status, Status::kFound);
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        SubdivisionPlanner planner;
        SubdivisionTrace trace;
        Status status = Status::kUnreachable;
        const bool done = failure.in([&] { status = planner.find(subdivision, from, to, method, &trace).status; });
        ASSERT_TRUE(done);
        ASSERT_TRUE(status == Status::kFound || (failure.met() && status == Status::kOutOfMemory)) << to_string(status);
        ASSERT_TRUE(status == Status::kFound || planner.path().points.empty());
        ASSERT_EQ(planner.run(), status);
        const SubdivisionPath& path = planner.find(subdivision, from, to, method, &trace);
        ASSERT_EQ(path.points, expected.points);
        ASSERT_EQ(path.cost, expected.cost);
    });
    EXPECT_GT(count, 10u);
    RecordProperty("allocations", std::to_string(count));
}

INSTANTIATE_TEST_SUITE_P(Methods, SubdivisionQueryOutOfMemory,
                         ::testing::Values("grid:40", "quadtree:40", "framed:40", "bprep:100", "brep", "brep+newton", "brep+proven"));

TEST(SubdivisionOutOfMemory, BuildingThrowsAndLosesNothing) {
    if (!can_fail_allocations()) GTEST_SKIP() << "allocation failures terminate this program";
    const Subdivision expected = voronoi_of(12);
    const auto same = [&](const Subdivision& subdivision) {
        ASSERT_EQ(subdivision.polygons().corners, expected.polygons().corners);
        ASSERT_EQ(subdivision.boundaries().size(), expected.boundaries().size());
    };
    uint64_t count = fail_each_allocation([&](Failure& failure) { failure.in([&] { same(voronoi_of(12)); }); });
    EXPECT_GT(count, 50u);
    count += fail_each_allocation([&](Failure& failure) {
        PolygonSet set = expected.polygons();
        failure.in([&] { same(make_subdivision(std::move(set)).value()); });
    });
    count += fail_each_allocation([&](Failure& failure) {
        failure.in([&] { ASSERT_EQ(format_subdivision(expected).size(), format_subdivision(expected).size()); });
    });
    count += fail_each_allocation([&](Failure& failure) {
        failure.in([&] { EXPECT_FALSE(find_subdivision_method("nothing")); });
        failure.in([&] { EXPECT_FALSE(check_subdivision_method(expected, SubdivisionMethod{})); });
    });
    RecordProperty("allocations", std::to_string(count));
}

TEST(SubdivisionOutOfMemory, BuildingFromGridsThrowsAndLosesNothing) {
    if (!can_fail_allocations()) GTEST_SKIP() << "allocation failures terminate this program";
    const TerrainGrid map(4, 4, std::vector<Terrain>{1, 1, 2, 2, 1, 0, 0, 2, 1, 3, 3, 2, 1, 1, 3, 3});
    const GridSnapshot grid = map.snapshot();
    const CostTable costs = Profile().blocked("black").cost("river", 5).otherwise(2).compile(grid.catalogue()).value();
    const Subdivision expected = subdivision_from_grid(grid, costs, {.tolerance = 1}).value();
    const uint64_t count = fail_each_allocation([&](Failure& failure) {
        failure.in([&] {
            const auto subdivision = subdivision_from_grid(grid, costs, {.tolerance = 1});
            ASSERT_TRUE(subdivision);
            ASSERT_EQ(subdivision->polygons().corners, expected.polygons().corners);
        });
    });
    EXPECT_GT(count, 50u);
    RecordProperty("allocations", std::to_string(count));
}

}  // namespace
}  // namespace terrane::test
