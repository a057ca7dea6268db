// The minimal-memory abstraction equals a brute-force flood of the cells, in every encoding, before and after edits.
#include "terrane/minimal_memory/minimal_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "grid_search/refiner.h"
#include "minimal_memory/minimal_memory_code.h"
#include "minimal_memory/minimal_memory_search.h"
#include "support/scene.h"
#include "terrane/mapgen/mapgen.h"

namespace terrane::test {
namespace {

using detail::decode_sector;
using detail::EncodedSector;
using detail::PlainSector;

// Terrain 3 is always passable, 0 to 2 may be blocked. From few to impassably many obstacles, single cells or patches.
TerrainGrid obstacle_world(Rng& rng, int32_t max_side) {
    const int32_t width = rng.between(1, max_side);
    const int32_t height = rng.between(1, max_side), patch = rng.between(1, 5);
    const uint32_t obstacle_percent = rng.below(60);
    std::vector<Terrain> coarse(static_cast<size_t>((width / patch + 1) * (height / patch + 1)));
    for (Terrain& t : coarse) t = static_cast<Terrain>(rng.chance(obstacle_percent, 100) ? rng.below(3) : 3);
    std::vector<Terrain> cells;
    cells.reserve(static_cast<size_t>(width) * static_cast<size_t>(height));
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            const Terrain t = coarse[static_cast<size_t>((y / patch) * (width / patch + 1) + x / patch)];
            cells.push_back(rng.chance(1, 20) ? static_cast<Terrain>(rng.below(4)) : t);
        }
    }
    return {width, height, cells};
}

struct BlockedSet {
    PassableSet set;
    Movement movement;
};

BlockedSet random_blocked_set(Rng& rng) {
    BlockedSet blocked_set;
    blocked_set.movement = static_cast<Movement>(rng.below(3));
    blocked_set.set.terrains[0] = 8 | rng.below(7);  // at least one of 0 to 2 is blocked
    blocked_set.set.cutting = blocked_set.movement == Movement::kEightCutCorners;
    return blocked_set;
}

MinimalMemoryOptions random_options(Rng& rng, bool optimise = false) {
    MinimalMemoryOptions options;
    constexpr std::array<uint32_t, 7> kMinimalSectors = {4, 5, 7, 8, 16, 17, 32};
    options.sector = kMinimalSectors[rng.below(optimise ? 5 : 7)];
    options.record_bits = rng.chance(1, 2) ? 16 : 32;
    options.skip_defaults = rng.chance(2, 3);
    options.edges_once = rng.chance(1, 2);
    options.labels = rng.chance(1, 2);
    options.optimise_centres = optimise;
    return options;
}

EditResult edit_at_random(Rng& rng, TerrainGrid& grid) {
    const GridSnapshot now = grid.snapshot();
    const auto terrain = static_cast<Terrain>(rng.below(4));
    const Cell c = random_cell(rng, now);
    const uint32_t kind = rng.below(10);
    if (kind < 7) return grid.set(c, terrain);
    if (kind < 8) {
        const int32_t width = rng.between(1, 6);
        return grid.fill({c, {width, rng.between(1, 6)}}, terrain);
    }
    if (kind < 9) return grid.fill({c, {rng.between(1, 30), 1}}, terrain);  // a wall, or a gap through walls
    std::vector<CellEdit> batch(1 + rng.below(6));
    for (CellEdit& edit : batch) {
        const int32_t dx = rng.between(-40, 40);
        edit = {{c.x + dx, c.y + rng.between(-40, 40)}, static_cast<Terrain>(rng.below(4))};
    }
    return grid.apply(batch);
}

// The graph by brute force: floods, and every pair of neighbouring cells. Shares no code with the library's abstraction.
struct BruteGraph {
    std::vector<int> region;               // by cell in row-major order: a number over all sectors, -1 if blocked
    std::vector<Cell> centre;              // by region: the cell nearest the mean
    std::vector<std::vector<Cell>> cells;  // by region, in row-major order
    std::set<std::pair<int, int>> edges;
};

