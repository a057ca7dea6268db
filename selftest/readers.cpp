// Queries while editing.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <mutex>
#include <thread>

#include "bench/stopwatch.h"
#include "selftest/selftest.h"
#include "terrane/mapgen.h"
#include "terrane/planner.h"
#include "terrane/rng.h"

namespace terrane::selftest {

namespace {

constexpr int32_t kSide = 256;
constexpr uint32_t kCheckEvery = 40;  // queries; asking again takes a world of its own
constexpr std::array<const char*, 5> kAskedMethods = {"dta:16", "dta:16+cache", "overlay:2", "dta:16/nbs", "astar"};

double resident_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:" && status >> word) return std::stod(word) / 1024;
    }
    return 0;
}

World copy_of(const GridSnapshot& grid) { return World(TerrainGrid(grid.width(), grid.height(), grid.cells(), grid.catalogue())); }

struct Shared {
    explicit Shared(TerrainGrid grid) : world(std::move(grid)) {}

    World world;
    std::vector<CostTable> creatures;
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> queries{0}, checked{0};
    std::mutex mutex;  // guards what follows
    std::string failure;

    void fail(std::string why) {
        const std::lock_guard lock(mutex);
        if (failure.empty()) failure = std::move(why);
        stop = true;
    }
};

struct Reader {
    uint64_t queries = 0;
    double worst_ms = 0;
};

// Whether a world made anew of the very version that was asked finds the same. An overlay that was repaired has other landmarks than a new
// one, so its answers are held to what it promises: a path that costs what it says, within its bound.
bool holds(const WorldSnapshot& snapshot, const Path& path, Cell start, Cell goal, const CostTable& costs, const FindOptions& options) {
    const World again = copy_of(snapshot.grid());
    Planner planner(again);
    Path expected;
    FindOptions same = options;
    const bool overlay = proves_bounds(options.method);
    if (overlay) same.method = find_method("astar").value();
    planner.find(start, goal, costs, same, expected);
    if (path.status != expected.status) return false;
    if (!overlay) return path.cells == expected.cells && path.cost == expected.cost;
    return path.cost == path_cost(snapshot.grid(), costs, options.movement, path.cells) &&
           static_cast<double>(path.cost) <= path.bound * static_cast<double>(expected.cost) * (1 + 1e-12);
}

void ask(Shared& shared, uint64_t seed, Reader& me) {
    Rng rng(seed);
    Planner planner(shared.world);
    Path path;
    while (!shared.stop) {
        const CostTable& costs = shared.creatures[rng.below(static_cast<uint32_t>(shared.creatures.size()))];
        FindOptions options;
        options.method = find_method(kAskedMethods[rng.below(kAskedMethods.size())]).value();
        const auto any = [&] { return Cell{rng.between(0, kSide - 1), rng.between(0, kSide - 1)}; };
        const Cell start = any(), goal = any();
        const Stopwatch clock;
        planner.find(start, goal, costs, options, path);
        me.worst_ms = std::max(me.worst_ms, clock.ms());
        if (me.queries++ % kCheckEvery == 0) {
            if (!holds(planner.snapshot(), path, start, goal, costs, options)) {
                shared.fail(fmt::format("{} from {},{} to {},{} on version {}: another answer than in a world made anew of that version",
                                        options.method.name, start.x, start.y, goal.x, goal.y, path.version));
            }
            ++shared.checked;
        }
        ++shared.queries;
    }
}

}  // namespace

Outcome queries_while_editing(const Setting& setting) {
    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = setting.seed;
    Shared shared(generate_island(island).value());
    for (const char* name : {"person", "deer", "outlaw"}) {
        shared.creatures.push_back(Profile::preset(name)->compile(shared.world.grid().catalogue()).value());
        PrepareOptions prepare;
        prepare.method = find_method("overlay:2").value();
        if (const auto done = shared.world.prepare(shared.creatures.back(), prepare); !done)
            return {0, "queries", {}, done.error().message()};
    }
    std::vector<Reader> readers(setting.threads);
    std::vector<std::thread> threads;
    threads.reserve(setting.threads);
    for (uint32_t i = 0; i < setting.threads; ++i)
        threads.emplace_back(ask, std::ref(shared), mix64(setting.seed + i + 1), std::ref(readers[i]));

    // This thread edits: what was there comes back, so that the world stays one.
    const Stopwatch clock;
    Rng rng(setting.seed);
    const GridSnapshot first = shared.world.grid();
    uint64_t edits = 0;
    double worst_edit_ms = 0, half_way_mb = 0;
    while (clock.ms() < setting.seconds * 1000 && !shared.stop) {
        std::vector<CellEdit> cells;
        const Cell at = {rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
        const int32_t width = rng.between(1, 8), height = rng.between(1, 8);
        const auto terrain = static_cast<Terrain>(rng.below(first.catalogue().size()));
        const bool restore = rng.chance(1, 2);
        for (int32_t y = at.y; y < std::min(at.y + height, kSide); ++y) {
            for (int32_t x = at.x; x < std::min(at.x + width, kSide); ++x)
                cells.push_back({{x, y}, restore ? first.at(Cell{x, y}) : terrain});
        }
        const Stopwatch edit;
        shared.world.apply(cells);
        worst_edit_ms = std::max(worst_edit_ms, edit.ms());
        if (half_way_mb == 0 && clock.ms() > setting.seconds * 500) half_way_mb = resident_mb();
        if (++edits % 64 == 0) setting.progress(shared.queries);
        std::this_thread::yield();
    }
    const double end_mb = resident_mb();
    shared.stop = true;
    for (std::thread& thread : threads) thread.join();

    const auto [least, most] = std::ranges::minmax(readers, {}, &Reader::queries);
    const double worst = std::ranges::max(readers, {}, &Reader::worst_ms).worst_ms;
    Outcome out{shared.queries, "queries", {}, shared.failure};
    if (out.failure.empty() && least.queries == 0) out.failure = "a thread got no answer at all";
    out.figures = {{"checked against a world made anew", fmt::format("{}", shared.checked.load())},
                   {"edits meanwhile", fmt::format("{}", edits)},
                   {"queries of one thread", fmt::format("{} to {}", least.queries, most.queries)},
                   {"longest query", fmt::format("{:.2f} ms", worst)},
                   {"longest edit", fmt::format("{:.2f} ms", worst_edit_ms)},
                   {"memory half way, at the end", fmt::format("{:.1f} MB, {:.1f} MB", half_way_mb, end_mb)}};
    return out;
}

std::span<const Test> tests() {
    static constexpr std::array<Test, 2> kTests = {{
        {"edits", "every structure that repairs itself equals one built anew, on maps and edits drawn at random", edits_equal_rebuilds},
        {"readers", "threads that ask while one edits: answers those of the version they ran on, memory flat, nobody starves",
         queries_while_editing},
    }};
    return kTests;
}

}  // namespace terrane::selftest
