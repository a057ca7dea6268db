// Random worlds that change after their path database was built, and a brute-force oracle for them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "support/scene.h"
#include "terrane/cpd/cpd_search.h"
#include "terrane/cpd/path_database_builder.h"

namespace terrane::test {

// Optimal costs on a changed map, in the profile's own units. Uses nothing of the library but terrain and costs.
struct ChangedOracle {
    int32_t width = 0, height = 0;
    std::vector<uint64_t> cost;  // current cost, in row-major order; 0: blocked
    std::vector<bool> clear;     // whether diagonal steps may pass the cell
    Movement movement = Movement::kEightNoCornerCutting;
    static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();

    ChangedOracle(const GridSnapshot& base, const Ground& ground, bool strict)
        : width(ground.grid().width()), height(ground.grid().height()), movement(ground.movement()) {
        for (int32_t y = 0; y < height; ++y) {
            for (int32_t x = 0; x < width; ++x) {
                cost.push_back(ground.costs().cost[ground.grid().at(Cell{x, y})]);
                clear.push_back(cost.back() != 0 || (!strict && ground.costs().cost[base.at(Cell{x, y})] != 0));
            }
        }
    }

    size_t index(Cell c) const { return static_cast<size_t>(c.y * width + c.x); }
    bool inside(Cell c) const { return c.x >= 0 && c.y >= 0 && c.x < width && c.y < height; }

    uint64_t step(Cell a, Cell b) const {
        const int32_t dx = b.x - a.x, dy = b.y - a.y;
        if (!inside(a) || !inside(b) || std::max(std::abs(dx), std::abs(dy)) != 1) return kNone;
        if (cost[index(a)] == 0 || cost[index(b)] == 0) return kNone;
        if (dx == 0 || dy == 0) return 985 * (cost[index(a)] + cost[index(b)]);
        const bool open = clear[index({a.x, b.y})] && clear[index({b.x, a.y})];
        if (movement == Movement::kFour || (movement == Movement::kEightNoCornerCutting && !open)) return kNone;
        return 1393 * (cost[index(a)] + cost[index(b)]);
    }

    // Distances to all cells, in row-major order; kNone if unreachable.
    std::vector<uint64_t> distances(Cell from) const {
        std::vector<uint64_t> best(cost.size(), kNone);
        if (cost[index(from)] == 0) return best;
        std::set<std::pair<uint64_t, size_t>> open{{0, index(from)}};
        best[index(from)] = 0;
        while (!open.empty()) {
            const auto [d, at] = *open.begin();
            open.erase(open.begin());
            if (d != best[at]) continue;
            const Cell c{static_cast<int32_t>(at) % width, static_cast<int32_t>(at) / width};
            for (int32_t i = 0; i < 9; ++i) {
                const Cell to{c.x + i % 3 - 1, c.y + i / 3 - 1};
                const uint64_t edge = step(c, to);
                if (edge == kNone || d + edge >= best[index(to)]) continue;
                best[index(to)] = d + edge;
                open.insert({d + edge, index(to)});
            }
        }
        return best;
    }
};

inline constexpr CpdVariant kAllVariants[] = {CpdVariant::kEarly, CpdVariant::kWeighted, CpdVariant::kNoPull, CpdVariant::kFocal,
                                              CpdVariant::kBranching};

enum class Change : uint8_t { kHard, kSoft, kRemoval, kCheaper, kMixed };
inline constexpr Change kAllChanges[] = {Change::kHard, Change::kSoft, Change::kRemoval, Change::kCheaper, Change::kMixed};

// Patches of blocked cells and of digits (scene.h); all passable cells are 3 if not weighted.
inline TerrainGrid changeable_world(Rng& rng, int32_t max_side, bool weighted) {
    const int32_t width = rng.between(3, max_side), height = rng.between(3, max_side);
    const uint32_t blocked_percent = rng.below(40);
    const int32_t patch = rng.between(1, 5);
    std::vector<Terrain> coarse(static_cast<size_t>((width / patch + 1) * (height / patch + 1)));
    for (Terrain& t : coarse) {
        const bool blocked = rng.chance(blocked_percent, 100);
        t = blocked ? Terrain{0} : static_cast<Terrain>(weighted ? 1 + rng.below(5) : 3);
    }
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) cells.push_back(coarse[static_cast<size_t>((y / patch) * (width / patch + 1) + x / patch)]);
    }
    cells[0] = 3;  // a database needs a passable cell
    return {width, height, cells, digit_catalogue()};
}

// Changes a few random rectangles of cells.
inline EditResult change(Rng& rng, TerrainGrid& grid, Change kind) {
    const GridSnapshot before = grid.snapshot();
    std::vector<CellEdit> edits;
    const int32_t count = rng.between(1, 6);
    for (int32_t i = 0; i < count; ++i) {
        const Cell corner = random_cell(rng, before);
        const int32_t w = rng.between(1, 8), h = rng.between(1, 4);
        const uint32_t extra = 1 + rng.below(4);
        const auto which = kind == Change::kMixed ? static_cast<Change>(rng.below(4)) : kind;
        const bool upright = rng.chance(1, 2);
        for (int32_t j = 0; j < w * h; ++j) {
            const Cell c{corner.x + (upright ? j % h : j % w), corner.y + (upright ? j / h : j / w)};
            const Terrain t = before.at(c);
            if (t == kOutside) continue;
            if (which == Change::kHard) edits.push_back({c, 0});
            if (which == Change::kSoft && t != 0) edits.push_back({c, static_cast<Terrain>(std::min<uint32_t>(9, t + extra))});
            if (which == Change::kRemoval && t == 0) edits.push_back({c, static_cast<Terrain>(extra)});
            if (which == Change::kCheaper && t > 1) edits.push_back({c, static_cast<Terrain>(t > extra ? t - extra : 1)});
        }
    }
    return grid.apply(edits);
}

inline PathDatabase database_of(const TerrainGrid& grid, Movement movement, PathTargets targets = {}) {
    PathDatabaseOptions options;
    options.targets = std::move(targets);
    return build_path_database({grid.snapshot(), digit_profile().compile(digit_catalogue()).value(), movement}, options).value();
}

}  // namespace terrane::test
