#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "navmesh/scenes.h"
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/navmesh/navmesh_picture.h"
#include "terrane/navmesh/navmesh_planner.h"

namespace terrane {
namespace {

size_t count(std::string_view text, std::string_view word) {
    size_t n = 0;
    for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

struct Drawn {
    GeneratedLevel level = generate_level({3, 2, 1}).value();
    Navmesh navmesh = build_navmesh(level.mesh, {}, level.areas).value();
    NavmeshAbstraction regions{navmesh.mesh()};
};

TEST(NavmeshDrawing, AnSvgShowsAllRegionsAndLines) {
    const Drawn d;
    const Vec3 line[] = {{1, 0, 1}, {5, 0, 8}, {20, 0, 9}};
    const NavmeshPolyline lines[] = {{line, {1, 2, 3}, "deer <&>"}};
    const std::string svg = draw_navmesh_svg(d.navmesh, d.regions, view_from_above(d.navmesh, 400), lines);
    EXPECT_TRUE(svg.starts_with("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(count(svg, "class=\"r\"") + count(svg, "class=\"j\""), d.regions.region_count());
    EXPECT_EQ(count(svg, "class=\"j\""), 2u);
    EXPECT_EQ(count(svg, "marker-end"), 1u) << "the jump; a ladder has no arrow";
    EXPECT_EQ(count(svg, "<title>"), d.regions.region_count() + 1);
    EXPECT_NE(svg.find("deer &lt;&amp;&gt;"), std::string::npos);
    EXPECT_NE(svg.find("#010203"), std::string::npos);
    EXPECT_EQ(svg, draw_navmesh_svg(d.navmesh, d.regions, view_from_above(d.navmesh, 400), lines));
}

TEST(NavmeshDrawing, AnEmptyMeshIsAnEmptyDrawing) {
    const Drawn d;
    const Navmesh other = build_navmesh(flat_level()).value();
    const std::string svg = draw_navmesh_svg(other, NavmeshAbstraction(other.mesh()), view_from_above(other, 16), {});
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    const std::string obj = format_navmesh_obj(other, NavmeshAbstraction(other.mesh()), std::vector<NavmeshPolyline>(1));
    EXPECT_EQ(count(obj, "path"), 0u) << "a line without points";
}

TEST(NavmeshDrawing, LiftSeparatesStoreys) {
    const Drawn d;
    const NavmeshView flat = view_from_above(d.navmesh, 400), lifted = view_from_above(d.navmesh, 400, 10);
    EXPECT_EQ(flat.at({5, 0, 5}), flat.at({5, 5, 5}));
    EXPECT_NEAR(lifted.at({5, 0, 5}).y - lifted.at({5, 5, 5}).y, 50 * lifted.scale, 1e-6);
    for (const Vec3& v : navmesh_triangles(d.navmesh).vertices) {
        const Point p = lifted.at(v);
        EXPECT_TRUE(p.x >= 0 && p.x <= lifted.width && p.y >= 0 && p.y <= lifted.height);
    }
}

TEST(NavmeshDrawing, AnObjReadsBackAsTheTriangles) {
    const Drawn d;
    const Vec3 line[] = {{1, 0, 1}, {5, 0, 8}, {20, 0, 9}};
    const NavmeshPolyline lines[] = {{line, {1, 2, 3}, "deer"}, {line, {1, 2, 3}, "f 1 2 3\nf 1 2 3"}};
    const std::string obj = format_navmesh_obj(d.navmesh, d.regions, lines);
    const TriangleMesh read = parse_obj(obj).value();
    EXPECT_EQ(read.triangles.size(), navmesh_triangles(d.navmesh).triangles.size());
    EXPECT_EQ(count(obj, "g region_"), d.regions.region_count());
    EXPECT_EQ(count(obj, "g path_"), 2u);
    EXPECT_EQ(count(obj, "\nl "), 4u) << "two lines, a jump, a ladder";
    EXPECT_EQ(count(obj, "usemtl bridge"), d.regions.regions_with_area(*d.navmesh.areas().find("bridge")));
    EXPECT_EQ(read.vertices.back(), line[2]);
    double area = 0, expected = 0;  // signed, in the xz plane: upside-down triangles are negative
    const auto add = [](const TriangleMesh& mesh, double& sum) {
        for (const auto& t : mesh.triangles) {
            const Vec3 &a = mesh.vertices[t[0]], &b = mesh.vertices[t[1]], &c = mesh.vertices[t[2]];
            sum += cross(Point{b.z - a.z, b.x - a.x}, Point{c.z - a.z, c.x - a.x}) / 2;
        }
    };
    add(read, area);
    add(navmesh_triangles(d.navmesh), expected);
    EXPECT_NEAR(area, expected, 1e-3 * expected);
    EXPECT_GT(area, 0);
}

}  // namespace
}  // namespace terrane
