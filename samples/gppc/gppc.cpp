// Terrane as an entry of the Grid-Based Path Planning Competition's dynamic track: docs/gppc.md.
//
// The map is a World of two terrains; a change is one edit of it, which repairs its regions (what can be reached from where) and whatever
// the method keeps; a query is a Planner's, handed out piece by piece as it becomes ready. TERRANE_GPPC_METHOD names the method.
#include "gppc.h"

#include <terrane/cpd/cpd_data.h>
#include <terrane/cpd/path_database_builder.h>
#include <terrane/cpd/path_database_file.h>
#include <terrane/world/planner.h>

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

using namespace terrane;

namespace {

constexpr Movement kRule = Movement::kEight;  // diagonals only where both cells beside them are free
constexpr uint64_t kSlice = 100;              // expansions between looks at whether a piece is ready
constexpr size_t kPiece = 24;                 // steps: the competition times the first 20

const Catalogue& terrains() { return Catalogue::octile(); }

// What the interface has no way to say: nothing can go on.
[[noreturn]] void give_up(const std::string& why) {
    std::fprintf(stderr, "terrane gppc: %s\n", why.c_str());
    std::exit(2);
}

const char* setting(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

Method chosen_method() {
    const Result<Method> method = find_method(setting("TERRANE_GPPC_METHOD", "astar"));
    if (!method) give_up("TERRANE_GPPC_METHOD: " + method.error().message());
    return *method;
}

CostTable walker() { return Profile::preset("walker")->compile(terrains()).value(); }

bool open_at(const gppc_patch& patch, uint32_t x, uint32_t y) {
    const size_t i = size_t{y} * patch.width + x;
    return (patch.bitarray[i / 8] >> (i % 8) & 1) != 0;
}

TerrainGrid to_grid(const gppc_patch& map) {
    if (map.width == 0 || map.height == 0 || map.width > kMaxSide || map.height > kMaxSide) {
        give_up("a map of " + std::to_string(map.width) + " x " + std::to_string(map.height) + " cells; sides are 1 to " +
                std::to_string(kMaxSide));
    }
    const Terrain ground = *terrains().find("ground"), wall = *terrains().find("wall");
    std::vector<Terrain> cells;
    cells.reserve(size_t{map.width} * map.height);
    for (uint32_t y = 0; y < map.height; ++y) {
        for (uint32_t x = 0; x < map.width; ++x) cells.push_back(open_at(map, x, y) ? ground : wall);
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
                    edits_.push_back({c, open_at(patch, x, y) ? ground_ : wall_});
                }
            }
        }
        world_.apply(edits_);
        asking_ = false;
    }

    gppc_path next_piece(Cell start, Cell goal) {
        if (!asking_) {
            planner_.begin(start, goal, costs_, find_);
            handed_ = 0;
        }
        asking_ = true;
        while (planner_.status() == Status::kBudgetSpent && planner_.ready().size() < handed_ + kPiece) planner_.run(kSlice);
        const bool done = planner_.status() != Status::kBudgetSpent;
        asking_ = !done;
        if (done && planner_.status() != Status::kFound) return {};
        return take(done);
    }

private:
    void prepare(const char* file) {
        const Ground ground(world_.grid(), costs_, kRule);
        Result<Done> done = Done{};
        if (pathdb_options(find_.method)) {
            const Result<PathDatabase> opened = open_path_database(file, ground);
            if (!opened) give_up("not preprocessed: " + opened.error().message());
            done = world_.keep(prepared_path_database(*opened, ground).value());
        } else {
            done = world_.prepare(costs_, {.method = find_.method, .movement = kRule});
        }
        if (!done) give_up(done.error().message());
    }

    // The cells that are ready and were not handed out yet, as their corners.
    gppc_path take(bool done) {
        const std::span<const Cell> cells = planner_.ready();
        points_.clear();
        for (size_t i = handed_; i < cells.size(); ++i) {
            if (i == 0 || i + 1 == cells.size() || turns(cells[i - 1], cells[i], cells[i + 1])) points_.push_back(to_point(cells[i]));
        }
        // One that has arrived where it began takes two points; a last piece that has nothing new, one: none would say that there is no
        // path.
        if (cells.size() == 1 || points_.empty()) points_.push_back(to_point(cells.back()));
        handed_ = cells.size();
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
    bool asking_ = false;  // a query is under way
    size_t handed_ = 0;    // cells of it that were handed out
};

}  // namespace

void gppc_preprocess_init_map(gppc_patch init_map, const char* preprocess_filename) {
    if (!pathdb_options(chosen_method())) return;  // all else is made faster than a file is read
    PathDatabaseOptions options;
    options.threads = 0;
    const TerrainGrid grid = to_grid(init_map);
    const Result<PathDatabase> database = build_path_database({grid.snapshot(), walker(), kRule}, options);
    if (!database) give_up(database.error().message());
    if (const Result<Done> saved = save_path_database(*database, preprocess_filename); !saved) give_up(saved.error().message());
}

void* gppc_search_init(gppc_patch active_map, const char* preprocess_filename) { return new Entry(active_map, preprocess_filename); }

void gppc_map_change(void* data, const gppc_patch* changes, uint32_t changes_length) {
    static_cast<Entry*>(data)->change({changes, changes_length});
}

gppc_path gppc_get_path(void* data, gppc_point start, gppc_point goal) {
    return static_cast<Entry*>(data)->next_piece(to_cell(start), to_cell(goal));
}

void gppc_free_data(void* data) { delete static_cast<Entry*>(data); }

// Part of a file's name: `:` and `/` are not.
const char* gppc_get_name() {
    static const std::string name = [] {
        std::string text = "terrane-" + chosen_method().name();
        for (char& c : text) c = c == ':' || c == '/' || c == '+' ? '-' : c;
        return text;
    }();
    return name.c_str();
}
