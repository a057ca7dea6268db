// All lengths are integers in decimetres; the output is in metres.
#include "terrane/mapgen/navmesh_level.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mapgen/island.h"
#include "terrane/base/rng.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kMinLevelRooms = 2, kMaxLevelRooms = 16, kMaxStoreys = 8;
constexpr int32_t kRoom = 100, kStorey = 50;
constexpr int32_t kHalfWall = 2, kWallHeight = 46;                // half the thickness; ends below the next floor
constexpr int32_t kDoor = 12, kDoorMargin = 25;                   // half the width; minimum distance of the centre from the corners
constexpr int32_t kRampStart = 10, kRampSide = 30;                // distances from the walls: 4 metres wide, 29 degrees
constexpr int32_t kYard = 40, kBank = 40, kBed = 60, kFar = 100;  // across the river
constexpr int32_t kDepth = -30;
constexpr int32_t kBridge = 20, kBridgeThickness = 3, kBridgeRest = 5;  // half the width; overlap with either bank
constexpr int32_t kInside = 12, kOutsideWall = 15;                      // distances of the ends of jumps from the open side
constexpr int32_t kManyRooms = 4;                                       // from this many rooms per side, a storey has two ramps

struct Point3 {
    int32_t x, y, z;
};

Vec3 to_metres(const Point3& s) { return {static_cast<float>(s.x) / 10, static_cast<float>(s.y) / 10, static_cast<float>(s.z) / 10}; }

struct Room {
    int32_t i = 0, j = 0;
    friend bool operator==(const Room&, const Room&) = default;
};

class LevelMaker {
public:
    explicit LevelMaker(const LevelOptions& options)
        : rooms_(options.rooms), storeys_(options.storeys), rng_(options.seed), side_(options.rooms * kRoom) {
        jump_ = level_.areas.catalogue.add({"jump", 0, {220, 40, 40}}).value();
        ladder_ = level_.areas.catalogue.add({"ladder", 0, {240, 160, 40}}).value();
    }

    GeneratedLevel make() {
        std::vector<Room> gaps;
        for (int32_t storey = 0; storey < storeys_; ++storey) {
            add_floors(storey, gaps);
            add_walls(storey, gaps);
            if (storey > 0) add_jumps(storey, gaps);
            gaps = storey + 1 < storeys_ ? add_ramps(storey, gaps) : std::vector<Room>{};
        }
        add_river();
        return std::move(level_);
    }

private:
    // ---- triangles

    void quad(const Point3& a, const Point3& b, const Point3& c, const Point3& d, Terrain area) {
        TriangleMesh& mesh = level_.mesh;
        const auto first = static_cast<uint32_t>(mesh.vertices.size());
        for (const Point3& s : {a, b, c, d}) mesh.vertices.push_back(to_metres(s));
        mesh.triangles.push_back({first, first + 1, first + 2});
        mesh.triangles.push_back({first, first + 2, first + 3});
        mesh.areas.insert(mesh.areas.end(), 2, area);
    }
    // Slopes that rise along x or along z.
    void slope_x(int32_t left, int32_t near, int32_t right, int32_t far, int32_t from, int32_t to, Terrain area) {
        quad({left, from, near}, {left, from, far}, {right, to, far}, {right, to, near}, area);
    }
    void slope_z(int32_t left, int32_t near, int32_t right, int32_t far, int32_t from, int32_t to, Terrain area) {
        quad({left, from, near}, {left, to, far}, {right, to, far}, {right, from, near}, area);
    }
    void floor(int32_t left, int32_t near, int32_t right, int32_t far, int32_t y, Terrain area) {
        slope_x(left, near, right, far, y, y, area);
    }
    void box(int32_t left, int32_t near, int32_t right, int32_t far, int32_t low, int32_t high, Terrain top) {
        floor(left, near, right, far, high, top);
        quad({left, low, near}, {right, low, near}, {right, low, far}, {left, low, far}, kOutside);
        quad({left, low, near}, {left, high, near}, {right, high, near}, {right, low, near}, kOutside);
        quad({left, low, far}, {right, low, far}, {right, high, far}, {left, high, far}, kOutside);
        quad({left, low, near}, {left, low, far}, {left, high, far}, {left, high, near}, kOutside);
        quad({right, low, near}, {right, high, near}, {right, high, far}, {right, low, far}, kOutside);
    }

