// Simulates cars at one crossing (intersection.h) under a reservation manager, traffic lights or stop signs. Arrivals and vehicle dynamics
// are the same under all three, so that results differ only by the control.
// Based on: Dresner, Stone 2008, which compares the three.
//
// In each tick new cars appear, the first car without a passage in each lane requests one, and all cars move. Cars on the approach keep a
// distance at which they could stop behind the car ahead, however it brakes, and at the line. Requests are served in the order in which
// cars came near enough to make one; within a lane, in lane order.
//   manager     any car that is near may request. It tries full, 3/4, 1/2 and 1/4 speed; if it stands, starts up to 4 s later. Cars without
//               a passage stop 20 m before the line, to have gained speed when they cross it.
//   lights      the same while the light is green, for passages that enter before the end of yellow. North and south are green together,
//               and left turns use gaps. Better than real lights, because passages are checked before the line.
//   stop signs  the same for cars that stand at the line. Better than real stop signs, because several cars may cross at once.
//
// Integers and seeded random numbers only: the same calls give the same traffic on every machine.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "terrane/base/rng.h"
#include "terrane/crowd/intersection.h"

namespace terrane {

enum class TrafficControl : uint8_t { kManager, kLights, kStopSigns };
// "manager", "lights", "stop".
const char* to_string(TrafficControl control);

inline constexpr uint32_t kMaxLightTicks = 24 * 3600 * kTicksPerSecond;  // a day

struct TrafficOptions {
    TrafficControl control = TrafficControl::kManager;
    uint32_t lanes = 2;   // per direction of each road; 1..kMaxLanes
    uint32_t rate = 400;  // arriving cars per hour and lane; 0..7200
    uint32_t left = 20;   // percent of cars that turn left, in lanes that allow it; `right` likewise. Together at most 100
    uint32_t right = 20;
    uint32_t green = 400;  // ticks, 1..kMaxLightTicks; kLights only
    uint32_t yellow = 60;  // ticks, 0..kMaxLightTicks; kLights only
    uint64_t seed = 1;
};

struct TrafficCar {
    uint32_t id = 0;  // in order of appearance
    uint8_t road = 0, lane = 0;
    Turn turn = Turn::kAhead;
    int32_t front = 0;  // position on its path
    int32_t speed = 0;
    uint32_t came = 0;  // tick of its arrival; it appears later if the road is full
    std::optional<uint32_t> requesting_since;
    Passage passage;  // no fronts: not granted yet

    bool has_passage() const { return !passage.fronts.empty(); }
};

struct TrafficCounts {
    uint64_t came = 0;       // cars that arrived, including those that wait for room to appear
    uint64_t gone = 0;       // cars that crossed and left the area
    uint64_t delay_sum = 0;  // ticks, over cars gone: travel time minus travel time on an empty road
    uint64_t delay_max = 0;
    uint64_t stops = 0;     // times that a car came to a stop
    uint64_t overlaps = 0;  // pairs of cars that overlapped, summed over ticks; always 0

    double mean_delay_seconds() const {
        return gone == 0 ? 0 : static_cast<double>(delay_sum) / static_cast<double>(gone) / kTicksPerSecond;
    }
};

class Traffic {
public:
    explicit Traffic(const TrafficOptions& options);

    // Throws std::bad_alloc if an allocation fails. The simulation is then unusable, and every further tick throws.
    void tick();

    uint32_t ticks() const { return manager_.tick(); }
    const TrafficOptions& options() const { return options_; }
    const Crossing& crossing() const { return crossing_; }
    const IntersectionManager& manager() const { return manager_; }
    const TrafficCounts& counts() const { return counts_; }
    // Cars on the roads, lane by lane, the foremost first.
    std::span<const TrafficCar> cars() const { return cars_; }
    const CrossingPath& path_of(const TrafficCar& car) const { return crossing_.path(car.road, car.lane, car.turn); }
    // Number of cars that have arrived but have no room to appear.
    size_t queued() const;

    enum class Light : uint8_t { kGreen, kYellow, kRed };
    // The light of a road at a tick; always green without lights.
    Light light(uint32_t road, uint32_t tick) const;

    // Pairs of cars that overlap now, each car a row of discs of its width. Independent of the manager's reservations.
    uint64_t count_overlaps() const;

private:
    struct Lane {
        Rng rng;
        std::deque<std::pair<uint32_t, Turn>> queue;  // cars without room to appear: arrival tick and turn
    };

    void run_tick();
    void spawn_arrivals();
    void spawn(uint32_t lane);
    void request_passages();
    bool may_request(const TrafficCar& car) const;
    bool request_passage(TrafficCar& car);
    bool enters_in_time(const TrafficCar& car, const Passage& passage) const;
    int32_t stop_position() const;
    void move();
    void move_without_passage(TrafficCar& car, const TrafficCar* ahead);
    void remove_departed();
    uint32_t lane_of(const TrafficCar& car) const { return uint32_t{car.road} * options_.lanes + car.lane; }

    TrafficOptions options_;
    Crossing crossing_;
    IntersectionManager manager_;
    std::vector<Lane> lanes_;       // by road and lane
    std::vector<TrafficCar> cars_;  // by lane, the foremost first
    std::vector<size_t> first_;     // by lane: index of its first car in cars_; one more entry at the end
    TrafficCounts counts_;
    uint32_t next_id_ = 0;
    bool failed_ = false;
};

}  // namespace terrane
