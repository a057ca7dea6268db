// `terrane crowd traffic`: simulates an intersection under reservation-based control, traffic lights or stop signs.
#include "cli/crowd_traffic.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "bench/progress.h"
#include "bench/report.h"
#include "terrane/crowd/traffic.h"
#include "terrane/io/gif.h"
#include "terrane/io/picture.h"

namespace terrane::cli {

namespace {

constexpr const char* kCrowdTrafficFooter = R"(
Four roads meet. Under the manager, a car requests a reservation of the space that it will occupy in every tick (1/20 s), and gets it if that
space is free. Under lights and stop signs, the same cars arrive at the same times. The delay is relative to a car without traffic.
In pictures, blue cars have a reservation, yellow ones do not yet, and red ones wait without one.

Examples:
  terrane crowd traffic
  terrane crowd traffic --control lights --rate 600 --lanes 3 --gif lights.gif
  terrane crowd traffic --rate 1200 --seconds 600 --json -

Exit: 0 success; 1 cars overlapped (a defect of the manager); 2 bad input.)";

struct TrafficArguments {
    TrafficOptions options;
    std::optional<TrafficControl> control;  // none: all, to compare
    uint32_t seconds = 300;
    std::string gif, png;
    Output output;
    int32_t pixels = 640;
    uint32_t every = 2;
};

// ---- Pictures

enum Ink : uint8_t { kGrass, kAsphalt, kMark, kMiddle, kBlue, kYellow, kRed, kGlass, kGreenLight, kInks };
constexpr std::array<Rgb, kInks> kTrafficColours = {{{120, 150, 96},
                                                     {72, 74, 80},
                                                     {150, 152, 156},
                                                     {226, 190, 70},
                                                     {74, 144, 226},
                                                     {240, 200, 60},
                                                     {214, 60, 56},
                                                     {26, 28, 34},
                                                     {70, 200, 90}}};

// Paints the intersection, which fills the picture, with palette indices.
class TrafficPainter {
public:
    TrafficPainter(const Crossing& crossing, int32_t pixels)
        : side_(pixels), crossing_(crossing), empty_(static_cast<size_t>(pixels) * static_cast<size_t>(pixels)) {
        for (int32_t y = 0; y < side_; ++y) {
            for (int32_t x = 0; x < side_; ++x) empty_[index(x, y)] = ground(metres(x), metres(y));
        }
    }

    std::vector<uint8_t> paint(const Traffic& traffic) const {
        std::vector<uint8_t> frame = empty_;
        if (traffic.options().control == TrafficControl::kLights) paint_lights(frame, traffic);
        for (const TrafficCar& car : traffic.cars()) paint_car(frame, traffic, car);
        return frame;
    }

private:
    size_t index(int32_t x, int32_t y) const { return static_cast<size_t>(y) * static_cast<size_t>(side_) + static_cast<size_t>(x); }
    double scale() const { return static_cast<double>(crossing_.tiles_per_side()) / side_; }  // metres per pixel
    // The position of a pixel's centre, relative to the centre of the intersection.
    double metres(int32_t pixel) const { return (pixel + 0.5) * scale() - crossing_.tiles_per_side() / 2.0; }
    int32_t pixel(double from_middle) const { return static_cast<int32_t>((from_middle + crossing_.tiles_per_side() / 2.0) / scale()); }

    // The colour of a road at `across` from its centre line.
    uint8_t road(double along, double across) const {
        const double half = crossing_.lanes() * 4.0, line = crossing_.line_distance() / double{kMetre}, thin = std::max(0.15, scale() / 2);
        if (std::abs(along) < line) return kAsphalt;
        if (std::abs(across) < thin) return kMiddle;
        const bool stop_line = std::abs(along) < line + 2 * thin && (along > 0) == (across > 0);
        if (stop_line) return kMark;
        const double in_lane = std::fmod(std::abs(across), 4.0);
        const bool between = std::abs(across) < half - 1 && (in_lane < thin || in_lane > 4 - thin);
        return between && std::fmod(std::abs(along), 6.0) < 3 ? kMark : kAsphalt;
    }

