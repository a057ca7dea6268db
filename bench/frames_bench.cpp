// `terrane bench frames`: the worst frame of a game. Every frame adds requests and edits; a RequestQueue runs with a budget.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "bench/bench.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
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
    Frames(const Load& load, const TerrainGrid& map) : load_(load), world_(copy(map), sectors(load)), queue_(world_) {
        for (const char* name : {"person", "deer", "outlaw"}) {
            costs_.push_back(Profile::preset(name)->compile(world_.grid().catalogue()).value());
        }
        options_.method = find_method(load.method).value();
        options_.nearest = !searches_cells(options_.method);
    }

    void frame(uint32_t number) {
        add_requests(number);
        const Stopwatch watch;
        edit();
        const double repair_ms = watch.ms();
        const uint64_t expansions = queue_.run(load_.budget);
        const double ms = watch.ms();
        take_answers(number);
        if (number < kWarmUp) return;
        repair_ms_.push_back(repair_ms);
        expansions_.push_back(static_cast<double>(expansions));
        frame_ms_.push_back(ms);
    }

    ReportRow row(const std::string& map) {
        const auto count = static_cast<double>(frame_ms_.size());
        ReportRow row{load_.method,
                      {{"map", map}, {"requests", load_.requests}, {"edits", load_.edits}, {"budget", load_.budget}},
                      {{"frames", count},
                       {"ms_p50", quantile(frame_ms_, 0.5)},
                       {"ms_p99", quantile(frame_ms_, 0.99)},
                       {"ms_max", quantile(frame_ms_, 1)},
                       {"repair_ms", mean(repair_ms_)},
                       {"repair_ms_max", quantile(repair_ms_, 1)},
                       {"expansions", mean(expansions_)},
                       {"expansions_max", quantile(expansions_, 1)},
                       {"answered", static_cast<double>(others_.size() + urgent_.size()) / count},
                       {"waiting", static_cast<double>(queue_.waiting())},
                       {"wrong", static_cast<double>(wrong_)}}};
        // Frames from the request on, counting its own: until the first segment, and until the answer.
        if (!first_.empty()) row.metrics.emplace_back("frames_first", mean(first_));
        if (!others_.empty()) row.metrics.emplace_back("frames_mean", mean(others_));
        if (!others_.empty()) row.metrics.emplace_back("frames_p99", quantile(others_, 0.99));
        if (!urgent_.empty()) row.metrics.emplace_back("frames_urgent", mean(urgent_));
        if (!urgent_.empty()) row.metrics.emplace_back("frames_urgent_p99", quantile(urgent_, 0.99));
        return row;
    }

private:
    static TerrainGrid copy(const TerrainGrid& map) {
        const GridSnapshot now = map.snapshot();
        return {now.width(), now.height(), now.cells(), now.catalogue()};
    }
    static WorldOptions sectors(const Load& load) {
        WorldOptions options;
        const Method method = find_method(load.method).value();
        options.sectors = {sector_of(method).value_or(16)};
        return options;
    }
    static double mean(const std::vector<double>& values) {
        return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
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
                if (number >= kWarmUp) first_.push_back(frames);
            }
            if (!queue_.take(w.id, path_)) continue;
            w.id = 0;
            if (number >= kWarmUp) (w.urgent ? urgent_ : others_).push_back(frames);
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
    std::vector<double> frame_ms_, repair_ms_, expansions_, first_, others_, urgent_;
};

}  // namespace
}  // namespace frames_bench

Result<Report> bench_frames(const BenchOptions& options) {
    using namespace frames_bench;
    if (!options.maps.empty())
        return Error{ErrorCode::kUnsupported, options.maps, 0, "--maps is not supported: this bench generates its map"};
    IslandOptions island;
    island.width = island.height = options.quick ? 512 : 2048;
    const auto map = generate_island(island);
    if (!map) return map.error();
    const std::string name = fmt::format("island {0}x{0}", island.width);
    const uint32_t frames = kWarmUp + (options.quick ? 30 : 400);
    Report report{"frames", {}, {}};
    Progress progress("frames", std::size(kLoads) * frames);
    for (const Load& load : kLoads) {
        Frames game(load, *map);
        for (uint32_t i = 0; i < frames; ++i) {
            game.frame(i);
            progress.advance();
        }
        report.rows.push_back(game.row(name));
    }
    return report;
}

}  // namespace terrane
