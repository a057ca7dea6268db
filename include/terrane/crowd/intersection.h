// A crossing of four roads, and a manager that lets cars through it by reservations of space and time instead of lights.
// Based on: Dresner, Stone 2008 (a multiagent approach to autonomous intersection management); abstraction-slides, 51 to 128.
//
// The ground around the crossing is a grid of tiles of a metre a side. A car asks for a passage: where its front will be, tick by tick,
// from now until it has left the ground. The manager grants it where none of the tiles that the car would cover at any of those ticks is
// reserved already, and reserves them. So cars with passages never overlap, whoever they are and wherever they come from. A car tries
// several speeds and, standing, several times of starting (traffic.h); without a passage it stops at the line.
//
// All numbers are integers: lengths in 4096ths of a metre, time in ticks of a twentieth of a second, speeds in lengths a tick.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace terrane {

inline constexpr int32_t kMetre = 4096;
inline constexpr uint32_t kTicksPerSecond = 20;
inline constexpr uint32_t kRoads = 4;  // north, east, south, west, by where cars come from
inline constexpr uint32_t kMaxLanes = 3;

inline constexpr int32_t kLaneWidth = 4 * kMetre;
inline constexpr int32_t kApproach = 150 * kMetre;     // from where a car appears to the line where it stops
inline constexpr int32_t kGroundMargin = 48 * kMetre;  // of it, how much is tiles; and so much of the way out
inline constexpr int32_t kCarLength = 4 * kMetre;
inline constexpr int32_t kCarWidth = 9 * kMetre / 5;
inline constexpr int32_t kCarGap = kMetre;  // kept free ahead of a car

inline constexpr int32_t kTopSpeed = 14 * kMetre / 20;  // 14 m/s
inline constexpr int32_t kTurnSpeed = 7 * kMetre / 20;  // while turning
inline constexpr int32_t kAcceleration = 26;            // 2.5 m/s^2
inline constexpr int32_t kBraking = 41;                 // 4 m/s^2; followers count on nobody braking harder

enum class Turn : uint8_t { kAhead, kLeft, kRight };
inline constexpr std::array<Turn, 3> kTurns = {Turn::kAhead, Turn::kLeft, Turn::kRight};

// A place on the ground, x to the east and y to the south; the middle of the crossing is the middle of the ground.
struct RoadSpot {
    int32_t x = 0, y = 0;
    friend bool operator==(const RoadSpot&, const RoadSpot&) = default;
};

// The way of a car's front, from where it appears to where its rear has left the ground. Places on it are lengths from its beginning.
class CrossingPath {
public:
    // Where a car stops without a passage: kApproach.
    int32_t line() const { return kApproach; }
    // Up to here no faster than this, from the line on.
    int32_t turn_end() const { return turn_end_; }
    int32_t turn_speed() const { return turn_speed_; }
    int32_t end() const { return end_; }
    // Of places from 0 to end().
    RoadSpot at(int32_t place) const;

private:
    friend class Crossing;

    // The tiles that a car covers, as bits of words.
    struct Bits {
        uint32_t word;
        uint64_t bits;
    };
    std::span<const Bits> covered(int32_t front) const;
    friend class IntersectionManager;

    std::vector<RoadSpot> spots_;       // every kStep of the way
    std::vector<Bits> bits_;            // of all footprints, one after the other
    std::vector<uint32_t> first_bits_;  // by front / kStep: where its footprint begins in bits_; one more at the end
    int32_t turn_end_ = 0, turn_speed_ = 0, end_ = 0;
};

// The roads: so many lanes each way, cars on the right. Lane 0 is the innermost: the only one from which cars turn left; the outermost is
// the only one from which they turn right. About 1 MB of footprints for two lanes.
class Crossing {
public:
    // 1..kMaxLanes.
    explicit Crossing(uint32_t lanes);

    uint32_t lanes() const { return lanes_; }
    // Of the ground, in tiles of a metre; coordinates of spots on it are below that, times kMetre.
    int32_t tiles_a_side() const { return tiles_; }
    // From the middle of the crossing to its four lines.
    int32_t line_distance() const { return static_cast<int32_t>(lanes_) * kLaneWidth + kSetback; }

    bool allows(uint32_t lane, Turn turn) const;
    // Only for what is allowed.
    const CrossingPath& path(uint32_t road, uint32_t lane, Turn turn) const;

private:
    static constexpr int32_t kSetback = 4 * kMetre;  // of the lines, for cars to turn right in

    void make_path(uint32_t road, uint32_t lane, Turn turn);
    void lay_footprints(CrossingPath& path) const;

    uint32_t lanes_;
    int32_t tiles_;
    std::vector<CrossingPath> paths_;  // by road, lane and turn
};

// Where a car's front will be.
struct Passage {
    uint32_t first_tick = 0;
    std::vector<int32_t> fronts;  // at first_tick, first_tick + 1, ...; never falling
};

// Space and time of a crossing, of the next kHorizon ticks. `crossing` must outlive it.
class IntersectionManager {
public:
    static constexpr uint32_t kHorizon = 1024;  // ticks

    explicit IntersectionManager(const Crossing& crossing);

    // Whether the tiles of a passage are free; false, too, where it begins in the past or goes on past the horizon.
    bool is_free(const CrossingPath& path, const Passage& passage) const;
    // The same, and then reserves them.
    bool request(const CrossingPath& path, const Passage& passage);

    // The present; goes up by one, and what was reserved for the tick before is forgotten.
    uint32_t tick() const { return tick_; }
    void advance();

    uint64_t requests() const { return requests_; }
    uint64_t granted() const { return granted_; }
    size_t bytes() const { return reserved_.capacity() * sizeof(uint64_t); }

private:
    size_t row(uint32_t tick) const { return tick % kHorizon * words_; }

    size_t words_;  // of a tick
    uint32_t tick_ = 0;
    uint64_t requests_ = 0, granted_ = 0;
    std::vector<uint64_t> reserved_;  // a bit for each tile, tick after tick, in a ring
};

}  // namespace terrane
