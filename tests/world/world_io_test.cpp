#include "terrane/world/world_io.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "io/mangle.h"
#include "support/scene.h"
#include "support/temporary.h"
#include "terrain_regions/region_file.h"
#include "terrane/base/file.h"
#include "terrane/io/world_file.h"
#include "terrane/method/method_interface.h"
#include "terrane/world/planner.h"

namespace terrane {
namespace {

std::vector<uint32_t> sectors_of(std::span<const TerrainRegions> all) {
    std::vector<uint32_t> sectors;
    for (const TerrainRegions& r : all) sectors.push_back(r.sector());
    return sectors;
}

void expect_same(const WorldSnapshot& a, const WorldSnapshot& b) {
    EXPECT_EQ(a.grid().cells(), b.grid().cells());
    EXPECT_EQ(a.grid().catalogue(), b.grid().catalogue());
    ASSERT_EQ(sectors_of(a.all_regions()), sectors_of(b.all_regions()));
    for (size_t i = 0; i < a.all_regions().size(); ++i) EXPECT_EQ(a.all_regions()[i], b.all_regions()[i]);
}

TerrainGrid small_map() {
    return test::scene(R"(11223
                          11#23
                          11123)")
        .grid;
}

}  // namespace

TEST(WorldIo, AWorldComesBackWithItsRegions) {
    const TemporaryFolder folder;
    Rng rng(51);
    for (int i = 0; i < 10; ++i) {
        const WorldOptions options{.sectors = {16, 5, kWholeMap}, .labels = i % 2 == 0};
        World world(test::random_world(rng).grid, options);
        for (int edit = 0; edit < 5; ++edit) world.set(test::random_cell(rng, world.grid()), static_cast<Terrain>(rng.below(8)));
        ASSERT_TRUE(save_world(folder / "w.terrane", world.snapshot()));
        const auto saved = load_saved_world(folder / "w.terrane");
        ASSERT_TRUE(saved) << saved.error().message();
        EXPECT_EQ(sectors_of(saved->regions), options.sectors) << "in the world's own order";
        const auto again = load_world(folder / "w.terrane", options);
        ASSERT_TRUE(again) << again.error().message();
        expect_same((*again)->snapshot(), world.snapshot());
        EXPECT_EQ(format_world((*again)->snapshot()).value(), read_file(folder / "w.terrane", 1 << 24).value());
    }
}

TEST(WorldIo, AnOpenedWorldIsEditedAndSearchedAsTheOldOne) {
    const TemporaryFolder folder;
    Rng rng(52);
    const test::RandomWorld random = test::random_world(rng);
    const GridSnapshot map = random.grid.snapshot();
    World world(TerrainGrid(map.width(), map.height(), map.cells(), map.catalogue()));
    ASSERT_TRUE(save_world(folder / "w.terrane", world.snapshot()));
    const std::unique_ptr<World> opened = load_world(folder / "w.terrane").value();
    Planner planner(world), other(*opened);
    FindOptions options;
    options.method = find_method("dta:16").value();
    options.movement = random.movement;
    for (int i = 0; i < 50; ++i) {
        const Cell cell = test::random_cell(rng, map), from = test::random_cell(rng, map), to = test::random_cell(rng, map);
        const auto terrain = static_cast<Terrain>(rng.below(4));
        EXPECT_EQ(world.set(cell, terrain).repairs.size(), opened->set(cell, terrain).repairs.size());
        Path a, b;
        planner.find(from, to, random.costs, options, a);
        other.find(from, to, random.costs, options, b);
        EXPECT_EQ(test::hash_of(a), test::hash_of(b));
    }
    expect_same(opened->snapshot(), world.snapshot());
}

TEST(WorldIo, MissingRegionsAreBuilt) {
    const TemporaryFolder folder;
    const World world(small_map(), WorldOptions{.sectors = {8}});
    ASSERT_TRUE(save_world(folder / "w.terrane", world.snapshot()));
    ASSERT_TRUE(save_map(folder / "w.map", world.grid()));
    for (const char* name : {"w.terrane", "w.map"}) {
        for (const std::vector<uint32_t>& sectors : {std::vector<uint32_t>{4, 8}, {16}, {}}) {
            const auto opened = load_world(folder / name, WorldOptions{.sectors = sectors});
            ASSERT_TRUE(opened) << opened.error().message();
            EXPECT_EQ(sectors_of((*opened)->snapshot().all_regions()), sectors) << name;
        }
    }
    EXPECT_TRUE(load_saved_world(folder / "w.map")->regions.empty());
}

TEST(WorldIo, RegionsOfAnOlderMapAreRefused) {
    World world(small_map(), WorldOptions{.sectors = {4}});
    const WorldSection old{region_tag(4), false, format_regions(world.snapshot().all_regions()[0])};
    world.set({0, 0}, Terrain{5});
    const std::string bytes = format_world(world.grid(), std::span(&old, 1)).value();
    EXPECT_TRUE(parse_world(bytes)) << "the map alone is good";
    EXPECT_EQ(parse_saved_world(bytes, {}, "w.terrane").error().message(),
              "w.terrane: regions: the map's cells have changed; rebuild the regions");
}

TEST(WorldIo, RefusesASectionUnderAnotherTagAndUnknownOnesThatAreRequired) {
    const World world(small_map(), WorldOptions{.sectors = {4}});
    const std::string regions = format_regions(world.snapshot().all_regions()[0]);
    const auto error_with = [&](WorldSection section) {
        const auto saved = parse_saved_world(format_world(world.grid(), std::span(&section, 1)).value(), {}, "w.terrane");
        return saved ? "no error" : saved.error().message();
    };
    EXPECT_EQ(error_with({{'R', '0', '0', '4'}, false, regions}), "no error");
    EXPECT_EQ(error_with({{'R', '0', '0', '8'}, false, regions}), "w.terrane: section 'R008' has regions of another sector size");
    EXPECT_EQ(error_with({{'N', 'O', 'T', 'E'}, false, "anything"}), "no error");
    EXPECT_EQ(error_with({{'N', 'O', 'T', 'E'}, true, "anything"}),
              "w.terrane: section 'NOTE' is required, but this library does not know it");
}

TEST(WorldIo, EveryCutAndEveryChangedByteIsRefused) {
    const std::string bytes = format_world(World(small_map(), WorldOptions{.sectors = {4, kWholeMap}}).snapshot()).value();
    const auto expect_refused = [](const std::string& spoiled, const std::string& what) {
        const auto saved = parse_saved_world(spoiled, {}, "w.terrane");
        ASSERT_FALSE(saved) << what;
        expect_printable_error(saved.error(), "w.terrane", what);
    };
    for (size_t length = 8; length < bytes.size(); ++length) expect_refused(bytes.substr(0, length), "cut at " + std::to_string(length));
    for_each_change(bytes, expect_refused);
}

TEST(WorldIo, ARefusedSaveLeavesTheOldFile) {
    const TemporaryFolder folder;
    const World world(small_map());
    ASSERT_TRUE(save_world(folder / "w.terrane", world.snapshot()));
    const std::string before = read_file(folder / "w.terrane", 1 << 20).value();
    EXPECT_EQ(save_world(folder / "w.map", world.snapshot()).error().code, ErrorCode::kUnsupported);
    EXPECT_EQ(save_world(folder / "none/w.terrane", world.snapshot()).error().code, ErrorCode::kCannotOpen);
    std::vector<uint32_t> many;
    for (uint32_t sector = 4; sector < 4 + 63; ++sector) many.push_back(sector);
    EXPECT_EQ(save_world(folder / "w.terrane", World(small_map(), WorldOptions{.sectors = many}).snapshot()).error().message(),
              folder / "w.terrane" + ": a world file has at most 64 sections");
    EXPECT_EQ(read_file(folder / "w.terrane", 1 << 20).value(), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "no temporary file is left";
}

TEST(WorldIo, MissingFilesAreNamed) {
    const TemporaryFolder folder;
    EXPECT_EQ(load_world(folder / "none.terrane").error().code, ErrorCode::kCannotOpen);
    EXPECT_EQ(load_saved_world(folder.path()).error().file, folder.path());
    ASSERT_TRUE(write_file(folder / "text.terrane", "hello"));
    EXPECT_EQ(load_world(folder / "text.terrane").error().file, folder / "text.terrane");
}

// Prepares each method for a random profile.
std::vector<Method> prepare_several(World& world, const CostTable& costs, Movement movement) {
    std::vector<Method> methods;
    for (const char* name : {"overlay:2+lower_bounds:4", "cpd+small", "minimal_memory:8", "pra:inf", "astar+landmarks:3", "dta:16+exact"}) {
        methods.push_back(find_method(name).value());
        EXPECT_TRUE(world.prepare(costs, {.method = methods.back(), .movement = movement})) << name;
    }
    return methods;
}

void expect_same_answers(const World& a, const World& b, const std::vector<Method>& methods, const test::RandomWorld& random, Rng& rng) {
    Planner one(a), other(b);
    for (const Method& method : methods) {
        FindOptions options;
        options.method = method;
        options.movement = random.movement;
        for (int q = 0; q < 5; ++q) {
            Path x, y;
            const Cell from = test::random_cell(rng, a.grid()), to = test::random_cell(rng, a.grid());
            one.find(from, to, random.costs, options, x);
            other.find(from, to, random.costs, options, y);
            ASSERT_NE(x.status, Status::kNotPrepared) << method.name();
            ASSERT_EQ(test::hash_of(x), test::hash_of(y)) << method.name();
        }
    }
}

TEST(WorldIo, PreparedMethodsAreAnsweredByTheLoadedWorldAsWhenNewlyPrepared) {
    Rng rng(54);
    for (int i = 0; i < 6; ++i) {
        test::RandomWorld random = test::random_world(rng, 40);
        const GridSnapshot map = random.grid.snapshot();
        World world(TerrainGrid(map.width(), map.height(), map.cells(), map.catalogue()));
        const std::vector<Method> methods = prepare_several(world, random.costs, random.movement);
        if (HasFailure()) return;
        const std::string bytes = format_world(world.snapshot()).value();
        auto loaded = make_world(parse_saved_world(bytes).value());
        ASSERT_TRUE(loaded) << loaded.error().message();
        EXPECT_EQ((*loaded)->snapshot().all_prepared().size(), methods.size());
        EXPECT_EQ(format_world((*loaded)->snapshot()).value(), bytes);
        expect_same_answers(world, **loaded, methods, random, rng);
        const auto edit = [](World& of) { of.fill({{2, 2}, {3, 1}}, Terrain{1}); };
        edit(world);
        edit(**loaded);
        expect_same_answers(world, **loaded, methods, random, rng);
    }
}

TEST(WorldIo, APathDatabaseOfAnOlderMapIsSavedWithTheMapItWasBuiltFor) {
    Rng rng(55);
    for (int i = 0; i < 6; ++i) {
        const test::RandomWorld random = test::random_world(rng, 40);
        const GridSnapshot map = random.grid.snapshot();
        World world(TerrainGrid(map.width(), map.height(), map.cells(), map.catalogue()));
        const std::vector<Method> methods{find_method("cpd").value()};
        ASSERT_TRUE(world.prepare(random.costs, {.method = methods[0], .movement = random.movement}));
        for (int edit = 0; edit < 10; ++edit) world.set(test::random_cell(rng, world.grid()), static_cast<Terrain>(rng.below(4)));
        const auto loaded = make_world(parse_saved_world(format_world(world.snapshot()).value()).value());
        ASSERT_TRUE(loaded) << loaded.error().message();
        expect_same_answers(world, **loaded, methods, random, rng);
    }
}

// The error of a file whose list of prepared methods is `section`.
std::string error_with_prepared(const World& world, const std::string& section) {
    const WorldSection prepared{{'P', 'R', 'E', 'P'}, false, section};
    const std::string bytes = format_world(world.grid(), std::span(&prepared, 1)).value();
    auto saved = parse_saved_world(bytes, {}, "w.terrane");
    if (!saved) return saved.error().message();
    const auto made = make_world(std::move(*saved));
    return made ? "no error" : made.error().message();
}

TEST(WorldIo, MorePreparedMethodsThanAFileListsAreRefusedNotLost) {
    World world(small_map());
    for (int i = 0; i < 257; ++i) {
        const CostTable costs = Profile("any").otherwise(1 + i).compile(world.grid().catalogue()).value();
        ASSERT_TRUE(world.prepare(costs, {.method = find_method("overlay:1").value()}));
        if (i < 255) continue;
        EXPECT_EQ(format_world(world.snapshot()).has_value(), i == 255);
    }
}

TEST(WorldIo, RefusesPreparedMethodsThatCannotBe) {
    World world(small_map());
    const CostTable costs = Profile("any").compile(world.grid().catalogue()).value();
    const auto number = [](uint64_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 255);
        return out;
    };
    const auto entry = [&](const std::string& method, uint32_t cost, const std::string& data, uint8_t movement = 0) {
        std::string out(1, static_cast<char>(method.size()));
        out += method + static_cast<char>(movement);
        for (uint32_t t = 0; t < world.grid().catalogue().size(); ++t) out += number(cost, 4);
        return out + number(data.size(), 8) + data;
    };
    const std::string head = number(1, 4) + number(1, 4);
    EXPECT_EQ(error_with_prepared(world, head + entry("overlay:2", 100, "")), "no error");
    EXPECT_EQ(error_with_prepared(world, number(2, 4) + number(0, 4)), "w.terrane: section 'PREP' has version 2; expected 1");
    EXPECT_EQ(error_with_prepared(world, number(1, 4) + number(1000, 4)),
              "w.terrane: section 'PREP' lists 1000 prepared methods; at most 256 are allowed");
    EXPECT_EQ(error_with_prepared(world, head), "w.terrane: section 'PREP' method 1: ends within a method");
    EXPECT_EQ(error_with_prepared(world, head + entry("overlay:2", 100, "") + "x"),
              "w.terrane: section 'PREP' goes on after its last method");
    EXPECT_EQ(error_with_prepared(world, head + entry("astar", 100, "")),
              "w.terrane: section 'PREP' method 1: has the method 'astar', which prepares nothing");
    EXPECT_EQ(error_with_prepared(world, head + entry("overlay:2", 100, "", 3)),
              "w.terrane: section 'PREP' method 1: has the unknown movement rule 3");
    EXPECT_EQ(error_with_prepared(world, head + entry("overlay:2", 65001, "")),
              "w.terrane: section 'PREP' method 1: has a terrain cost above 650");
    EXPECT_NE(error_with_prepared(world, head + entry("overlay:two", 100, "")), "no error");
    EXPECT_EQ(error_with_prepared(world, head + entry("overlay:2", 100, "xyz")),
              "prepared overlay:2: overlay:2 stores nothing, but the file has data for it");
    EXPECT_NE(error_with_prepared(world, head + entry("cpd", 100, "")), "no error");
    EXPECT_EQ(error_with_prepared(world, head + entry("cpd", 100, number(1, 1) + number(99, 1) + number(0, 1))),
              "prepared cpd: the cells that changed since the path database was built are not valid");
    ASSERT_TRUE(world.prepare(costs, {.method = find_method("cpd").value()}));
    const std::string good = format_world(world.snapshot()).value();
    for (size_t length = 8; length < good.size(); length += 7) EXPECT_FALSE(parse_saved_world(good.substr(0, length)));
}

TEST(WorldIo, GoldenBytes) {
    Rng rng(53);
    uint64_t hash = 0;
    for (int i = 0; i < 5; ++i) {
        const World world(test::random_world(rng).grid, WorldOptions{.sectors = {8, 16}});
        const std::string bytes = format_world(world.snapshot()).value();
        for (const char c : bytes) hash = mix64(hash ^ static_cast<uint8_t>(c));
    }
    EXPECT_EQ(hash, 4433985722273685287u);
}

}  // namespace terrane
