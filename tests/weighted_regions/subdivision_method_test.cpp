#include "terrane/weighted_regions/subdivision_method.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "terrane/weighted_regions/subdivision_picture.h"
#include "weighted_regions/subdivisions.h"

namespace terrane {
namespace {

Subdivision subdivision_of(uint32_t sites, uint64_t seed, uint32_t blocked = 0) {
    VoronoiSubdivisionOptions options;
    options.sites = sites;
    options.seed = seed;
    options.blocked = blocked;
    return random_voronoi_subdivision(options).value();
}

TEST(SubdivisionMethod, EveryNameInTheTableIsTaken) {
    ASSERT_FALSE(subdivision_methods().empty());
    for (const SubdivisionMethodFactory* method : subdivision_methods()) {
        const std::string usage = method->info.usage, name = method->info.name;
        EXPECT_TRUE(find_subdivision_method(name)) << name;
        EXPECT_EQ(find_subdivision_method(name)->name, name);
        EXPECT_EQ(static_cast<bool>(find_subdivision_method(name + ":2.5")), usage.find("[:") != std::string::npos) << name;
        EXPECT_TRUE(find_subdivision_method(method->info.example)) << method->info.example;
    }
    EXPECT_EQ(find_subdivision_method("grid")->size, 1);
    EXPECT_EQ(find_subdivision_method("bprep:0.25")->size, 0.25);
    EXPECT_EQ(find_subdivision_method("brep")->brep.solver, BrepOptions::Solver::kDescent);
    EXPECT_EQ(find_subdivision_method("brep+newton")->brep.solver, BrepOptions::Solver::kNewton);
    EXPECT_EQ(SubdivisionMethod{}.search, find_subdivision_method(SubdivisionMethod{}.name)->search);
}

TEST(SubdivisionMethod, SquaresAndProofsAreProperties) {
    for (const char* name : {"grid", "quadtree:2", "framed", "bprep", "brep", "brep+newton", "brep+proven"}) {
        const std::string_view text = name;
        const SubdivisionMethod method = find_subdivision_method(name).value();
        EXPECT_EQ(method.searches_squares(), text.find("brep") == text.npos && text != "bprep") << name;
        EXPECT_EQ(method.proves_gap(), text == "brep+proven") << name;
    }
}

TEST(SubdivisionMethod, ErrorsNameTheValidInput) {
    for (const char* name : {"", "astar", "brep:2", "brep/astar", "brep+", "brep+proven+newton", "brep+newton+newton", "brep+proven:2",
                             "grid:", "grid:0", "grid:-1", "grid:nan", "grid:inf", "grid:1x", "grid+newton", "grid/2", "bprep:1e999"}) {
        const auto method = find_subdivision_method(name);
        ASSERT_FALSE(method) << name;
        EXPECT_FALSE(method.error().reason.empty());
    }
    const auto reason = [](const char* name) { return find_subdivision_method(name).error().reason; };
    EXPECT_EQ(
        reason("dta"),
        "method 'dta': unknown name; expected one of: grid[:SIDE], quadtree[:SIDE], framed[:SIDE], bprep[:SPACING], brep[+newton|+proven]");
    EXPECT_EQ(reason("grid:0"), "method 'grid:0': expected a size above 0, as in grid:4");
    EXPECT_EQ(reason("brep:2"), "method 'brep:2': expected brep[+newton|+proven]");
    EXPECT_EQ(reason("brep+snell"), "method 'brep+snell': no option 'snell'; expected one of: newton, proven");
    EXPECT_EQ(reason("bprep+newton"), "method 'bprep+newton': no option 'newton'; it has no options");
    EXPECT_EQ(reason("brep+newton+proven"), "method 'brep+newton+proven': expected one option: newton or proven");
}

TEST(SubdivisionMethod, TooSmallSizesAreRefused) {
    const Subdivision subdivision = subdivision_of(8, 1);
    EXPECT_FALSE(check_subdivision_method(subdivision, find_subdivision_method("grid:1").value()));
    EXPECT_FALSE(check_subdivision_method(subdivision, find_subdivision_method("brep").value()));
    for (const double gap : {1.0, -0.1, std::numeric_limits<double>::quiet_NaN()}) {
        SubdivisionMethod method;
        method.gap = gap;
        EXPECT_TRUE(check_subdivision_method(subdivision, method)) << gap;
    }
    for (const char* name : {"grid:0.01", "quadtree:1e-9", "framed:0.0001", "bprep:1e-5", "bprep:1e-300"}) {
        const auto error = check_subdivision_method(subdivision, find_subdivision_method(name).value());
        ASSERT_TRUE(error) << name;
        EXPECT_EQ(error->code, ErrorCode::kTooLarge);
    }
}

TEST(SubdivisionPlanner, AllMethodsAgreeOnReachability) {
    SubdivisionPlanner planner;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        const Subdivision subdivision = subdivision_of(12, seed, 25);
        SubdivisionMethod proven;
        const SubdivisionPath best = planner.find(subdivision, {20, 30}, {580, 560}, proven);
        for (const char* name : {"grid:4", "quadtree:4", "framed:4", "bprep:8", "brep", "brep+newton"}) {
            const SubdivisionPath& path = planner.find(subdivision, {20, 30}, {580, 560}, find_subdivision_method(name).value());
            EXPECT_EQ(path.status, best.status) << name << ", seed " << seed;
            if (path && best) {
                EXPECT_GE(path.cost, best.lower_bound) << name;
                EXPECT_GE(path.cost, path.lower_bound) << name;
            }
        }
    }
}

constexpr std::array kExactNames = {"bprep:0.125", "brep", "brep+newton", "brep+proven"};

TEST(SubdivisionPlanner, FromAPlaceToItself) {
    const Subdivision subdivision = test::squares("12\n34");
    SubdivisionPlanner planner;
    for (const char* name : kExactNames) {
        for (const Point p : {Point{0.5, 0.5}, Point{1, 0.5}, Point{1, 1}, Point{0, 0}}) {
            const SubdivisionPath& path = planner.find(subdivision, p, p, find_subdivision_method(name).value());
            EXPECT_EQ(path.status, Status::kFound) << name;
            EXPECT_EQ(path.points, (std::vector<Point>{p, p})) << name;
            EXPECT_EQ(path.cost, 0) << name;
            EXPECT_EQ(path.lower_bound, 0) << name;
        }
    }
}

TEST(SubdivisionPlanner, ReportsWhyNot) {
    const Subdivision row = test::squares("1#1"), ring = test::squares("11111\n1###1\n1#1#1\n1###1\n11111");
    SubdivisionPlanner planner;
    for (const char* name : kExactNames) {
        SCOPED_TRACE(name);
        const auto status = [&](const Subdivision& subdivision, Point from, Point to) {
            const SubdivisionPath& path = planner.find(subdivision, from, to, find_subdivision_method(name).value());
            EXPECT_EQ(path.points.empty(), path.status != Status::kFound);
            return path.status;
        };
        EXPECT_EQ(status(row, {1.5, 0.5}, {0.5, 0.5}), Status::kBlockedStart);
        EXPECT_EQ(status(row, {0.5, 0.5}, {1.5, 0.5}), Status::kBlockedGoal);
        EXPECT_EQ(status(row, {0.5, 0.5}, {9, 0.5}), Status::kOutsideMap);
        EXPECT_EQ(status(row, {0.5, 0.5}, {2.5, 0.5}), Status::kUnreachable);
        EXPECT_EQ(status(ring, {0.5, 0.5}, {2.5, 2.5}), Status::kUnreachable);
        EXPECT_EQ(status(ring, {2.5, 2.5}, {0.5, 0.5}), Status::kUnreachable);
        EXPECT_EQ(status(ring, {0.5, 0.5}, {4.5, 4.5}), Status::kFound);
    }
}

TEST(SubdivisionPlanner, SlicesAndTracesChangeNothing) {
    const Subdivision subdivision = subdivision_of(16, 4);
    SubdivisionPlanner planner;
    for (const char* name : {"grid:8", "quadtree:4", "framed:8", "bprep:8", "brep", "brep+newton", "brep+proven"}) {
        const SubdivisionMethod method = find_subdivision_method(name).value();
        const SubdivisionPath whole = planner.find(subdivision, {20, 30}, {580, 560}, method);
        ASSERT_TRUE(whole) << name;
        SubdivisionTrace trace;
        planner.begin(subdivision, {20, 30}, {580, 560}, method, &trace);
        while (planner.run(7) == Status::kBudgetSpent) {
        }
        EXPECT_EQ(planner.path().cost, whole.cost) << name;
        EXPECT_EQ(planner.path().points, whole.points) << name;
        EXPECT_EQ(planner.path().expansions, whole.expansions) << name;
        EXPECT_FALSE(trace.expanded.empty()) << name;
    }
    EXPECT_GT(planner.bytes(), 0u);
}

TEST(SubdivisionPicture, ShowsCostsBlockedPolygonsAndThePolyline) {
    PolygonSet set;
    set.vertices = {{0, 0}, {4, 0}, {4, 2}, {0, 2}, {8, 0}, {8, 2}, {12, 0}, {12, 2}};
    set.add(std::array<uint32_t, 4>{0, 1, 2, 3}, 1);
    set.add(std::array<uint32_t, 4>{1, 4, 5, 2}, 5);
    set.add(std::array<uint32_t, 4>{4, 6, 7, 5}, kBlockedCost);
    const Subdivision subdivision = make_subdivision(std::move(set)).value();
    const std::array<Point, 2> line{{{1, 1.8}, {6, 1.8}}};
    const Picture picture = draw_subdivision({.subdivision = &subdivision, .polylines = {{line, {226, 58, 54}}}, .pixels = 240});
    ASSERT_EQ(picture.width, 240);
    ASSERT_EQ(picture.height, 40);
    const auto light = [&](int32_t x, int32_t y) { return picture.at(x, y).r + picture.at(x, y).g + picture.at(x, y).b; };
    EXPECT_GT(light(20, 5), light(120, 5)) << "higher costs are darker";
    EXPECT_GT(picture.at(200, 20).r, picture.at(200, 20).b) << "blocked is brown";
    EXPECT_EQ(picture.at(60, 36), (Rgb{226, 58, 54})) << "the polyline";
    const Picture up = draw_subdivision({.subdivision = &subdivision, .polylines = {{line, {226, 58, 54}}}, .pixels = 240, .y_up = true});
    EXPECT_EQ(up.at(60, 4), (Rgb{226, 58, 54})) << "from below";
}

TEST(SubdivisionPicture, SvgNamesPolygonsAndCosts) {
    const Subdivision subdivision = subdivision_of(3, 2);
    SubdivisionTrace trace{{{1, 1}}, {{2, 2}, {3, 3}}};
    const std::array<Point, 2> line{{{10, 10}, {500, 500}}};
    const std::string svg = draw_subdivision_svg({.subdivision = &subdivision, .polylines = {{line, {1, 2, 3}, "a < b"}}, .trace = &trace});
    const auto count = [&](const std::string& part) {
        size_t found = 0;
        for (size_t at = svg.find(part); at != std::string::npos; at = svg.find(part, at + 1)) ++found;
        return found;
    };
    EXPECT_EQ(count("<polygon "), 3u);
    EXPECT_EQ(count("<title>polygon 2, cost "), 1u);
    EXPECT_EQ(count("r=\"2.2\""), 3u) << "a dot for each node";
    EXPECT_EQ(count("a &lt; b"), 1u);
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace terrane
