// The test `readers`: queries while the map is edited.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <ctime>
#include <deque>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

#include "bench/stopwatch.h"
#include "selftest/selftest.h"
#include "selftest/structures.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane::selftest {

namespace {

constexpr int32_t kSide = 256;
constexpr uint32_t kRebuildEvery = 40;           // queries; each check builds a world
constexpr uint32_t kTwinEvery = 32;              // queries that the editing thread repeats on the twin
constexpr double kMaxGrowth = 32;                // MB, in the second half of the run
constexpr size_t kCacheBytes = size_t{1} << 20;  // per thread: fills soon, so that further growth is a leak
constexpr GridVersion kLatest = ~GridVersion{0};
constexpr std::array<const char*, 5> kAskedMethods = {"dta:16", "dta:16+cache", "overlay:2", "dta:16/nbs", "astar"};

double resident_mb() {
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "VmRSS:" && status >> word) return std::stod(word) / 1024;
    }
    return 0;
}

// CPU time of this thread.
double worked_ms() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

// The longest measured call, in wall-clock time and in CPU time.
struct Longest {
    double ms = 0, work = 0;

    template <class Do>
    void measure(Do&& what) {
        const Stopwatch clock;
        const double before = worked_ms();
        what();
        ms = std::max(ms, clock.ms());
        work = std::max(work, worked_ms() - before);
    }
    std::string text() const { return fmt::format("{:.2f} ms, {:.2f} ms of CPU time", ms, work); }
};

Result<void> prepare_all(World& world, std::span<const CostTable> creatures) {
    PrepareOptions prepare;
    prepare.method = find_method("overlay:2").value();
    for (const CostTable& costs : creatures) {
        if (auto done = world.prepare(costs, prepare); !done) return done;
    }
    return {};
}

struct Query {
    Cell start, goal;
    const CostTable* costs;
    FindOptions options;
    Path answer;

    std::string text() const {
        return fmt::format("{} from {},{} to {},{} on version {}", options.method.name(), start.x, start.y, goal.x, goal.y, answer.version);
    }
};

bool same_answer(const Path& a, const Path& b) {
    return a.status == b.status && a.cells == b.cells && a.cost == b.cost && a.bound == b.bound;
}

// Repeats queries on one thread in a world with the same preparations and edits. The answers must be identical to the bit, whatever the
// other threads did meanwhile.
class Twin {
public:
    Twin(const GridSnapshot& grid, std::span<const CostTable> creatures) : world_(copy_of(grid)), planner_(world_, {kCacheBytes}) {
        prepare_all(world_, creatures).value();
    }
    void edit(Edit cells) { edits_.push_back(std::move(cells)); }
    void ask(Query question) { questions_.emplace(question.answer.version, std::move(question)); }

    // Advances to version `oldest`, before which no reader will ask. Returns the first query whose answer differs, or an empty string.
    std::string advance_to(GridVersion oldest) {
        for (;;) {
            const GridVersion version = world_.grid().version();
            while (!questions_.empty() && questions_.begin()->first <= version) {
                const Query asked = std::move(questions_.extract(questions_.begin()).mapped());
                Path path;
                planner_.find(asked.start, asked.goal, *asked.costs, asked.options, path);
                ++asked_again_;
                if (asked.answer.version != version || !same_answer(path, asked.answer)) return asked.text();
            }
            if (version >= oldest || edits_.empty()) return {};
            world_.apply(edits_.front());
            edits_.pop_front();
        }
    }
    uint64_t asked_again() const { return asked_again_; }

private:
    World world_;
    Planner planner_;
    std::deque<Edit> edits_;  // not yet applied
    std::multimap<GridVersion, Query> questions_;
    uint64_t asked_again_ = 0;
};

struct Reader {
    uint64_t queries = 0;
    Longest longest;
};

struct Shared {
    Shared(TerrainGrid grid, uint32_t threads) : world(std::move(grid)), asking(threads) {}

    World world;
    std::vector<CostTable> creatures;
    std::atomic<bool> stop{false};
    std::atomic<uint64_t> queries{0}, checked{0};
    std::mutex mutex;  // guards what follows
    std::string failure;
    std::vector<GridVersion> asking;  // by thread: it asks about no earlier version
    std::vector<Query> for_twin;

    void fail(std::string why) {
        const std::lock_guard lock(mutex);
        if (failure.empty()) failure = std::move(why);
        stop = true;
    }
};

// Whether a world built from the version of the query gives the same answer. A repaired overlay has other potentials than a rebuilt one, so
// its answers are checked against its guarantee: a correct cost within its bound.
bool holds_in_rebuilt_world(const WorldSnapshot& snapshot, const Query& asked) {
    const World rebuilt = copy_of(snapshot.grid());
    Planner planner(rebuilt);
    const Path& path = asked.answer;
    Path expected;
    FindOptions same = asked.options;
    const bool overlay = proves_bounds(same.method);
    if (overlay) same.method = find_method("astar").value();
    planner.find(asked.start, asked.goal, *asked.costs, same, expected);
    if (!overlay) return same_answer(path, expected);
    return path.status == expected.status && path.cost == path_cost({snapshot.grid(), *asked.costs, same.movement}, path.cells) &&
           static_cast<double>(path.cost) <= path.bound * static_cast<double>(expected.cost) * (1 + 1e-12);
}

