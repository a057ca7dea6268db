// generate_maze(): a tree of corridors grown from the middle, mostly at its newest end.
// Based on: Sturtevant 2012, "Benchmarks for Grid-Based Pathfinding" (the mazes of MovingAI). The selection and removal of open spots and
// the order of directions follow the maze generator in hog2.
#include <algorithm>
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/octile.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kMinMaze = 2;  // a wall and a cell
constexpr int32_t kMaxCorridor = 32;

// One step in ten grows elsewhere than at the newest end: 19% of the spots are dead ends, as on the published maps (0 in 10: 10%; 2 in 10:
// 26%).
constexpr uint32_t kBranch = 1, kSteps = 10;

Result<void> check(const MazeOptions& o) {
    if (const auto sides = check_sides("a maze", o.width, o.height, kMinMaze); !sides) return sides;
    if (!within(o.corridor, 1, kMaxCorridor)) {
        return refuse("corridors of " + std::to_string(o.corridor) + " cells: expected a width of 1 to " + std::to_string(kMaxCorridor) +
                      " cells");
    }
    return {};
}

// A spot is a square of corridor. Walls of one cell lie between spots, above the first row and to the left of the first column. The map
// edge cuts the last row and column.
struct Spot {
    uint16_t column = 0, row = 0;
};

struct Direction {
    int32_t columns = 0, rows = 0;
};
constexpr Direction kDirections[] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};

class Maze {
public:
    explicit Maze(const MazeOptions& o)
        : cells_(cell_count(o.width, o.height), kWall),
          width_(o.width),
          height_(o.height),
          corridor_(o.corridor),
          columns_((o.width - 2) / pitch() + 1),
          rows_((o.height - 2) / pitch() + 1) {
        Rng rng(o.seed);
        grow(rng);
    }

    const std::vector<Terrain>& cells() const { return cells_; }

private:
    int32_t pitch() const { return corridor_ + 1; }
    size_t index(int32_t x, int32_t y) const { return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x); }
    bool carved(int32_t column, int32_t row) const { return cells_[index(column * pitch() + 1, row * pitch() + 1)] == kFloor; }

    void clear(int32_t left, int32_t top, int32_t width, int32_t height) {
        const auto length = static_cast<size_t>(std::min(width, width_ - left));
        for (int32_t y = top; y < std::min(top + height, height_); ++y) std::fill_n(&cells_[index(left, y)], length, kFloor);
    }

    void carve(Spot s) { clear(s.column * pitch() + 1, s.row * pitch() + 1, corridor_, corridor_); }

    void open_wall(Spot a, Spot b) {
        const int32_t x = std::max(a.column, b.column) * pitch(), y = std::max(a.row, b.row) * pitch();
        if (a.row == b.row) {
            clear(x, y + 1, 1, corridor_);
        } else {
            clear(x + 1, y, corridor_, 1);
        }
    }

    bool can_grow(Spot s, Direction direction) const {
        const int32_t column = s.column + direction.columns, row = s.row + direction.rows;
        return column >= 0 && row >= 0 && column < columns_ && row < rows_ && !carved(column, row);
    }

    bool enclosed(Spot s) const {
        return std::ranges::none_of(kDirections, [&](Direction direction) { return can_grow(s, direction); });
    }

    // Returns the first free direction from a random one to the last, or null. Earlier directions are tried less often, so more corridors
    // run horizontally than vertically: 55 to 45, as on the published maps.
    const Direction* draw_direction(Spot s, Rng& rng) const {
        const auto* direction =
            std::find_if(kDirections + rng.below(4), std::end(kDirections), [&](Direction w) { return can_grow(s, w); });
        return direction != std::end(kDirections) ? direction : nullptr;
    }

    // `open` holds the spots that can still grow. The newest one replaces a spot that cannot, and may then wait long, which creates short
    // dead ends.
    void grow(Rng& rng) {
        std::vector<Spot> open{{static_cast<uint16_t>(columns_ / 2), static_cast<uint16_t>(rows_ / 2)}};
        carve(open.front());
        while (!open.empty()) {
            const size_t k = rng.chance(kBranch, kSteps) ? rng.below(static_cast<uint32_t>(open.size())) : open.size() - 1;
            const Spot from = open[k];
            if (const Direction* direction = draw_direction(from, rng)) {
                open.push_back(
                    {static_cast<uint16_t>(from.column + direction->columns), static_cast<uint16_t>(from.row + direction->rows)});
                carve(open.back());
                open_wall(from, open.back());
            }
            if (!enclosed(from)) continue;
            open[k] = open.back();
            open.pop_back();
        }
    }

    std::vector<Terrain> cells_;
    int32_t width_, height_;
    int32_t corridor_;
    int32_t columns_, rows_;
};

}  // namespace

Result<TerrainGrid> generate_maze(const MazeOptions& options) {
    if (const auto checked = check(options); !checked) return checked.error();
    return TerrainGrid(options.width, options.height, Maze(options).cells(), Catalogue::octile());
}

}  // namespace terrane
