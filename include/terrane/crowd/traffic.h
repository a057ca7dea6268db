// Cars on the roads of one crossing (intersection.h), under a manager of reservations, traffic lights or stop signs: the same cars, at the
// same times, with the same brakes under each, so that what differs is the control.
// Based on: Dresner, Stone 2008, which compares the three.
//
// A tick: cars that came appear; the first car of each lane without a passage asks for one; all move. Cars on the approach keep so far from
// the one ahead that they could stop behind it however it braked, and so far from the line that they could stop there. Requests
// are heard in the order in which cars came near enough to ask; a lane's cars get theirs in the lane's order.
//   manager     any car may ask that is near. Tried in order: full speed, three quarters, a half, a quarter; standing, at once or up
//               to four seconds later. Cars without a passage stop 20 m before the line, so as not to cross it at a crawl.
//   lights      the same, while its light is green, for passages that enter before the end of yellow. North and south have green
//               together, left turns through gaps. That passages are checked before the line makes these lights better than real ones.
//   stop signs  the same, for cars that stand at the line. Several may cross at once, so these are better than real ones, too.
//
// Integers only; what is random is by seed: the same calls give the same traffic on every machine.
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
    uint32_t lanes = 2;   // of each road, each way; 1..kMaxLanes
    uint32_t rate = 400;  // cars an hour that come in each lane; 0..7200
    uint32_t left = 20;   // percent of the cars of a lane that may turn left which do; the same for right. Together at most 100
    uint32_t right = 20;
    uint32_t green = 400;  // ticks, 1..kMaxLightTicks; lights
    uint32_t yellow = 60;  // ticks, 0..kMaxLightTicks
    uint64_t seed = 1;
};

struct TrafficCar {
    uint32_t id = 0;  // by the order in which they appeared
    uint8_t road = 0, lane = 0;
    Turn turn = Turn::kAhead;
    int32_t front = 0;  // on its path
    int32_t speed = 0;
    uint32_t came = 0;  // the tick in which it would have appeared on an empty road
    std::optional<uint32_t> asks_since;
    Passage passage;  // no fronts: none yet

    bool has_passage() const { return !passage.fronts.empty(); }
};

struct TrafficCounts {
    uint64_t came = 0;       // those still waiting outside for room to appear included
    uint64_t gone = 0;       // through the crossing and off the ground
    uint64_t delay_sum = 0;  // ticks, of those gone: over what they would have taken alone
    uint64_t delay_max = 0;
    uint64_t stops = 0;     // times that a car came to stand
    uint64_t overlaps = 0;  // pairs of cars that overlapped in a tick: never

    double mean_delay_seconds() const {
        return gone == 0 ? 0 : static_cast<double>(delay_sum) / static_cast<double>(gone) / kTicksPerSecond;
    }
};

class Traffic {
public:
    explicit Traffic(const TrafficOptions& options);

    // Where memory runs out, it throws std::bad_alloc in the middle of a tick: the traffic is spent then, and every further tick throws.
    void tick();

    uint32_t ticks() const { return manager_.tick(); }
    const TrafficOptions& options() const { return options_; }
    const Crossing& crossing() const { return crossing_; }
    const IntersectionManager& manager() const { return manager_; }
    const TrafficCounts& counts() const { return counts_; }
    // On the roads, lane by lane, the first ahead.
    std::span<const TrafficCar> cars() const { return cars_; }
    const CrossingPath& path_of(const TrafficCar& car) const { return crossing_.path(car.road, car.lane, car.turn); }
    // Of cars that came but found no room to appear.
    size_t outside() const;

    enum class Light : uint8_t { kGreen, kYellow, kRed };
    // Only what lights show matters to cars; without lights, always green.
    Light light(uint32_t road, uint32_t tick) const;

    // The judge: pairs of cars that overlap now, each a row of discs as wide as itself. Asks nothing of the manager.
    uint64_t count_overlaps() const;

private:
    struct Lane {
        Rng rng;
        std::deque<std::pair<uint32_t, Turn>> outside;  // when it came, where it goes
    };

    void let_pass();
    void let_come();
    void appear(uint32_t lane);
    void ask();
    bool may_ask(const TrafficCar& car) const;
    bool ask_for(TrafficCar& car);
    bool enters_in_time(const TrafficCar& car, const Passage& passage) const;
    int32_t stop_place() const;
    void move();
    void move_freely(TrafficCar& car, const TrafficCar* ahead);
    void leave();
    uint32_t lane_of(const TrafficCar& car) const { return uint32_t{car.road} * options_.lanes + car.lane; }

    TrafficOptions options_;
    Crossing crossing_;
    IntersectionManager manager_;
    std::vector<Lane> lanes_;       // by road and lane
    std::vector<TrafficCar> cars_;  // by lane, the first ahead
    std::vector<size_t> first_;     // by lane: of its cars in cars_; one more at the end
    TrafficCounts counts_;
    uint32_t next_id_ = 0;
    bool spent_ = false;
};

}  // namespace terrane
