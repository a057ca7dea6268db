// Methods that are prepared for a profile, through the planner: against A*, and after edits against rebuilt worlds.
#include "terrane/world/preparation.h"

#include <gtest/gtest.h>

#include <array>

#include "support/scene.h"
#include "terrane/method/method_interface.h"
#include "terrane/overlay/prepared_overlay.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

constexpr std::array kPrepared = {"minimal_memory:8",
                                  "minimal_memory:16+trim+smooth",
                                  "minimal_memory:16+standin+centres",
                                  "hpa:8",
                                  "hpa:16+smooth",
                                  "pra:inf",
                                  "pra:4",
                                  "pra:2+sectors",
                                  "overlay:1",
                                  "overlay:4+smooth"};

FindOptions prepared_options(const char* name, Movement movement) {
    FindOptions options;
    options.method = find_method(name).value();
    options.movement = movement;
    return options;
}

void prepare(World& world, const char* name, const CostTable& costs, Movement movement) {
    PrepareOptions options;
    options.method = find_method(name).value();
    options.movement = movement;
    ASSERT_TRUE(world.prepare(costs, options));
}

World copy_of_grid(const GridSnapshot& grid) { return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue())); }

TEST(Prepared, APreparationForAnotherWorldIsRefused) {
    World world(TerrainGrid(40, 40, Terrain{6})), equal(TerrainGrid(40, 40, Terrain{6})), larger(TerrainGrid(80, 80, Terrain{6}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    for (const World* other : {&equal, &larger}) {
        Preparation preparation(other->snapshot(), costs);
        preparation.run();
        const auto kept = world.install(std::move(preparation));
        ASSERT_FALSE(kept);
        EXPECT_EQ(kept.error().code, ErrorCode::kBadValue);
        EXPECT_EQ(kept.error().reason, "the preparation is for another world; make it from a snapshot of this one");
        EXPECT_TRUE(world.snapshot().all_prepared().empty());
    }
    Preparation own(world.snapshot(), costs);
    static_cast<void>(world.set({5, 5}, Terrain{5}));
    own.run();
    EXPECT_TRUE(world.install(std::move(own)));
}

// A method whose data counts its updates, in slices, and refuses the third.
struct CountedData;
struct CountedMethod final : GridMethod {
    using GridMethod::GridMethod;
    bool prepares() const override { return true; }
    std::unique_ptr<PreparationJob> prepare(const Method& self, const PreparationInput& input) const override;
};
const MethodFactory kCountedMethod{{"counted", "counted", "", "", "counted"}, {.needs = MethodNeeds::kProfile}, nullptr, nullptr};

class CountedJob final : public PreparationJob {
public:
    CountedJob(Method method, const Ground& ground, int updates) : method_(std::move(method)), ground_(ground), updates_(updates) {}
    bool run(uint64_t) override { return ++slices_ == 3; }
    double progress() const override { return slices_ / 3.0; }
    Result<SharedPrepared> take() override;

private:
    Method method_;
    Ground ground_;
    int updates_, slices_ = 0;
};

struct CountedData final : PreparedData {
    static const PreparedKind kKind;
    CountedData(const Method& method, const Ground& ground, int count) : PreparedData(kKind, method, ground), updates(count) {}
    bool serves(const GridMethod& asked, const Ground& ground) const override {
        return &asked.factory() == &kCountedMethod && this->ground().same_agent(ground);
    }
    std::unique_ptr<PreparationJob> update(const UpdateInput& input) const override {
        EXPECT_EQ(&input.ground.grid().data(), &input.edit.after.data());
        EXPECT_EQ(input.regions[0].version(), input.edit.after.version());
        return std::make_unique<CountedJob>(method(), input.ground, updates + 1);
    }
    size_t bytes() const override { return 1; }

    const int updates;
};
const PreparedKind CountedData::kKind;

Result<SharedPrepared> CountedJob::take() {
    if (updates_ == 3) return Error{ErrorCode::kTooLarge, {}, 0, "too many updates"};
    return SharedPrepared(std::make_shared<const CountedData>(method_, ground_, updates_));
}

std::unique_ptr<PreparationJob> CountedMethod::prepare(const Method& self, const PreparationInput& input) const {
    return std::make_unique<CountedJob>(self, input.ground, 0);
}

TEST(Prepared, EveryMethodKeepsWithinMaxBytes) {
    World world(TerrainGrid(80, 80, Terrain{6}));
    world.fill({{10, 10}, {20, 50}}, Terrain{5});
    const CostTable costs = Profile().cost("swamp", 3).compile(world.grid().catalogue()).value();
    for (const char* name : {"minimal_memory:8", "hpa:8", "pra:4", "overlay:2", "cpd", "astar+landmarks:4", "nbs+fastmap:3",
                             "astar+lower_bounds:4", "dta:16+exact", "dta:16+landmarks:4", "dta:16+paths"}) {
        SCOPED_TRACE(name);
        PrepareOptions options{.method = find_method(name).value(), .max_bytes = 1};
        const auto refused = world.prepare(costs, options);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::kTooLarge) << refused.error().reason;
        EXPECT_TRUE(world.snapshot().all_prepared().empty());
        options.max_bytes = 0;
        ASSERT_TRUE(world.prepare(costs, options));
        options.max_bytes = world.snapshot().all_prepared()[0]->bytes();
        EXPECT_TRUE(world.prepare(costs, options));
        EXPECT_TRUE(world.discard(options.method, costs));
    }
}

// The answers after an update in slices are those after an update in one run.
TEST(Prepared, OverlaysAreUpdatedInSlices) {
    Rng rng(81);
    World world(TerrainGrid(200, 160, Terrain{6}));
    const CostTable costs = Profile().cost("swamp", 3).compile(world.grid().catalogue()).value();
    const FindOptions options = prepared_options("overlay:2", Movement::kEightNoCornerCutting);
    ASSERT_TRUE(world.prepare(costs, {.method = find_method("overlay:2+lower_bounds:4").value()}));
    for (int i = 0; i < 8; ++i) {
        const WorldSnapshot before = world.snapshot();
        const Cell c{rng.between(0, 150), rng.between(0, 120)};
        const WorldEdit edit = world.fill({c, {70, 5}}, static_cast<Terrain>(i % 5));
        const WorldSnapshot after = world.snapshot();
        const PreparedData& data = *before.all_prepared()[0];
        const Ground ground = data.ground().on(after.grid());
        const auto job = data.update({edit.grid, ground, after.all_regions()});
        int slices = 1;
        for (double progress = 0; !job->run(1); ++slices) {
            EXPECT_GT(job->progress(), progress);
            progress = job->progress();
        }
        EXPECT_GT(slices, 1);
        const SharedPrepared sliced = job->take().value();
        EXPECT_EQ(sliced->bytes(), after.all_prepared()[0]->bytes());
        const auto &a = sliced->as<PreparedOverlay>()->overlay.data(), &b = after.all_prepared()[0]->as<PreparedOverlay>()->overlay.data();
        for (uint32_t w = 0; w < a.cluster_count(); ++w) {
            ASSERT_EQ(a.table(w).count(), b.table(w).count());
            const auto *keys = a.table(w).keys(), *others = b.table(w).keys();
            ASSERT_TRUE(std::equal(keys, keys + a.table(w).word_count(), others)) << "cluster " << w;
            const size_t potentials = size_t{a.table(w).count()} * a.options.landmarks;
            ASSERT_TRUE(std::equal(a.table(w).coarse(), a.table(w).coarse() + potentials, b.table(w).coarse())) << "cluster " << w;
        }
    }
    Planner planner(world);
    Path path;
    planner.find({1, 1}, {190, 150}, costs, options, path);
    EXPECT_TRUE(path);
}

TEST(Prepared, EditsRunUpdatesToTheirEndAndDiscardWhatCannotBeUpdated) {
    World world(TerrainGrid(40, 40, Terrain{6}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    const Method method(std::make_shared<const CountedMethod>(kCountedMethod, "counted"));
    Preparation preparation(world.snapshot(), costs, {.method = method});
    EXPECT_FALSE(preparation.run(1));
    EXPECT_FALSE(preparation.run(1));
    static_cast<void>(world.set({5, 5}, Terrain{5}));
    EXPECT_TRUE(preparation.run(1));
    EXPECT_EQ(preparation.progress(), 1);
    ASSERT_TRUE(world.install(std::move(preparation)));
    EXPECT_EQ(world.snapshot().all_prepared()[0]->as<CountedData>()->updates, 1) << "with the edit since";
    static_cast<void>(world.set({6, 5}, Terrain{5}));
    const WorldSnapshot before = world.snapshot();
    EXPECT_EQ(before.all_prepared()[0]->as<CountedData>()->updates, 2);
    static_cast<void>(world.set({7, 5}, Terrain{5}));
    EXPECT_TRUE(world.snapshot().all_prepared().empty());
    EXPECT_EQ(before.all_prepared().size(), 1u) << "a snapshot stays as it was";
}

TEST(PreparationDeathTest, OneThatIsNotDoneBreaksTheContract) {
    World world(TerrainGrid(40, 40, Terrain{6}));
    const CostTable costs = Profile().compile(world.grid().catalogue()).value();
    EXPECT_DEATH(static_cast<void>(world.install(Preparation(world.snapshot(), costs))), "contract broken");
    EXPECT_DEATH(Preparation(world.snapshot(), costs, {.method = find_method("astar").value()}), "contract broken");
}

TEST(Prepared, EachMethodFindsAPathIfAndOnlyIfThereIsOne) {
    Rng rng(51);
    int found = 0, none = 0;
    for (int i = 0; i < 60; ++i) {
        const test::RandomWorld random = test::random_world(rng, 90);
        World world = copy_of_grid(random.grid.snapshot());
        for (const char* name : kPrepared) prepare(world, name, random.costs, random.movement);
        Planner planner(world);
        for (int q = 0; q < 6; ++q) {
            const Cell start = test::random_cell(rng, world.grid());
            const Cell goal = test::random_cell(rng, world.grid());
            Path best, path;
            planner.find(start, goal, random.costs, prepared_options("astar", random.movement), best);
            (best ? found : none) += 1;
            for (const char* name : kPrepared) {
                SCOPED_TRACE(testing::Message() << "world " << i << " query " << q << " " << name);
                planner.find(start, goal, random.costs, prepared_options(name, random.movement), path);
                ASSERT_EQ(path.status, best.status);
                if (!best) continue;
                ASSERT_EQ(path.cells.front(), start);
                ASSERT_EQ(path.cells.back(), goal);
                ASSERT_EQ(path.cost, path_cost({world.grid(), random.costs, random.movement}, path.cells));
                ASSERT_GE(path.cost, best.cost);
                ASSERT_LE(static_cast<double>(path.cost), path.bound * static_cast<double>(best.cost) * 1.000001 + 1);
            }
        }
    }
    EXPECT_GT(found, 80);
    EXPECT_GT(none, 40);
}

TEST(Prepared, AfterEditsAnswersAreThoseOfARebuiltWorld) {
    constexpr std::array kSame = {"minimal_memory:8", "minimal_memory:16+standin+centres", "hpa:8", "pra:inf", "pra:2+sectors", "overlay:2",
                                  "overlay:3+smooth"};
    Rng rng(52);
    for (int i = 0; i < 12; ++i) {
        const test::RandomWorld random = test::random_world(rng, 80);
        World world = copy_of_grid(random.grid.snapshot());
        for (const char* name : kSame) prepare(world, name, random.costs, random.movement);
        Planner planner(world);
        for (int e = 0; e < 6; ++e) {
            const Cell c = test::random_cell(rng, world.grid());
            world.fill({c, {rng.between(1, 12), rng.between(1, 12)}}, static_cast<Terrain>(rng.below(6)));
            World fresh = copy_of_grid(world.grid());
            Planner other(fresh);
            const Cell start = test::random_cell(rng, world.grid());
            const Cell goal = test::random_cell(rng, world.grid());
            for (const char* name : kSame) {
                SCOPED_TRACE(testing::Message() << "world " << i << " edit " << e << " " << name);
                prepare(fresh, name, random.costs, random.movement);
                Path path, again;
                planner.find(start, goal, random.costs, prepared_options(name, random.movement), path);
                other.find(start, goal, random.costs, prepared_options(name, random.movement), again);
                ASSERT_EQ(path.status, again.status);
                ASSERT_EQ(path.cells, again.cells);
                ASSERT_EQ(path.cost, again.cost);
                ASSERT_EQ(path.expansions, again.expansions);
            }
        }
    }
}

// The world has regions: whatever the method, goals that they rule out cost no expansions, before and after edits.
TEST(Prepared, NoMethodSearchesForAnUnreachableGoal) {
    World world(TerrainGrid(80, 80, Terrain{5}));
    const CostTable costs = Profile("walker").blocked("deep_water").compile(world.grid().catalogue()).value();
    for (const char* name : kPrepared) prepare(world, name, costs, Movement::kEightNoCornerCutting);
    prepare(world, "cpd", costs, Movement::kEightNoCornerCutting);
    std::vector<const char*> names(kPrepared.begin(), kPrepared.end());
    names.insert(names.end(),
                 {"cpd", "cpd/focal", "astar", "wastar:2", "focal:1.5", "nbs", "dijkstra", "dta:16", "dta:16/nbs", "dta:16+trim+smooth"});
    Planner planner(world);
    Path path;
    for (const bool open : {false, true, false}) {
        world.fill({{39, 0}, {2, 80}}, "deep_water").value();
        if (open) world.set({39, 70}, "bridge").value(), world.set({40, 70}, "bridge").value();
        for (const char* name : names) {
            planner.find({3, 3}, {77, 5}, costs, prepared_options(name, Movement::kEightNoCornerCutting), path);
            EXPECT_EQ(path.status, open ? Status::kFound : Status::kUnreachable) << name;
            EXPECT_EQ(path.expansions > 0, open) << name;
            EXPECT_EQ(path.cells.empty(), !open) << name;
        }
    }
}

// Creatures share the map and its regions: 400 creatures take no byte more than 40. A planner's scratch memory grows with the most
// expensive query, not per creature.
TEST(Prepared, ManyCreaturesShareOneMapAndItsRegions) {
    Rng rng(53);
    const test::RandomWorld random = test::random_world(rng, 120);
    World world = copy_of_grid(random.grid.snapshot());
    const auto* regions = &world.snapshot().all_regions()[0].data();
    const Terrain* tile = world.grid().tile_cells(0);
    Planner planner(world);
    Path path;
    std::array<std::pair<size_t, size_t>, 2> bytes;
    for (int round = 0; round < 2; ++round) {
        for (int creature = 0; creature < (round == 0 ? 40 : 360); ++creature) {
            Profile profile("creature");
            for (Terrain t = 0; t < 8; ++t) {
                const Hundredths cost = rng.chance(1, 5) ? kBlocked : 1 + rng.below(65000);
                profile.rule(world.grid().catalogue()[t].name, round == 0 && creature == 0 ? 100 : cost);
            }
            const CostTable costs = profile.compile(world.grid().catalogue()).value();
            for (const char* name : {"dijkstra", "dta:16"}) {
                const Cell goal = {world.grid().width() - 1, world.grid().height() - 1};
                planner.find({0, 0}, goal, costs, prepared_options(name, Movement::kEightNoCornerCutting), path);
            }
        }
        bytes[static_cast<size_t>(round)] = {world.bytes(), planner.bytes()};
    }
    EXPECT_EQ(bytes[0].first, bytes[1].first);
    EXPECT_LT(bytes[1].second - bytes[0].second, 36 * world.bytes());
    EXPECT_EQ(&world.snapshot().all_regions()[0].data(), regions);
    EXPECT_EQ(world.grid().tile_cells(0), tile);
}

TEST(Prepared, OneForAllProfilesWithTheSameBlockedSetWhereCostsDoNotMatter) {
    World world(TerrainGrid(40, 40, Terrain{1}));
    const Catalogue& catalogue = world.grid().catalogue();
    const CostTable one = Profile("one").cost("swamp", 2).compile(catalogue).value();
    const CostTable two = Profile("two").cost("swamp", 5).compile(catalogue).value();
    for (const char* name : {"minimal_memory:8", "pra:4", "hpa:8"}) prepare(world, name, one, Movement::kEightNoCornerCutting);
    Planner planner(world);
    Path path;
    const auto status = [&](const char* name, Movement movement = Movement::kEightNoCornerCutting) {
        planner.find({0, 0}, {39, 39}, two, prepared_options(name, movement), path);
        return path.status;
    };
    EXPECT_EQ(status("minimal_memory:8+smooth"), Status::kFound);
    EXPECT_EQ(status("pra:inf"), Status::kFound);
    EXPECT_EQ(status("hpa:8"), Status::kNotPrepared);
    EXPECT_EQ(status("minimal_memory:16"), Status::kNotPrepared);
    EXPECT_EQ(status("minimal_memory:8+centres"), Status::kNotPrepared);
    EXPECT_EQ(status("pra:4+sectors"), Status::kNotPrepared);
    EXPECT_EQ(status("pra:4", Movement::kFour), Status::kNotPrepared);
}

}  // namespace
}  // namespace terrane
