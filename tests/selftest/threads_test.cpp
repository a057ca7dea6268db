// Every operation that takes a number of threads gives bit-identical results with 1 to 16 threads.
#include <gtest/gtest.h>

#include <bit>
#include <functional>

#include "terrane/base/rng.h"
#include "terrane/cpd/path_database_builder.h"
#include "terrane/cpd/path_database_file.h"
#include "terrane/crowd/crowd.h"
#include "terrane/crowd/lacam.h"
#include "terrane/crowd/pibt.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"
#include "terrane/world/world_io.h"
#ifdef TERRANE_HAS_NAVMESH
#include "terrane/mapgen/navmesh_level.h"
#include "terrane/navmesh/navmesh_builder.h"
#include "terrane/navmesh/navmesh_file.h"
#endif

namespace terrane {
namespace {

constexpr int32_t kSide = 100;  // four overlay clusters per axis, the last one partial

TerrainGrid island(int32_t side = kSide) {
    IslandOptions options;
    options.width = options.height = side;
    options.seed = 4;
    return generate_island(options).value();
}
CostTable deer() { return Profile::preset("deer")->compile(island().snapshot().catalogue()).value(); }

uint64_t hash_of(std::string_view bytes) {
    uint64_t hash = 0;
    for (const char c : bytes) hash = mix64(hash ^ static_cast<uint8_t>(c));
    return hash;
}

// Returns a hash of the answers of a prepared method.
uint64_t prepared(const char* name, uint32_t threads) {
    World world(island());
    PrepareOptions options;
    options.method = find_method(name).value();
    options.threads = threads;
    world.prepare(deer(), options).value();
    Planner planner(world);
    FindOptions find;
    find.method = options.method;
    Rng rng(1);
    Path path;
    uint64_t hash = 0;
    const auto add = [&](uint64_t value) { hash = mix64(hash ^ value); };
    for (int i = 0; i < 10; ++i) {
        const auto any = [&] { return Cell{rng.between(0, kSide - 1), rng.between(0, kSide - 1)}; };
        const Cell start = any(), goal = any();
        planner.find(start, goal, deer(), find, path);
        add(static_cast<uint64_t>(path.status));
        add(path.cost);
        add(path.expansions);
        add(std::bit_cast<uint64_t>(path.bound));
        for (const Cell c : path.cells) add(static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y));
    }
    return hash;
}

// Returns a hash of the agents' cells in every tick.
uint64_t crowd(std::unique_ptr<CrowdMethod> method) {
    const World world(island());
    Crowd all(world, {deer()}, std::move(method));
    Rng rng(2);
    const auto any = [&] { return Cell{rng.between(0, kSide - 1), rng.between(0, kSide - 1)}; };
    for (int i = 0; i < 40; ++i) {
        const Cell at = any();
        all.add(at, any());
    }
    uint64_t hash = 0;
    for (int tick = 0; tick < 40; ++tick) {
        all.tick();
        for (const CrowdAgent& agent : all.agents()) hash = mix64(hash ^ agent.at);
    }
    return hash;
}

struct Threaded {
    const char* what;
    std::function<uint64_t(uint32_t threads)> hash;
};

const std::vector<Threaded>& all_threaded() {
    static const std::vector<Threaded> all = {
        {"world",
         [](uint32_t threads) {
             WorldOptions options;
             options.sectors = {16, 8};
             options.threads = threads;
             return hash_of(format_world(World(island(), options).snapshot()).value());
         }},
        {"overlay", [](uint32_t threads) { return prepared("overlay:2+lower_bounds:8", threads); }},
        {"minimal_memory", [](uint32_t threads) { return prepared("minimal_memory:16", threads); }},
        {"hpa", [](uint32_t threads) { return prepared("hpa:16", threads); }},
        {"pra", [](uint32_t threads) { return prepared("pra:inf", threads); }},
        {"pibt", [](uint32_t threads) { return crowd(make_pibt({.threads = threads})); }},
        {"lacam", [](uint32_t threads) { return crowd(make_lacam({.threads = threads})); }},
        {"path database",
         [](uint32_t threads) {
             PathDatabaseOptions options;
             options.threads = threads;
             return hash_of(format_path_database(
                 build_path_database({island(32).snapshot(), deer(), Movement::kEightNoCornerCutting}, options).value()));
         }},
#ifdef TERRANE_HAS_NAVMESH
        {"navmesh",
         [](uint32_t threads) {
             const GeneratedLevel level = generate_level({2, 1, 3}).value();
             NavmeshBuildOptions options;
             options.threads = threads;
             return hash_of(format_navmesh(build_navmesh(level.mesh, options, level.areas).value()));
         }},
#endif
    };
    return all;
}

TEST(Threads, AnyNumberFrom1To16GivesTheSameBits) {
    for (const Threaded& threaded : all_threaded()) {
        const uint64_t one = threaded.hash(1);
        for (const uint32_t threads : {2u, 3u, 4u, 5u, 7u, 8u, 11u, 16u})
            EXPECT_EQ(threaded.hash(threads), one) << threaded.what << ", " << threads;
    }
}

}  // namespace
}  // namespace terrane
