// `terrane bench crowd-swarm`: the crowd of a game. Agents of five types on an island receive a new goal on arrival, at 30 ticks a second
// on one core, while a sector of the map is edited every second. A second section sends all agents to a few goals in the same tick, with
// one search per goal shared by its agents and with one search per agent. An illegal move fails the bench.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <system_error>

#include "bench/bench.h"
#include "bench/crowd_ticks.h"
#include "bench/progress.h"
#include "terrane/base/rng.h"
#include "terrane/crowd/crowd_picture.h"
#include "terrane/crowd/crowd_scene.h"
#include "terrane/crowd/swarm.h"
#include "terrane/mapgen/mapgen.h"
#include "terrane/world/planner.h"

namespace terrane {

namespace crowd_swarm_bench {
namespace {

constexpr Tick kTicksPerSecond = 30;
constexpr int32_t kSector = 32;         // cells a side
constexpr size_t kEditsKept = 8;        // edited sectors; beyond that the oldest is restored
constexpr uint32_t kStandsStill = 100;  // ticks on one cell, with a goal elsewhere, after which an agent counts as stuck
constexpr const char* kPainted[] = {"lava", "deep_water", "mountain", "road"};

struct Run {
    int32_t side;  // of the map, in cells
    size_t agents;
    Tick ticks;
    bool flow = false;
};
constexpr Run kRuns[] = {{1024, 1000, 1000}, {1024, 5000, 1000}, {1024, 10000, 10000}, {1024, 10000, 1000, true}, {1024, 20000, 1000}};
constexpr Run kQuickRuns[] = {{256, 1000, 500}};

// All agents receive their goals in the same tick.
struct March {
    int32_t side;  // of the map, in cells
    size_t agents;
    size_t goals;
    size_t types;
    Tick ticks;
};
constexpr March kMarches[] = {{1024, 10000, 1, 1, 300}, {1024, 10000, 10, 1, 300}, {1024, 10000, 100, 1, 300}, {1024, 10000, 10, 5, 300}};
constexpr March kQuickMarches[] = {{256, 1000, 2, 1, 100}};

// Every profile has a different blocked set.
std::vector<Profile> creatures() {
    const auto on_land = [](const char* name) {
        return Profile(name).blocked("lava").blocked("deep_water").blocked("water").blocked("black");
    };
    std::vector<Profile> all;
    all.push_back(on_land("person").cost("road", 1).cost("river", 8).cost("mountain", 6).cost("swamp", 6).cost("trees", 3).otherwise(2));
    all.push_back(on_land("deer").cost("trees", 1).cost("road", 4).blocked("mountain").otherwise(2));
    all.push_back(on_land("outlaw").cost("road", 6).cost("trees", 1.5).blocked("ice").cost("swamp", 2).otherwise(1.5));
    all.push_back(on_land("goat").cost("mountain", 1).cost("hills", 1).blocked("river").blocked("swamp").otherwise(2.5));
    all.push_back(Profile("frog")
                      .cost("swamp", 1)
                      .cost("river", 1)
                      .cost("water", 1.5)
                      .cost("deep_water", 3)
                      .blocked("lava")
                      .blocked("mountain")
                      .blocked("desert")
                      .otherwise(4));
    return all;
}

TerrainGrid copy_of(const TerrainGrid& map) {
    const GridSnapshot now = map.snapshot();
    return {now.width(), now.height(), now.cells(), now.catalogue()};
}

// Returns the first `count` profiles and prepares an overlay for each.
std::vector<CostTable> prepare(World& world, size_t count) {
    std::vector<CostTable> types;
    for (const Profile& profile : creatures()) {
        if (types.size() == count) break;
        types.push_back(profile.compile(world.grid().catalogue()).value());
        static_cast<void>(world.prepare(types.back()).value());
    }
    return types;
}

class Game {
public:
    Game(const Run& run, const TerrainGrid& map, Measurements& row)
        : run_(run),
          row_(row),
          world_(copy_of(map)),
          types_(prepare(world_, creatures().size())),
          crowd_(world_, types_, make_swarm({.flow = run.flow})),
          goals_(crowd_, 5),
          planner_(world_) {}

