#include "terrane/crowd/intersection.h"

#include <algorithm>

#include "terrane/base/assert.h"

namespace terrane {

namespace {

constexpr int32_t kSampleStep = kMetre / 4;  // distance between stored points of a path
constexpr int32_t kArcPieces = 64;
constexpr int32_t kHalfFootprint = 11 * kMetre / 10;  // around the centre line; covers the car's width and the distance between points

int64_t isqrt(int64_t n) {
    int64_t root = 0;
    for (int64_t bit = int64_t{1} << 30; bit > 0; bit >>= 1) {
        if ((root + bit) * (root + bit) <= n) root += bit;
    }
    return root;
}

int64_t distance(RoadPoint a, RoadPoint b) {
    const int64_t dx = a.x - b.x, dy = a.y - b.y;
    return isqrt(dx * dx + dy * dy);
}

RoadPoint between(RoadPoint a, RoadPoint b, int64_t part, int64_t whole) {
    if (whole == 0) return a;
    return {static_cast<int32_t>(a.x + (b.x - a.x) * part / whole), static_cast<int32_t>(a.y + (b.y - a.y) * part / whole)};
}

// Rotates a point from the road that comes from the south to `road`, around the centre (0, 0) of the crossing.
RoadPoint rotated(RoadPoint s, uint32_t road) {
    switch (road) {
        case 0: return {-s.x, -s.y};
        case 1: return {s.y, -s.x};
        case 2: return s;
        default: return {-s.y, s.x};
    }
}

// Appends a quarter circle from heading north to heading east (side 1) or west (side -1), in rational points: integer arithmetic only.
void append_arc(std::vector<RoadPoint>& line, RoadPoint centre, int64_t radius, int32_t side) {
    constexpr int64_t kK = kArcPieces;
    for (int64_t k = 1; k <= kK; ++k) {
        const int64_t whole = kK * kK + k * k;
        const auto along = static_cast<int32_t>(radius * (kK * kK - k * k) / whole), up = static_cast<int32_t>(radius * 2 * k * kK / whole);
        line.push_back({centre.x - side * along, centre.y - up});
    }
}

// The polyline of a path from the south. `begin` and `reach` are the distances of its two ends from the centre.
struct Corners {
    std::vector<RoadPoint> points;
    size_t turn_end;  // index of the point where the turn ends
};
Corners corners_of(uint32_t lane, Turn turn, int32_t line, int32_t begin, int32_t reach) {
    const int32_t x = static_cast<int32_t>(lane) * kLaneWidth + kLaneWidth / 2;
    Corners corners{{{x, begin}, {x, line}}, 0};
    if (turn == Turn::kRight) append_arc(corners.points, {line, line}, line - x, 1);
    if (turn == Turn::kLeft) append_arc(corners.points, {-line, line}, line + x, -1);
    if (turn == Turn::kAhead) corners.points.push_back({x, -line});
    corners.turn_end = corners.points.size() - 1;
    const RoadPoint last = corners.points.back();
    if (turn == Turn::kAhead) corners.points.push_back({last.x, -reach});
    if (turn == Turn::kRight) corners.points.push_back({reach, last.y});
    if (turn == Turn::kLeft) corners.points.push_back({-reach, last.y});
    return corners;
}

// Samples a polyline every kSampleStep.
std::vector<RoadPoint> sample_polyline(const std::vector<RoadPoint>& corners) {
    std::vector<RoadPoint> points{corners[0]};
    int64_t remaining = kSampleStep;  // distance to the next sample
    for (size_t i = 1; i < corners.size(); ++i) {
        const int64_t whole = distance(corners[i - 1], corners[i]);
        int64_t done = 0;
        for (; whole - done >= remaining; remaining = kSampleStep) {
            done += remaining;
            points.push_back(between(corners[i - 1], corners[i], done, whole));
        }
        remaining -= whole - done;
    }
    return points;
}

int64_t length_of(std::span<const RoadPoint> corners) {
    int64_t sum = 0;
    for (size_t i = 1; i < corners.size(); ++i) sum += distance(corners[i - 1], corners[i]);
    return sum;
}

}  // namespace

RoadPoint CrossingPath::at(int32_t position) const {
    TERRANE_ASSERT(position >= 0);
    const auto i = std::min(static_cast<size_t>(position / kSampleStep), points_.size() - 1);
    return between(points_[i], points_[std::min(i + 1, points_.size() - 1)], position % kSampleStep, kSampleStep);
}

std::span<const CrossingPath::Bits> CrossingPath::covered(int32_t front) const {
    const auto i = std::min(static_cast<size_t>(std::max(front, 0) / kSampleStep), first_bits_.size() - 2);
    return std::span(bits_).subspan(first_bits_[i], first_bits_[i + 1] - first_bits_[i]);
}

Crossing::Crossing(uint32_t lanes)
    : lanes_(std::clamp(lanes, 1u, kMaxLanes)), tiles_(2 * (line_distance() + kTiledMargin) / kMetre), paths_(size_t{kRoads} * lanes_ * 3) {
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
    Corners corners = corners_of(lane, turn, line, line + kApproach, half + kCarLength + kSampleStep);
    CrossingPath& path = paths_[(size_t{road} * lanes_ + lane) * 3 + static_cast<size_t>(turn)];
    path.turn_end_ = static_cast<int32_t>(length_of(std::span(corners.points).first(corners.turn_end + 1)));
    path.turn_speed_ = turn == Turn::kAhead ? kTopSpeed : kTurnSpeed;
    path.end_ = static_cast<int32_t>(length_of(corners.points)) - kSampleStep;
    path.points_ = sample_polyline(corners.points);
    for (RoadPoint& point : path.points_) {
        const RoadPoint s = rotated(point, road);
        point = {s.x + half, s.y + half};
    }
    build_footprints(path);
}

// For each sampled position of the front: marks the tiles around all points from the car's rear to the end of the gap ahead of it.
void Crossing::build_footprints(CrossingPath& path) const {
    std::vector<uint32_t> tiles;
    const auto count = static_cast<int32_t>(path.points_.size());
    for (int32_t front = 0; front < count; ++front) {
        path.first_bits_.push_back(static_cast<uint32_t>(path.bits_.size()));
        tiles.clear();
        for (int32_t i = std::max(front - kCarLength / kSampleStep, 0); i <= std::min(front + 1 + kCarGap / kSampleStep, count - 1); ++i) {
            const RoadPoint s = path.points_[static_cast<size_t>(i)];
            const auto tile = [](int32_t v) { return v >= 0 ? v / kMetre : -1; };
            for (int32_t y = std::max(tile(s.y - kHalfFootprint), 0); y <= std::min(tile(s.y + kHalfFootprint), tiles_ - 1); ++y) {
                for (int32_t x = std::max(tile(s.x - kHalfFootprint), 0); x <= std::min(tile(s.x + kHalfFootprint), tiles_ - 1); ++x) {
                    tiles.push_back(static_cast<uint32_t>(y * tiles_ + x));
                }
            }
        }
        std::ranges::sort(tiles);
        for (const uint32_t t : tiles) {
            const bool new_word = path.bits_.size() == path.first_bits_.back() || path.bits_.back().word != t / 64;
            if (new_word) path.bits_.push_back({t / 64, 0});
            path.bits_.back().bits |= uint64_t{1} << (t % 64);
        }
    }
    path.first_bits_.push_back(static_cast<uint32_t>(path.bits_.size()));
}

IntersectionManager::IntersectionManager(const Crossing& crossing)
    : words_(static_cast<size_t>((crossing.tiles_per_side() * crossing.tiles_per_side() + 63) / 64)), reserved_(words_ * kHorizon) {}

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
