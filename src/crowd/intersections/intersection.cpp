#include "terrane/crowd/intersection.h"

#include <algorithm>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr int32_t kStep = kMetre / 4;  // of the way, between two spots that are kept
constexpr int32_t kArcPieces = 64;
constexpr int32_t kHalfFootprint = 11 * kMetre / 10;  // around the middle line; covers the car's width and what lies between two spots

int64_t square_root(int64_t n) {
    int64_t root = 0;
    for (int64_t bit = int64_t{1} << 30; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= n) root += bit;
    }
    return root;
}

int64_t distance(RoadSpot a, RoadSpot b) {
    const int64_t dx = a.x - b.x, dy = a.y - b.y;
    return square_root(dx * dx + dy * dy);
}

RoadSpot between(RoadSpot a, RoadSpot b, int64_t part, int64_t whole) {
    if (whole == 0) return a;
    return {static_cast<int32_t>(a.x + (b.x - a.x) * part / whole), static_cast<int32_t>(a.y + (b.y - a.y) * part / whole)};
}

// As if cars came from the south, around the middle (0, 0) of the crossing; each road is a quarter turn further.
RoadSpot turned(RoadSpot s, uint32_t road) {
    switch (road) {
        case 0: return {-s.x, -s.y};
        case 1: return {s.y, -s.x};
        case 2: return s;
        default: return {-s.y, s.x};
    }
}

// A quarter of a circle, from going north to going east (side 1) or west (side -1), in rational points: no roots, no sines.
void append_arc(std::vector<RoadSpot>& line, RoadSpot centre, int64_t radius, int32_t side) {
    constexpr int64_t kK = kArcPieces;
    for (int64_t k = 1; k <= kK; ++k) {
        const int64_t whole = kK * kK + k * k;
        const auto along = static_cast<int32_t>(radius * (kK * kK - k * k) / whole), up = static_cast<int32_t>(radius * 2 * k * kK / whole);
        line.push_back({centre.x - side * along, centre.y - up});
    }
}

// Corners of a way from the south; `reach` is how far from the middle it begins and ends.
struct Corners {
    std::vector<RoadSpot> spots;
    size_t turn_end;  // index of the spot
};
Corners corners_of(uint32_t lane, Turn turn, int32_t line, int32_t begin, int32_t reach) {
    const int32_t x = static_cast<int32_t>(lane) * kLaneWidth + kLaneWidth / 2;
    Corners corners{{{x, begin}, {x, line}}, 0};
    if (turn == Turn::kRight) append_arc(corners.spots, {line, line}, line - x, 1);
    if (turn == Turn::kLeft) append_arc(corners.spots, {-line, line}, line + x, -1);
    if (turn == Turn::kAhead) corners.spots.push_back({x, -line});
    corners.turn_end = corners.spots.size() - 1;
    const RoadSpot last = corners.spots.back();
    if (turn == Turn::kAhead) corners.spots.push_back({last.x, -reach});
    if (turn == Turn::kRight) corners.spots.push_back({reach, last.y});
    if (turn == Turn::kLeft) corners.spots.push_back({-reach, last.y});
    return corners;
}

// Spots every kStep along a line of corners.
std::vector<RoadSpot> spots_along(const std::vector<RoadSpot>& corners) {
    std::vector<RoadSpot> spots{corners[0]};
    int64_t owed = kStep;  // to the next spot
    for (size_t i = 1; i < corners.size(); ++i) {
        const int64_t whole = distance(corners[i - 1], corners[i]);
        int64_t done = 0;
        for (; whole - done >= owed; owed = kStep) {
            done += owed;
            spots.push_back(between(corners[i - 1], corners[i], done, whole));
        }
        owed -= whole - done;
    }
    return spots;
}

int64_t length_of(std::span<const RoadSpot> corners) {
    int64_t sum = 0;
    for (size_t i = 1; i < corners.size(); ++i) sum += distance(corners[i - 1], corners[i]);
    return sum;
}

}  // namespace

RoadSpot CrossingPath::at(int32_t place) const {
    TERRANE_ASSERT(place >= 0);
    const auto i = std::min(static_cast<size_t>(place / kStep), spots_.size() - 1);
    return between(spots_[i], spots_[std::min(i + 1, spots_.size() - 1)], place % kStep, kStep);
}

std::span<const CrossingPath::Bits> CrossingPath::covered(int32_t front) const {
    const auto i = std::min(static_cast<size_t>(std::max(front, 0) / kStep), first_bits_.size() - 2);
    return std::span(bits_).subspan(first_bits_[i], first_bits_[i + 1] - first_bits_[i]);
}

Crossing::Crossing(uint32_t lanes)
    : lanes_(std::clamp(lanes, 1u, kMaxLanes)),
      tiles_(2 * (line_distance() + kGroundMargin) / kMetre),
      paths_(size_t{kRoads} * lanes_ * 3) {
    TERRANE_ASSERT(lanes == lanes_);
    for (uint32_t road = 0; road < kRoads; ++road) {
        for (uint32_t lane = 0; lane < lanes_; ++lane) {
            for (const Turn turn : kTurns) {
                if (allows(lane, turn)) make_path(road, lane, turn);
            }
        }
    }
}

