// Scenes drawn in the test, and random worlds.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "support/oracle.h"
#include "terrane/base/rng.h"
#include "terrane/grid_search/grid_search.h"
#include "terrane/world/methods.h"

namespace terrane::test {

// S: start; G: goal; #: wall; a digit: terrain of that cost; anything else: cost 1. Spaces are skipped, so rows may be indented.
struct Scene {
    TerrainGrid grid;
    Profile profile;
    Cell start;
    Cell goal;
};

inline Catalogue digit_catalogue() {
    Catalogue catalogue;
    static_cast<void>(catalogue.add({"wall", '#', {0, 0, 0}}).value());
    for (char digit = '1'; digit <= '9'; ++digit) {
        static_cast<void>(
            catalogue.add({std::string("cost_") + digit, digit, {static_cast<uint8_t>(25 * (digit - '0')), 160, 120}}).value());
    }
    return catalogue;
}

inline Profile digit_profile() {
    Profile profile("digits");
    profile.blocked("wall");
    for (char digit = '1'; digit <= '9'; ++digit) profile.cost(std::string("cost_") + digit, digit - '0');
    return profile;
}

inline Scene scene(std::string_view drawing) {
    std::vector<Terrain> cells;
    Cell start, goal;
    int32_t x = 0, y = 0, width = 0;
    for (const char c : std::string(drawing) + "\n") {
        if (c == ' ') continue;
        if (c == '\n') {
            if (x == 0) continue;
            width = x;
            x = 0;
            ++y;
            continue;
        }
        if (c == 'S') start = {x, y};
        if (c == 'G') goal = {x, y};
        cells.push_back(static_cast<Terrain>(c == '#' ? 0 : c >= '1' && c <= '9' ? c - '0' : 1));
        ++x;
    }
    return {TerrainGrid(width, y, cells, digit_catalogue()), digit_profile(), start, goal};
}

inline Path solve(std::string_view method, const Scene& s, Movement movement = Movement::kEightNoCornerCutting) {
    SearchOptions options;
    options.method = find_method(method).value();
    return find_path(s.grid.snapshot(), s.start, s.goal, s.profile, options, movement).value();
}

// Random patches of terrain under a random profile: with or without blocked terrain, with nearly equal or very different costs.
struct RandomWorld {
    TerrainGrid grid;
    CostTable costs;
    Movement movement;
};

inline RandomWorld random_world(Rng& rng, int32_t max_side = 70) {
    const int32_t width = rng.between(1, max_side), height = rng.between(1, max_side);
    const Catalogue& catalogue = Catalogue::standard();
    const uint32_t terrains = 1 + rng.below(8);
    const int32_t patch = rng.between(1, 12);
    std::vector<Terrain> coarse(static_cast<size_t>((width / patch + 1) * (height / patch + 1)));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.below(terrains));
    std::vector<Terrain> cells;
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain patch_terrain = coarse[static_cast<size_t>((y / patch) * (width / patch + 1) + x / patch)];
            cells.push_back(rng.chance(1, 8) ? static_cast<Terrain>(rng.below(terrains)) : patch_terrain);
        }
    }
    Profile profile("random");
    const uint32_t range = rng.below(3);
    for (uint32_t t = 0; t < terrains; ++t) {
        const uint32_t hundredths = range == 0 ? 100 + 20 * rng.below(16) : range == 1 ? 1 + rng.below(400) : 1 + rng.below(65000);
        profile.rule(catalogue[static_cast<Terrain>(t)].name, rng.chance(1, 4) ? kBlocked : hundredths);
    }
    return {TerrainGrid(width, height, cells), profile.compile(catalogue).value(), static_cast<Movement>(rng.below(3))};
}

inline Path solve_in_slices(GridSearch& search, const RandomWorld& world, Cell start, Cell goal, const char* method,
                            uint64_t slice = kUnlimited) {
    SearchOptions options;
    options.method = find_method(method).value();
    search.begin({world.grid.snapshot(), world.costs, world.movement}, start, goal, options);
    while (search.run(slice) == Status::kBudgetSpent) {
    }
    Path path;
    search.path(path);
    return path;
}

inline oracle::Map to_oracle(const GridSnapshot& grid, const CostTable& costs) {
    oracle::Map map{grid.width(), grid.height(), {}};
    for (const Terrain t : grid.cells()) map.cost.push_back(costs.passable(t) ? costs.hundredths(t) / 100.0 : -1);
    return map;
}

inline oracle::Rule to_oracle(Movement movement) {
    return movement == Movement::kEightNoCornerCutting ? oracle::Rule::kStrict
           : movement == Movement::kEightCutCorners    ? oracle::Rule::kCutting
                                                       : oracle::Rule::kFour;
}

inline Cell random_cell(Rng& rng, const GridSnapshot& grid) {
    return {rng.between(0, grid.width() - 1), rng.between(0, grid.height() - 1)};
}

// A hash of path, cost and expansions, which must be identical on every platform.
inline uint64_t hash_of(const Path& path, uint64_t seed = 0) {
    uint64_t h = mix64(seed ^ static_cast<uint64_t>(path.status));
    for (const Cell c : path.cells) h = mix64(h ^ (static_cast<uint64_t>(c.x) << 32 | static_cast<uint32_t>(c.y)));
    return mix64(mix64(h ^ path.cost) ^ path.expansions);
}

}  // namespace terrane::test