BruteGraph brute_graph(const GridSnapshot& grid, const BlockedSet& blocked_set, int32_t sector) {
    const int32_t width = grid.width(), height = grid.height();
    BruteGraph out;
    out.region.assign(static_cast<size_t>(width) * static_cast<size_t>(height), -1);
    const auto index = [&](Cell c) { return static_cast<size_t>(c.y * width + c.x); };
    const auto open = [&](Cell c) { return grid.layout().contains(c) && blocked_set.set.contains(grid.at(c)); };
    // Whether a step is legal; kFour has the regions of kEightNoCornerCutting.
    const auto legal = [&](Cell from, Cell step) {
        if (!open(from) || !open({from.x + step.x, from.y + step.y})) return false;
        return blocked_set.set.cutting || (open({from.x + step.x, from.y}) && open({from.x, from.y + step.y}));
    };
    const auto same_sector = [&](Cell a, Cell b) { return a.x / sector == b.x / sector && a.y / sector == b.y / sector; };
    const auto flood = [&](Cell first, int number) {
        std::vector<Cell> stack = {first};
        out.region[index(first)] = number;
        while (!stack.empty()) {
            const Cell c = stack.back();
            stack.pop_back();
            for (const Cell step : kMoves) {
                const Cell to = {c.x + step.x, c.y + step.y};
                if (!legal(c, step) || !same_sector(c, to) || out.region[index(to)] >= 0) continue;
                out.region[index(to)] = number;
                stack.push_back(to);
            }
        }
    };
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            if (!open({x, y})) continue;
            if (out.region[index({x, y})] < 0) {
                flood({x, y}, static_cast<int>(out.cells.size()));
                out.cells.emplace_back();
            }
            out.cells[static_cast<size_t>(out.region[index({x, y})])].push_back({x, y});
        }
    }
    for (const std::vector<Cell>& cells : out.cells) {
        const Cell corner = {cells[0].x / sector * sector, cells[0].y / sector * sector};
        int64_t sum_x = 0, sum_y = 0;
        const auto n = static_cast<int64_t>(cells.size());
        for (const Cell c : cells) {
            sum_x += c.x - corner.x;
            sum_y += c.y - corner.y;
        }
        const int64_t mean_x = (sum_x * 256 + n / 2) / n, mean_y = (sum_y * 256 + n / 2) / n;
        const auto distance = [&](Cell c) {
            const int64_t dx = (c.x - corner.x) * 256 - mean_x, dy = (c.y - corner.y) * 256 - mean_y;
            return dx * dx + dy * dy;
        };
        out.centre.push_back(*std::ranges::min_element(cells, {}, distance));
    }
    for (int32_t y = 0; y < height; ++y) {
        for (int32_t x = 0; x < width; ++x) {
            for (const Cell step : kMoves) {
                const Cell from = {x, y}, to = {x + step.x, y + step.y};
                if (legal(from, step) && !same_sector(from, to)) out.edges.insert({out.region[index(from)], out.region[index(to)]});
            }
        }
    }
    return out;
}

