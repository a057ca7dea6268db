#include "terrane/world/methods.h"

#include <gtest/gtest.h>

#include <cmath>

#include "terrane/base/assert.h"
#include "terrane/cpd/prepared_cpd.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/method/method_interface.h"

namespace terrane {
namespace {

TEST(Methods, EveryExampleInTheTableIsFound) {
    for (const MethodFactory* factory : methods()) {
        const auto method = find_method(factory->info.example);
        ASSERT_TRUE(method) << method.error().reason;
        EXPECT_EQ(&method->info(), &factory->info);
        EXPECT_EQ(prepares(*method), factory->capabilities.needs >= MethodNeeds::kBlockedSet) << factory->info.name;
    }
}

TEST(Methods, GuaranteesAreThoseOfTheirNames) {
    const auto of = [](const char* name) { return guarantee(find_method(name).value()); };
    EXPECT_EQ(of("wastar:2"), 2);
    EXPECT_EQ(of("wastar:1.20"), 1.2);
    EXPECT_EQ(of("wastar:100"), 100);
    for (const char* name : {"astar", "nbs", "dijkstra", "overlay:2+optimal", "cpd:1", "astar+landmarks:8"}) EXPECT_EQ(of(name), 1) << name;
    for (const char* name : {"greedy", "dta:16", "minimal_memory:16", "hpa:16", "pra:4", "overlay:2"})
        EXPECT_TRUE(std::isinf(of(name))) << name;
    EXPECT_EQ(guarantee({}), 1) << "no method is A*";
}

TEST(Methods, RefusesUnknownNamesAndListsTheKnownOnes) {
    EXPECT_NE(find_method("bfs").error().reason.find("expected one of: astar[+HEURISTIC], canonical, wastar:W[+HEURISTIC], "),
              std::string::npos);
    for (const char* name : {"", "ASTAR", "astar:2", "wastar", "wastar:", "wastar:0.5", "wastar:101", "wastar:x", "dijkstra:", ":", "nbs:2",
                             "focal", "focal:0.9", "/", "+", "+trim", "/nbs"}) {
        EXPECT_FALSE(find_method(name)) << name;
    }
}

TEST(Methods, SearchesOfCellsHaveNoLevelsAndFewOptions) {
    for (const char* name : {"astar/nbs", "nbs/astar", "focal:1.5/astar/astar", "dijkstra/"}) {
        const auto method = find_method(name);
        ASSERT_FALSE(method) << name;
        EXPECT_NE(method.error().reason.find("': expected "), std::string::npos) << method.error().reason;
    }
    for (const char* name : {"astar+trim", "wastar:2+smooth", "dijkstra+", "greedy+landmarks:8", "wastar:2+lower_bounds:8"}) {
        const auto method = find_method(name);
        ASSERT_FALSE(method) << name;
        EXPECT_NE(method.error().reason.find("': no option '"), std::string::npos) << method.error().reason;
    }
}

TEST(Methods, TheNameIsKeptAsGivenAndFoundAgain) {
    for (const char* name :
         {"astar", "wastar:1.50", "nbs", "dta:4", "dta:128", "dta:map", "dta:16/astar", "dta:32/nbs", "dta:32/nbs/wastar:1.2",
          "dta:8/wastar:3/astar", "dta:16+trim+smooth", "dta:16+smooth+trim", "dta:map/nbs+bfs+cache+exact+smooth+trim"}) {
        const auto method = find_method(name);
        ASSERT_TRUE(method) << method.error().reason;
        EXPECT_EQ(method->name(), name);
        EXPECT_EQ(find_method(method->name()).value().name(), name);
    }
}

TEST(Methods, SectorsAreThoseOfTheName) {
    EXPECT_EQ(sector_of(find_method("dta:16").value()), 16u);
    EXPECT_EQ(sector_of(find_method("dta:32/nbs/wastar:1.2+trim").value()), 32u);
    EXPECT_EQ(sector_of(find_method("dta:map").value()), kWholeMap);
    EXPECT_FALSE(sector_of(find_method("minimal_memory:16").value())) << "it prepares its own";
}

TEST(Methods, PathDatabasesHaveABoundAndASearch) {
    const auto of = [](const char* name) { return cpd_search_options(find_method(name).value()).value(); };
    EXPECT_EQ(of("cpd").variant, CpdVariant::kEarly);
    EXPECT_EQ(of("cpd").bound.value(), 1.1);
    EXPECT_EQ(of("cpd:1.5").variant, CpdVariant::kWeighted);
    EXPECT_EQ(of("cpd:1.5").bound.value(), 1.5);
    EXPECT_EQ(of("cpd:1/branching").variant, CpdVariant::kBranching);
    EXPECT_EQ(of("cpd:1/branching").bound.value(), 1);
    EXPECT_EQ(of("cpd/focal+small").bound.value(), 1.1);
    EXPECT_EQ(of("cpd:1.05/early").variant, CpdVariant::kEarly);
    EXPECT_FALSE(cpd_search_options(find_method("astar").value()));
    EXPECT_FALSE(cpd_search_options({}));
}

TEST(Methods, ErrorsStateWhatIsExpected) {
    const struct {
        const char* name;
        const char* expected;
    } cases[] = {
        {"dta", "expected dta:N[/SEARCH[/REFINE]][+OPTION...]; N: 4 to 128, or map"},
        {"dta/nbs", "expected dta:N["},
        {"dta+trim", "expected dta:N["},
        {"dta:16/astar/astar/astar", "expected dta:N["},
        {"dta:", "sectors are 4 to 128 cells per side, or map"},
        {"dta:3", "sectors are 4 to 128 cells per side, or map (one sector for all of it), not '3'"},
        {"dta:129", "not '129'"},
        {"dta:0", "not '0'"},
        {"dta:-8", "not '-8'"},
        {"dta:16.5", "not '16.5'"},
        {"dta:16:2", "not '16:2'"},
        {"dta:99999999999", "sectors are"},
        {"dta:MAP", "not 'MAP'"},
        {"dta:16/", "no abstract search ''; expected one of: astar, wastar:W, nbs"},
        {"dta:16/focal:2", "no abstract search 'focal:2'; expected one of: astar, wastar:W, nbs"},
        {"dta:16/dijkstra", "no abstract search 'dijkstra'"},
        {"dta:16/dta:8", "no abstract search 'dta:8'"},
        {"dta:16/wastar", "expected wastar:W, not 'wastar'"},
        {"dta:16/astar:2", "expected astar, not 'astar:2'"},
        {"dta:16/wastar:0.5", "the weight must be from 1 to 100, with at most two decimals"},
        {"dta:16/nbs/", "no refinement search ''; expected one of: astar, wastar:W"},
        {"dta:16/nbs/nbs", "no refinement search 'nbs'; expected one of: astar, wastar:W"},
        {"dta:16/nbs/wastar:1.001", "the weight must be from 1 to 100, with at most two decimals"},
        {"dta:16+", "no option ''; expected one of: trim, smooth, exact, cache, bfs"},
        {"dta:16+fast", "no option 'fast'; expected one of: trim, smooth, exact, cache, bfs"},
        {"dta:16+trim/nbs", "no option 'trim/nbs'"},
        {"dta:16+smooth+trim+smooth", "option 'smooth' is given twice"},
        {"minimal_memory:map", "sectors are 4 to 128 cells per side, not 'map'"},
        {"minimal_memory:16+bfs", "no option 'bfs'; expected one of: trim, smooth, standin, centres"},
        {"hpa:3", "sectors are 4 to 128"},
        {"hpa:16+trim", "no option 'trim'; expected one of: smooth"},
        {"pra:0", "K is 1 to 1000 nodes, or inf"},
        {"pra:inf/nbs", "expected pra:K"},
        {"overlay", "expected overlay:K"},
        {"overlay:0", "portals per border are 1 to 8, not '0'"},
        {"overlay:9", "portals per border are 1 to 8"},
        {"overlay:2+landmarks", "expected +landmarks:N, not 'landmarks'"},
        {"overlay:2+landmarks:12", "a multiple of 8"},
        {"overlay:2+lower_bounds:65", "lower_bounds are 0 to 64, not '65'"},
        {"astar+landmarks:0", "landmarks are 1 to 256, not '0'"},
        {"astar+landmarks:8+fastmap:4", "choose only one heuristic"},
        {"dta:8+paths:3", "expected +paths, not 'paths:3'"},
        {"dta:8+exact+paths", "remove +exact or the heuristic"},
        {"overlay:2/nbs", "expected overlay:K"},
        {"overlay:2+corridor", "'corridor' is now 'smooth'"},
        {"astar+refract", "'refract' is now 'any_angle'"},
        {"mm:16", "'mm' is now 'minimal_memory'"},
        {"overlay:2+trim", "no option 'trim'; expected one of: portals, smooth, optimal"},
        {"overlay:2+portals+optimal", "give at most one of +portals, +smooth and +optimal"},
        {"cpd:0.9", "the weight must be from 1 to 100"},
        {"cpd:", "the weight must be from 1 to 100"},
        {"cpd/astar", "no search 'astar'; expected one of: early, weighted, nosp, focal, branching"},
        {"cpd/focal/nosp", "expected cpd[:E][/SEARCH]"},
        {"cpd+smooth", "no option 'smooth'; expected one of: fast, walk, small"},
        {"cpd+fast+small", "give at most one of +fast, +walk and +small"},
    };
    for (const auto& c : cases) {
        const auto method = find_method(c.name);
        ASSERT_FALSE(method) << c.name;
        EXPECT_NE(method.error().reason.find(c.expected), std::string::npos) << c.name << ": " << method.error().reason;
        EXPECT_NE(method.error().reason.find("'" + std::string(c.name) + "'"), std::string::npos) << method.error().reason;
    }
}

// A broken contract; if contracts are unchecked, it runs no other method instead.
TEST(Methods, GridSearchRefusesWhatDoesNotSearchCells) {
    const TerrainGrid grid(3, 3, Terrain{0});
    const CostTable costs = Profile().compile(grid.snapshot().catalogue()).value();
    SearchOptions options;
    options.method = find_method("dta:16").value();
    set_assert_handler([](const char*, const char*, int) {});
    GridSearch search;
    search.begin({grid.snapshot(), costs, Movement::kEightNoCornerCutting}, {0, 0}, {2, 2}, options);
    set_assert_handler(nullptr);
    EXPECT_EQ(search.run(), Status::kNotPrepared);
    Path path;
    search.path(path);
    EXPECT_EQ(path.status, Status::kNotPrepared);
    EXPECT_TRUE(path.cells.empty());
}

}  // namespace
}  // namespace terrane
