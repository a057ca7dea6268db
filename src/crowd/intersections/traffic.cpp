#include "terrane/crowd/traffic.h"

#include <algorithm>
#include <array>

#include "base/catch_bad_alloc.h"
#include "crowd/intersections/passages.h"
#include "terrane/base/assert.h"
#include "terrane/base/memory.h"

namespace terrane {

namespace {

using detail::make_passage;
using detail::stopping_distance;

// Distance from the line at which cars without a passage stop under the manager, so that they cross the line at 10 m/s. 20 m: 976 cars
// gone in 600 s at 1200 cars per hour and lane, 2 lanes; 763, 930 and 918 with 0, 10 and 30 m.
constexpr int32_t kRunUp = 20 * kMetre;
constexpr int32_t kAtLine = 2 * kMetre;                                  // a car this close to the line is at it
constexpr int32_t kRequestFrom = kApproach - kTiledMargin + kCarLength;  // from here on the whole car is on tiles
constexpr std::array<int32_t, 4> kSpeedsTried = {kTopSpeed, kTopSpeed * 3 / 4, kTopSpeed / 2, kTopSpeed / 4};
constexpr std::array<uint32_t, 6> kWaitsTried = {0, 10, 20, 30, 50, 80};  // ticks
constexpr uint32_t kTicksPerHour = 3600 * kTicksPerSecond;

// The discs that count_overlaps() approximates a car by: distances of their centres from the front.
constexpr int32_t kRadius = kCarWidth / 2;
constexpr std::array<int32_t, 4> kDiscs = {kRadius, kRadius + (kCarLength - 2 * kRadius) / 3, kRadius + (kCarLength - 2 * kRadius) * 2 / 3,
                                           kCarLength - kRadius};

struct Discs {
    std::array<RoadPoint, 4> middle;
};

bool within(RoadPoint a, RoadPoint b, int64_t reach) {
    const int64_t dx = a.x - b.x, dy = a.y - b.y;
    return dx * dx + dy * dy < reach * reach;
}

bool overlap(const Discs& a, const Discs& b) {
    if (!within(a.middle[0], b.middle[0], 2 * kCarLength)) return false;
    return std::ranges::any_of(
        a.middle, [&](RoadPoint m) { return std::ranges::any_of(b.middle, [&](RoadPoint n) { return within(m, n, 2 * kRadius); }); });
}

Turn draw_turn(Rng& rng, const Crossing& crossing, uint32_t lane, const TrafficOptions& options) {
    const uint32_t draw = rng.below(100);
    if (draw < options.left) return crossing.allows(lane, Turn::kLeft) ? Turn::kLeft : Turn::kAhead;
    if (draw < options.left + options.right) return crossing.allows(lane, Turn::kRight) ? Turn::kRight : Turn::kAhead;
    return Turn::kAhead;
}

// Ticks from appearing at full speed to leaving, on an empty road.
uint32_t ticks_alone(const CrossingPath& path) {
    Passage passage;
    make_passage(path, 0, 0, kTopSpeed, kTopSpeed, 0, passage);
    return static_cast<uint32_t>(passage.fronts.size());
}

bool sensible(const TrafficOptions& o) {
    return o.lanes >= 1 && o.lanes <= kMaxLanes && o.rate <= 7200 && o.left <= 100 && o.right <= 100 - o.left && o.green >= 1 &&
           o.green <= kMaxLightTicks && o.yellow <= kMaxLightTicks;
}

}  // namespace

const char* to_string(TrafficControl control) {
    switch (control) {
        case TrafficControl::kManager: return "manager";
        case TrafficControl::kLights: return "lights";
        case TrafficControl::kStopSigns: break;
    }
    return "stop";
}

Traffic::Traffic(const TrafficOptions& options)
    : options_(options), crossing_(options.lanes), manager_(crossing_), first_(size_t{kRoads} * options.lanes + 1) {
    TERRANE_ASSERT(sensible(options));
    lanes_.reserve(size_t{kRoads} * options.lanes);
    for (uint64_t i = 0; i < uint64_t{kRoads} * options.lanes; ++i) lanes_.push_back({Rng(mix64(options.seed) ^ i), {}});
}

size_t Traffic::queued() const {
    size_t sum = 0;
    for (const Lane& lane : lanes_) sum += lane.queue.size();
    return sum;
}

Traffic::Light Traffic::light(uint32_t road, uint32_t tick) const {
    TERRANE_ASSERT(road < kRoads);
    if (options_.control != TrafficControl::kLights) return Light::kGreen;
    const uint32_t half = options_.green + options_.yellow, now = tick % (2 * half);
    const bool turn_of_road = now / half == road % 2;
    if (!turn_of_road) return Light::kRed;
    return now % half < options_.green ? Light::kGreen : Light::kYellow;
}

// ---- Arrival and departure

void Traffic::spawn_arrivals() {
    for (uint32_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        if (lane.rng.below(kTicksPerHour) < options_.rate) {
            lane.queue.emplace_back(ticks(), draw_turn(lane.rng, crossing_, i % options_.lanes, options_));
            ++counts_.came;
        }
        if (!lane.queue.empty()) spawn(i);
    }
}

// Puts the next queued car at the start of its lane, as fast as the last car there allows; does nothing if there is no room.
void Traffic::spawn(uint32_t lane) {
    int32_t speed = kTopSpeed;
    if (first_[lane] < first_[lane + 1]) {
        const TrafficCar& last = cars_[first_[lane + 1] - 1];
        const int32_t room = last.front - kCarLength - kCarGap;
        while (speed > 0 && stopping_distance(speed) > room + stopping_distance(last.speed)) speed -= kBraking;
        if (speed < 0 || room < 0) return;
    }
    const auto [came, turn] = lanes_[lane].queue.front();
    lanes_[lane].queue.pop_front();
    TrafficCar car{
        next_id_++, static_cast<uint8_t>(lane / options_.lanes), static_cast<uint8_t>(lane % options_.lanes), turn, 0, speed, came, {}, {}};
    cars_.insert(cars_.begin() + static_cast<ptrdiff_t>(first_[lane + 1]), std::move(car));
    for (size_t i = lane + 1; i < first_.size(); ++i) ++first_[i];
}

void Traffic::remove_departed() {
    for (const TrafficCar& car : cars_) {
        if (car.front < path_of(car).end()) continue;
        const uint64_t delay = ticks() - car.came - std::min(ticks() - car.came, ticks_alone(path_of(car)));
        ++counts_.gone;
        counts_.delay_sum += delay;
        counts_.delay_max = std::max(counts_.delay_max, delay);
    }
    std::erase_if(cars_, [&](const TrafficCar& car) { return car.front >= path_of(car).end(); });
    std::ranges::fill(first_, 0);
    for (const TrafficCar& car : cars_) ++first_[lane_of(car) + 1];
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
}

// ---- Requests

bool Traffic::may_request(const TrafficCar& car) const {
    if (car.front < kRequestFrom) return false;
    if (options_.control == TrafficControl::kStopSigns) return car.speed == 0 && kApproach - car.front <= kAtLine;
    return light(car.road, ticks()) == Light::kGreen;
}

bool Traffic::enters_in_time(const TrafficCar& car, const Passage& passage) const {
    const auto entry = std::ranges::lower_bound(passage.fronts, kApproach + 1) - passage.fronts.begin();
    const uint32_t half = options_.green + options_.yellow;
    const uint32_t entry_tick = passage.first_tick + static_cast<uint32_t>(entry);
    return options_.control != TrafficControl::kLights ||
           (light(car.road, entry_tick) != Light::kRed && entry_tick / half == ticks() / half);
}

bool Traffic::request_passage(TrafficCar& car) {
    const CrossingPath& path = path_of(car);
    Passage passage;
    const auto granted = [&](int32_t top, uint32_t wait) {
        make_passage(path, ticks(), car.front, car.speed, top, wait, passage);
        if (!enters_in_time(car, passage) || !manager_.request(path, passage)) return false;
        car.passage = std::move(passage);
        return true;
    };
    if (car.speed == 0) return std::ranges::any_of(kWaitsTried, [&](uint32_t wait) { return granted(kTopSpeed, wait); });
    return std::ranges::any_of(kSpeedsTried, [&](int32_t top) { return granted(top, 0); });
}

// Requests a passage for the first car without one in each lane, in the order in which the cars could first request, then by lane.
void Traffic::request_passages() {
    std::vector<size_t> requesters;
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        for (size_t i = first_[lane]; i < first_[lane + 1]; ++i) {
            TrafficCar& car = cars_[i];
            if (car.has_passage()) continue;
            if (car.front >= kRequestFrom && !car.requesting_since) car.requesting_since = ticks();
            if (may_request(car)) requesters.push_back(i);
            break;
        }
    }
    std::ranges::sort(requesters, {}, [&](size_t i) { return std::pair(*cars_[i].requesting_since, i); });
    for (const size_t i : requesters) request_passage(cars_[i]);
}