void expect_brute(const MinimalMemory& memory, const BlockedSet& blocked_set, const BruteGraph& brute, bool centres) {
    const GridSnapshot& grid = memory.grid();
    std::map<int, RegionId> id_of;
    std::map<RegionId, int> brute_of;
    for (int32_t y = 0; y < grid.height(); ++y) {
        for (int32_t x = 0; x < grid.width(); ++x) {
            const int number = brute.region[static_cast<size_t>(y * grid.width() + x)];
            const RegionId id = memory.region_of({x, y});
            ASSERT_EQ(number < 0, id == kNoRegion) << x << "," << y;
            ASSERT_EQ(memory.search_region_of({x, y}), id) << x << "," << y;
            if (number < 0) continue;
            ASSERT_LT(id, memory.id_limit());
            ASSERT_EQ(id_of.emplace(number, id).first->second, id) << x << "," << y;
            ASSERT_EQ(brute_of.emplace(id, number).first->second, number) << x << "," << y;
        }
    }
    ASSERT_EQ(memory.region_count(), brute.cells.size());
    ASSERT_EQ(memory.edge_count(), brute.edges.size());
    std::set<std::pair<int, int>> edges;
    for (uint32_t s = 0; s < memory.sectors(); ++s) {
        for (uint32_t r = 0; r < memory.regions_in(s); ++r) {
            const int number = brute_of.at(memory.id(s, r));
            if (centres) {
                ASSERT_EQ(memory.centre(memory.id(s, r)), brute.centre[static_cast<size_t>(number)]);
            }
            ASSERT_EQ(memory.region_of(memory.centre(memory.id(s, r))), memory.id(s, r));
            if (r > 0) {
                ASSERT_GT(number, brute_of.at(memory.id(s, r - 1))) << "numbered by first cells";
            }
            memory.for_each_edge(memory.id(s, r), [&](RegionId to) { ASSERT_TRUE(edges.insert({number, brute_of.at(to)}).second); });
        }
    }
    ASSERT_EQ(edges, brute.edges);
    ASSERT_EQ(blocked_set.set, memory.set());
}

// Decoding and encoding a sector gives the same bytes.
void expect_round_trip(const MinimalMemory& memory) {
    EncodedSector kept, again;
    for (uint32_t s = 0; s < memory.sectors(); ++s) {
        detail::copy_sector(memory.data(), s, kept);
        detail::encode_sector(decode_sector(memory.data(), s), memory.options(), again);
        ASSERT_EQ(kept.count, again.count) << s;
        ASSERT_EQ(kept.bytes, again.bytes) << s;
    }
}

TEST(MinimalMemory, IsWhatAFloodOfTheCellsFinds) {
    Rng rng(1);
    for (int i = 0; i < 250; ++i) {
        const TerrainGrid grid = obstacle_world(rng, 60);
        const BlockedSet blocked_set = random_blocked_set(rng);
        const MinimalMemoryOptions options = random_options(rng);
        const MinimalMemory memory = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
        expect_brute(memory, blocked_set, brute_graph(grid.snapshot(), blocked_set, static_cast<int32_t>(options.sector)), true);
        expect_round_trip(memory);
        uint32_t max_regions = 1;  // of a sector; ids have exactly the bits that this number needs
        for (uint32_t s = 0; s < memory.sectors(); ++s) max_regions = std::max(max_regions, memory.regions_in(s));
        ASSERT_EQ(memory.data().shift, static_cast<uint32_t>(std::bit_width(max_regions - 1)));
        if (HasFatalFailure()) FAIL() << i;
    }
}

TEST(MinimalMemory, HoldsTheSameGraphInEveryEncoding) {
    Rng rng(2);
    for (int i = 0; i < 60; ++i) {
        const TerrainGrid grid = obstacle_world(rng, 90);
        const BlockedSet blocked_set = random_blocked_set(rng);
        MinimalMemoryOptions options{.sector = 16, .skip_defaults = false, .labels = true};
        const MinimalMemory plain = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
        for (uint32_t variant = 1; variant < 8; ++variant) {
            options.record_bits = (variant & 1) != 0 ? 16 : 32;
            options.skip_defaults = (variant & 2) != 0;
            options.edges_once = (variant & 4) != 0;
            const MinimalMemory other = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
            ASSERT_EQ(other.region_count(), plain.region_count());
            ASSERT_EQ(other.edge_count(), plain.edge_count());
            ASSERT_LE(other.bytes().encoded(), plain.bytes().encoded() * 2);  // more only where records of 16 bits make sectors wide
            for (uint32_t s = 0; s < plain.sectors(); ++s) {
                ASSERT_EQ(decode_sector(other.data(), s), decode_sector(plain.data(), s)) << variant << ", sector " << s;
            }
        }
    }
}

