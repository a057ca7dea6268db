// Every method for grids with each of its options, on small maps, before and after an edit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "guard/expected.h"
#include "guard/small_maps.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/method/method_interface.h"
#include "terrane/minimal_memory/minimal_memory.h"
#include "terrane/world/planner.h"

namespace terrane::guard {
namespace {

constexpr const char* kGridMethods[] = {
    "astar",
    "canonical",
    "wastar:1.5",
    "focal:1.5",
    "nbs",
    "dijkstra",
    "greedy",
    "jps",
    "jpsw",
    "astar+any_angle",
    "regions:4",
    "regions:16",
    "regions:32",
    "regions:16+any_angle",
    // Dynamic Terrain Abstraction: every search of a level, every option, every sector size.
    "dta:8",
    "dta:16",
    "dta:32",
    "dta:map",
    "dta:16/astar/astar",
    "dta:16/wastar:1.5",
    "dta:16/nbs",
    "dta:16/astar/wastar:1.2",
    "dta:32/nbs/wastar:1.2",
    "dta:16+trim",
    "dta:16+smooth",
    "dta:16+trim+smooth",
    "dta:16+cache",
    "dta:16+bfs",
    "dta:map+bfs",
    "dta:16+exact",
    "dta:32/nbs/wastar:1.2+trim+smooth+exact+cache+bfs",
    "dta:16+any_angle",
    // Minimal memory.
    "minimal_memory:8",
    "minimal_memory:16",
    "minimal_memory:16+trim",
    "minimal_memory:16+smooth",
    "minimal_memory:16+standin",
    "minimal_memory:16+centres",
    "minimal_memory:32+trim+smooth+standin+centres",
    "hpa:8",
    "hpa:16",
    "hpa:16+smooth",
    "pra:inf",
    "pra:1",
    "pra:4",
    "pra:inf+sectors",
    "pra:4+sectors",
    "overlay:1",
    "overlay:2",
    "overlay:4",
    "overlay:8",
    "overlay:2+portals",
    "overlay:2+smooth",
    "overlay:2+optimal",
    "overlay:2+any_angle",
    "cpd",
    "cpd:1",
    "cpd:1.1",
    "cpd/early",
    "cpd/weighted",
    "cpd/nosp",
    "cpd/focal",
    "cpd/branching",
    "cpd:1/branching",
    "cpd:1.5/early",
    "cpd:1.5/focal",
    "cpd:1.5/nosp",
    "cpd:1.5/branching",
};

// Other heuristics, tables and encodings, on the first map only.
constexpr const char* kTableMethods[] = {
    "astar+landmarks:4",
    "astar+fastmap:3",
    "astar+lower_bounds:4",
    "wastar:1.5+landmarks:4",
    "wastar:1.5+fastmap:3",
    "focal:1.5+landmarks:4",
    "focal:1.5+fastmap:3",
    "nbs+landmarks:4",
    "nbs+fastmap:3",
    "dta:16+landmarks:4",
    "dta:16+fastmap:3",
    "dta:16+paths",
    "overlay:2+landmarks:8",
    "overlay:2+lower_bounds:8",
    "cpd+fast",
    "cpd+walk",
    "cpd+small",
};

std::vector<const char*> all_methods() {
    std::vector<const char*> all(std::begin(kGridMethods), std::end(kGridMethods));
    all.insert(all.end(), std::begin(kTableMethods), std::end(kTableMethods));
    return all;
}

// Sums over several queries.
class Sums {
public:
    void add(const Path& path) {
        ++statuses_[to_string(path.status)];
        cost_ += path.cost;
        expansions_ += path.expansions;
        first_ += path.expansions_first;
        bound_ = std::max(bound_, path.bound);
        cells_ += path.cells.size();
        for (const Cell c : path.cells) hash_ = mix64(hash_ ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
        polyline_points_ += path.polyline.size();
        polyline_cost_ += path.polyline_cost;
    }
    Metrics metrics() const {
        Metrics out = statuses_;
        out["cost"] = cost_;
        out["cells"] = cells_;
        out["path"] = hex(hash_);
        out["expansions"] = expansions_;
        out["expansions_first"] = first_;
        out["bound"] = rounded(bound_);
        if (polyline_points_ > 0) {
            out["line_points"] = polyline_points_;
            out["polyline_cost"] = rounded(polyline_cost_);
        }
        return out;
    }

private:
    std::map<std::string, uint64_t> statuses_;
    Cost cost_ = 0;
    uint64_t expansions_ = 0, first_ = 0, cells_ = 0, polyline_points_ = 0, hash_ = 0;
    double bound_ = 0, polyline_cost_ = 0;
};

struct GridCase {
    const char* map;
    const char* profile;
    Movement movement;
};

class GridGuard {
public:
    GridGuard(const GridCase& of, bool first, Expected& expected)
        : case_(of),
          methods_(first ? all_methods() : std::vector<const char*>(std::begin(kGridMethods), std::end(kGridMethods))),
          expected_(expected),
          world_(small_map(of.map), {.sectors = {16, 8, 32, kWholeMap}}),
          costs_(Profile::preset(of.profile)->compile(world_.grid().catalogue()).value()) {}