bool Crossing::allows(uint32_t lane, Turn turn) const {
    TERRANE_ASSERT(lane < lanes_);
    return turn == Turn::kAhead || (turn == Turn::kLeft ? lane == 0 : lane == lanes_ - 1);
}

const CrossingPath& Crossing::path(uint32_t road, uint32_t lane, Turn turn) const {
    TERRANE_ASSERT(road < kRoads && lane < lanes_ && allows(lane, turn));
    return paths_[(size_t{road} * lanes_ + lane) * 3 + static_cast<size_t>(turn)];
}

void Crossing::make_path(uint32_t road, uint32_t lane, Turn turn) {
    const int32_t line = line_distance(), half = tiles_ / 2 * kMetre;
    Corners corners = corners_of(lane, turn, line, line + kApproach, half + kCarLength + kStep);
    CrossingPath& path = paths_[(size_t{road} * lanes_ + lane) * 3 + static_cast<size_t>(turn)];
    path.turn_end_ = static_cast<int32_t>(length_of(std::span(corners.spots).first(corners.turn_end + 1)));
    path.turn_speed_ = turn == Turn::kAhead ? kTopSpeed : kTurnSpeed;
    path.end_ = static_cast<int32_t>(length_of(corners.spots)) - kStep;
    path.spots_ = spots_along(corners.spots);
    for (RoadSpot& spot : path.spots_) {
        const RoadSpot s = turned(spot, road);
        spot = {s.x + half, s.y + half};
    }
    lay_footprints(path);
}

// For every step of the front: all tiles near the spots from the car's rear to the gap ahead of it.
void Crossing::lay_footprints(CrossingPath& path) const {
    std::vector<uint32_t> tiles;
    const auto count = static_cast<int32_t>(path.spots_.size());
    for (int32_t front = 0; front < count; ++front) {
        path.first_bits_.push_back(static_cast<uint32_t>(path.bits_.size()));
        tiles.clear();
        for (int32_t i = std::max(front - kCarLength / kStep, 0); i <= std::min(front + 1 + kCarGap / kStep, count - 1); ++i) {
            const RoadSpot s = path.spots_[static_cast<size_t>(i)];
            const auto tile = [](int32_t v) { return v >= 0 ? v / kMetre : -1; };
            for (int32_t y = std::max(tile(s.y - kHalfFootprint), 0); y <= std::min(tile(s.y + kHalfFootprint), tiles_ - 1); ++y) {
                for (int32_t x = std::max(tile(s.x - kHalfFootprint), 0); x <= std::min(tile(s.x + kHalfFootprint), tiles_ - 1); ++x) {
                    tiles.push_back(static_cast<uint32_t>(y * tiles_ + x));
                }
            }
        }
        std::ranges::sort(tiles);
        for (const uint32_t t : tiles) {
            const bool fresh = path.bits_.size() == path.first_bits_.back() || path.bits_.back().word != t / 64;
            if (fresh) path.bits_.push_back({t / 64, 0});
            path.bits_.back().bits |= uint64_t{1} << (t % 64);
        }
    }
    path.first_bits_.push_back(static_cast<uint32_t>(path.bits_.size()));
}

IntersectionManager::IntersectionManager(const Crossing& crossing)
    : words_(static_cast<size_t>((crossing.tiles_a_side() * crossing.tiles_a_side() + 63) / 64)), reserved_(words_ * kHorizon) {}

bool IntersectionManager::is_free(const CrossingPath& path, const Passage& passage) const {
    if (passage.first_tick < tick_ || passage.first_tick - tick_ + passage.fronts.size() > kHorizon) return false;
    for (size_t i = 0; i < passage.fronts.size(); ++i) {
        const uint64_t* taken = reserved_.data() + row(passage.first_tick + static_cast<uint32_t>(i));
        for (const auto& [word, bits] : path.covered(passage.fronts[i])) {
            if ((taken[word] & bits) != 0) return false;
        }
    }
    return true;
}

bool IntersectionManager::request(const CrossingPath& path, const Passage& passage) {
    ++requests_;
    if (!is_free(path, passage)) return false;
    ++granted_;
    for (size_t i = 0; i < passage.fronts.size(); ++i) {
        uint64_t* taken = reserved_.data() + row(passage.first_tick + static_cast<uint32_t>(i));
        for (const auto& [word, bits] : path.covered(passage.fronts[i])) taken[word] |= bits;
    }
    return true;
}

void IntersectionManager::advance() {
    std::fill_n(reserved_.begin() + static_cast<ptrdiff_t>(row(tick_)), words_, 0);
    ++tick_;
}

}  // namespace terrane