TEST(MinimalMemory, AfterThousandsOfEditsEqualsANewBuild) {
    Rng rng(3);
    int changed = 0;
    for (int world = 0; world < 40; ++world) {
        TerrainGrid grid = obstacle_world(rng, 90);
        const BlockedSet blocked_set = random_blocked_set(rng);
        const MinimalMemoryOptions options = random_options(rng);
        MinimalMemory memory = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
        for (int i = 0; i < 75; ++i) {
            MinimalMemoryRepair repair;
            memory = memory.updated(edit_at_random(rng, grid), &repair).value();
            changed += repair.sectors > 0 ? 1 : 0;
            ASSERT_EQ(memory.version(), grid.snapshot().version());
            ASSERT_TRUE(memory == MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options))
                << world << ", " << i;
        }
        expect_brute(memory, blocked_set, brute_graph(grid.snapshot(), blocked_set, static_cast<int32_t>(options.sector)), true);
        if (HasFatalFailure()) FAIL() << world;
    }
    EXPECT_GT(changed, 1000);
}

TEST(MinimalMemory, OptimisedCentresStayThoseOfANewBuild) {
    Rng rng(4);
    for (int world = 0; world < 20; ++world) {
        TerrainGrid grid = obstacle_world(rng, 36);
        const BlockedSet blocked_set = random_blocked_set(rng);
        const MinimalMemoryOptions options = random_options(rng, true);
        MinimalMemory memory = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
        for (int i = 0; i < 20; ++i) {
            memory = memory.updated(edit_at_random(rng, grid)).value();
            ASSERT_TRUE(memory == MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options))
                << world << ", " << i;
        }
        expect_brute(memory, blocked_set, brute_graph(grid.snapshot(), blocked_set, static_cast<int32_t>(options.sector)), false);
        expect_round_trip(memory);
        if (HasFatalFailure()) FAIL() << world;
    }
}

// Finds the optimised centre by trying all cells and all neighbours.
Cell brute_centre(const GridSnapshot& grid, const CostTable& flat, const BruteGraph& brute, int region, int32_t sector) {
    const auto rect_of = [&](Cell c) {
        const int32_t x = c.x / sector * sector, y = c.y / sector * sector;
        return Rect{{x, y}, {std::min(x + sector, grid.width()) - x, std::min(y + sector, grid.height()) - y}};
    };
    Refiner refiner;
    refiner.begin({grid, flat, Movement::kEightNoCornerCutting});
    const auto worst = [&](Cell from) {
        uint64_t most = 0;
        for (const auto& [a, b] : brute.edges) {
            if (a != region) continue;
            const Cell to = brute.centre[static_cast<size_t>(b)];
            refiner.begin_segment(from, to, hull(rect_of(from), rect_of(to)));
            EXPECT_EQ(refiner.run(), Status::kFound);
            most = std::max(most, refiner.segment_expansions());
        }
        return most;
    };
    Cell best = brute.centre[static_cast<size_t>(region)];
    uint64_t least = worst(best);
    for (const Cell c : brute.cells[static_cast<size_t>(region)]) {
        if (worst(c) < least) {
            least = worst(c);
            best = c;
        }
    }
    return best;
}

TEST(MinimalMemory, OptimisedCentresMinimiseTheMaximum) {
    Rng rng(5);
    int moved = 0;
    for (int i = 0; i < 8; ++i) {
        const TerrainGrid grid = obstacle_world(rng, 28);
        const BlockedSet blocked_set{{{8}, false}, Movement::kEightNoCornerCutting};
        CostTable flat;
        flat.cost[3] = 1;
        const MinimalMemory memory =
            MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, {.sector = 8, .optimise_centres = true});
        const BruteGraph brute = brute_graph(grid.snapshot(), blocked_set, 8);
        for (int r = 0; r < static_cast<int>(brute.cells.size()); ++r) {
            const Cell mean = brute.centre[static_cast<size_t>(r)], centre = memory.centre(memory.region_of(mean));
            ASSERT_EQ(centre, brute_centre(grid.snapshot(), flat, brute, r, 8));
            moved += centre != mean ? 1 : 0;
        }
    }
    EXPECT_GT(moved, 10);
}