void ask(Shared& shared, uint64_t seed, uint32_t number, Reader& me) {
    Rng rng(mix64(seed + number + 1));
    Planner planner(shared.world, {kCacheBytes});
    Query question;
    while (!shared.stop) {
        question.costs = &shared.creatures[rng.below(static_cast<uint32_t>(shared.creatures.size()))];
        question.options.method = find_method(kAskedMethods[rng.below(kAskedMethods.size())]).value();
        question.start = {rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
        question.goal = {rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
        {
            const std::lock_guard lock(shared.mutex);
            shared.asking[number] = shared.world.grid().version();
        }
        me.longest.measure([&] { planner.find(question.start, question.goal, *question.costs, question.options, question.answer); });
        if (me.queries % kTwinEvery == 1) {
            const std::lock_guard lock(shared.mutex);
            shared.for_twin.push_back(question);
        }
        if (me.queries++ % kRebuildEvery == 0) {
            if (!holds_in_rebuilt_world(planner.snapshot(), question))
                shared.fail(question.text() + ": answer differs from a world rebuilt from that version");
            ++shared.checked;
        }
        ++shared.queries;
    }
    const std::lock_guard lock(shared.mutex);
    shared.asking[number] = kLatest;
}

void update_twin(Shared& shared, Twin& twin) {
    std::vector<Query> questions;
    GridVersion oldest = shared.world.grid().version();
    {
        const std::lock_guard lock(shared.mutex);
        questions.swap(shared.for_twin);
        oldest = std::min(oldest, std::ranges::min(shared.asking));
    }
    for (Query& question : questions) twin.ask(std::move(question));
    if (const std::string other = twin.advance_to(oldest); !other.empty()) shared.fail(other + ": answer differs from its twin");
}

// About every second edit restores the original terrain, so that the map stays an island.
Edit draw_edit_of(Rng& rng, const GridSnapshot& first) {
    Edit cells;
    const Cell at = {rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
    const int32_t width = rng.between(1, 8), height = rng.between(1, 8);
    const auto terrain = static_cast<Terrain>(rng.below(first.catalogue().size()));
    const bool restore = rng.chance(1, 2);
    for (int32_t y = at.y; y < std::min(at.y + height, kSide); ++y) {
        for (int32_t x = at.x; x < std::min(at.x + width, kSide); ++x) cells.push_back({{x, y}, restore ? first.at(Cell{x, y}) : terrain});
    }
    return cells;
}

}  // namespace

Outcome queries_while_editing(const Setting& setting) {
    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = setting.seed;
    Shared shared(generate_island(island).value(), setting.threads);
    const GridSnapshot first = shared.world.grid();
    for (const char* name : {"person", "deer", "outlaw"})
        shared.creatures.push_back(Profile::preset(name)->compile(first.catalogue()).value());
    if (const auto done = prepare_all(shared.world, shared.creatures); !done) return {0, "queries", {}, done.error().message()};
    Twin twin(first, shared.creatures);
    std::vector<Reader> readers(setting.threads);
    std::vector<std::thread> threads;
    threads.reserve(setting.threads);
    for (uint32_t i = 0; i < setting.threads; ++i) threads.emplace_back(ask, std::ref(shared), setting.seed, i, std::ref(readers[i]));

    // This thread makes the edits.
    const Stopwatch clock;
    Rng rng(setting.seed);
    uint64_t edits = 0;
    Longest longest_edit;
    std::vector<double> memory;  // MB, after each quarter
    while (clock.ms() < setting.seconds * 1000 && !shared.stop) {
        const Edit cells = draw_edit_of(rng, first);
        longest_edit.measure([&] { shared.world.apply(cells); });
        twin.edit(cells);
        update_twin(shared, twin);
        if (clock.ms() >= setting.seconds * 250 * static_cast<double>(memory.size() + 1)) memory.push_back(resident_mb());
        if (++edits % 64 == 0) setting.progress(shared.queries);
        std::this_thread::yield();
    }
    memory.resize(3, resident_mb());
    memory.push_back(resident_mb());
    shared.stop = true;
    for (std::thread& thread : threads) thread.join();
    update_twin(shared, twin);

    const auto [least, most] = std::ranges::minmax(readers, {}, &Reader::queries);
    Longest longest;
    for (const Reader& reader : readers) longest = {std::max(longest.ms, reader.longest.ms), std::max(longest.work, reader.longest.work)};
    Outcome out{shared.queries, "queries", {}, shared.failure};
    if (out.failure.empty() && (least.queries == 0 || (most.queries > 1000 && least.queries * 10 < most.queries)))
        out.failure = "a thread starves: it ran less than a tenth of the queries of another";
    if (out.failure.empty() && memory[3] > memory[1] + kMaxGrowth) out.failure = "memory grew by more than 32 MB in the second half";
    out.figures = {
        {"checked in a rebuilt world", fmt::format("{}", shared.checked.load())},
        {"checked in a twin", fmt::format("{}", twin.asked_again())},
        {"edits meanwhile", fmt::format("{}", edits)},
        {"queries per thread", fmt::format("{} to {}", least.queries, most.queries)},
        {"longest query", longest.text()},
        {"longest edit", longest_edit.text()},
        {"memory after each quarter", fmt::format("{:.1f}, {:.1f}, {:.1f}, {:.1f} MB", memory[0], memory[1], memory[2], memory[3])}};
    return out;
}

std::span<const Test> tests() {
    static constexpr std::array<Test, 4> kTests = {{
        {"edits", "repaired structures equal rebuilt ones, on random maps and edits", edits_equal_rebuilds},
        {"readers", "queries while another thread edits: answers match their version, memory does not grow, no thread starves",
         queries_while_editing},
        {"limits", "the largest worlds, the most terrains and profiles, the highest costs, mazes and noise: measured, every answer checked",
         limits_hold},
        {"path_databases", "searches with a path database on maps that changed after its build: every variant within its bound",
         path_databases_hold},
    }};
    return kTests;
}

}  // namespace terrane::selftest