    Result<void> begin() {
        const auto places = random_places(world_.snapshot(), types_, Movement::kEightNoCornerCutting, run_.agents, 3);
        if (!places) return places.error();
        trips_.resize(run_.agents);
        for (const CrowdPlace& place : *places) begin_trip(crowd_.add(place.start, place.goal, place.type));
        return {};
    }

    Result<void> tick() {
        if (crowd_.ticks() % kTicksPerSecond == kTicksPerSecond - 1) edit();
        if (const auto done = timed_tick(crowd_, "swarm", row_); !done) return done;
        row_["frame_ms"].add(row_.ms.values().back() + std::exchange(edit_ms_, 0));
        for (AgentId agent = 0; agent < trips_.size(); ++agent) update_trip(agent);
        return {};
    }

    // Adds the totals, after the last tick.
    void finish() {
        const auto agents = static_cast<double>(run_.agents), ticks = static_cast<double>(run_.ticks);
        const CrowdWork work = crowd_.method().work();
        row_["ticks"].add(ticks);
        row_["edits"].add(static_cast<double>(row_.repair_ms.count()));
        row_["faults"].add(static_cast<double>(crowd_.faults()));
        row_["arrivals_per_tick"].add(static_cast<double>(crowd_.arrivals()) / ticks);
        row_["waits_percent"].add(100 * static_cast<double>(waits_) / (agents * ticks));
        row_["stuck"].add(static_cast<double>(stuck()));
        row_["plans_per_tick"].add(static_cast<double>(work.plans) / ticks);
        row_["plan_failures"].add(static_cast<double>(work.failures));
        row_["bytes_per_agent"].add(static_cast<double>(crowd_.method().bytes()) / agents);
        row_.bytes.add(static_cast<double>(world_.bytes()));
    }

    // Saves a picture in out/.
    Result<void> draw(const std::string& file) const {
        std::error_code error;
        std::filesystem::create_directories("out", error);
        Picture picture = draw_terrain(world_.grid());
        draw_agents(picture, crowd_, {});
        return save_png("out/" + file, picture);
    }

private:
    // The current trip of an agent.
    struct Trip {
        Tick since = 0;
        double optimum = 0;  // ticks for an agent alone on the map; 0: no path
        CellId at = kNoCell;
        uint32_t still = 0;
    };

    // Paints a sector, or restores the oldest painted one.
    void edit() {
        std::vector<CellEdit> changes;
        if (edited_.size() < kEditsKept) {
            const Rect sector = random_sector();
            const Terrain terrain = *world_.grid().catalogue().find(kPainted[rng_.below(std::size(kPainted))]);
            std::vector<CellEdit> before;
            for (int32_t y = sector.y; y < sector.bottom(); ++y) {
                for (int32_t x = sector.x; x < sector.right(); ++x) {
                    before.push_back({{x, y}, world_.grid().at(Cell{x, y})});
                    changes.push_back({{x, y}, terrain});
                }
            }
            edited_.push_back(std::move(before));
        } else {
            changes = std::move(edited_.front());
            edited_.pop_front();
        }
        timed(edit_ms_, [&] { static_cast<void>(world_.apply(changes)); });
        row_.repair_ms.add(edit_ms_);
    }

    // Returns a sector whose centre is on land.
    Rect random_sector() {
        const int32_t sectors = run_.side / kSector;
        for (;;) {
            const int32_t x = rng_.between(0, sectors - 1) * kSector;
            const int32_t y = rng_.between(0, sectors - 1) * kSector;
            if (types_[0].passable(world_.grid().at(Cell{x + kSector / 2, y + kSector / 2}))) return {{x, y}, {kSector, kSector}};
        }
    }

