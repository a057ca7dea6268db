// Runs a scenario of version 2 through the interface of gppc.h, as the competition's harness does, and checks every answer.
//
//   gppc_driver FILE.scen [--within R] [--no-reference] [--index FILE]
//
// Validates every step of each path on the driver's own map, and compares its cost with that of the file and of Dijkstra's algorithm
// (--no-reference: only the file). --within R accepts a suboptimality ratio of up to R (default 1). Exit code: 0; 1 for a wrong answer; 2
// for an invalid file.
#include <terrane/grid_search/grid_search.h>
#include <terrane/terrane.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>

#include "gppc.h"
#include "scenario.h"

using namespace terrane;

namespace {

constexpr double kFirstSteps = 20;  // as in the competition: time to the first 20 steps

struct Settings {
    std::string scenario, index;
    double within = 1;
    bool reference = true;
};

// CPU time of this process.
double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Mean and maximum of measured times.
struct Times {
    const char* what;
    size_t count = 0;
    double sum = 0, max = 0;

    void add(double time) {
        ++count;
        sum += time;
        max = std::max(max, time);
    }
    void print() const {
        const double mean = count > 0 ? sum / static_cast<double>(count) : 0;
        std::printf("  %-22s %8zu %12.4f %12.4f\n", what, count, 1e3 * mean, 1e3 * max);
    }
};

// A patch in the format of gppc.h.
struct Bits {
    std::vector<uint8_t> bytes;
    gppc_patch patch{};

    explicit Bits(const gppc::Patch& from, Cell at = {}) : bytes((from.open.size() + 7) / 8) {
        for (size_t i = 0; i < from.open.size(); ++i) set(i, from.open[i]);
        patch = {bytes.data(), static_cast<uint16_t>(from.width), static_cast<uint16_t>(from.height), to_point(at)};
    }
    void set(size_t i, uint8_t open) { bytes[i / 8] = static_cast<uint8_t>((bytes[i / 8] & ~(1u << (i % 8))) | unsigned{open} << (i % 8)); }
    static gppc_point to_point(Cell c) { return {static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y)}; }
};

// Expands points to cells. Returns false if two consecutive points are not on a straight or diagonal line.
bool to_cells(const std::vector<Cell>& points, std::vector<Cell>& cells) {
    cells.clear();
    for (const Cell to : points) {
        if (cells.empty()) cells.push_back(to);
        const int32_t dx = to.x - cells.back().x, dy = to.y - cells.back().y;
        if (dx != 0 && dy != 0 && std::abs(dx) != std::abs(dy)) return false;
        const Cell step{(dx > 0) - (dx < 0), (dy > 0) - (dy < 0)};
        while (cells.back() != to) cells.push_back({cells.back().x + step.x, cells.back().y + step.y});
    }
    return true;
}

class Driver {
public:
    Driver(gppc::Scenario scenario, Settings settings)
        : settings_(std::move(settings)),
          scenario_(std::move(scenario)),
          active_({scenario_.width, scenario_.height, std::vector<uint8_t>(size_t(scenario_.width) * size_t(scenario_.height), 1)}),
          grid_(scenario_.width, scenario_.height, *Catalogue::octile().find("ground"), Catalogue::octile()),
          costs_(Profile::preset("walker")->compile(Catalogue::octile()).value()) {}

    int run() {
        size_t next = 0;
        std::vector<Bits> changes;
        for (; next < scenario_.commands.size() && !scenario_.commands[next].query; ++next) put(scenario_.commands[next]);
        start();
        for (; next < scenario_.commands.size(); ++next) {
            const Command& command = scenario_.commands[next];
            if (!command.query) {
                put(command);
                changes.emplace_back(scenario_.patches[command.patch], command.at);
            } else {
                change(changes);
                query(command);
            }
        }
        gppc_free_data(data_);
        print();
        return wrong_ == 0 ? 0 : 1;
    }

private:
    using Command = gppc::Command;

    // Applies a patch to the map that the entry was given, as the harness does, and to the driver's own map.
    void put(const Command& command) {
        const gppc::Patch& patch = scenario_.patches[command.patch];
        std::vector<CellEdit> edits;
        for (size_t i = 0; i < patch.open.size(); ++i) {
            const Cell c{command.at.x + static_cast<int32_t>(i) % patch.width, command.at.y + static_cast<int32_t>(i) / patch.width};
            active_.set(size_t(c.y) * size_t(scenario_.width) + size_t(c.x), patch.open[i]);
            edits.push_back({c, *Catalogue::octile().find(patch.open[i] != 0 ? "ground" : "wall")});
        }
        grid_.apply(edits);
    }

    void start() {
        const std::filesystem::path beside =
            std::filesystem::path(settings_.scenario).replace_extension("." + std::string(gppc_get_name()));
        const std::string index = settings_.index.empty() ? beside.string() : settings_.index;
        double begin = seconds();
        gppc_preprocess_init_map(active_.patch, index.c_str());
        preprocess_.add(seconds() - begin);
        begin = seconds();
        data_ = gppc_search_init(active_.patch, index.c_str());
        init_.add(seconds() - begin);
    }

    void change(std::vector<Bits>& changes) {
        if (changes.empty()) return;
        std::vector<gppc_patch> patches;
        patches.reserve(changes.size());
        for (const Bits& bits : changes) patches.push_back(bits.patch);
        const double begin = seconds();
        gppc_map_change(data_, patches.data(), static_cast<uint32_t>(patches.size()));
        change_.add(seconds() - begin);
        applied_.insert(applied_.end(), std::make_move_iterator(changes.begin()), std::make_move_iterator(changes.end()));
        changes.clear();
    }

