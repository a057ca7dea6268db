// generate_maze: a tree of corridors grown from the middle, mostly at its newest end.
// Based on: Sturtevant 2012, "Benchmarks for Grid-Based Pathfinding" (the mazes of MovingAI). How open
// spots are picked and dropped, and the order of ways, are those of the maze generator in hog2.
#include <algorithm>
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/octile.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kLeastMaze = 2;  // a wall and a cell beside it
constexpr int32_t kMaxCorridor = 32;

// One step in ten is not at the newest end: dead ends are 19% of the spots, as on the published maps
// (never: 10%; two in ten: 26%).
constexpr uint32_t kBranch = 1, kSteps = 10;

Result<Done> check(const MazeOptions& o) {
    if (const auto sides = check_sides("a maze", o.width, o.height, kLeastMaze); !sides) return sides;
    if (!within(o.corridor, 1, kMaxCorridor)) {
        return refuse("corridors of " + std::to_string(o.corridor) + " cells: a width is 1 to " + std::to_string(kMaxCorridor));
    }
    return Done{};
}

// A spot is a square of corridor; walls of one cell lie between spots, above the first row of them and
// to the left of the first column. The last row and column are cut where the map ends.
struct Spot {
    uint16_t column = 0, row = 0;
};

struct Way {
    int32_t columns = 0, rows = 0;
};
constexpr Way kWays[] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};

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

    bool can_grow(Spot s, Way way) const {
        const int32_t column = s.column + way.columns, row = s.row + way.rows;
        return column >= 0 && row >= 0 && column < columns_ && row < rows_ && !carved(column, row);
    }

    bool enclosed(Spot s) const {
        return std::ranges::none_of(kWays, [&](Way way) { return can_grow(s, way); });
    }

    // A way to grow, if one of those from a random one to the last is free. The first ways are tried less
    // often, so more corridors run across than down: 55 to 45, as on the published maps.
    const Way* draw_way(Spot s, Rng& rng) const {
        const auto* way = std::find_if(kWays + rng.below(4), std::end(kWays), [&](Way w) { return can_grow(s, w); });
        return way != std::end(kWays) ? way : nullptr;
    }

    // Open spots are those that may grow yet. One that cannot gives its place to the newest, which may then
    // wait for long: that makes the short dead ends.
    void grow(Rng& rng) {
        std::vector<Spot> open{{static_cast<uint16_t>(columns_ / 2), static_cast<uint16_t>(rows_ / 2)}};
        carve(open.front());
        while (!open.empty()) {
            const size_t k = rng.chance(kBranch, kSteps) ? rng.below(static_cast<uint32_t>(open.size())) : open.size() - 1;
            const Spot from = open[k];
            if (const Way* way = draw_way(from, rng)) {
                open.push_back({static_cast<uint16_t>(from.column + way->columns), static_cast<uint16_t>(from.row + way->rows)});
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
