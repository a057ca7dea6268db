#include "terrane/crowd/intersection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "crowd/intersections/passages.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/traffic.h"

namespace terrane {
namespace {

Traffic run(const TrafficOptions& options, uint32_t seconds) {
    Traffic traffic(options);
    for (uint32_t i = 0; i < seconds * kTicksPerSecond; ++i) traffic.tick();
    return traffic;
}

TrafficOptions with(TrafficControl control, uint32_t lanes, uint32_t rate, uint64_t seed = 1) {
    TrafficOptions options;
    options.control = control;
    options.lanes = lanes;
    options.rate = rate;
    options.seed = seed;
    return options;
}

constexpr TrafficControl kControls[] = {TrafficControl::kManager, TrafficControl::kLights, TrafficControl::kStopSigns};

Passage passage_at(const CrossingPath& path, uint32_t tick, int32_t front, int32_t speed) {
    Passage passage;
    detail::make_passage(path, tick, front, speed, kTopSpeed, 0, passage);
    return passage;
}

// A car as an oriented rectangle: an overlap test that is independent of count_overlaps().
struct Box {
    double x, y, dx, dy;  // centre and direction
};
Box box_of(const Traffic& traffic, const TrafficCar& car) {
    const CrossingPath& path = traffic.path_of(car);
    const RoadPoint a = path.at(car.front), b = path.at(std::max(car.front - kCarLength, 0));
    const double dx = a.x - b.x, dy = a.y - b.y, length = std::hypot(dx, dy);
    return {(a.x + b.x) / 2.0, (a.y + b.y) / 2.0, length > 0 ? dx / length : 1, length > 0 ? dy / length : 0};
}
// Whether an axis of `a` separates the two.
bool apart_along(const Box& a, const Box& b) {
    const double half_length = kCarLength / 2.0 * 0.95, half_width = kCarWidth / 2.0 * 0.95;
    const double along = std::abs(a.dx * b.dx + a.dy * b.dy), across = std::abs(a.dx * b.dy - a.dy * b.dx);
    const double x = std::abs((b.x - a.x) * a.dx + (b.y - a.y) * a.dy), y = std::abs((b.x - a.x) * -a.dy + (b.y - a.y) * a.dx);
    return x > half_length * (1 + along) + half_width * across || y > half_width * (1 + along) + half_length * across;
}
bool boxes_overlap(const Traffic& traffic) {
    std::vector<Box> boxes;
    for (const TrafficCar& car : traffic.cars()) {
        if (car.front > kCarLength) boxes.push_back(box_of(traffic, car));
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
        for (size_t j = i + 1; j < boxes.size(); ++j) {
            if (!apart_along(boxes[i], boxes[j]) && !apart_along(boxes[j], boxes[i])) return true;
        }
    }
    return false;
}

}  // namespace

TEST(Crossing, EveryPathBeginsOutsideAndEndsOnTheRightRoad) {
    for (uint32_t lanes = 1; lanes <= kMaxLanes; ++lanes) {
        const Crossing crossing(lanes);
        const int32_t side = crossing.tiles_per_side() * kMetre, middle = side / 2;
        for (uint32_t lane = 0; lane < lanes; ++lane) {
            const int32_t off = static_cast<int32_t>(lane) * kLaneWidth + kLaneWidth / 2;
            const CrossingPath& from_south = crossing.path(2, lane, Turn::kAhead);
            EXPECT_EQ(from_south.at(from_south.line()), (RoadPoint{middle + off, middle + crossing.line_distance()}));
            EXPECT_EQ(from_south.at(from_south.end()).x, middle + off);
            EXPECT_LT(from_south.at(from_south.end()).y, -kCarLength + kMetre);
            const CrossingPath& from_west = crossing.path(3, lane, Turn::kAhead);
            EXPECT_EQ(from_west.at(from_west.line()), (RoadPoint{middle - crossing.line_distance(), middle + off}));
        }
        for (uint32_t road = 0; road < kRoads; ++road) {
            const RoadPoint left = crossing.path(road, 0, Turn::kLeft).at(crossing.path(road, 0, Turn::kLeft).end());
            const RoadPoint right = crossing.path(road, lanes - 1, Turn::kRight).at(crossing.path(road, lanes - 1, Turn::kRight).end());
            // From the north, left is east; rotated by 90 degrees for each further road.
            const bool to_sides = road % 2 == 0;
            EXPECT_EQ(to_sides ? left.x > side || left.x < 0 : left.y > side || left.y < 0, true) << road;
            EXPECT_EQ(to_sides ? left.x > middle : left.y > middle, road == 0 || road == 1) << road;
            EXPECT_EQ(to_sides ? right.x > middle : right.y > middle, road == 2 || road == 3) << road;
        }
    }
}

TEST(Crossing, PositionsAreLengthsAlongThePath) {
    const Crossing crossing(2);
    for (const auto& [lane, turn] : {std::pair{0u, Turn::kLeft}, {1u, Turn::kRight}, {1u, Turn::kAhead}}) {
        const CrossingPath& path = crossing.path(1, lane, turn);
        for (int32_t position = 0; position + kMetre <= path.end(); position += kMetre / 3) {
            const RoadPoint a = path.at(position), b = path.at(position + kMetre);
            EXPECT_NEAR(std::hypot(a.x - b.x, a.y - b.y), kMetre, kMetre * 0.02) << position;
        }
    }
}

TEST(Crossing, OnlyTheInnermostLaneTurnsLeftAndTheOutermostRight) {
    const Crossing one(1), three(3);
    for (const Turn turn : kTurns) EXPECT_TRUE(one.allows(0, turn));
    EXPECT_FALSE(three.allows(1, Turn::kLeft) || three.allows(2, Turn::kLeft));
    EXPECT_FALSE(three.allows(0, Turn::kRight) || three.allows(1, Turn::kRight));
}

TEST(IntersectionManager, ConflictingPassagesAreRefused) {
    const Crossing crossing(1);
    IntersectionManager manager(crossing);
    const CrossingPath &south = crossing.path(2, 0, Turn::kAhead), &west = crossing.path(3, 0, Turn::kAhead);
    const CrossingPath &north = crossing.path(0, 0, Turn::kAhead), &left = crossing.path(0, 0, Turn::kLeft);
    const int32_t at = kApproach - 20 * kMetre;
    EXPECT_TRUE(manager.request(south, passage_at(south, 0, at, kTopSpeed)));
    EXPECT_FALSE(manager.request(west, passage_at(west, 0, at, kTopSpeed)));
    EXPECT_FALSE(manager.request(left, passage_at(left, 0, at + 10 * kMetre, kTurnSpeed)));
    EXPECT_TRUE(manager.request(north, passage_at(north, 0, at, kTopSpeed))) << "the other side of the road";
    EXPECT_TRUE(manager.request(west, passage_at(west, 80, at, kTopSpeed))) << "four seconds later";
    EXPECT_EQ(manager.requests(), 5u);
    EXPECT_EQ(manager.granted(), 3u);
}

TEST(IntersectionManager, TheSameTilesAreFreeAgainAfterwards) {
    const Crossing crossing(1);
    IntersectionManager manager(crossing);
    const CrossingPath& path = crossing.path(2, 0, Turn::kAhead);
    const Passage passage = passage_at(path, 0, kApproach - 10 * kMetre, kTopSpeed);
    EXPECT_TRUE(manager.request(path, passage));
    EXPECT_FALSE(manager.is_free(path, passage));
    for (uint32_t i = 0; i < IntersectionManager::kHorizon; ++i) manager.advance();
    EXPECT_FALSE(manager.is_free(path, passage)) << "in the past";
    Passage later = passage;
    later.first_tick += IntersectionManager::kHorizon;
    EXPECT_TRUE(manager.is_free(path, later));
    later.first_tick += IntersectionManager::kHorizon;
    EXPECT_FALSE(manager.is_free(path, later)) << "too far ahead";
}

TEST(Traffic, NoCarsComeAtRateZero) {
    for (const TrafficControl control : kControls) {
        const Traffic traffic = run(with(control, 2, 0), 60);
        EXPECT_EQ(traffic.counts().came, 0u);
        EXPECT_EQ(traffic.counts().gone, 0u);
        EXPECT_EQ(traffic.cars().size(), 0u);
        EXPECT_EQ(traffic.counts().mean_delay_seconds(), 0);
    }
}

TEST(Traffic, CarsNeverOverlapWhateverTheControl) {
    for (const TrafficControl control : kControls) {
        for (uint32_t lanes = 1; lanes <= kMaxLanes; ++lanes) {
            for (const uint32_t rate : {500u, 3000u}) {
                TrafficOptions options = with(control, lanes, rate, lanes + rate);
                options.left = options.right = 30;
                options.green = 150;
                Traffic traffic(options);
                for (uint32_t i = 0; i < 40 * kTicksPerSecond; ++i) {
                    traffic.tick();
                    ASSERT_FALSE(i % 10 == 0 && boxes_overlap(traffic)) << to_string(control) << ' ' << lanes << ' ' << rate << ' ' << i;
                }
                EXPECT_EQ(traffic.counts().overlaps, 0u) << to_string(control) << ' ' << lanes << ' ' << rate;
                EXPECT_GT(traffic.counts().gone, 5u);
            }
        }
    }
}

TEST(Traffic, CountOverlapsDetectsOverlappingCars) {
    Traffic traffic = run(with(TrafficControl::kManager, 1, 2000), 30);
    ASSERT_GE(traffic.cars().size(), 2u);
    EXPECT_EQ(traffic.count_overlaps(), 0u);
    auto* cars = const_cast<TrafficCar*>(traffic.cars().data());
    cars[1] = cars[0];
    cars[1].front -= kCarLength / 2;
    EXPECT_EQ(traffic.count_overlaps(), 1u);
}

TEST(Traffic, EachLanesCarsCrossTheLineInTheOrderInWhichTheyCame) {
    for (const TrafficControl control : kControls) {
        Traffic traffic(with(control, 3, 800, 5));
        std::map<std::pair<int, int>, uint32_t> last;  // car across the line, by road and lane
        std::map<uint32_t, bool> across;
        for (uint32_t i = 0; i < 60 * kTicksPerSecond; ++i) {
            traffic.tick();
            for (const TrafficCar& car : traffic.cars()) {
                if (car.front <= kApproach || std::exchange(across[car.id], true)) continue;
                uint32_t& before = last[{car.road, car.lane}];
                ASSERT_GE(car.id, before);
                before = car.id;
            }
        }
        EXPECT_EQ(last.size(), 12u);
    }
}

TEST(Traffic, TheManagerDoesNotDelayLoneCars) {
    const TrafficCounts counts = run(with(TrafficControl::kManager, 2, 5), 600).counts();
    EXPECT_GT(counts.gone, 2u);
    EXPECT_LE(counts.delay_max, 2u);
}

TEST(Traffic, NoCarIsLost) {
    for (const TrafficControl control : kControls) {
        const Traffic traffic = run(with(control, 2, 7200, 8), 40);
        EXPECT_EQ(traffic.counts().came, traffic.counts().gone + traffic.cars().size() + traffic.queued());
    }
}

TEST(Traffic, TheSameCarsComeUnderEveryControl) {
    const uint64_t came = run(with(TrafficControl::kManager, 2, 500, 3), 60).counts().came;
    for (const TrafficControl control : kControls) EXPECT_EQ(run(with(control, 2, 500, 3), 60).counts().came, came);
}

TEST(Traffic, TheManagerBeatsLightsAndStopSignsInDelayAndThroughput) {
    for (const uint32_t lanes : {1u, 2u}) {
        for (const uint32_t rate : {300u, 1500u}) {  // free, saturated
            const TrafficCounts manager = run(with(TrafficControl::kManager, lanes, rate), 150).counts();
            for (const TrafficControl other : {TrafficControl::kLights, TrafficControl::kStopSigns}) {
                const TrafficCounts counts = run(with(other, lanes, rate), 150).counts();
                EXPECT_GE(manager.gone, counts.gone) << to_string(other) << " at " << rate;
                EXPECT_LT(manager.mean_delay_seconds(), counts.mean_delay_seconds()) << to_string(other) << " at " << rate;
                if (rate == 1500) {
                    EXPECT_GT(manager.gone * 100, counts.gone * 115) << to_string(other);
                }
            }
        }
    }
}

TEST(Traffic, LightsLetOneRoadGoAtATime) {
    Traffic traffic(with(TrafficControl::kLights, 2, 600));
    for (uint32_t tick = 0; tick < 3000; ++tick) {
        const auto north = traffic.light(0, tick), east = traffic.light(1, tick);
        EXPECT_EQ(north == Traffic::Light::kRed, east != Traffic::Light::kRed);
        EXPECT_EQ(north, traffic.light(2, tick));
        EXPECT_EQ(east, traffic.light(3, tick));
    }
    std::map<uint32_t, bool> across;
    for (uint32_t i = 0; i < 3000; ++i) {
        traffic.tick();
        for (const TrafficCar& car : traffic.cars()) {
            if (car.front <= kApproach || std::exchange(across[car.id], true)) continue;
            EXPECT_NE(traffic.light(car.road, traffic.ticks()), Traffic::Light::kRed) << "car " << car.id << " at " << traffic.ticks();
        }
    }
    EXPECT_GT(across.size(), 50u);
}

TEST(Traffic, Golden) {
    uint64_t hash = 0;
    for (const TrafficControl control : kControls) {
        Traffic traffic(with(control, 2, 700, 4));
        for (uint32_t i = 0; i < 60 * kTicksPerSecond; ++i) {
            traffic.tick();
            for (const TrafficCar& car : traffic.cars()) {
                const RoadPoint at = traffic.path_of(car).at(car.front);
                hash = mix64(hash ^ car.id ^ uint64_t{static_cast<uint32_t>(at.x)} << 32 ^ static_cast<uint32_t>(at.y));
            }
        }
    }
    EXPECT_EQ(hash, 15295660337215112363u);
}

}  // namespace terrane