TEST(MinimalMemory, TakesACallersCostOfCentres) {
    TerrainGrid grid(40, 40, Terrain{3});
    const PassableSet set{{8}, false};
    MinimalMemoryOptions options{.sector = 8, .optimise_centres = true};
    size_t most_neighbours = 0;
    options.centre_cost = [&](const GridSnapshot&, Cell c, std::span<const Cell> neighbours) {
        most_neighbours = std::max(most_neighbours, neighbours.size());
        return static_cast<uint64_t>(100 - c.x % 8 - c.y % 8);
    };
    MinimalMemory memory = MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, options);
    EXPECT_EQ(most_neighbours, 8u);
    EXPECT_EQ(memory.centre(memory.region_of({20, 20})), (Cell{23, 23}));
    memory = memory.updated(grid.set({23, 23}, Terrain{0})).value();
    EXPECT_EQ(memory.centre(memory.region_of({20, 20})), (Cell{23, 22})) << "ties: row-major order";
    EXPECT_TRUE(memory == MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, options));
}

TEST(MinimalMemory, StoresDefaultSectorsInNoBytes) {
    const TerrainGrid grid(64, 64, Terrain{3});
    const PassableSet set{{8}, false};
    const auto bytes = [&](MinimalMemoryOptions options) {
        options.sector = 16;
        return MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, options).bytes();
    };
    // 4 corners with 3 edges, 8 sides with 5, 4 inside with 8: a byte per edge and one per edge count.
    const MinimalMemoryBytes plain = bytes({.skip_defaults = false});
    EXPECT_EQ(plain.sectors, 16u * 4);
    EXPECT_EQ(plain.centres, 16u);
    EXPECT_EQ(plain.edges, 16u + 4 * 3 + 8 * 5 + 4 * 8);
    EXPECT_EQ(plain.labels, 0u);
    const MinimalMemoryBytes packed = bytes({});
    EXPECT_EQ(packed.centres, 12u);
    EXPECT_EQ(packed.edges, 12u + 4 * 3 + 8 * 5);
    const MinimalMemoryBytes small = bytes({.record_bits = 16, .edges_once = true});
    EXPECT_EQ(small.sectors, 16u * 2);
    EXPECT_EQ(small.edges, 12u + 42 - 4 * 4) << "half of the 84, less those of the default sectors";
}

TEST(MinimalMemory, TakesSixteenBitsAboveSixteenCells) {
    const TerrainGrid grid(68, 68, Terrain{3});
    const PassableSet set{{8}, false};
    for (const uint32_t sector : {16u, 17u}) {
        const MinimalMemory memory =
            MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, {.sector = sector, .skip_defaults = false});
        EXPECT_EQ(memory.bytes().centres, memory.region_count() * (sector == 16 ? 1 : 2));
    }
}

// A chessboard: every passable cell is a region of its own, or all are one region if corners may be cut.
TEST(MinimalMemory, ChessboardsDoNotFitAndAreWide) {
    std::vector<Terrain> cells;
    cells.reserve(size_t{128} * 128);
    for (uint32_t i = 0; i < 128 * 128; ++i) cells.push_back((i / 128 + i) % 2 == 0 ? 3 : 0);
    const TerrainGrid grid(128, 128, cells);
    for (const uint32_t sector : {8u, 16u, 128u}) {
        for (const bool labels : {false, true}) {
            const MinimalMemory memory =
                MinimalMemory::build(grid.snapshot(), {{8}, false}, Movement::kEightNoCornerCutting, {.sector = sector, .labels = labels});
            EXPECT_EQ(memory.region_count(), 128u * 128 / 2);
            EXPECT_EQ(memory.edge_count(), 0u);
            EXPECT_EQ(memory.is_wide(0), sector == 128) << "no edges: 253 regions fit";
            const Cell last = {127, 127};
            EXPECT_EQ(memory.centre(memory.region_of(last)), last);
            EXPECT_EQ(memory.number_of(memory.region_of(last)), sector * sector / 2 - 1);
            expect_round_trip(memory);
        }
    }
    const MinimalMemory cutting = MinimalMemory::build(grid.snapshot(), {{8}, true}, Movement::kEightCutCorners, {.sector = 16});
    EXPECT_EQ(cutting.region_count(), 64u);
}

