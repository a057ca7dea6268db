#include "terrane/grid_search/method.h"

#include <gtest/gtest.h>

#include "terrane/base/assert.h"
#include "terrane/cpd/pathdb_search.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/terrain_regions/terrain_regions.h"

namespace terrane {
namespace {

TEST(Methods, EveryExampleInTheTableIsFound) {
    for (const MethodInfo& info : methods()) EXPECT_EQ(find_method(info.example).value().family, info.family) << info.name;
}

TEST(Methods, WeightIsAnExactFraction) {
    EXPECT_EQ(find_method("wastar:2").value().weight.value(), 2);
    EXPECT_EQ(find_method("wastar:1.20").value().weight.numerator, 6u);
    EXPECT_EQ(find_method("wastar:1.20").value().weight.denominator, 5u);
    EXPECT_EQ(find_method("wastar:100").value().weight.value(), 100);
}

TEST(Methods, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
    EXPECT_NE(find_method("bfs").error().reason.find("astar, wastar:W, focal:E, nbs, dijkstra, dta:N["), std::string::npos);
    for (const char* name : {"", "ASTAR", "astar:2", "wastar", "wastar:", "wastar:0.5", "wastar:101", "wastar:x", "dijkstra:", ":", "nbs:2",
                             "focal", "focal:0.9", "/", "+", "+trim", "/nbs"}) {
        EXPECT_FALSE(find_method(name)) << name;
    }
}

TEST(Methods, OnlyTheAbstractionHasLevelsAndOptions) {
    for (const char* name :
         {"astar+trim", "astar/nbs", "wastar:2+smooth", "nbs/astar", "focal:1.5/astar/astar", "dijkstra+", "dijkstra/"}) {
        const auto method = find_method(name);
        ASSERT_FALSE(method) << name;
        EXPECT_NE(method.error().reason.find("': expected "), std::string::npos) << method.error().reason;
    }
}

TEST(Methods, TheNameIsKeptAsGivenAndFoundAgain) {
    for (const char* name :
         {"astar", "wastar:1.50", "nbs", "dta:4", "dta:128", "dta:map", "dta:16/astar", "dta:32/nbs", "dta:32/nbs/wastar:1.2",
          "dta:8/wastar:3/astar", "dta:16+trim+smooth", "dta:16+smooth+trim", "dta:map/nbs+bfs+cache+exact+smooth+trim"}) {
        const auto method = find_method(name);
        ASSERT_TRUE(method) << method.error().reason;
        EXPECT_EQ(method->name, name);
        EXPECT_EQ(find_method(method->name).value().name, name);
    }
}

TEST(Methods, ABareAbstractionIsThePapersForm) {
    const Method dta = find_method("dta:16").value();
    EXPECT_EQ(dta.family, Family::kDta);
    EXPECT_EQ(dta.sector, 16u);
    EXPECT_EQ(dta.abstract_search.family, Family::kAStar);
    EXPECT_EQ(dta.refinement.family, Family::kAStar);
    EXPECT_FALSE(dta.trim || dta.smooth || dta.exact || dta.cache || dta.bfs);
    EXPECT_EQ(find_method("dta:map").value().sector, kWholeMap);
}

TEST(Methods, LevelsAndOptionsOfTheAbstraction) {
    const Method nbs = find_method("dta:32/nbs/wastar:1.2").value();
    EXPECT_EQ(nbs.sector, 32u);
    EXPECT_EQ(nbs.abstract_search.family, Family::kNbs);
    EXPECT_EQ(nbs.refinement.family, Family::kWeightedAStar);
    EXPECT_EQ(nbs.refinement.weight.numerator, 6u);
    EXPECT_EQ(nbs.refinement.weight.denominator, 5u);

    const Method weighted = find_method("dta:8/wastar:3+trim+exact").value();
    EXPECT_EQ(weighted.abstract_search.family, Family::kWeightedAStar);
    EXPECT_EQ(weighted.abstract_search.weight.value(), 3);
    EXPECT_EQ(weighted.refinement.family, Family::kAStar);
    EXPECT_TRUE(weighted.trim && weighted.exact);
    EXPECT_FALSE(weighted.smooth || weighted.cache || weighted.bfs);

    const Method rest = find_method("dta:8+bfs+smooth+cache").value();
    EXPECT_TRUE(rest.smooth && rest.cache && rest.bfs);
    EXPECT_FALSE(rest.trim || rest.exact);
}

TEST(Methods, PathDatabasesHaveABoundAndASearch) {
    const Method bare = find_method("cpd").value();
    EXPECT_EQ(bare.family, Family::kCpd);
    EXPECT_EQ(bare.variant, PathdbVariant::kEarly);
    EXPECT_EQ(bare.weight.value(), 1.1);
    EXPECT_EQ(find_method("cpd:1.5").value().variant, PathdbVariant::kWeighted);
    EXPECT_EQ(find_method("cpd:1.5").value().weight.value(), 1.5);
    const Method branching = find_method("cpd:1/branching").value();
    EXPECT_EQ(branching.variant, PathdbVariant::kBranching);
    EXPECT_EQ(branching.weight.value(), 1);
    EXPECT_EQ(find_method("cpd/focal").value().weight.value(), 1.1);
    EXPECT_EQ(find_method("cpd:1.05/early").value().variant, PathdbVariant::kEarly);
}

// Each refusal says what would be right.
TEST(Methods, RefusalsTeach) {
    const struct {
        const char* name;
        const char* teaches;
    } cases[] = {
        {"dta", "expected dta:N[/SEARCH[/REFINE]][+OPTION...]; N: 4 to 128, or map"},
        {"dta/nbs", "expected dta:N["},
        {"dta+trim", "expected dta:N["},
        {"dta:16/astar/astar/astar", "expected dta:N["},
        {"dta:", "sectors are 4 to 128 cells a side, or map"},
        {"dta:3", "sectors are 4 to 128 cells a side, or map (one sector for all of it), not '3'"},
        {"dta:129", "not '129'"},
        {"dta:0", "not '0'"},
        {"dta:-8", "not '-8'"},
        {"dta:16.5", "not '16.5'"},
        {"dta:16:2", "not '16:2'"},
        {"dta:99999999999", "sectors are"},
        {"dta:MAP", "not 'MAP'"},
        {"dta:16/", "no abstract search ''; there are: astar, wastar:W, nbs"},
        {"dta:16/focal:2", "no abstract search 'focal:2'; there are: astar, wastar:W, nbs"},
        {"dta:16/dijkstra", "no abstract search 'dijkstra'"},
        {"dta:16/dta:8", "no abstract search 'dta:8'"},
        {"dta:16/wastar", "expected wastar:W, not 'wastar'"},
        {"dta:16/astar:2", "expected astar, not 'astar:2'"},
        {"dta:16/wastar:0.5", "the weight is from 1 to 100, in hundredths"},
        {"dta:16/nbs/", "no refinement search ''; there are: astar, wastar:W"},
        {"dta:16/nbs/nbs", "no refinement search 'nbs'; there are: astar, wastar:W"},
        {"dta:16/nbs/wastar:1.001", "the weight is from 1 to 100, in hundredths"},
        {"dta:16+", "no option ''; there are: trim, smooth, exact, cache, bfs"},
        {"dta:16+fast", "no option 'fast'; there are: trim, smooth, exact, cache, bfs"},
        {"dta:16+trim/nbs", "no option 'trim/nbs'"},
        {"dta:16+smooth+trim+smooth", "option 'smooth' is given twice"},
        {"mm:map", "sectors are 4 to 128 cells a side, not 'map'"},
        {"mm:16+bfs", "no option 'bfs'; there are: trim, smooth, standin, centres"},
        {"hpa:3", "sectors are 4 to 128"},
        {"hpa:16+trim", "no option 'trim'; there are: smooth"},
        {"pra:0", "a piece has 1 to 1000 nodes, or inf"},
        {"pra:inf/nbs", "expected pra:K"},
        {"overlay", "expected overlay:K"},
        {"overlay:0", "portals a line are 1 to 8, not '0'"},
        {"overlay:9", "portals a line are 1 to 8"},
        {"overlay:2/nbs", "expected overlay:K"},
        {"overlay:2+smooth", "no option 'smooth'; there are: portals, corridor, optimal"},
        {"overlay:2+portals+optimal", "one rung at a time"},
        {"cpd:0.9", "the weight is from 1 to 100"},
        {"cpd:", "the weight is from 1 to 100"},
        {"cpd/astar", "no search 'astar'; there are: early, weighted, nosp, focal, branching"},
        {"cpd/focal/nosp", "expected cpd[:E][/SEARCH]"},
        {"cpd+smooth", "expected cpd[:E][/SEARCH]"},
    };
    for (const auto& c : cases) {
        const auto method = find_method(c.name);
        ASSERT_FALSE(method) << c.name;
        EXPECT_NE(method.error().reason.find(c.teaches), std::string::npos) << c.name << ": " << method.error().reason;
        EXPECT_NE(method.error().reason.find("'" + std::string(c.name) + "'"), std::string::npos) << method.error().reason;
    }
}

TEST(Methods, AllButTheAbstractionsSearchCells) {
    for (const MethodInfo& info : methods()) {
        EXPECT_EQ(searches_cells(find_method(info.example).value()), info.family < Family::kDta) << info.name;
    }
}

// A broken contract; and even where those go unchecked, it runs nothing else instead.
TEST(Methods, GridSearchRefusesWhatDoesNotSearchCells) {
    const TerrainGrid grid(3, 3, Terrain{0});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    SearchOptions options;
    options.method = find_method("dta:16").value();
    set_assert_handler([](const char*, const char*, int) {});
    GridSearch search;
    search.begin({grid.snapshot(), costs, Movement::kEight}, {0, 0}, {2, 2}, options);
    set_assert_handler(nullptr);
    EXPECT_EQ(search.run(), Status::kNotPrepared);
    Path path;
    search.path(path);
    EXPECT_EQ(path.status, Status::kNotPrepared);
    EXPECT_TRUE(path.cells.empty());
}

}  // namespace
}  // namespace terrane
