// Contracts of the module: violations trigger TERRANE_ASSERT.
#include "support/contract.h"

#include <limits>

#include "navmesh/scenes.h"
#include "terrane/navmesh/navmesh_abstraction.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_picture.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

TEST(NavmeshDeathTest, NeedsAMesh) { EXPECT_BROKEN(Navmesh(nullptr, Catalogue::standard()), "mesh != nullptr"); }

TEST(NavmeshPictureDeathTest, ViewsHaveASizeAndAreFinite) {
    const Navmesh navmesh = build_navmesh(flat_level()).value();
    EXPECT_BROKEN(view_from_above(navmesh, 8), "pixels >= 16");
    EXPECT_BROKEN(view_from_above(navmesh, 64, kNotANumber), "lift >= 0");
    EXPECT_BROKEN(draw_navmesh(navmesh, {}), "view.width");
    NavmeshView view = view_from_above(navmesh, 64);
    view.scale = kNotANumber;
    EXPECT_BROKEN(draw_navmesh(navmesh, view), "scale");
    EXPECT_BROKEN(draw_navmesh_svg(navmesh, NavmeshAbstraction(navmesh.mesh()), view), "scale");
}

TEST(NavmeshPictureDeathTest, RegionsAreOfTheMesh) {
    const Navmesh navmesh = build_navmesh(flat_level()).value(), other = build_navmesh(flat_level()).value();
    const NavmeshAbstraction regions(other.mesh());
    EXPECT_BROKEN(draw_navmesh_svg(navmesh, regions, view_from_above(navmesh, 64)), "regions.mesh");
    EXPECT_BROKEN(format_navmesh_obj(navmesh, regions), "regions.mesh");
}

// Not a contract violation: such extents contain no polygon.
TEST(NavmeshPlanner, ExtentsThatAreNotFiniteHoldNothing) {
    const Navmesh navmesh = build_navmesh(flat_level()).value();
    const NavmeshAbstraction regions(navmesh.mesh());
    NavmeshPlanner planner(regions);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(planner.find({5, 0, 5}, {9, 0, 9}, {}, {.extents = {2, nan, 2}}).status, Status::kOutsideMap);
}

}  // namespace
}  // namespace terrane