    void run() {
        prepare();
        const std::vector<std::pair<Cell, Cell>> queries = small_queries(world_.grid(), 5);
        Planner planner(world_);
        for (const char* when : {"built", "edited"}) {
            for (const char* name : methods_) ask(planner, name, when, queries);
            if (std::string_view(when) == "built") edit(world_);
        }
    }

private:
    void prepare() {
        for (const char* name : methods_) {
            PrepareOptions options;
            options.method = find_method(name).value();
            options.movement = case_.movement;
            const bool few =
                std::string_view(name).starts_with("overlay") && std::string_view(name).find("landmarks") == std::string_view::npos;
            if (few) options.method = find_method(std::string(name) + "+landmarks:8").value();
            if (!prepares(options.method)) continue;
            if (world_.snapshot().prepared(options.method, {world_.grid(), costs_, case_.movement}) != nullptr) continue;
            ASSERT_TRUE(world_.prepare(costs_, options)) << name;
        }
    }
    void ask(Planner& planner, const char* name, const char* when, const std::vector<std::pair<Cell, Cell>>& queries) {
        FindOptions options;
        options.method = find_method(name).value();
        options.movement = case_.movement;
        Sums sums;
        Path path;
        for (const auto& [start, goal] : queries) {
            planner.find(start, goal, costs_, options, path);
            sums.add(path);
        }
        expected_.add(std::string(name) + " " + case_.map + " " + case_.profile + " " + to_string(case_.movement) + " " + when,
                      sums.metrics());
    }