    // x grows to the east and y to the south; cars keep to the right, so those from the south are east of the middle.
    uint8_t ground(double x, double y) const {
        const double half = crossing_.lanes() * 4.0, line = crossing_.line_distance() / double{kMetre};
        if (std::abs(x) < half) return road(y, x);
        if (std::abs(y) < half) return road(x, -y);
        // Corners are rounded so that cars can turn right.
        const bool corner = std::abs(x) < line && std::abs(y) < line && std::hypot(std::abs(x) - line, std::abs(y) - line) > line - half;
        return corner ? kAsphalt : kGrass;
    }

    template <class Inside>
    void fill(std::vector<uint8_t>& frame, double x, double y, double reach, Inside&& ink_at) const {
        for (int32_t py = std::max(pixel(y - reach), 0); py <= std::min(pixel(y + reach), side_ - 1); ++py) {
            for (int32_t px = std::max(pixel(x - reach), 0); px <= std::min(pixel(x + reach), side_ - 1); ++px) {
                if (const int ink = ink_at(metres(px) - x, metres(py) - y); ink >= 0) frame[index(px, py)] = static_cast<uint8_t>(ink);
            }
        }
    }

    void paint_car(std::vector<uint8_t>& frame, const Traffic& traffic, const TrafficCar& car) const {
        constexpr double kLong = kCarLength / double{kMetre}, kWide = kCarWidth / double{kMetre};
        const CrossingPath& path = traffic.path_of(car);
        const RoadPoint a = path.at(car.front), b = path.at(std::max(car.front - kCarLength, 0));
        const double length = std::hypot(a.x - b.x, a.y - b.y);
        if (length == 0) return;
        const double dx = (a.x - b.x) / length, dy = (a.y - b.y) / length, middle = crossing_.tiles_per_side() / 2.0;
        const Ink body = car.has_passage() ? kBlue : car.speed > 0 ? kYellow : kRed;
        fill(frame, (a.x + b.x) / 2.0 / kMetre - middle, (a.y + b.y) / 2.0 / kMetre - middle, 3, [&](double x, double y) -> int {
            const double along = x * dx + y * dy, across = std::abs(y * dx - x * dy);
            if (std::abs(along) > kLong / 2 || across > kWide / 2) return -1;
            return along > 0.3 && along < 1.1 && across < kWide / 2 - 0.25 ? kGlass : body;  // the windscreen
        });
    }

    // A lamp beside each stop line.
    void paint_lights(std::vector<uint8_t>& frame, const Traffic& traffic) const {
        const double line = crossing_.line_distance() / double{kMetre}, beside = crossing_.lanes() * 4.0 + 1.5;
        constexpr std::array<std::array<int, 2>, kRoads> kPlaces = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
        for (uint32_t road = 0; road < kRoads; ++road) {
            const bool upright = road % 2 == 0;
            const double x = kPlaces[road][0] * (upright ? beside : line + 1), y = kPlaces[road][1] * (upright ? line + 1 : beside);
            const auto light = traffic.light(road, traffic.ticks());
            const Ink ink = light == Traffic::Light::kGreen ? kGreenLight : light == Traffic::Light::kYellow ? kYellow : kRed;
            fill(frame, x, y, 1.6, [&](double dx, double dy) {
                return std::hypot(dx, dy) > 1.5 ? -1 : std::hypot(dx, dy) > 1.1 ? int{kGlass} : int{ink};
            });
        }
    }

    int32_t side_;
    const Crossing& crossing_;
    std::vector<uint8_t> empty_;
};

Picture to_picture(const std::vector<uint8_t>& frame, int32_t side) {
    Picture picture{side, side, {}};
    picture.pixels.reserve(frame.size());
    for (const uint8_t ink : frame) picture.pixels.push_back(kTrafficColours[ink]);
    return picture;
}

// ---- Running

// The animation, if requested; the simulation adds its frames.
struct Film {
    TrafficPainter painter;
    std::optional<GifWriter> gif;