    void query(const Command& command) {
        double whole = 0, first = 0;
        points_.clear();
        gppc_path segment;
        do {
            const double begin = seconds();
            segment = gppc_get_path(data_, Bits::to_point(command.start), Bits::to_point(command.goal));
            const double took = seconds() - begin;
            whole += took;
            segment_.add(took);
            if (length(points_) < kFirstSteps) first += took;
            if (segment.length == 0) points_.clear();
            if (segment.length == 0 && segment.incomplete != 0) return report(command, "an empty segment that is not the last");
            for (uint32_t i = 0; i < segment.length; ++i) points_.push_back({segment.path[i].x, segment.path[i].y});
        } while (segment.incomplete != 0);
        query_.add(whole);
        first_.add(first);
        check(command);
    }

    static double length(const std::vector<Cell>& points) {
        double sum = 0;
        for (size_t i = 1; i < points.size(); ++i) sum += std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
        return sum;
    }

    void check(const Command& command) {
        const GridSnapshot grid = grid_.snapshot();
        double cost = -1;
        Cost units = kInfiniteCost;
        if (!points_.empty()) {
            if (points_.size() < 2) return report(command, "a path of one point: the rules require two");
            if (points_.front() != command.start) return report(command, "a path that does not begin at the start");
            if (points_.back() != command.goal) return report(command, "a path that does not end at the goal");
            if (!to_cells(points_, cells_)) return report(command, "two points that are not on a straight or diagonal line");
            units = path_cost({grid, costs_, Movement::kEightNoCornerCutting}, cells_);
            if (units == kInfiniteCost) return report(command, "a step through an obstacle or across a blocked corner");
            cost = exact_cost(grid, costs_, cells_);
        }
        if ((cost < 0) != (command.cost < 0)) return report(command, cost < 0 ? "no path, but there is one" : "a path, but there is none");
        if (cost > std::abs(command.cost) * settings_.within + 1e-6 || cost < command.cost - 1e-6)
            return report(command, "costs " + std::to_string(cost));
        if (cost > 0) max_ratio_ = std::max(max_ratio_, cost / command.cost);
        if (settings_.reference) compare(command, grid, units);
    }

    // Compares integer costs with Dijkstra's algorithm: exactly, if the entry must be optimal.
    void compare(const Command& command, const GridSnapshot& grid, Cost units) {
        SearchOptions options;
        options.method = find_method("dijkstra").value();
        search_.begin({grid, costs_, Movement::kEightNoCornerCutting}, command.start, command.goal, options);
        search_.run();
        search_.path(best_);
        const Cost least = best_ ? best_.cost : kInfiniteCost;
        if (units < least || (settings_.within == 1 && units != least))
            report(command, "differs from the cost that Dijkstra's algorithm finds");
    }

    void report(const Command& c, const std::string& why) {
        if (++wrong_ > 10) return;
        std::printf("wrong: snapshot %u, (%d,%d) to (%d,%d), cost %.6f: %s\n", c.bucket, c.start.x, c.start.y, c.goal.x, c.goal.y, c.cost,
                    why.c_str());
    }

    void print() const {
        std::printf("%s, %s: %d x %d cells\n", gppc_get_name(), settings_.scenario.c_str(), scenario_.width, scenario_.height);
        std::printf("  %-22s %8s %12s %12s\n", "", "calls", "mean ms", "max ms");
        for (const Times* times : {&preprocess_, &init_, &change_, &query_, &first_, &segment_}) times->print();
        if (wrong_ > 0) {
            std::printf("  %zu of %zu answers are wrong\n", wrong_, query_.count);
        } else {
            std::printf("  all %zu answers are right; at most %.4f times the optimum\n", query_.count, max_ratio_);
        }
    }

    Settings settings_;
    gppc::Scenario scenario_;
    Bits active_;
    TerrainGrid grid_;
    CostTable costs_;
    void* data_ = nullptr;
    std::vector<Bits> applied_;  // patches must stay valid until gppc_free_data
    std::vector<Cell> points_, cells_;
    GridSearch search_;
    Path best_;
    size_t wrong_ = 0;
    double max_ratio_ = 1;
    Times preprocess_{"preprocess"}, init_{"init"}, change_{"change"}, query_{"query"}, first_{"query, first 20 steps"},
        segment_{"segment of a path"};
};

int fail(const std::string& why) {
    std::fprintf(stderr, "gppc_driver: %s\n", why.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string usage = "usage: gppc_driver FILE.scen [--within R] [--no-reference] [--index FILE]";
    if (argc < 2) return fail(usage);
    Settings settings;
    settings.scenario = argv[1];
    for (int i = 2; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--no-reference") {
            settings.reference = false;
        } else if (option == "--within" && i + 1 < argc) {
            settings.within = std::atof(argv[++i]);
        } else if (option == "--index" && i + 1 < argc) {
            settings.index = argv[++i];
        } else {
            return fail(usage);
        }
    }
    if (!(settings.within >= 1)) return fail("invalid --within: expected a number of at least 1");
    Result<gppc::Scenario> scenario = gppc::load(settings.scenario);
    if (!scenario) return fail(scenario.error().message());
    return Driver(std::move(*scenario), settings).run();
}