    GridCase case_;
    std::vector<const char*> methods_;
    Expected& expected_;
    World world_;
    CostTable costs_;
};

TEST(GuardMethods, PathsOnGridsAreAsInTheFile) {
    constexpr GridCase kCases[] = {
        {"island", "person", Movement::kEightNoCornerCutting},
        {"island", "deer", Movement::kEightNoCornerCutting},
        {"island", "person", Movement::kEightCutCorners},
        {"island", "outlaw", Movement::kFour},
        {"rooms", "walker", Movement::kEightNoCornerCutting},
        {"rooms", "walker", Movement::kEightCutCorners},
        {"maze", "walker", Movement::kFour},
        {"maze", "walker", Movement::kEightNoCornerCutting},
        {"random", "walker", Movement::kEightNoCornerCutting},
        {"random", "walker", Movement::kEightCutCorners},
        {"random", "walker", Movement::kFour},
    };
    Expected expected("grid_methods");
    for (const GridCase& of : kCases) GridGuard(of, &of == kCases, expected).run();
    expected.compare();
}

// The status of each method before it is prepared.
TEST(GuardMethods, UnpreparedMethodsEndAsInTheFile) {
    Expected expected("unprepared");
    const World world(small_map("island"));
    Planner planner(world);
    const CostTable costs = Profile::preset("person")->compile(world.grid().catalogue()).value();
    for (const char* name : all_methods()) {
        FindOptions options;
        options.method = find_method(name).value();
        options.nearest = true;
        for (const bool fallback : {false, true}) {
            options.fallback = fallback;
            Sums sums;
            Path path;
            for (const auto& [start, goal] : small_queries(world.grid(), 5)) {
                planner.find(start, goal, costs, options, path);
                sums.add(path);
            }
            expected.add(std::string(name) + " island person nearest" + (fallback ? " fallback" : ""), sums.metrics());
        }
    }
    expected.compare();
}

// Compares with the library's list of methods and their usages.
TEST(GuardMethods, EveryMethodForGridsIsInTheTable) {
    for (const MethodFactory* factory : methods()) {
        const MethodInfo& info = factory->info;
        const std::string family = info.name;
        EXPECT_TRUE(std::ranges::any_of(all_methods(),
                                        [&](std::string_view m) {
                                            return m == family || m.starts_with(family + ":") || m.starts_with(family + "/") ||
                                                   m.starts_with(family + "+");
                                        }))
            << family << " is not in the table of tests/guard/grid_methods_test.cpp";
        EXPECT_TRUE(std::ranges::any_of(all_methods(), [&](std::string_view m) { return m == info.example; })) << info.example;
    }
}

// Every option that the message for an unknown option lists must be in the table.
TEST(GuardMethods, EveryOptionForGridsIsInTheTable) {
    for (const MethodFactory* factory : methods()) {
        const MethodInfo& info = factory->info;
        std::string offered;
        for (const std::string& asked : {std::string(info.example) + "+no_such_option", std::string(info.name) + "/no_such_option"}) {
            const auto refused = find_method(asked);
            ASSERT_FALSE(refused);
            const std::string& message = refused.error().reason;
            const size_t from = message.find("expected one of: ");
            if (from != std::string::npos) offered += (offered.empty() ? "" : ", ") + message.substr(from + 17);
        }
        std::string_view rest = offered;
        while (!rest.empty()) {
            const std::string_view usage = rest.substr(0, rest.find(", "));
            const std::string option(usage.substr(0, usage.find(':')));
            rest.remove_prefix(std::min(rest.size(), usage.size() + 2));
            if (option == "any_angle") continue;  // an option of every method; three rows have it
            EXPECT_TRUE(std::ranges::any_of(all_methods(),
                                            [&](std::string_view m) {
                                                return m.starts_with(info.name) &&
                                                       (m.find("+" + option) != m.npos || m.find("/" + option) != m.npos);
                                            }))
                << info.name << "+" << option << " is not in the table of tests/guard/grid_methods_test.cpp";
        }
    }
}

// ---- Path databases on changed maps

TEST(GuardPathDatabases, EncodingsVariantsAndCornerRulesAreAsInTheFile) {
    struct Named {
        const char* name;
        CpdVariant variant;
    };
    constexpr Named kVariants[] = {{"early", CpdVariant::kEarly},
                                   {"weighted", CpdVariant::kWeighted},
                                   {"nosp", CpdVariant::kNoPull},
                                   {"focal", CpdVariant::kFocal},
                                   {"branching", CpdVariant::kBranching}};
    constexpr std::pair<const char*, PathEncoding> kEncodings[] = {
        {"fast", PathEncoding::kFast}, {"walk", PathEncoding::kWalk}, {"small", PathEncoding::kSmall}};
    constexpr std::pair<const char*, PathOrder> kOrders[] = {
        {"choose", PathOrder::kChoose}, {"depth-first", PathOrder::kDepthFirst}, {"hilbert", PathOrder::kHilbert}};
    Expected expected("path_databases");
    for (const auto& [map, profile] : {std::pair("island", "person"), {"random", "walker"}}) {
        for (const auto& [encoding_name, encoding] : kEncodings) {
            for (const auto& [order_name, order] : kOrders) {
                World world(small_map(map));
                const CostTable costs = Profile::preset(profile)->compile(world.grid().catalogue()).value();
                PathDatabaseOptions options;
                options.encoding = encoding;
                options.order = order;
                const auto database = build_path_database({world.grid(), costs, Movement::kEightNoCornerCutting}, options).value();
                uint64_t hash = 0;
                const std::string bytes = format_path_database(database);
                for (const char c : bytes) hash = mix64(hash ^ static_cast<uint8_t>(c));
                expected.add(std::string(map) + " " + encoding_name + " " + order_name,
                             {{"nodes", database.nodes()}, {"file_bytes", bytes.size()}, {"file", hex(hash)}});
                if (order != PathOrder::kChoose) continue;
                const auto queries = small_queries(world.grid(), 8);
                edit(world);
                const Perturbation changed(database, world.grid());
                for (const Named& variant : kVariants) {
                    for (const bool strict : {false, true}) {
                        CpdSearch search;
                        std::map<std::string, uint64_t> statuses;
                        uint64_t cost = 0, bound = 0, expansions = 0, lookups = 0, path = 0;
                        std::vector<Cell> cells;
                        for (const auto& [start, goal] : queries) {
                            search.begin(database, changed, start, goal, {.variant = variant.variant, .strict_corners = strict});
                            ++statuses[to_string(search.run())];
                            expansions += search.expansions();
                            lookups += search.lookups();
                            if (search.status() != Status::kFound) continue;
                            cost += search.cost();
                            bound += search.lower_bound();
                            search.path(cells);
                            for (const Cell c : cells) path = mix64(path ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
                        }
                        Metrics metrics = statuses;
                        metrics.update({{"cost", cost},
                                        {"lower_bound", bound},
                                        {"expansions", expansions},
                                        {"lookups", lookups},
                                        {"path", hex(path)}});
                        expected.add(
                            std::string(map) + " " + encoding_name + " " + variant.name + (strict ? " strict" : " as in the paper"),
                            metrics);
                    }
                }
            }
        }
    }
    expected.compare();
}

// ---- Encodings of the minimal-memory abstraction

TEST(GuardMinimalMemory, EncodingsAreAsInTheFile) {
    Expected expected("minimal_memory");
    for (const auto& [map, profile] : {std::pair("island", "person"), {"rooms", "walker"}, {"random", "walker"}}) {
        World world(small_map(map));
        const GridSnapshot before = world.grid();
        const CostTable costs = Profile::preset(profile)->compile(before.catalogue()).value();
        for (uint32_t bits = 0; bits < 32; ++bits) {
            MinimalMemoryOptions options;
            options.record_bits = (bits & 1) != 0 ? 16 : 32;
            options.skip_defaults = (bits & 2) == 0;
            options.edges_once = (bits & 4) != 0;
            options.labels = (bits & 8) != 0;
            options.optimise_centres = (bits & 16) != 0;
            const PassableSet set = PassableSet::of(costs, Movement::kEightNoCornerCutting);
            const MinimalMemory memory = MinimalMemory::build(before, set, Movement::kEightNoCornerCutting, options);
            const MinimalMemoryBytes bytes = memory.bytes();
            expected.add(std::string(map) + " " + std::to_string(options.record_bits) + " bits" + (options.skip_defaults ? " skip" : "") +
                             (options.edges_once ? " once" : "") + (options.labels ? " labels" : "") +
                             (options.optimise_centres ? " centres" : ""),
                         {{"regions", memory.region_count()},
                          {"edges", memory.edge_count()},
                          {"bytes_sectors", bytes.sectors},
                          {"bytes_centres", bytes.centres},
                          {"bytes_edges", bytes.edges},
                          {"bytes_labels", bytes.labels}});
        }
    }
    expected.compare();
}

}  // namespace
}  // namespace terrane::guard