// ---- Moving

int32_t Traffic::stop_position() const { return kApproach - (options_.control == TrafficControl::kManager ? kRunUp : 0); }

// Drives as fast as the car ahead and the line allow.
void Traffic::move_without_passage(TrafficCar& car, const TrafficCar* ahead) {
    int32_t barrier = stop_position();
    if (ahead != nullptr) barrier = std::min(barrier, ahead->front - kCarLength - kCarGap + stopping_distance(ahead->speed));
    const int32_t before = car.speed;
    car.speed =
        detail::next_speed(car.speed, kTopSpeed, [&](int32_t next) { return car.front + next + stopping_distance(next) <= barrier; });
    car.front += car.speed;
    if (before > 0 && car.speed == 0) ++counts_.stops;
}

void Traffic::move() {
    for (uint32_t lane = 0; lane < lanes_.size(); ++lane) {
        for (size_t i = first_[lane]; i < first_[lane + 1]; ++i) {
            TrafficCar& car = cars_[i];
            if (!car.has_passage()) {
                move_without_passage(car, i > first_[lane] ? &cars_[i - 1] : nullptr);
                continue;
            }
            const int32_t next = car.passage.fronts[ticks() - car.passage.first_tick];
            car.speed = next - car.front;
            car.front = next;
        }
    }
}

uint64_t Traffic::count_overlaps() const {
    std::vector<Discs> all;
    all.reserve(cars_.size());
    for (const TrafficCar& car : cars_) {
        Discs& discs = all.emplace_back();
        for (size_t d = 0; d < kDiscs.size(); ++d) discs.middle[d] = path_of(car).at(std::max(car.front - kDiscs[d], 0));
    }
    uint64_t count = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        for (size_t j = i + 1; j < all.size(); ++j) count += overlap(all[i], all[j]) ? 1 : 0;
    }
    return count;
}

void Traffic::run_tick() {
    spawn_arrivals();
    request_passages();
    manager_.advance();
    move();
    counts_.overlaps += count_overlaps();
    remove_departed();
}

void Traffic::tick() {
    if (failed_) detail::throw_bad_alloc();
    detail::catch_bad_alloc([&] { run_tick(); },
                            [&] {
                                failed_ = true;
                                detail::throw_bad_alloc();
                            });
}

}  // namespace terrane