    // ---- storeys

    static bool is_in(const std::vector<Room>& rooms, Room room) { return std::ranges::find(rooms, room) != rooms.end(); }
    uint32_t number(Room room) const { return static_cast<uint32_t>(room.j * rooms_ + room.i); }
    Room draw_room(int32_t columns) {
        const int32_t i = rng_.between(0, columns - 1);
        const int32_t j = rng_.between(0, rooms_ - 1);
        return {i, j};
    }

    void add_floors(int32_t storey, const std::vector<Room>& gaps) {
        constexpr Terrain kFloorTerrains[] = {kGround, kGround, kPlains, kRoad, kSwamp};
        for (int32_t n = 0; n < rooms_ * rooms_; ++n) {
            const Room room{n % rooms_, n / rooms_};
            const Terrain terrain = kFloorTerrains[rng_.below(std::size(kFloorTerrains))];
            if (is_in(gaps, room)) continue;
            floor(room.i * kRoom, room.j * kRoom, (room.i + 1) * kRoom, (room.j + 1) * kRoom, storey * kStorey, terrain);
        }
    }

    struct Border {
        Room room;
        bool along_x = false;  // the wall runs along x and separates rooms of adjacent rows
        Room beyond() const { return along_x ? Room{room.i, room.j + 1} : Room{room.i + 1, room.j}; }
    };