    void begin_trip(AgentId id) {
        const CrowdAgent& agent = crowd_.agents()[id];
        planner_.find(crowd_.layout().cell(agent.at), crowd_.layout().cell(agent.goal), types_[agent.type], {}, path_);
        trips_[id] = {crowd_.ticks(), path_ ? static_cast<double>(path_.cells.size() - 1) : 0, agent.at};
    }

    void update_trip(AgentId id) {
        const CrowdAgent& agent = crowd_.agents()[id];
        Trip& trip = trips_[id];
        const bool waits = trip.at == agent.at;
        waits_ += waits ? 1 : 0;
        trip.still = waits ? trip.still + 1 : 0;
        trip.at = agent.at;
        if (!agent.at_goal()) return;
        if (trip.optimum > 0) row_.ratio.add(static_cast<double>(crowd_.ticks() - trip.since) / trip.optimum);
        crowd_.set_goal(id, goals_.next(crowd_, agent.type));
        begin_trip(id);
    }

    // Counts agents that stand still although they have a path.
    size_t stuck() {
        size_t count = 0;
        for (AgentId id = 0; id < trips_.size(); ++id) {
            const CrowdAgent& agent = crowd_.agents()[id];
            if (trips_[id].still < kStandsStill) continue;
            planner_.find(crowd_.layout().cell(agent.at), crowd_.layout().cell(agent.goal), types_[agent.type], {}, path_);
            count += path_ ? 1 : 0;
        }
        return count;
    }

