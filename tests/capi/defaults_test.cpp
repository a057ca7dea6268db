// The C interface has the defaults of the C++ library, and a budget of 0 allows no work in either.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "terrane/grid_search/grid_search.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/terrane.h"
#include "terrane/weighted_regions/subdivision_method.h"
#include "terrane_c.h"

namespace terrane {
namespace {

using WorldPointer = std::unique_ptr<terrane_world, decltype(&terrane_world_free)>;

template <class T>
T sized() {
    T out{};
    out.size = sizeof out;
    return out;
}

WorldPointer generated(const terrane_generator* generator) {
    return {terrane_world_generate(generator, nullptr, nullptr), terrane_world_free};
}

std::vector<Terrain> cells_of(const terrane_world* world) {
    auto info = sized<terrane_world_info>();
    EXPECT_EQ(terrane_world_get_info(world, &info, nullptr), TERRANE_OK);
    std::vector<Terrain> cells(static_cast<size_t>(info.width) * static_cast<size_t>(info.height));
    terrane_world_read(world, {0, 0, info.width, info.height}, cells.data(), cells.size());
    return cells;
}

std::vector<Terrain> cells_of(const TerrainGrid& grid) {
    const auto width = static_cast<size_t>(grid.width());
    std::vector<Terrain> cells(width * static_cast<size_t>(grid.height()));
    for (int32_t y = 0; y < grid.height(); ++y) {
        grid.snapshot().copy_row({0, y}, static_cast<uint32_t>(width), cells.data() + static_cast<size_t>(y) * width);
    }
    return cells;
}

template <class Options, class Make>
void expect_same(uint32_t kind, Make make) {
    auto generator = sized<terrane_generator>();
    generator.kind = kind;
    generator.seed = Options{}.seed;
    EXPECT_EQ(cells_of(generated(&generator).get()), cells_of(make(Options{}).value())) << kind;
}

TEST(CapiDefaults, GeneratorsAreThoseOfTheLibrary) {
    expect_same<IslandOptions>(TERRANE_ISLAND, generate_island);
    expect_same<RoomsOptions>(TERRANE_ROOMS, generate_rooms);
    expect_same<MazeOptions>(TERRANE_MAZE, generate_maze);
    expect_same<RandomOptions>(TERRANE_RANDOM, generate_random);
    expect_same<ScatterOptions>(TERRANE_SCATTER, generate_scatter);
    expect_same<VoronoiOptions>(TERRANE_VORONOI, generate_voronoi);
    EXPECT_EQ(cells_of(generated(nullptr).get()), cells_of(generate_island({}).value())) << "NULL";
}

TEST(CapiDefaults, SubdivisionsAreThoseOfTheLibrary) {
    const Subdivision ours = random_voronoi_subdivision({}).value();
    const auto zeros = sized<terrane_subdivision_generator>();
    for (const terrane_subdivision_generator* generator : {&zeros, static_cast<const terrane_subdivision_generator*>(nullptr)}) {
        terrane_subdivision* theirs = terrane_subdivision_voronoi(generator, nullptr);
        auto info = sized<terrane_subdivision_info>();
        ASSERT_EQ(terrane_subdivision_get_info(theirs, &info, nullptr), TERRANE_OK);
        EXPECT_EQ(info.width, ours.high().x - ours.low().x);
        EXPECT_EQ(info.height, ours.high().y - ours.low().y);
        ASSERT_EQ(info.regions, ours.size());
        for (uint32_t p = 0; p < info.regions; ++p) EXPECT_EQ(terrane_subdivision_cost(theirs, p), ours.cost(p));

        terrane_subdivision_path* path = terrane_subdivision_path_new(nullptr);
        ASSERT_EQ(terrane_subdivision_find(theirs, {20, 30}, {560, 570}, nullptr, path, nullptr), TERRANE_OK);
        auto found = sized<terrane_subdivision_path_info>();
        ASSERT_EQ(terrane_subdivision_path_get_info(path, &found, nullptr), TERRANE_OK);
        SubdivisionPlanner planner;
        const SubdivisionPath& want = planner.find(ours, {20, 30}, {560, 570});
        EXPECT_EQ(found.cost, want.cost);
        EXPECT_EQ(found.expansions, want.expansions);
        terrane_subdivision_path_free(path);
        terrane_subdivision_free(theirs);
    }
}

// The same island in both, with a preset.
struct Both {
    Both() {
        auto generator = sized<terrane_generator>();
        generator.width = generator.height = 96;
        generator.seed = 7;
        theirs = generated(&generator);
        planner_c = terrane_planner_new(theirs.get(), nullptr);
        profile_c = terrane_profile_preset("person", nullptr);
        path_c = terrane_path_new(nullptr);
    }
    ~Both() {
        terrane_path_free(path_c);
        terrane_profile_free(profile_c);
        terrane_planner_free(planner_c);
    }
    Both(const Both&) = delete;
    Both& operator=(const Both&) = delete;
    terrane_path_info taken() const {
        terrane_take(planner_c, path_c, nullptr);
        auto info = sized<terrane_path_info>();
        EXPECT_EQ(terrane_path_get_info(path_c, &info, nullptr), TERRANE_OK);
        return info;
    }