    std::vector<Border> borders_in_random_order(const std::vector<Room>& gaps) {
        std::vector<Border> all;
        for (int32_t n = 0; n < rooms_ * rooms_; ++n) {
            const Room room{n % rooms_, n / rooms_};
            for (const bool along_x : {false, true}) {
                const Border border{room, along_x};
                const Room beyond = border.beyond();
                if (beyond.i < rooms_ && beyond.j < rooms_ && !is_in(gaps, room) && !is_in(gaps, beyond)) all.push_back(border);
            }
        }
        for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[rng_.below(static_cast<uint32_t>(i))]);
        return all;
    }

    // Doors connect all rooms as a spanning tree; some of the other walls have doors too, and some are left out.
    void add_walls(int32_t storey, const std::vector<Room>& gaps) {
        std::vector<uint32_t> parent(static_cast<size_t>(rooms_) * static_cast<size_t>(rooms_));
        std::iota(parent.begin(), parent.end(), 0u);
        const auto root = [&](uint32_t n) {
            while (parent[n] != n) n = parent[n] = parent[parent[n]];
            return n;
        };
        for (const Border& border : borders_in_random_order(gaps)) {
            const uint32_t a = root(number(border.room)), b = root(number(border.beyond()));
            parent[a] = b;
            const uint32_t dice = rng_.below(4);
            if (a == b && dice == 0) continue;
            add_wall(border, storey * kStorey, a != b || dice == 1);
        }
    }

    void add_wall(const Border& border, int32_t y, bool door) {
        const int32_t first = (border.along_x ? border.room.i : border.room.j) * kRoom;
        if (!door) return add_wall_part(border, first, first + kRoom, y);
        const int32_t middle = first + rng_.between(kDoorMargin, kRoom - kDoorMargin);
        add_wall_part(border, first, middle - kDoor, y);
        add_wall_part(border, middle + kDoor, first + kRoom, y);
    }
    void add_wall_part(const Border& border, int32_t from, int32_t to, int32_t y) {
        const int32_t at = ((border.along_x ? border.room.j : border.room.i) + 1) * kRoom;
        if (border.along_x) {
            box(from, at - kHalfWall, to, at + kHalfWall, y, y + kWallHeight, kOutside);
        } else {
            box(at - kHalfWall, from, at + kHalfWall, to, y, y + kWallHeight, kOutside);
        }
    }

    // Adds one ramp, or two in non-adjacent rows so that the gaps above isolate no room. Returns the gaps in the floor above.
    std::vector<Room> add_ramps(int32_t storey, const std::vector<Room>& gaps) {
        std::vector<Room> out;
        const size_t wanted = rooms_ >= kManyRooms ? 2 : 1;
        while (out.size() < wanted) {
            const Room room = draw_room(rooms_ - 1);
            const bool near = !out.empty() && std::abs(out[0].j - room.j) < 2;
            if (near || is_in(gaps, room)) continue;
            const int32_t left = room.i * kRoom, front = room.j * kRoom, y = storey * kStorey;
            slope_x(left + kRampStart, front + kRampSide, left + kRoom, front + kRoom - kRampSide, y, y + kStorey, kRoad);
            out.push_back(room);
        }
        return out;
    }

    // ---- jumps and the river

    // Adds a jump and a ladder at the open side of a storey.
    void add_jumps(int32_t storey, const std::vector<Room>& gaps) {
        for (const bool ladder : {false, true}) {
            std::optional<Room> room;
            while (!room || is_in(gaps, *room)) room = Room{rng_.between(0, rooms_ - 1), rooms_ - 1};
            const int32_t x = room->i * kRoom + kRoom / 2 + (ladder ? kDoor : -kDoor);
            const Point3 high{x, storey * kStorey, side_ - kInside}, low{x, 0, side_ + kOutsideWall};
            OffMeshLink link{to_metres(high), to_metres(low), 0.6f, ladder, level_.areas.catalogue[ladder ? ladder_ : jump_].name};
            if (ladder) std::swap(link.from, link.to);
            level_.areas.links.push_back(std::move(link));
        }
    }

    void add_river() {
        const int32_t bank = side_ + kYard, bed = bank + kBank, other = bed + kBed, beyond = other + kBank;
        floor(0, side_, side_, bank, 0, kPlains);
        slope_z(0, bank, side_, bed, 0, kDepth, kGround);
        floor(0, bed, side_, other, kDepth, kRiver);
        slope_z(0, other, side_, beyond, kDepth, 0, kGround);
        floor(0, beyond, side_, beyond + kFar, 0, kPlains);
        for (int32_t part = 0; part < std::max(1, rooms_ / kManyRooms); ++part) {
            const int32_t x = rng_.between(part * kManyRooms, std::min(rooms_, (part + 1) * kManyRooms) - 1) * kRoom + kRoom / 2;
            add_bridge(x, bank, beyond);
        }
    }

    void add_bridge(int32_t x, int32_t near, int32_t far) {
        box(x - kBridge, near - kBridgeRest, x + kBridge, far + kBridgeRest, -kBridgeThickness, 0, kRoad);
        const double left = (x - kBridge) / 10.0, right = (x + kBridge) / 10.0, front = near / 10.0, back = far / 10.0;
        level_.areas.volumes.push_back({{{left, front}, {right, front}, {right, back}, {left, back}}, -0.5f, 1, "bridge"});
    }

    int32_t rooms_, storeys_;
    Rng rng_;
    int32_t side_;  // of the building
    Terrain jump_ = 0, ladder_ = 0;
    GeneratedLevel level_;
};

Error refuse_range(const std::string& what, int32_t value, int32_t low, int32_t high) {
    return {ErrorCode::kBadValue,
            {},
            0,
            "a level of " + std::to_string(value) + " " + what + ": expected " + std::to_string(low) + " to " + std::to_string(high)};
}

}  // namespace

Result<GeneratedLevel> generate_level(const LevelOptions& options) {
    if (options.rooms < kMinLevelRooms || options.rooms > kMaxLevelRooms)
        return refuse_range("rooms per side", options.rooms, kMinLevelRooms, kMaxLevelRooms);
    if (options.storeys < 1 || options.storeys > kMaxStoreys) return refuse_range("storeys", options.storeys, 1, kMaxStoreys);
    return LevelMaker(options).make();
}

}  // namespace terrane
