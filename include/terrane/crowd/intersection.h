// Autonomous intersection management: a crossing of four roads, and a manager that grants reservations of space and time to cars.
// Based on: Dresner, Stone 2008 (a multiagent approach to autonomous intersection management); abstraction-slides, 51 to 128.
//
// The area of the crossing is a grid of tiles of 1 m x 1 m. A car requests a passage: the positions of its front, tick by tick, from now
// until it has left the area. The manager grants it if none of the tiles that the car would cover at these ticks is reserved, and reserves
// them. So cars with passages never overlap. A car tries several speeds and, if it stands, several starting times (traffic.h). Without a
// passage it stops at the line.
//
// All values are integers: lengths in 1/4096 m, time in ticks of 1/20 s, speeds in lengths per tick.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace terrane {

inline constexpr int32_t kMetre = 4096;
inline constexpr uint32_t kTicksPerSecond = 20;
inline constexpr uint32_t kRoads = 4;  // north, east, south, west: where the cars come from
inline constexpr uint32_t kMaxLanes = 3;

inline constexpr int32_t kLaneWidth = 4 * kMetre;
inline constexpr int32_t kApproach = 150 * kMetre;    // from the point where a car appears to the stop line
inline constexpr int32_t kTiledMargin = 48 * kMetre;  // part of the approach, and of each exit, that is covered by tiles
inline constexpr int32_t kCarLength = 4 * kMetre;
inline constexpr int32_t kCarWidth = 9 * kMetre / 5;
inline constexpr int32_t kCarGap = kMetre;  // kept free ahead of a car

inline constexpr int32_t kTopSpeed = 14 * kMetre / 20;  // 14 m/s
inline constexpr int32_t kTurnSpeed = 7 * kMetre / 20;  // 7 m/s, while turning
inline constexpr int32_t kAcceleration = 26;            // 2.5 m/s^2
inline constexpr int32_t kBraking = 41;                 // 4 m/s^2; followers rely on no car braking harder

enum class Turn : uint8_t { kAhead, kLeft, kRight };
inline constexpr std::array<Turn, 3> kTurns = {Turn::kAhead, Turn::kLeft, Turn::kRight};

// A point of the tiled area, x to the east and y to the south. The crossing is in the centre of the area.
struct RoadPoint {
    int32_t x = 0, y = 0;
    friend bool operator==(const RoadPoint&, const RoadPoint&) = default;
};

// The path of a car's front, from where it appears until its rear has left the area. Positions are lengths from the start of the path.
class CrossingPath {
public:
    // The stop line, where a car without a passage stops.
    int32_t line() const { return kApproach; }
    // From the line to turn_end(), speed is limited to turn_speed().
    int32_t turn_end() const { return turn_end_; }
    int32_t turn_speed() const { return turn_speed_; }
    int32_t end() const { return end_; }
    // `position` is between 0 and end().
    RoadPoint at(int32_t position) const;

private:
    friend class Crossing;

    // Tiles that a car covers, as a word of a bit set.
    struct Bits {
        uint32_t word;
        uint64_t bits;
    };
    std::span<const Bits> covered(int32_t front) const;
    friend class IntersectionManager;

    std::vector<RoadPoint> points_;     // every kSampleStep
    std::vector<Bits> bits_;            // all footprints, concatenated
    std::vector<uint32_t> first_bits_;  // by front / kSampleStep: start of its footprint in bits_; one more entry at the end
    int32_t turn_end_ = 0, turn_speed_ = 0, end_ = 0;
};

// The roads and all paths over the crossing. Cars drive on the right. Cars turn left only from lane 0, the innermost, and right only from
// the outermost lane. About 1 MB of footprints for two lanes.
class Crossing {
public:
    // `lanes` per direction of each road, 1..kMaxLanes.
    explicit Crossing(uint32_t lanes);

    uint32_t lanes() const { return lanes_; }
    // Side of the tiled area in tiles. The coordinates of its points are below tiles_per_side() * kMetre.
    int32_t tiles_per_side() const { return tiles_; }
    // Distance from the centre of the crossing to its four stop lines.
    int32_t line_distance() const { return static_cast<int32_t>(lanes_) * kLaneWidth + kSetback; }

    bool allows(uint32_t lane, Turn turn) const;
    // Only for turns that allows() permits.
    const CrossingPath& path(uint32_t road, uint32_t lane, Turn turn) const;

private:
    static constexpr int32_t kSetback = 4 * kMetre;  // of the stop lines: space for right turns

    void make_path(uint32_t road, uint32_t lane, Turn turn);
    void build_footprints(CrossingPath& path) const;

    uint32_t lanes_;
    int32_t tiles_;
    std::vector<CrossingPath> paths_;  // by road, lane and turn
};

// A car's trajectory over the crossing: the position of its front in each tick.
struct Passage {
    uint32_t first_tick = 0;
    std::vector<int32_t> fronts;  // at first_tick, first_tick + 1, ...; non-decreasing
};

// The space-time reservations of a crossing for the next kHorizon ticks. `crossing` must outlive it.
class IntersectionManager {
public:
    static constexpr uint32_t kHorizon = 1024;  // ticks

    explicit IntersectionManager(const Crossing& crossing);

    // Whether all tiles of a passage are free. False if the passage begins in the past or ends beyond the horizon.
    bool is_free(const CrossingPath& path, const Passage& passage) const;
    // Reserves the tiles if is_free(); returns whether it did.
    bool request(const CrossingPath& path, const Passage& passage);

    // The current tick. advance() increments it and discards the reservations of the previous one.
    uint32_t tick() const { return tick_; }
    void advance();

    uint64_t requests() const { return requests_; }
    uint64_t granted() const { return granted_; }
    size_t bytes() const { return reserved_.capacity() * sizeof(uint64_t); }

private:
    size_t row(uint32_t tick) const { return tick % kHorizon * words_; }

    size_t words_;  // per tick
    uint32_t tick_ = 0;
    uint64_t requests_ = 0, granted_ = 0;
    std::vector<uint64_t> reserved_;  // one bit per tile and tick; a ring buffer of ticks
};

}  // namespace terrane
