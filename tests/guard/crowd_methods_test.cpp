// Every crowd method with each of its options; direction maps; traffic at an intersection under every control.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "guard/expected.h"
#include "guard/small_maps.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/crowd/traffic.h"

namespace terrane::guard {
namespace {

constexpr const char* kCrowdMethods[] = {
    "replan", "replan+flow", "flock",  "ca",   "whca:8",    "whca:16", "whca:16,1",     "whca:8,2", "whca:8+flow",
    "cpra:1", "cpra:4",      "cpra:8", "pibt", "pibt+flow", "lacam",   "lacam+improve", "swarm",    "swarm+flow",
};

Metrics run_crowd(const char* name, World& world, const std::vector<CostTable>& types, Movement movement, size_t agents) {
    CrowdMethodSpec spec = find_crowd_method(name).value();
    if (spec.name == "lacam+improve") spec.budget = 20'000;
    Crowd crowd(world, types, make_crowd_method(spec), {.movement = movement});
    const std::vector<CrowdPlace> places = opposite_sides(world.snapshot(), types, movement, agents, 6).value();
    for (const CrowdPlace& place : places) {
        EXPECT_NE(crowd.add(place.start, place.goal, place.type), kNoAgent);
    }
    uint64_t hash = 0;
    for (int tick = 0; tick < 160 && !crowd.all_arrived(); ++tick) {
        if (tick == 30) edit(world);
        if (tick == 40) crowd.remove(3);
        if (tick == 50) crowd.set_goal(1, crowd.layout().cell(crowd.agents()[0].goal));
        crowd.tick();
        for (const CrowdAgent& agent : crowd.agents()) hash = mix64(hash ^ agent.at);
    }
    Cost cost = 0;
    for (const CrowdAgent& agent : crowd.agents()) cost += agent.cost;
    const CrowdWork work = crowd.method().work();
    return {{"ticks", crowd.ticks()},
            {"at_goal", crowd.at_goal()},
            {"arrivals", crowd.arrivals()},
            {"refused", crowd.faults()},
            {"cost", cost},
            {"positions", hex(hash)},
            {"expansions", work.expansions},
            {"plans", work.plans},
            {"failures", work.failures}};
}

TEST(GuardCrowds, CrowdsMoveAsInTheFile) {
    struct CrowdCase {
        const char* map;
        std::vector<const char*> profiles;
        Movement movement;
        size_t agents;
    };
    const CrowdCase kCases[] = {{"rooms", {"walker"}, Movement::kEightNoCornerCutting, 40},
                                {"random", {"walker"}, Movement::kFour, 50},
                                {"island", {"person", "deer"}, Movement::kEightCutCorners, 40}};
    Expected expected("crowd_methods");
    for (const CrowdCase& of : kCases) {
        for (const char* name : kCrowdMethods) {
            World world(small_map(of.map));
            std::vector<CostTable> types;
            for (const char* profile : of.profiles) types.push_back(Profile::preset(profile)->compile(world.grid().catalogue()).value());
            expected.add(std::string(name) + " " + of.map + " " + to_string(of.movement),
                         run_crowd(name, world, types, of.movement, of.agents));
        }
    }
    expected.compare();
}

// Compares with the library's list of methods. The usage "whca:W[,A][+flow]" requires a row for each part in brackets.
TEST(GuardCrowds, EveryCrowdMethodIsInTheTable) {
    const auto listed = [](std::string_view family, std::string_view part) {
        return std::ranges::any_of(kCrowdMethods, [&](std::string_view m) {
            return m.substr(0, m.find_first_of(":+")) == family && m.find(part) != std::string_view::npos;
        });
    };
    for (const CrowdMethodFactory* method : crowd_methods()) {
        const std::string_view usage = method->info.usage, family = method->info.name;
        EXPECT_TRUE(listed(family, "")) << usage << " is not in the table of tests/guard/crowd_methods_test.cpp";
        EXPECT_TRUE(usage.find(",A") == usage.npos || listed(family, ",")) << usage;
        if (const size_t plus = usage.find('+'); plus != usage.npos) {
            EXPECT_TRUE(listed(family, usage.substr(plus, usage.find(']', plus) - plus))) << usage;
        }
    }
}

TEST(GuardDirectionMaps, BothEncodingsLearnAsInTheFile) {
    Expected expected("direction_maps");
    const GridLayout layout(72, 64);
    for (const bool compact : {false, true}) {
        for (const uint32_t block : {1u, 2u, 4u, 8u, 16u}) {
            if (!compact && block != 2) continue;
            for (const uint32_t congested : {0u, 20u}) {
                for (const uint64_t seed : {0u, 9u}) {
                    DirectionMap map(layout, {.compact = compact, .block = block, .congestion_threshold = congested, .random_seed = seed});
                    Rng rng(13);
                    for (int i = 0; i < 4000; ++i) {
                        const int32_t x = rng.between(4, 60);
                        const CellId cell = layout.id({x, rng.between(4, 40)});
                        map.learn(cell, static_cast<Move>(rng.chance(2, 3) ? 1 : rng.below(8)));
                        if (i % 20 == 0) map.decay();
                    }
                    uint64_t arrows = 0, hash = 0, scaled = 0;
                    map.each_arrow(layout, [&](CellId cell, Arrow arrow) {
                        ++arrows;
                        hash = mix64(hash ^ cell ^ static_cast<uint64_t>(static_cast<uint16_t>(arrow.x)) << 32 ^
                                     static_cast<uint64_t>(static_cast<uint16_t>(arrow.y)) << 48);
                        for (Move move = 0; move < 8; ++move) scaled += map.scaled(cell, move, 1000);
                    });
                    expected.add(std::string(compact ? "compact " : "full ") + std::to_string(block) + " congested " +
                                     std::to_string(congested) + " seed " + std::to_string(seed),
                                 {{"arrows", arrows}, {"hash", hex(hash)}, {"scaled", scaled}});
                }
            }
        }
    }
    expected.compare();
}

TEST(GuardTraffic, CarsCrossAsInTheFile) {
    Expected expected("traffic");
    for (const TrafficControl control : {TrafficControl::kManager, TrafficControl::kLights, TrafficControl::kStopSigns}) {
        for (const uint32_t lanes : {1u, 2u, 3u}) {
            Traffic traffic({.control = control, .lanes = lanes, .rate = 500});
            uint64_t hash = 0;
            for (int tick = 0; tick < 1200; ++tick) {
                traffic.tick();
                for (const TrafficCar& car : traffic.cars()) hash = mix64(hash ^ static_cast<uint64_t>(car.front) << 20 ^ car.id);
            }
            const TrafficCounts& counts = traffic.counts();
            expected.add(std::string(to_string(control)) + " " + std::to_string(lanes) + " lanes",
                         {{"came", counts.came},
                          {"gone", counts.gone},
                          {"delay_sum", counts.delay_sum},
                          {"delay_max", counts.delay_max},
                          {"stops", counts.stops},
                          {"overlaps", counts.overlaps},
                          {"requests", traffic.manager().requests()},
                          {"granted", traffic.manager().granted()},
                          {"positions", hex(hash)}});
        }
    }
    expected.compare();
}

}  // namespace
}  // namespace terrane::guard
