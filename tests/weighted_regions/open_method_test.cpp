#include "terrane/weighted_regions/open_method.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "terrane/weighted_regions/field_picture.h"
#include "weighted_regions/open_fields.h"

namespace terrane {
namespace {

Subdivision field_of(uint32_t sites, uint64_t seed, uint32_t blocked = 0) {
    VoronoiFieldOptions options;
    options.sites = sites;
    options.seed = seed;
    options.blocked = blocked;
    return random_voronoi_subdivision(options).value();
}

TEST(OpenMethod, EveryNameInTheTableIsTaken) {
    ASSERT_FALSE(open_methods().empty());
    for (const OpenMethodFactory* method : open_methods()) {
        const std::string usage = method->info.usage, name = method->info.name;
        EXPECT_TRUE(find_open_method(name)) << name;
        EXPECT_EQ(find_open_method(name)->name, name);
        EXPECT_EQ(static_cast<bool>(find_open_method(name + ":2.5")), usage.find("[:") != std::string::npos) << name;
        EXPECT_TRUE(find_open_method(method->info.example)) << method->info.example;
    }
    EXPECT_EQ(find_open_method("grid")->size, 1);
    EXPECT_EQ(find_open_method("bprep:0.25")->size, 0.25);
    EXPECT_EQ(find_open_method("brep")->boundary.solver, BoundarySearchOptions::Solver::kDescent);
    EXPECT_EQ(find_open_method("brep+newton")->boundary.solver, BoundarySearchOptions::Solver::kNewton);
    EXPECT_EQ(OpenMethod{}.search, find_open_method(OpenMethod{}.name)->search);
}

TEST(OpenMethod, SquaresAndProofsAreProperties) {
    for (const char* name : {"grid", "quadtree:2", "framed", "bprep", "brep", "brep+newton", "brep+proven"}) {
        const std::string_view text = name;
        const OpenMethod method = find_open_method(name).value();
        EXPECT_EQ(method.searches_squares(), text.find("brep") == text.npos && text != "bprep") << name;
        EXPECT_EQ(method.proves_gap(), text == "brep+proven") << name;
    }
}

TEST(OpenMethod, WhatIsWrongIsRefusedWithWhatWouldBeRight) {
    for (const char* name : {"", "astar", "brep:2", "brep/astar", "brep+", "brep+proven+newton", "brep+newton+newton", "brep+proven:2",
                             "grid:", "grid:0", "grid:-1", "grid:nan", "grid:inf", "grid:1x", "grid+newton", "grid/2", "bprep:1e999"}) {
        const auto method = find_open_method(name);
        ASSERT_FALSE(method) << name;
        EXPECT_FALSE(method.error().reason.empty());
    }
    const auto reason = [](const char* name) { return find_open_method(name).error().reason; };
    EXPECT_EQ(reason("dta"),
              "method 'dta': unknown; there are: grid[:SIDE], quadtree[:SIDE], framed[:SIDE], bprep[:SPACING], brep[+newton|+proven]");
    EXPECT_EQ(reason("grid:0"), "method 'grid:0': expected a size above 0, as in grid:4");
    EXPECT_EQ(reason("brep:2"), "method 'brep:2': expected brep[+newton|+proven]");
    EXPECT_EQ(reason("brep+snell"), "method 'brep+snell': no option 'snell'; there are: newton, proven");
    EXPECT_EQ(reason("bprep+newton"), "method 'bprep+newton': no option 'newton'; it has none");
    EXPECT_EQ(reason("brep+newton+proven"), "method 'brep+newton+proven': one option at a time: newton or proven");
}

TEST(OpenMethod, SizesThatMakeTooMuchAreRefused) {
    const Subdivision field = field_of(8, 1);
    EXPECT_FALSE(check_open_method(field, find_open_method("grid:1").value()));
    EXPECT_FALSE(check_open_method(field, find_open_method("brep").value()));
    for (const double gap : {1.0, -0.1, std::numeric_limits<double>::quiet_NaN()}) {
        OpenMethod method;
        method.gap = gap;
        EXPECT_TRUE(check_open_method(field, method)) << gap;
    }
    for (const char* name : {"grid:0.01", "quadtree:1e-9", "framed:0.0001", "bprep:1e-5", "bprep:1e-300"}) {
        const auto error = check_open_method(field, find_open_method(name).value());
        ASSERT_TRUE(error) << name;
        EXPECT_EQ(error->code, ErrorCode::kTooLarge);
    }
}

TEST(OpenPlanner, AllMethodsAgreeOnWhatTheFieldAllows) {
    OpenPlanner planner;
    for (uint64_t seed = 1; seed <= 6; ++seed) {
        const Subdivision field = field_of(12, seed, 25);
        OpenMethod proven;
        const OpenPath best = planner.find(field, {20, 30}, {580, 560}, proven);
        for (const char* name : {"grid:4", "quadtree:4", "framed:4", "bprep:8", "brep", "brep+newton"}) {
            const OpenPath& path = planner.find(field, {20, 30}, {580, 560}, find_open_method(name).value());
            EXPECT_EQ(path.status, best.status) << name << ", seed " << seed;
            if (path && best) {
                EXPECT_GE(path.cost, best.lower_bound) << name;
                EXPECT_GE(path.cost, path.lower_bound) << name;
            }
        }
    }
}

constexpr std::array kExactNames = {"bprep:0.125", "brep", "brep+newton", "brep+proven"};

TEST(OpenPlanner, FromAPlaceToItself) {
    const Subdivision field = test::squares("12\n34");
    OpenPlanner planner;
    for (const char* name : kExactNames) {
        for (const Point p : {Point{0.5, 0.5}, Point{1, 0.5}, Point{1, 1}, Point{0, 0}}) {
            const OpenPath& path = planner.find(field, p, p, find_open_method(name).value());
            EXPECT_EQ(path.status, Status::kFound) << name;
            EXPECT_EQ(path.points, (std::vector<Point>{p, p})) << name;
            EXPECT_EQ(path.cost, 0) << name;
            EXPECT_EQ(path.lower_bound, 0) << name;
        }
    }
}

TEST(OpenPlanner, SaysWhyNot) {
    const Subdivision row = test::squares("1#1"), ring = test::squares("11111\n1###1\n1#1#1\n1###1\n11111");
    OpenPlanner planner;
    for (const char* name : kExactNames) {
        SCOPED_TRACE(name);
        const auto status = [&](const Subdivision& field, Point from, Point to) {
            const OpenPath& path = planner.find(field, from, to, find_open_method(name).value());
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

TEST(OpenPlanner, SlicesAndTracesChangeNothing) {
    const Subdivision field = field_of(16, 4);
    OpenPlanner planner;
    for (const char* name : {"grid:8", "quadtree:4", "framed:8", "bprep:8", "brep", "brep+newton", "brep+proven"}) {
        const OpenMethod method = find_open_method(name).value();
        const OpenPath whole = planner.find(field, {20, 30}, {580, 560}, method);
        ASSERT_TRUE(whole) << name;
        OpenTrace trace;
        planner.begin(field, {20, 30}, {580, 560}, method, &trace);
        while (planner.run(7) == Status::kBudgetSpent) {
        }
        EXPECT_EQ(planner.path().cost, whole.cost) << name;
        EXPECT_EQ(planner.path().points, whole.points) << name;
        EXPECT_EQ(planner.path().expansions, whole.expansions) << name;
        EXPECT_FALSE(trace.expanded.empty()) << name;
    }
    EXPECT_GT(planner.bytes(), 0u);
}

TEST(FieldPicture, ShowsCostsBlockedGroundAndTheLine) {
    PolygonSet set;
    set.vertices = {{0, 0}, {4, 0}, {4, 2}, {0, 2}, {8, 0}, {8, 2}, {12, 0}, {12, 2}};
    set.add(std::array<uint32_t, 4>{0, 1, 2, 3}, 1);
    set.add(std::array<uint32_t, 4>{1, 4, 5, 2}, 5);
    set.add(std::array<uint32_t, 4>{4, 6, 7, 5}, kBlockedCost);
    const Subdivision field = make_subdivision(std::move(set)).value();
    const std::array<Point, 2> line{{{1, 1.8}, {6, 1.8}}};
    const Picture picture = draw_field({.field = &field, .lines = {{line, {226, 58, 54}}}, .pixels = 240});
    ASSERT_EQ(picture.width, 240);
    ASSERT_EQ(picture.height, 40);
    const auto light = [&](int32_t x, int32_t y) { return picture.at(x, y).r + picture.at(x, y).g + picture.at(x, y).b; };
    EXPECT_GT(light(20, 5), light(120, 5)) << "dearer is darker";
    EXPECT_GT(picture.at(200, 20).r, picture.at(200, 20).b) << "blocked is brown";
    EXPECT_EQ(picture.at(60, 36), (Rgb{226, 58, 54})) << "the line";
    const Picture up = draw_field({.field = &field, .lines = {{line, {226, 58, 54}}}, .pixels = 240, .y_up = true});
    EXPECT_EQ(up.at(60, 4), (Rgb{226, 58, 54})) << "from below";
}

TEST(FieldPicture, SvgNamesPolygonsAndCosts) {
    const Subdivision field = field_of(3, 2);
    OpenTrace trace{{{1, 1}}, {{2, 2}, {3, 3}}};
    const std::array<Point, 2> line{{{10, 10}, {500, 500}}};
    const std::string svg = draw_field_svg({.field = &field, .lines = {{line, {1, 2, 3}, "a < b"}}, .trace = &trace});
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