// Random obstacles and mazes in every encoding: sectors that do not fit hold the same graph.
TEST(MinimalMemory, SectorsThatDoNotFitAreWide) {
    const TerrainGrid random = generate_random({.width = 100, .height = 100, .seed = 1, .density = 40, .fill_isolated = false}).value();
    const TerrainGrid maze = generate_maze({.width = 100, .height = 100}).value();
    const CostTable costs = Profile::preset("walker")->compile(random.snapshot().catalogue()).value();
    size_t wide = 0, narrow_pages = 0, wide_pages = 0;
    for (const TerrainGrid* grid : {&random, &maze}) {
        for (const Movement movement : {Movement::kEightNoCornerCutting, Movement::kEightCutCorners}) {
            const BlockedSet blocked_set{PassableSet::of(costs, movement), movement};
            for (const uint32_t sector : {16u, 25u, 50u}) {
                const BruteGraph brute = brute_graph(grid->snapshot(), blocked_set, static_cast<int32_t>(sector));
                for (const uint32_t bits : {16u, 32u}) {
                    const MinimalMemory memory =
                        MinimalMemory::build(grid->snapshot(), blocked_set.set, movement,
                                             {.sector = sector, .record_bits = bits, .edges_once = sector == 25, .labels = bits == 16});
                    expect_brute(memory, blocked_set, brute, true);
                    expect_round_trip(memory);
                    for (uint32_t s = 0; s < memory.sectors(); ++s) wide += memory.is_wide(s) ? 1 : 0;
                    for (const auto& page : memory.data().pages) ++(page[4] == 2 ? narrow_pages : wide_pages);
                    if (HasFatalFailure()) FAIL() << sector << ", " << bits;
                }
            }
        }
    }
    EXPECT_GT(wide, 30u);
    EXPECT_GT(narrow_pages, 0u);
    EXPECT_GT(wide_pages, 12u) << "more than the 32 bit ones: pages too long for 16 bits";
}

TEST(MinimalMemory, TerrainAloneChangesNothing) {
    TerrainGrid grid(100, 100, Terrain{3});
    const PassableSet set{{12}, false};  // 2 and 3
    const MinimalMemory before = MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting);
    MinimalMemoryRepair repair;
    const MinimalMemory after = before.updated(grid.fill({{10, 10}, {50, 50}}, Terrain{2}), &repair).value();
    EXPECT_EQ(repair.sectors, 0u);
    EXPECT_EQ(before.data().pages, after.data().pages);
    EXPECT_EQ(after.version(), before.version() + 1);
}

TEST(MinimalMemory, ABlockedCellRebuildsNineSectors) {
    TerrainGrid grid(512, 512, Terrain{3});
    const MinimalMemory before = MinimalMemory::build(grid.snapshot(), {{8}, false}, Movement::kEightNoCornerCutting);
    MinimalMemoryRepair repair;
    const MinimalMemory after = before.updated(grid.set({199, 199}, Terrain{0}), &repair).value();
    EXPECT_EQ(repair.sectors, 9u);
    EXPECT_LE(repair.pages, 3u);
    EXPECT_EQ(after.data().pages.back(), before.data().pages.back());
    EXPECT_FALSE(before == after) << "the centre was there";
    EXPECT_TRUE(before.updated(grid.set({199, 199}, Terrain{3})) == std::nullopt) << "an edit of another version";
}

