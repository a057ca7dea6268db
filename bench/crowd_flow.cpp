// `terrane bench crowd-flow`: direction maps (slides 107 to 125 of Sturtevant's "Abstraction in Pathfinding"), and an intersection under
// reservations (Dresner, Stone 2008) against lights. The slides show no numbers, so there are no paper rows.
//
// Two opposing streams run forever: an agent that arrives is sent back to the other side. Only ticks after the first third count.
#include "bench/crowd_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/crowd_ticks.h"
#include "bench/progress.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/cooperative.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/crowd/direction_map.h"
#include "terrane/io/picture.h"

namespace terrane {

namespace crowd_flow_bench {
namespace {

constexpr int32_t kWide = 64, kHigh = 48;  // cells
constexpr int32_t kSides = 6;              // columns with goals at both ends
constexpr int32_t kScale = 10;             // pixels per cell

// ---- Scenes

struct StreamScene {
    const char* name;
    size_t agents;
    std::vector<Rect> obstacles;
};

std::vector<StreamScene> scenes() {
    return {{"open", 200, {}}, {"two gaps", 60, {{{31, 0}, {2, 14}}, {{31, 17}, {2, 14}}, {{31, 34}, {2, kHigh - 34}}}}};
}

World make_world(const StreamScene& scene) {
    const Catalogue& catalogue = Catalogue::standard();
    TerrainGrid grid(kWide, kHigh, *catalogue.find("plains"));
    for (const Rect& obstacle : scene.obstacles) grid.fill(obstacle, *catalogue.find("deep_water"));
    return World(std::move(grid));
}

CostTable walker() { return Profile("walker").blocked("deep_water").compile(Catalogue::standard()).value(); }

// ---- Methods

// make() receives the direction map that an earlier run learned.
struct FlowContender {
    const char* method;
    const char* arrows;  // initial state or form of its direction map; empty: no map
    std::function<std::unique_ptr<CrowdMethod>(const DirectionMap& learned)> make;
};

DirectionMapOptions random_arrows() { return {.random_seed = 7}; }
DirectionMapOptions learned_arrows(const DirectionMap& learned) { return {.initial = &learned}; }

std::unique_ptr<CrowdMethod> replan_with(const DirectionMapOptions& map) { return make_replan({.flow = true, .direction_map = map}); }
std::unique_ptr<CrowdMethod> whca_with(const DirectionMapOptions& map) { return make_cooperative({.flow = true, .direction_map = map}); }
std::unique_ptr<CrowdMethod> named(const char* name) { return make_crowd_method(find_crowd_method(name).value()); }

std::vector<FlowContender> contenders() {
    using Map = const DirectionMap&;
    return {{"replan", "", [](Map) { return named("replan"); }},
            {"replan+flow", "none at first", [](Map) { return replan_with({}); }},
            {"replan+flow", "random at first", [](Map) { return replan_with(random_arrows()); }},
            {"replan+flow", "of a run before", [](Map learned) { return replan_with(learned_arrows(learned)); }},
            {"replan+flow", "compact", [](Map) { return replan_with({.compact = true}); }},
            {"replan+flow", "where congested", [](Map) { return replan_with({.congestion_threshold = 500}); }},
            {"replan+flow", "weight 2", [](Map) { return replan_with({.weight = 200}); }},
            {"whca:16", "", [](Map) { return named("whca:16"); }},
            {"whca:16+flow", "none at first", [](Map) { return whca_with({}); }},
            {"whca:16+flow", "of a run before", [](Map learned) { return whca_with(learned_arrows(learned)); }},
            {"pibt", "", [](Map) { return named("pibt"); }},
            {"pibt+flow", "none at first", [](Map) { return named("pibt+flow"); }}};
}

// ---- Order

struct Step {
    Cell at;
    Move move;
};

// Measures how well the moves of a tick agree with their neighbours, and how many cells all agents leave in the same direction.
class OrderMeter {
public:
    explicit OrderMeter(const GridLayout& layout)
        : layout_(layout), moves_(layout.id_limit()), sum_(layout.id_limit()), here_(layout.id_limit()) {}

    void add(const std::vector<Step>& steps) {
        for (const Step& s : steps) {
            const CellId id = layout_.id(s.at);
            const Arrow arrow = kMoveArrows[s.move];
            ++moves_[id];
            sum_[id].x += arrow.x;
            sum_[id].y += arrow.y;
            here_[id] = arrow;
        }
        for (const Step& s : steps) compare_with_neighbours(s);
        for (const Step& s : steps) here_[layout_.id(s.at)] = {};
    }

    // Mean cosine of the angle between an agent's move and those of agents within two cells.
    double alignment() const { return pairs_ == 0 ? 0 : cosines_ / static_cast<double>(pairs_); }
    // Share of moves out of one-way cells: cells whose sum of move vectors has at least 0.8 of the length of their number.
    double one_way() const {
        uint64_t all = 0, ordered = 0;
        for (size_t i = 0; i < moves_.size(); ++i) {
            if (moves_[i] < 4) continue;
            all += moves_[i];
            const double length = std::hypot(static_cast<double>(sum_[i].x), static_cast<double>(sum_[i].y)) / kArrowUnit;
            if (length >= 0.8 * static_cast<double>(moves_[i])) ordered += moves_[i];
        }
        return all == 0 ? 0 : static_cast<double>(ordered) / static_cast<double>(all);
    }

private:
    struct Sum {
        int64_t x = 0, y = 0;
    };

