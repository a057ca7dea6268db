// Part of `terrane bench crowd-flow`: an intersection under each control, by arrival rate.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "bench/crowd_flow.h"
#include "bench/progress.h"
#include "bench/stopwatch.h"
#include "terrane/crowd/traffic.h"

namespace terrane {

namespace crowd_flow_traffic_bench {
namespace {

constexpr std::array kControls = {TrafficControl::kManager, TrafficControl::kLights, TrafficControl::kStopSigns};
constexpr std::array<uint32_t, 3> kGreens = {200, 400, 800};  // ticks: 10, 20, 40 s

struct TrafficResult {
    TrafficCounts counts;
    double ms = 0;  // per tick
};

TrafficResult run_once(const TrafficOptions& options, uint32_t seconds) {
    Traffic traffic(options);
    const Stopwatch watch;
    for (uint32_t i = 0; i < seconds * kTicksPerSecond; ++i) traffic.tick();
    return {traffic.counts(), watch.ms() / seconds / kTicksPerSecond};
}

// For lights: the green time that lets the most cars through.
TrafficResult run_best(TrafficOptions options, uint32_t seconds) {
    if (options.control != TrafficControl::kLights) return run_once(options, seconds);
    TrafficResult best;
    for (const uint32_t green : kGreens) {
        options.green = green;
        const TrafficResult result = run_once(options, seconds);
        if (best.counts.came == 0 || result.counts.gone > best.counts.gone) best = result;
    }
    return best;
}

ReportRow row_of(const TrafficOptions& options, uint32_t seconds, const TrafficResult& r) {
    return {to_string(options.control),
            {{"lanes", options.lanes}, {"rate", options.rate}},
            {{"came", static_cast<double>(r.counts.came)},
             {"per_hour", static_cast<double>(r.counts.gone) * 3600 / seconds},
             {"delay_mean_s", r.counts.mean_delay_seconds()},
             {"delay_max_s", static_cast<double>(r.counts.delay_max) / kTicksPerSecond},
             {"stops", static_cast<double>(r.counts.stops)},
             {"overlaps", static_cast<double>(r.counts.overlaps)},
             {"ms_mean", r.ms}}};
}

}  // namespace
}  // namespace crowd_flow_traffic_bench

Result<void> measure_traffic(bool quick, Report& report) {
    using namespace crowd_flow_traffic_bench;
    const std::vector<uint32_t> rates =
        quick ? std::vector<uint32_t>{200, 800} : std::vector<uint32_t>{100, 200, 300, 400, 500, 600, 700, 800, 1000, 1200, 1500};
    const uint32_t seconds = quick ? 60 : 1200;
    Progress progress("crowd-flow, traffic", rates.size() * kControls.size());
    for (const uint32_t rate : rates) {
        for (const TrafficControl control : kControls) {
            TrafficOptions options;
            options.control = control;
            options.rate = rate;
            const TrafficResult result = run_best(options, seconds);
            if (result.counts.overlaps != 0) return Error{ErrorCode::kBadValue, "crowd-flow", 0, "cars overlapped"};
            report.rows.push_back(row_of(options, seconds, result));
            progress.advance();
        }
    }
    return {};
}

}  // namespace terrane