    Run run_;
    Measurements& row_;
    World world_;
    std::vector<CostTable> types_;
    Crowd crowd_;
    RandomGoals goals_;
    Planner planner_;
    Path path_;
    Rng rng_{7};
    std::vector<Trip> trips_;
    std::deque<std::vector<CellEdit>> edited_;  // the original cells of the painted sectors
    double edit_ms_ = 0;                        // of the edit before this tick
    uint64_t waits_ = 0;
};

// Draws random cells that are in the largest connected component of every type.
std::vector<Cell> places_for_all(const World& world, std::span<const CostTable> types, size_t count) {
    const WorldSnapshot now = world.snapshot();
    std::vector<uint8_t> fit(now.grid().layout().id_limit());
    for (const CostTable& costs : types) {
        for (const Cell c : largest_component(now, now.ground(costs, Movement::kEightNoCornerCutting))) ++fit[now.grid().layout().id(c)];
    }
    std::vector<Cell> places;
    for (CellId id = 0; id < fit.size(); ++id) {
        if (fit[id] == types.size()) places.push_back(now.grid().layout().cell(id));
    }
    Rng rng(11);
    std::vector<Cell> drawn;
    while (drawn.size() < count && !places.empty()) drawn.push_back(places[rng.below(static_cast<uint32_t>(places.size()))]);
    return drawn;
}

Result<void> run_march(const March& march, const TerrainGrid& map, bool share, MeasuredRows& rows, Progress& progress) {
    World world(copy_of(map));
    const std::vector<CostTable> types = prepare(world, march.types);
    Crowd crowd(world, types, make_swarm({.share_goal_searches = share}));
    const auto places = random_places(world.snapshot(), types, Movement::kEightNoCornerCutting, march.agents, 3);
    if (!places) return places.error();
    const std::vector<Cell> goals = places_for_all(world, types, march.goals);
    if (goals.empty()) return Error{ErrorCode::kBadValue, "swarm", 0, "no cell that all types can reach"};
    for (size_t i = 0; i < places->size(); ++i) crowd.add((*places)[i].start, goals[i / march.types % goals.size()], (*places)[i].type);
    Measurements& row = rows.at("swarm", {{"map", fmt::format("island {0}x{0}", march.side)},
                                          {"agents", march.agents},
                                          {"goals", march.goals},
                                          {"types", march.types},
                                          {"share", share ? "yes" : "no"}});
    Measurements begin;
    uint64_t expansions = 0;
    size_t bytes = 0;
    for (Tick i = 0; i < march.ticks; ++i) {
        const bool first = crowd.method().work().plans < march.agents;
        if (const auto done = timed_tick(crowd, "swarm", first ? begin : row); !done) return done;
        if (first) expansions = crowd.method().work().expansions;
        bytes = std::max(bytes, crowd.method().bytes());
        progress.advance();
    }
    const auto agents = static_cast<double>(march.agents);
    row.first_ms.add(begin.ms);
    row["cpu_ms_first"].add(begin.cpu_ms);
    row.expansions_first.add(static_cast<double>(expansions) / agents);
    row["ticks"].add(march.ticks);
    row["ticks_first"].add(static_cast<double>(begin.ms.count()));
    row["faults"].add(static_cast<double>(crowd.faults()));
    row["arrivals"].add(static_cast<double>(crowd.arrivals()));
    row["bytes_per_agent"].add(static_cast<double>(bytes) / agents);
    return {};
}

}  // namespace
}  // namespace crowd_swarm_bench

Result<Report> bench_crowd_swarm(const BenchOptions& options) {
    using namespace crowd_swarm_bench;
    const std::span<const Run> runs = options.quick ? std::span<const Run>(kQuickRuns) : std::span<const Run>(kRuns);
    Tick ticks = 0;
    for (const Run& run : runs) ticks += run.ticks;
    const std::span<const March> marches = options.quick ? std::span<const March>(kQuickMarches) : std::span<const March>(kMarches);
    for (const March& march : marches) ticks += 2 * march.ticks;
    MeasuredRows rows;
    for (const char* name : {"frame_ms", "repair_ms", "cpu_ms"}) rows.show(name, {"p99", "max"});
    rows.show("ms_first", {"p50", "p99", "max"});
    rows.show("ratio", {"p50"});
    Progress progress("crowd-swarm", ticks);
    for (const Run& run : runs) {
        IslandOptions island;
        island.width = island.height = run.side;
        const auto map = generate_island(island);
        if (!map) return map.error();
        Game game(run, *map,
                  rows.at("swarm",
                          {{"map", fmt::format("island {0}x{0}", run.side)}, {"agents", run.agents}, {"flow", run.flow ? "yes" : "no"}}));
        if (const auto begun = game.begin(); !begun) return begun.error();
        for (Tick i = 0; i < run.ticks; ++i) {
            if (const auto done = game.tick(); !done) return done.error();
            progress.advance();
        }
        game.finish();
        if (run.ticks == 10000 || options.quick) {
            if (const auto drawn = game.draw("crowd-swarm.png"); !drawn) return drawn.error();
        }
    }
    for (const March& march : marches) {
        IslandOptions island;
        island.width = island.height = march.side;
        const auto map = generate_island(island);
        if (!map) return map.error();
        for (const bool share : {false, true}) {
            if (const auto done = run_march(march, *map, share, rows, progress); !done) return done.error();
        }
    }
    Report report{"crowd-swarm", rows.rows(), {}};
    report.notes.emplace_back(
        "Rows with goals: all agents receive their goals in the same tick; no edits. ticks_first: until there were as many plans as "
        "agents. ms_first, cpu_ms_first: of those ticks; ms: of the later ones. expansions_first: per plan. share: one search from the "
        "goal "
        "serves all agents that go there.");
    report.notes.emplace_back(
        "Five agent types with different blocked sets; an agent that arrives receives a new goal. Every second a sector of 32x32 cells is "
        "painted (lava, deep water, mountain, road) or restored. ms: a tick, move validation included. repair_ms: an edit, with the repair "
        "of five overlays and the regions. frame_ms: a tick and the edit before it. ratio: ticks of a trip over the moves of its optimal "
        "path at the start, alone on the map. stuck: agents that have not moved for 100 ticks at the end although a path exists. Picture: "
        "out/crowd-swarm.png.");
    return report;
}

}  // namespace terrane