    void compare_with_neighbours(const Step& s) {
        const Arrow mine = kMoveArrows[s.move];
        for (int32_t y = s.at.y - 2; y <= s.at.y + 2; ++y) {
            for (int32_t x = s.at.x - 2; x <= s.at.x + 2; ++x) {
                if (!layout_.contains({x, y}) || Cell{x, y} == s.at) continue;
                const Arrow other = here_[layout_.id({x, y})];
                if (other == Arrow{}) continue;
                cosines_ += (mine.x * other.x + mine.y * other.y) / static_cast<double>(kArrowUnit) / kArrowUnit;
                ++pairs_;
            }
        }
    }

    GridLayout layout_;
    std::vector<uint64_t> moves_;
    std::vector<Sum> sum_;
    std::vector<Arrow> here_;  // moves of the current tick
    double cosines_ = 0;
    uint64_t pairs_ = 0;
};

// ---- Running

Cell draw_goal(Rng& rng, bool right) {
    const int32_t column = rng.between(0, kSides - 1), row = rng.between(0, kHigh - 1);
    return {right ? kWide - 1 - column : column, row};
}

void add_agents(Crowd& crowd, size_t agents, Rng& rng) {
    while (crowd.present() < agents) {
        const bool right = crowd.present() % 2 == 0;
        const int32_t x = rng.between(0, kWide / 3), y = rng.between(0, kHigh - 1);
        const Cell goal = draw_goal(rng, right);
        crowd.add({right ? x : kWide - 1 - x, y}, goal);
    }
}

std::vector<Step> steps_between(const GridLayout& layout, const std::vector<CellId>& before, const Crowd& crowd) {
    std::vector<Step> steps;
    for (size_t i = 0; i < before.size(); ++i) {
        const Cell a = layout.cell(before[i]), b = layout.cell(crowd.agents()[i].at);
        for (Move m = 0; m < 8; ++m) {
            if (kMoves[m] == Cell{b.x - a.x, b.y - a.y}) steps.push_back({a, m});
        }
    }
    return steps;
}

// Sends arrived agents back; returns their number.
uint64_t send_back(Crowd& crowd, Rng& rng) {
    uint64_t arrived = 0;
    for (AgentId i = 0; i < crowd.agents().size(); ++i) {
        if (!crowd.agents()[i].at_goal()) continue;
        ++arrived;
        const bool right = crowd.layout().x(crowd.agents()[i].at) < kWide / 2;
        crowd.set_goal(i, draw_goal(rng, right));
    }
    return arrived;
}

// Adds a run to the row. Returns the direction map that its agents taught.
Result<DirectionMap> run_streams(const StreamScene& scene, const FlowContender& contender, const DirectionMap& begin, Tick ticks,
                                 uint64_t seed, Measurements& row) {
    const World world = make_world(scene);
    Crowd crowd(world, {walker()}, contender.make(begin));
    Rng rng(seed);
    add_agents(crowd, scene.agents, rng);
    DirectionMap learned(crowd.layout(), {});
    OrderMeter meter(crowd.layout());
    CrowdWork before_counted;
    uint64_t arrivals = 0;
    Measurements not_counted;
    std::vector<CellId> before(crowd.agents().size());
    for (Tick tick = 0; tick < ticks; ++tick) {
        const bool counted = tick >= ticks / 3;
        if (tick == ticks / 3) before_counted = crowd.method().work();
        for (size_t i = 0; i < before.size(); ++i) before[i] = crowd.agents()[i].at;
        const std::string what = fmt::format("crowd-flow, {} on {}", contender.method, scene.name);
        if (const auto done = timed_tick(crowd, what, counted ? row : not_counted); !done) return done.error();
        const std::vector<Step> steps = steps_between(crowd.layout(), before, crowd);
        learned.decay();
        for (const Step& s : steps) learned.learn(crowd.layout().id(s.at), s.move);
        if (counted) meter.add(steps);
        const uint64_t arrived = send_back(crowd, rng);
        if (counted) arrivals += arrived;
    }
    const CrowdWork work = crowd.method().work();
    const auto plans = static_cast<double>(work.plans - before_counted.plans);
    const auto counted_ticks = static_cast<double>(ticks - ticks / 3);
    ++row.problems;
    row["trip_ticks"].add(static_cast<double>(scene.agents) * counted_ticks / static_cast<double>(std::max<uint64_t>(arrivals, 1)));
    row["alignment"].add(meter.alignment());
    row["one_way"].add(meter.one_way());
    row["plans"].add(plans);
    row["plan_failures"].add(static_cast<double>(work.failures - before_counted.failures));
    row.expansions.add(static_cast<double>(work.expansions - before_counted.expansions) / std::max(plans, 1.0));
    row.bytes.add(static_cast<double>(crowd.method().bytes()));
    return learned;
}

nlohmann::ordered_json label_of(const StreamScene& scene, const FlowContender& contender) {
    nlohmann::ordered_json label{{"scene", scene.name}, {"agents", scene.agents}};
    if (*contender.arrows != 0) label["arrows"] = contender.arrows;
    return label;
}

// ---- Pictures

// Directions as hues: east red, south yellow-green, west cyan, north violet; short arrows are pale.
Rgb arrow_colour(Arrow arrow) {
    const double length = std::min(1.0, std::hypot(arrow.x, arrow.y) / kArrowUnit), angle = std::atan2(arrow.y, arrow.x);
    const auto channel = [&](double at) {
        const double full = 0.5 + 0.5 * std::cos(angle - at);
        return static_cast<uint8_t>(255 * (1 - length) + 255 * length * full * full * (3 - 2 * full));
    };
    constexpr double kThird = 2.0943951023931953;
    return {channel(0), channel(kThird), channel(-kThird)};
}

Result<void> draw_arrows(const StreamScene& scene, const DirectionMap& map, const std::string& name) {
    const GridLayout layout(kWide, kHigh);
    Picture picture{kWide * kScale, kHigh * kScale, {}};
    picture.pixels.resize(static_cast<size_t>(picture.width) * static_cast<size_t>(picture.height));
    for (int32_t y = 0; y < kHigh; ++y) {
        for (int32_t x = 0; x < kWide; ++x) {
            const bool wall = std::ranges::any_of(scene.obstacles, [&](const Rect& r) { return r.contains({x, y}); });
            const Arrow arrow = map.arrow(layout.id({x, y}));
            const Rgb colour = wall ? Rgb{40, 42, 48} : arrow_colour(arrow);
            for (int32_t i = 0; i < kScale * kScale; ++i) picture.at(x * kScale + i % kScale, y * kScale + i / kScale) = colour;
            // A stroke from the cell's centre, as long as the arrow.
            for (int32_t i = 0; i <= 4 && !wall; ++i) {
                picture.at(x * kScale + 5 + arrow.x * i / kArrowUnit, y * kScale + 5 + arrow.y * i / kArrowUnit) = {20, 18, 24};
            }
        }
    }
    return save_png((std::filesystem::path(kFlowFolder) / name).string(), picture);
}

std::string picture_name(const StreamScene& scene, const FlowContender& contender) {
    std::string name = fmt::format("crowd-flow-{}-{}.png", scene.name, contender.method);
    std::ranges::replace(name, ' ', '-');
    std::ranges::replace(name, ':', '-');
    return name;
}

}  // namespace
}  // namespace crowd_flow_bench

Result<void> measure_streams(bool quick, Report& report) {
    using namespace crowd_flow_bench;
    const std::vector<FlowContender> all = contenders();
    const Tick ticks = quick ? 120 : 900;
    Progress progress("crowd-flow, streams", scenes().size() * all.size());
    MeasuredRows rows;
    rows.show("trip_ticks", {"min", "max"});
    for (const StreamScene& scene : scenes()) {
        DirectionMap learned(GridLayout(kWide, kHigh), {});
        for (const FlowContender& contender : all) {
            Measurements& row = rows.at(contender.method, label_of(scene, contender));
            DirectionMap taught;  // by the first run
            for (uint64_t seed = 1; seed <= (quick ? 1 : 5); ++seed) {
                auto run = run_streams(scene, contender, learned, ticks, seed, row);
                if (!run) return run.error();
                if (seed == 1) taught = std::move(*run);
            }
            const bool first = std::string_view(contender.arrows).empty() || std::string_view(contender.arrows) == "none at first";
            if (first) {
                if (const auto drawn = draw_arrows(scene, taught, picture_name(scene, contender)); !drawn) return drawn.error();
            }
            if (std::string_view(contender.arrows) == "none at first") learned = taught;
            progress.advance();
        }
    }
    report.add(rows.rows());
    return {};
}

Result<Report> bench_crowd_flow(const BenchOptions& options) {
    using namespace crowd_flow_bench;
    std::error_code error;
    std::filesystem::create_directories(kFlowFolder, error);
    if (error) return Error{ErrorCode::kCannotOpen, kFlowFolder, 0, "cannot create this folder: " + error.message()};
    Report report{"crowd-flow", {}, {}};
    for (const auto measure : {measure_streams, measure_plans, measure_traffic}) {
        if (const auto done = measure(options.quick, report); !done) return done.error();
    }
    report.notes = {
        "Streams: means over five random starts. trip_ticks: agents times ticks, divided by arrivals. alignment: mean cosine between an "
        "agent's move and those within two cells. one_way: share of moves out of cells that are left in one direction (the sum of the "
        "moves is at least 0.8 as long as their number). plans, and expansions per plan: as the method counts them. ms: a tick.",
        "Plans: ratio: cost on the direction map over the optimum on it. speedup: over A* on the same direction map.",
        "Traffic: the same cars under each control; lights use the best of three green times.", "Pictures: out/crowd-flow-*.png."};
    return report;
}

}  // namespace terrane