TEST(MinimalMemory, IsValidForItsBlockedSetAndVersionOnly) {
    TerrainGrid grid(40, 40, Catalogue::standard().find("plains").value());
    const Catalogue& catalogue = Catalogue::standard();
    const CostTable deer = Profile().cost("plains", 2).blocked("water").compile(catalogue).value();
    const CostTable person = Profile().cost("plains", 5).blocked("water").compile(catalogue).value();
    const CostTable fish = Profile().blocked("plains").compile(catalogue).value();
    const GridSnapshot now = grid.snapshot();
    const MinimalMemory memory =
        MinimalMemory::build(now, PassableSet::of(deer, Movement::kEightNoCornerCutting), Movement::kEightNoCornerCutting);
    EXPECT_TRUE(memory.valid_for({now, deer, Movement::kEightNoCornerCutting}));
    EXPECT_TRUE(memory.valid_for({now, person, Movement::kFour})) << "the same blocked set";
    EXPECT_FALSE(memory.valid_for({now, fish, Movement::kEightNoCornerCutting}));
    EXPECT_FALSE(memory.valid_for({now, deer, Movement::kEightCutCorners}));
    EXPECT_FALSE(memory.valid_for({grid.set({1, 1}, "water").value().after, deer, Movement::kEightNoCornerCutting}));
}

TEST(MinimalMemory, SmallWorlds) {
    const MinimalMemory none;
    EXPECT_EQ(none.sectors(), 0u);
    EXPECT_EQ(none.region_of({0, 0}), kNoRegion);
    EXPECT_EQ(none.bytes().encoded(), 0u);
    TerrainGrid cell(1, 1, Terrain{3});
    MinimalMemory one = MinimalMemory::build(cell.snapshot(), {{8}, false}, Movement::kEightNoCornerCutting, {.labels = true});
    EXPECT_EQ(one.region_count(), 1u);
    EXPECT_EQ(one.centre(one.region_of({0, 0})), (Cell{0, 0}));
    EXPECT_EQ(one.region_of({1, 0}), kNoRegion);
    EXPECT_EQ(one.region_of({-1, 0}), kNoRegion);
    one = one.updated(cell.set({0, 0}, Terrain{0})).value();
    EXPECT_EQ(one.region_count(), 0u);
    EXPECT_EQ(one.region_of({0, 0}), kNoRegion);
    EXPECT_EQ(one.bytes().encoded(), 4u);
}

// Two rooms that meet at a corner of the sectors.
TEST(MinimalMemory, CornersConnectRegionsIfADiagonalStepDoes) {
    const Scene s = scene(R"(....####
                             ....####
                             ....####
                             ....####
                             ####....
                             ####....
                             ####....
                             ####....)");
    const CostTable costs = s.profile.compile(s.grid.snapshot().catalogue()).value();
    const auto edges = [&](Movement movement) {
        return MinimalMemory::build(s.grid.snapshot(), PassableSet::of(costs, movement), movement, {.sector = 4}).edge_count();
    };
    EXPECT_EQ(edges(Movement::kEightNoCornerCutting), 0u);
    EXPECT_EQ(edges(Movement::kFour), 0u);
    EXPECT_EQ(edges(Movement::kEightCutCorners), 2u);
}

TEST(MinimalMemory, IsTheSameByAnyNumberOfThreads) {
    const TerrainGrid grid = generate_random({.width = 300, .height = 200, .seed = 4, .density = 30}).value();
    const CostTable costs = Profile::preset("walker")->compile(grid.snapshot().catalogue()).value();
    const PassableSet set = PassableSet::of(costs, Movement::kEightNoCornerCutting);
    MinimalMemoryOptions options{.sector = 8, .optimise_centres = true};
    const MinimalMemory alone = MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, options);
    options.threads = 3;
    EXPECT_TRUE(alone == MinimalMemory::build(grid.snapshot(), set, Movement::kEightNoCornerCutting, options));
}

