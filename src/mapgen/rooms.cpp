// generate_rooms(): a lattice of walls with doors.
// Based on: Sturtevant 2012, "Benchmarks for Grid-Based Pathfinding" (the rooms of MovingAI).
#include <algorithm>
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/isolated.h"
#include "mapgen/octile.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kMinRooms = 2;  // a wall and a cell
constexpr int32_t kMinRoom = 2;

Result<void> check(const RoomsOptions& o) {
    if (const auto sides = check_sides("a map of rooms", o.width, o.height, kMinRooms); !sides) return sides;
    if (!within(o.room, kMinRoom, kMaxSide)) {
        return refuse("rooms of " + std::to_string(o.room) + " cells: expected a side of " + std::to_string(kMinRoom) + " to " +
                      std::to_string(kMaxSide) + " cells, including one wall");
    }
    if (!within(o.doors, 0, 100)) return refuse("doors in " + std::to_string(o.doors) + "% of the walls: expected 0 to 100");
    return {};
}

class Builder {
public:
    explicit Builder(const RoomsOptions& options)
        : o_(options), rng_(options.seed), cells_(cell_count(o_.width, o_.height), kFloor), columns_(static_cast<size_t>(o_.width)) {
        for (int32_t y = 0; y < o_.height; ++y) draw_row(y);
        for (int32_t y = 0; y < o_.height; y += o_.room) {
            for (int32_t x = 0; x < o_.width; x += o_.room) cut_doors(x, y);
        }
    }

    std::vector<Terrain>& cells() { return cells_; }

private:
    Terrain& at(int32_t x, int32_t y) { return cells_[static_cast<size_t>(y) * columns_ + static_cast<size_t>(x)]; }

    void draw_row(int32_t y) {
        if (y % o_.room == 0) {
            std::fill_n(&at(0, y), columns_, kWall);
        } else {
            for (int32_t x = 0; x < o_.width; x += o_.room) at(x, y) = kWall;
        }
    }

    // Cuts doors into the walls above and to the left of the room whose upper left corner is (x, y).
    void cut_doors(int32_t x, int32_t y) {
        const int32_t across = std::min(o_.room, o_.width - x) - 1, down = std::min(o_.room, o_.height - y) - 1;
        if (const int32_t door = draw_door(across); door > 0) at(x + door, y) = kFloor;
        if (const int32_t door = draw_door(down); door > 0) at(x, y + door) = kFloor;
    }

    // Returns a position of 1 to `length`, or 0 for no door.
    int32_t draw_door(int32_t length) {
        if (length == 0 || !rng_.chance(static_cast<uint32_t>(o_.doors), 100)) return 0;
        return rng_.between(1, length);
    }

    RoomsOptions o_;
    Rng rng_;
    std::vector<Terrain> cells_;
    size_t columns_;
};

}  // namespace

Result<TerrainGrid> generate_rooms(const RoomsOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    Builder built(options);
    if (options.fill_isolated) fill_isolated(built.cells(), options.width, kFloor, kFiller);
    return TerrainGrid(options.width, options.height, built.cells(), Catalogue::octile());
}

}  // namespace terrane
