// An entry in the dynamic track of the Grid-Based Path Planning Competition: docs/gppc.md.
//
// The map is a World with two terrains. A change is one edit, which repairs the regions (connectivity) and the method's tables. A query
// runs in a Planner and returns its path in segments as they become ready. TERRANE_GPPC_METHOD names the method.
#include "gppc.h"

#include <terrane/cpd/path_database_builder.h>
#include <terrane/cpd/path_database_file.h>
#include <terrane/cpd/prepared_cpd.h>
#include <terrane/world/planner.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace terrane;

namespace {

constexpr Movement kRule = Movement::kEightNoCornerCutting;  // diagonal steps require both orthogonal cells to be passable
constexpr uint64_t kSlice = 100;                             // expansions between checks for a ready segment
constexpr size_t kSegment = 24;                              // steps per segment; the competition measures the time to the first 20

const Catalogue& terrains() { return Catalogue::octile(); }

// Ends the process: the interface cannot report errors.
[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "terrane gppc: %s\n", why.c_str());
    std::exit(2);
}

const char* setting(const char* name, const char* fallback) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : fallback;
}

Method chosen_method() {
    const Result<Method> method = find_method(setting("TERRANE_GPPC_METHOD", "jps"));
    if (!method) give_up("TERRANE_GPPC_METHOD: " + method.error().message());
    return *method;
}

CostTable walker() { return Profile::preset("walker")->compile(terrains()).value(); }

bool is_open(const gppc_patch& patch, uint32_t x, uint32_t y) {
    const size_t i = size_t{y} * patch.width + x;
    return (patch.bitarray[i / 8] >> (i % 8) & 1) != 0;
}

TerrainGrid to_grid(const gppc_patch& map) {
    if (map.width == 0 || map.height == 0 || map.width > kMaxSide || map.height > kMaxSide) {
        give_up("invalid map size " + std::to_string(map.width) + " x " + std::to_string(map.height) + ": expected 1 to " +
                std::to_string(kMaxSide) + " cells a side");
    }
    const Terrain ground = *terrains().find("ground"), wall = *terrains().find("wall");
    std::vector<Terrain> cells;
    cells.reserve(size_t{map.width} * map.height);
    for (uint32_t y = 0; y < map.height; ++y) {
        for (uint32_t x = 0; x < map.width; ++x) cells.push_back(is_open(map, x, y) ? ground : wall);
    }
    return TerrainGrid(map.width, map.height, cells, terrains());
}

gppc_point to_point(Cell c) { return {static_cast<uint16_t>(c.x), static_cast<uint16_t>(c.y)}; }
Cell to_cell(gppc_point p) { return {p.x, p.y}; }

class Entry {
public:
    Entry(const gppc_patch& map, const char* file) : world_(to_grid(map)) {
        find_.method = chosen_method();
        find_.movement = kRule;
        if (prepares(find_.method)) prepare(file);
    }

    void change(std::span<const gppc_patch> patches) {
        edits_.clear();
        for (const gppc_patch& patch : patches) {
            for (uint32_t y = 0; y < patch.height; ++y) {
                for (uint32_t x = 0; x < patch.width; ++x) {
                    const Cell c{static_cast<int32_t>(patch.pos.x + x), static_cast<int32_t>(patch.pos.y + y)};
                    edits_.push_back({c, is_open(patch, x, y) ? ground_ : wall_});
                }
            }
        }
        world_.apply(edits_);
        searching_ = false;
    }

    gppc_path next_segment(Cell start, Cell goal) {
        if (!searching_) {
            planner_.begin(start, goal, costs_, find_);
            returned_ = 0;
        }
        searching_ = true;
        while (planner_.status() == Status::kBudgetSpent && planner_.ready().size() < returned_ + kSegment) planner_.run(kSlice);
        const bool done = planner_.status() != Status::kBudgetSpent;
        searching_ = !done;
        if (done && planner_.status() != Status::kFound) return {};
        return take(done);
    }

private:
    void prepare(const char* file) {
        const Ground ground(world_.grid(), costs_, kRule);
        Result<void> done;
        if (cpd_search_options(find_.method)) {
            const Result<PathDatabase> opened = open_path_database(file, ground);
            if (!opened) give_up("cannot open the preprocessed path database: " + opened.error().message());
            done = world_.install(prepared_path_database(*opened, ground).value());
        } else {
            done = world_.prepare(costs_, {.method = find_.method, .movement = kRule});
        }
        if (!done) give_up(done.error().message());
    }

    // The turning points of the ready cells that were not returned yet.
    gppc_path take(bool done) {
        const std::span<const Cell> cells = planner_.ready();
        points_.clear();
        for (size_t i = returned_; i < cells.size(); ++i) {
            if (i == 0 || i + 1 == cells.size() || turns(cells[i - 1], cells[i], cells[i + 1])) points_.push_back(to_point(cells[i]));
        }
        // Start equals goal: two points. A last segment without new cells: one point, because zero points would mean that there is no path.
        if (cells.size() == 1 || points_.empty()) points_.push_back(to_point(cells.back()));
        returned_ = cells.size();
        return {points_.data(), static_cast<uint32_t>(points_.size()), static_cast<uint8_t>(done ? 0 : 1)};
    }

    static bool turns(Cell a, Cell b, Cell c) { return b.x - a.x != c.x - b.x || b.y - a.y != c.y - b.y; }

    World world_;
    Planner planner_{world_};
    CostTable costs_ = walker();
    Terrain ground_ = *terrains().find("ground"), wall_ = *terrains().find("wall");
    FindOptions find_;
    std::vector<CellEdit> edits_;
    std::vector<gppc_point> points_;
    bool searching_ = false;  // a query is in progress
    size_t returned_ = 0;     // cells of its path returned so far
};

}  // namespace

void gppc_preprocess_init_map(gppc_patch init_map, const char* preprocess_filename) {
    if (!cpd_search_options(chosen_method())) return;  // other methods prepare faster than a file is read
    PathDatabaseOptions options;
    options.threads = 0;
    const TerrainGrid grid = to_grid(init_map);
    const Result<PathDatabase> database = build_path_database({grid.snapshot(), walker(), kRule}, options);
    if (!database) give_up(database.error().message());
    if (const Result<void> saved = save_path_database(*database, preprocess_filename); !saved) give_up(saved.error().message());
}

void* gppc_search_init(gppc_patch active_map, const char* preprocess_filename) { return new Entry(active_map, preprocess_filename); }

void gppc_map_change(void* data, const gppc_patch* changes, uint32_t changes_length) {
    static_cast<Entry*>(data)->change({changes, changes_length});
}

gppc_path gppc_get_path(void* data, gppc_point start, gppc_point goal) {
    return static_cast<Entry*>(data)->next_segment(to_cell(start), to_cell(goal));
}

void gppc_free_data(void* data) { delete static_cast<Entry*>(data); }

// Replaces `:`, `/` and `+`, because the name is part of a file name.
const char* gppc_get_name() {
    static const std::string name = [] {
        std::string text = "terrane-" + chosen_method().name();
        for (char& c : text) c = c == ':' || c == '/' || c == '+' ? '-' : c;
        return text;
    }();
    return name.c_str();
}