// Dijkstra's algorithm over the public edges.
std::map<RegionId, uint64_t> distances(const MinimalMemory& memory, const MinimalMemoryGraph& graph, RegionId start) {
    std::map<RegionId, uint64_t> best{{start, 0}};
    std::set<std::pair<uint64_t, RegionId>> open{{0, start}};
    while (!open.empty()) {
        const auto [d, id] = *open.begin();
        open.erase(open.begin());
        memory.for_each_edge(id, [&](RegionId to) {
            const uint64_t g = d + graph.distance(graph.position(id), graph.position(to));
            const auto [known, fresh] = best.try_emplace(to, g);
            if (!fresh && known->second <= g) return;
            open.erase({known->second, to});
            known->second = g;
            open.insert({g, to});
        });
    }
    return best;
}

TEST(MinimalMemorySearch, FindsWhatDijkstraFindsInEveryEncoding) {
    Rng rng(6);
    MinimalMemorySearch search;
    std::vector<RegionId> path, first_path;
    int found = 0;
    for (int i = 0; i < 150; ++i) {
        const TerrainGrid grid = obstacle_world(rng, 90);
        const BlockedSet blocked_set = random_blocked_set(rng);
        const Cell from = random_cell(rng, grid.snapshot()), to = random_cell(rng, grid.snapshot());
        const bool stand_in = rng.chance(1, 2);
        MinimalMemoryOptions options = random_options(rng);
        uint64_t expansions = 0;
        for (uint32_t variant = 0; variant < 4; ++variant) {
            options.edges_once = (variant & 1) != 0;
            options.skip_defaults = (variant & 2) != 0;
            const MinimalMemory memory = MinimalMemory::build(grid.snapshot(), blocked_set.set, blocked_set.movement, options);
            const RegionId start = memory.region_of(from), goal = memory.region_of(to);
            if (start == kNoRegion || goal == kNoRegion) continue;
            const RegionEnd begin{start, stand_in ? from : memory.centre(start)}, end{goal, stand_in ? to : memory.centre(goal)};
            RegionEnd last;
            const auto best = distances(memory, MinimalMemoryGraph(memory, blocked_set.movement, begin, end, last), start);
            search.begin(memory, blocked_set.movement, begin, end);
            ASSERT_EQ(search.run(), best.contains(goal) ? Status::kFound : Status::kUnreachable) << i;
            if (search.run() != Status::kFound) continue;
            ++found;
            ASSERT_EQ(search.cost(), best.at(goal)) << i;
            search.path(path);
            ASSERT_EQ(path.front(), start);
            ASSERT_EQ(path.back(), goal);
            if (variant == 0) {
                first_path = path;
                expansions = search.expansions();
            }
            ASSERT_EQ(path, first_path);
            ASSERT_EQ(search.expansions(), expansions);
            search.begin(memory, blocked_set.movement, begin, end);
            while (search.run(2) == Status::kBudgetSpent) {
            }
            ASSERT_EQ(search.expansions(), expansions) << "in slices";
        }
    }
    EXPECT_GT(found, 100);
}

uint64_t hash_of_memory(const MinimalMemory& memory) {
    uint64_t h = memory.region_count();
    for (const auto& page : memory.data().pages) {
        for (uint32_t i = 0; i < detail::page_bytes(page.get()); ++i) h = mix64(h ^ page[i]);
    }
    return h;
}

TEST(MinimalMemory, Golden) {
    const TerrainGrid rooms = generate_rooms({.width = 200, .height = 130, .seed = 3, .room = 9}).value();
    const CostTable costs = Profile::preset("walker")->compile(rooms.snapshot().catalogue()).value();
    const PassableSet set = PassableSet::of(costs, Movement::kEightNoCornerCutting);
    const MinimalMemory plain = MinimalMemory::build(rooms.snapshot(), set, Movement::kEightNoCornerCutting);
    const MinimalMemory packed =
        MinimalMemory::build(rooms.snapshot(), set, Movement::kEightNoCornerCutting,
                             {.sector = 20, .record_bits = 16, .edges_once = true, .labels = true, .optimise_centres = true});
    EXPECT_EQ(hash_of_memory(plain), 8517736948191602389u);
    EXPECT_EQ(hash_of_memory(packed), 11527147500178483097u);
}

}  // namespace
}  // namespace terrane::test