    World ours{generate_island({.width = 96, .height = 96, .seed = 7}).value()};
    CostTable costs = Profile::preset("person")->compile(ours.grid().catalogue()).value();
    WorldPointer theirs{nullptr, terrane_world_free};
    terrane_planner* planner_c;
    terrane_profile* profile_c;
    terrane_path* path_c;
};

constexpr Cell kFrom{20, 40}, kTo{70, 60};
constexpr terrane_cell kFromC{20, 40}, kToC{70, 60};

TEST(CapiDefaults, AQueryWithoutOptionsIsThatOfTheLibrary) {
    const Both both;
    Planner planner(both.ours);
    const Path want = planner.find(kFrom, kTo, *Profile::preset("person"));
    ASSERT_EQ(want.status, Status::kFound);
    const auto zeros = sized<terrane_find_options>();
    for (const terrane_find_options* options : {&zeros, static_cast<const terrane_find_options*>(nullptr)}) {
        ASSERT_EQ(terrane_find(both.planner_c, kFromC, kToC, both.profile_c, options, both.path_c, nullptr), TERRANE_OK);
        auto info = sized<terrane_path_info>();
        ASSERT_EQ(terrane_path_get_info(both.path_c, &info, nullptr), TERRANE_OK);
        EXPECT_EQ(terrane_path_method(both.path_c), planner.method().name());
        EXPECT_EQ(info.cost, want.cost);
        EXPECT_EQ(info.expansions, want.expansions);
    }
}

TEST(CapiBudgets, ZeroAllowsNoWork) {
    const Both both;
    Planner planner(both.ours);
    for (const char* method : {"", "astar", "dta:16+smooth", "nbs"}) {
        FindOptions options;
        if (*method != '\0') options.method = find_method(method).value();
        planner.begin(kFrom, kTo, both.costs, options);
        EXPECT_EQ(planner.run(0), Status::kBudgetSpent) << method;
        EXPECT_EQ(planner.expansions(), 0u) << method;
        EXPECT_EQ(planner.run(), Status::kFound) << method;

        auto with = sized<terrane_find_options>();
        std::string(method).copy(with.method, sizeof with.method - 1);
        ASSERT_EQ(terrane_begin(both.planner_c, kFromC, kToC, both.profile_c, &with, nullptr), TERRANE_OK);
        EXPECT_EQ(terrane_run(both.planner_c, 0), TERRANE_BUDGET_SPENT) << method;
        EXPECT_EQ(both.taken().expansions, 0u) << method;
        EXPECT_EQ(terrane_run(both.planner_c, TERRANE_UNLIMITED), TERRANE_FOUND) << method;
        EXPECT_EQ(both.taken().expansions, planner.expansions()) << method;

        options.max_expansions = 0;
        planner.begin(kFrom, kTo, both.costs, options);
        EXPECT_EQ(planner.run(), Status::kBudgetSpent) << method;
        EXPECT_EQ(planner.expansions(), 0u) << method;
    }
}

TEST(CapiBudgets, ZeroPreparesNothing) {
    Both both;
    for (const char* method : {"overlay:2", "hpa:16", "minimal_memory:16", "cpd"}) {
        Preparation ours(both.ours.snapshot(), both.costs, {.method = find_method(method).value()});
        EXPECT_FALSE(ours.run(0)) << method;
        EXPECT_EQ(ours.progress(), 0) << method;

        auto with = sized<terrane_prepare_options>();
        std::string(method).copy(with.method, sizeof with.method - 1);
        terrane_preparation* theirs = terrane_prepare_begin(both.theirs.get(), both.profile_c, &with, nullptr);
        EXPECT_EQ(terrane_prepare_run(theirs, 0), 0) << method;
        EXPECT_EQ(terrane_prepare_progress(theirs), 0) << method;
        EXPECT_EQ(terrane_prepare_run(theirs, TERRANE_UNLIMITED), 1) << method;
        terrane_prepare_free(theirs);
    }
}

TEST(CapiBudgets, ZeroAnswersNoRequest) {
    const Both both;
    RequestQueue queue(both.ours);
    const RequestId id = queue.add(kFrom, kTo, both.costs, {});
    EXPECT_EQ(queue.run(0), 0u);
    EXPECT_FALSE(queue.done(id));
    EXPECT_GT(queue.run(kUnlimited), 0u);
    EXPECT_TRUE(queue.done(id));
}

}  // namespace
}  // namespace terrane