    Result<void> take(const Traffic& traffic, uint32_t every) {
        if (!gif || traffic.ticks() % every != 0) return {};
        return gif->add_frame(painter.paint(traffic), every * 100 / kTicksPerSecond);
    }
};

ReportRow row_of(const Traffic& traffic, uint32_t seconds) {
    const TrafficCounts& counts = traffic.counts();
    return {to_string(traffic.options().control),
            {{"lanes", traffic.options().lanes}, {"rate", traffic.options().rate}, {"seconds", seconds}},
            {{"came", static_cast<double>(counts.came)},
             {"gone", static_cast<double>(counts.gone)},
             {"per_hour", static_cast<double>(counts.gone) * 3600 / seconds},
             {"delay_mean_s", counts.mean_delay_seconds()},
             {"delay_max_s", static_cast<double>(counts.delay_max) / kTicksPerSecond},
             {"stops", static_cast<double>(counts.stops)},
             {"overlaps", static_cast<double>(counts.overlaps)}}};
}

// Simulates one control; draws pictures if `drawn`.
Result<ReportRow> simulate(const TrafficArguments& args, TrafficControl control, bool drawn) {
    TrafficOptions options = args.options;
    options.control = control;
    Traffic traffic(options);
    Film film{TrafficPainter(traffic.crossing(), args.pixels), {}};
    if (drawn && !args.gif.empty()) film.gif.emplace(args.pixels, args.pixels, kTrafficColours);
    Progress progress(to_string(control), args.seconds);
    for (uint32_t i = 0; i < args.seconds * kTicksPerSecond; ++i) {
        traffic.tick();
        if (const auto taken = film.take(traffic, args.every); !taken) return taken.error();
        if (i % kTicksPerSecond == 0) progress.advance();
    }
    if (film.gif) {
        if (const auto saved = save_gif(args.gif, *film.gif); !saved) return saved.error();
    }
    if (drawn && !args.png.empty()) {
        const auto saved = save_png(args.png, to_picture(film.painter.paint(traffic), args.pixels));
        if (!saved) return saved.error();
    }
    return row_of(traffic, args.seconds);
}

Json to_json(const Report& report, const TrafficArguments& args) {
    Json json = envelope("crowd traffic");
    json["seed"] = args.options.seed;
    json["rows"] = report.json()["rows"];
    add_written(json, {args.gif, args.png});
    return json;
}

int run_traffic(const TrafficArguments& args) {
    constexpr std::array kAll = {TrafficControl::kManager, TrafficControl::kLights, TrafficControl::kStopSigns};
    if (args.options.left + args.options.right > 100) {
        return fail({ErrorCode::kBadValue, "crowd traffic", 0, "--left and --right are more than 100 percent together"});
    }
    Report report{"crowd traffic", {}, {}};
    double overlaps = 0;
    for (const TrafficControl control : kAll) {
        if (args.control && *args.control != control) continue;
        const auto row = simulate(args, control, report.rows.empty());
        if (!row) return fail(row.error());
        overlaps += row->metrics.back().second;
        report.rows.push_back(*row);
    }
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(report, args)); !saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", report.table());
    return overlaps > 0 ? kNo : kDone;
}

}  // namespace

void add_crowd_traffic(CLI::App& crowd, Run& run) {
    const auto args = std::make_shared<TrafficArguments>();
    TrafficOptions& o = args->options;
    CLI::App* verb =
        crowd.add_subcommand("traffic", "Simulate cars at an intersection: reservations against traffic lights and stop signs");
    add_whole(*verb, "--rate", o.rate, "Arrivals per lane, in cars per hour", 0, 7200);
    add_whole(*verb, "--lanes", o.lanes, "Lanes per road and direction", 1, kMaxLanes);
    add_whole(*verb, "--seconds", args->seconds, "Simulated time, in seconds", 1, 36'000);
    using Control = std::optional<TrafficControl>;
    add_choice<Control>(*verb, "--control", args->control,
                        {{"all", std::nullopt, "compare the three; pictures show the manager"},
                         {"manager", TrafficControl::kManager, "reservations"},
                         {"lights", TrafficControl::kLights, "traffic lights"},
                         {"stop", TrafficControl::kStopSigns, "stop signs"}},
                        "Control of the intersection");
    add_whole(*verb, "--left", o.left, "Cars that turn left, in percent of those in lanes that allow it", 0, 100);
    add_whole(*verb, "--right", o.right, "Cars that turn right, in percent of those in lanes that allow it", 0, 100);
    add_whole(*verb, "--green", o.green, "Green phase, in ticks (1/20 s)", 1, kMaxLightTicks);
    add_seed(*verb, o.seed, {});
    add_gif(*verb, args->gif, args->every, "blue cars have a reservation, yellow ones do not yet, red ones wait without one");
    add_png(*verb, args->png, "the final state");
    add_pixels(*verb, args->pixels);
    add_json(*verb, args->output);
    verb->footer(kCrowdTrafficFooter);
    verb->callback([args, &run] { run = [args] { return run_traffic(*args); }; });
}

}  // namespace terrane::cli
