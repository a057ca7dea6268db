// `terrane bench frames`: the worst frame of a game. Every frame adds requests and edits; a RequestQueue runs with a budget.
#include <fmt/format.h>

#include <map>

#include "bench/bench.h"
#include "bench/measurements.h"
#include "bench/progress.h"
#include "bench/scenes.h"
#include "terrane/base/rng.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/request_queue.h"

namespace terrane {

namespace frames_bench {
namespace {

struct Load {
    const char* method;
    uint32_t requests;  // per frame
    uint32_t edits;     // per frame, each of 5x5 cells
    uint64_t budget;    // expansions per frame
};
constexpr Load kLoads[] = {
    {"dta:16+smooth", 1, 0, 25000}, {"dta:16+smooth", 1, 4, 25000},         {"dta:16+smooth", 1, 64, 25000},
    {"dta:16+smooth", 4, 4, 25000}, {"dta:32/nbs/wastar:1.2", 1, 4, 25000}, {"wastar:2", 1, 4, 25000},
};
constexpr const char* kTerrains[] = {"fire", "river", "bridge", "ground"};  // painted by edits
constexpr uint32_t kUrgent = 8;                                             // one request in 8 has priority

constexpr uint32_t kWarmUp = 20;  // frames that are not measured

struct Waiting {
    RequestId id = 0;
    uint32_t since = 0;  // frame
    uint32_t profile = 0;
    bool urgent = false;
    bool ready = false;  // its first segment is ready
};

// One game: the world, its requests, and the measurements.
class Frames {
public:
    Frames(const Load& load, const TerrainGrid& map, Measurements& row)
        : load_(load), world_(editable(map.snapshot()), sectors(load)), queue_(world_), row_(row) {
        for (const char* name : {"person", "deer", "outlaw"}) {
            costs_.push_back(Profile::preset(name)->compile(world_.grid().catalogue()).value());
        }
        options_.method = find_method(load.method).value();
        options_.nearest = !searches_cells(options_.method);
    }

    void frame(uint32_t number) {
        add_requests(number);
        double repair_ms = 0, run_ms = 0;
        timed(repair_ms, [&] { edit(); });
        const uint64_t expansions = timed(run_ms, [&] { return queue_.run(load_.budget); });
        take_answers(number);
        if (number < kWarmUp) return;
        row_.repair_ms.add(repair_ms);
        row_.ms.add(repair_ms + run_ms);
        row_.expansions.add(static_cast<double>(expansions));
    }

    // Adds what is known after the last frame.
    void finish() {
        const auto count = static_cast<double>(row_.ms.count());
        row_["frames"].add(count);
        row_["answered"].add(static_cast<double>(row_["frames_mean"].count() + row_["frames_urgent"].count()) / count);
        row_["waiting"].add(static_cast<double>(queue_.waiting()));
        row_["wrong"].add(static_cast<double>(wrong_));
    }

private:
    static WorldOptions sectors(const Load& load) {
        WorldOptions options;
        const Method method = find_method(load.method).value();
        options.sectors = {sector_of(method).value_or(16)};
        return options;
    }
    Cell random_cell() { return {rng_.between(0, world_.grid().width() - 1), rng_.between(0, world_.grid().height() - 1)}; }
    Cell random_place(const CostTable& costs) {
        Cell c = random_cell();
        while (!costs.passable(world_.grid().at(c))) c = random_cell();
        return c;
    }

    void add_requests(uint32_t number) {
        for (uint32_t i = 0; i < load_.requests; ++i) {
            const uint32_t profile = rng_.below(static_cast<uint32_t>(costs_.size()));
            const bool urgent = rng_.chance(1, kUrgent);
            const Cell start = random_place(costs_[profile]);
            const RequestId id = queue_.add(start, random_place(costs_[profile]), costs_[profile], options_, urgent ? 1 : 0);
            waiting_.push_back({id, number, profile, urgent, false});
        }
    }

    // Paints random squares of 5x5 cells; the edits of a frame are one batch.
    void edit() {
        batch_.clear();
        for (uint32_t i = 0; i < load_.edits; ++i) {
            const Cell corner = random_cell();
            const Terrain terrain = *world_.grid().catalogue().find(kTerrains[rng_.below(4)]);
            for (int32_t n = 0; n < 25; ++n) batch_.push_back({{corner.x + n % 5, corner.y + n / 5}, terrain});
        }
        static_cast<void>(world_.apply(batch_));
        versions_.emplace(world_.grid().version(), world_.grid());
    }

    void take_answers(uint32_t number) {
        for (Waiting& w : waiting_) {
            const double frames = number - w.since + 1;  // 1: answered in the frame of the request
            if (!w.ready && !queue_.ready(w.id).empty()) {
                w.ready = true;
                if (number >= kWarmUp) row_["frames_first"].add(frames);
            }
            if (!queue_.take(w.id, path_)) continue;
            w.id = 0;
            if (number >= kWarmUp) row_[w.urgent ? "frames_urgent" : "frames_mean"].add(frames);
            if (path_cost({versions_.at(path_.version), costs_[w.profile], options_.movement}, path_.cells) != path_.cost) ++wrong_;
        }
        std::erase_if(waiting_, [](const Waiting& w) { return w.id == 0; });
    }

    Load load_;
    World world_;
    RequestQueue queue_;
    std::vector<CostTable> costs_;
    FindOptions options_;
    Rng rng_{3};
    std::vector<CellEdit> batch_;
    std::vector<Waiting> waiting_;
    std::map<GridVersion, GridSnapshot> versions_;  // to check each answer on its own version
    Path path_;
    uint64_t wrong_ = 0;
    Measurements& row_;
};

}  // namespace
}  // namespace frames_bench

Result<Report> bench_frames(const BenchOptions& options) {
    using namespace frames_bench;
    IslandOptions island;
    island.width = island.height = options.quick ? 512 : 2048;
    const auto map = generate_island(island);
    if (!map) return map.error();
    const std::string name = fmt::format("island {0}x{0}", island.width);
    const uint32_t frames = kWarmUp + (options.quick ? 30 : 400);
    MeasuredRows rows;
    for (const char* metric : {"repair_ms", "expansions"}) rows.show(metric, {"max"});
    rows.show("frames_p99", [](const Measurements& row) { return row.extras.at("frames_mean").quantile(0.99); });
    rows.show("frames_urgent", {"p99"});
    Progress progress("frames", std::size(kLoads) * frames);
    for (const Load& load : kLoads) {
        Frames game(load, *map,
                    rows.at(load.method, {{"map", name}, {"requests", load.requests}, {"edits", load.edits}, {"budget", load.budget}}));
        for (uint32_t i = 0; i < frames; ++i) {
            game.frame(i);
            progress.advance();
        }
        game.finish();
    }
    Report report{"frames", rows.rows()};
    report.notes = {
        "ms: a frame, edits and requests. frames_*: from the request on, counting its own frame: until the first segment, until the "
        "answer,\n"
        "until the answer of a request with priority."};
    return report;
}

}  // namespace terrane
