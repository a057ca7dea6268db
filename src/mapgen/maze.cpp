// generate_maze: a tree of corridors grown from the middle, mostly from its newest end.
// Based on: Sturtevant 2012, "Benchmarks for Grid-Based Pathfinding" (the mazes of MovingAI); the
// growing tree algorithm (Buck 2011).
#include <algorithm>
#include <vector>

#include "mapgen/checks.h"
#include "mapgen/octile.h"
#include "terrane/mapgen.h"
#include "terrane/rng.h"

namespace terrane {

using namespace detail;

namespace {

constexpr int32_t kLeastSide = 2;  // a wall and a cell beside it
constexpr int32_t kMaxCorridor = 32;

// One step in ten starts a branch elsewhere: dead ends are 19% of the spots, as on the published maps
// (none: 10%; every step: 30%).
constexpr uint32_t kBranch = 10, kSteps = 100;

Result<Done> check(const MazeOptions& o) {
    if (const auto sides = check_sides("a maze", o.width, o.height, kLeastSide); !sides) return sides;
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
    Terrain& at(int32_t x, int32_t y) { return cells_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)]; }
    bool carved(int32_t column, int32_t row) { return at(column * pitch() + 1, row * pitch() + 1) == kFloor; }

    void clear(int32_t left, int32_t top, int32_t width, int32_t height) {
        const auto length = static_cast<size_t>(std::min(width, width_ - left));
        for (int32_t y = top; y < std::min(top + height, height_); ++y) std::fill_n(&at(left, y), length, kFloor);
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

    // Up to four, into `spots`; how many.
    uint32_t uncarved_around(Spot s, Spot* spots) {
        uint32_t count = 0;
        const auto look = [&](int32_t column, int32_t row) {
            if (column < 0 || row < 0 || column >= columns_ || row >= rows_ || carved(column, row)) return;
            spots[count++] = {static_cast<uint16_t>(column), static_cast<uint16_t>(row)};
        };
        look(s.column, s.row - 1);
        look(s.column - 1, s.row);
        look(s.column + 1, s.row);
        look(s.column, s.row + 1);
        return count;
    }

    // Each step extends the corridor that is newest, or any that can grow; ends that cannot are dropped.
    void grow(Rng& rng) {
        std::vector<Spot> open{{static_cast<uint16_t>(columns_ / 2), static_cast<uint16_t>(rows_ / 2)}};
        carve(open.front());
        for (size_t limit = 4096; !open.empty();) {
            const bool branch = rng.chance(kBranch, kSteps);
            const Spot from = branch ? open[rng.below(static_cast<uint32_t>(open.size()))] : open.back();
            Spot around[4];
            const uint32_t count = uncarved_around(from, around);
            if (count > 0) {
                open.push_back(around[rng.below(count)]);
                carve(open.back());
                open_wall(from, open.back());
            } else if (!branch) {
                open.pop_back();
            }
            if (open.size() > limit) limit = prune(open) * 2;
        }
    }

    // Drops spots with carved ones all around, so that memory is that of the edge of the maze. The rule
    // that calls it counts spots, not bytes: it is part of the result.
    size_t prune(std::vector<Spot>& open) {
        Spot around[4];
        std::erase_if(open, [&](Spot s) { return uncarved_around(s, around) == 0; });
        return std::max<size_t>(open.size(), 4096);
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
