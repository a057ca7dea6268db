// Any calls of terrane_c.h in any order, with any numbers and names: each succeeds or is rejected. The input encodes the calls.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "require.h"
#include "terrane_c.h"

namespace terrane {

namespace {

constexpr int32_t kWidth = 22, kHeight = 14;  // of the drawn terrain; a large world repeats it
constexpr uint32_t kMaxAgents = 60;           // the library would accept a million and take its time

template <class T>
T sized() {
    T all{};
    all.size = sizeof(T);
    return all;
}

// The handles of one caller, and calls decoded from the input.
class Caller {
public:
    explicit Caller(FuzzedDataProvider& from) : from_(from) {
        std::vector<uint8_t> drawn(kWidth * kHeight);
        for (uint8_t& cell : drawn) cell = from_.ConsumeIntegralInRange<uint8_t>(0, 5);
        if (from_.ConsumeBool()) {
            width_ = 3 * kWidth + 4;
            height_ = 3 * kHeight - 1;
        }
        std::vector<uint8_t> cells;
        for (int32_t y = 0; y < height_; ++y) {
            for (int32_t x = 0; x < width_; ++x) cells.push_back(drawn[static_cast<size_t>(y % kHeight * kWidth + x % kWidth)]);
        }
        world_ = terrane_world_from_cells(width_, height_, cells.data(), nullptr, 0, nullptr, nullptr);
        require(world_ != nullptr, "a world can be created");
        planner_ = terrane_planner_new(world_, nullptr);
        profile_ = terrane_profile_preset("person", nullptr);
    }
    Caller(const Caller&) = delete;
    Caller& operator=(const Caller&) = delete;
    ~Caller() {
        terrane_queue_free(queue_);
        terrane_navmesh_free(navmesh_);
        terrane_navmesh_planner_free(navmesh_planner_);
        terrane_navmesh_path_free(navmesh_path_);
        terrane_crowd_free(crowd_);
        terrane_prepare_free(preparation_);
        terrane_planner_free(planner_);
        terrane_path_free(path_);
        terrane_profile_free(profile_);
        terrane_world_free(world_);
    }

    void call() {
        switch (from_.ConsumeIntegralInRange(0, 31)) {
            case 0: return check(terrane_world_fill(world_, rect(), terrain(), nullptr, &error_));
            case 1: return apply();
            case 2: return read();
            case 3: return costs();
            case 4: return find();
            case 5: return begin();
            case 6: terrane_run(planner_, from_.ConsumeIntegralInRange(0u, 300u)); return check(terrane_take(planner_, path_, &error_));
            case 7: return look();
            case 8: return prepare();
            case 9: static_cast<void>(terrane_prepare_run(preparation_, from_.ConsumeIntegral<uint16_t>())); return install();
            case 10: return discard();
            case 11: return through();
            case 12: return new_crowd();
            case 13: return add();
            case 14: return check(terrane_crowd_tick(crowd_, from_.ConsumeIntegralInRange(0u, 4u), &error_));
            case 15: return look_at_crowd();
            case 16: return request();
            case 17: return answer();
            case 18: return nearest();
            case 19: return flood();
            case 20: return watch();
            case 21: return new_navmesh();
            case 22: return add_tile();
            case 23: return check_navmesh(terrane_navmesh_remove_tile(navmesh_, small(), small(), small(), &error_));
            case 24: return set_area();
            case 25: return add_obstacle();
            case 26: return update_navmesh();
            case 27: return find_on_navmesh();
            case 28: terrane_navmesh_run(navmesh_planner_, from_.ConsumeIntegralInRange(0u, 90u)); return take_navmesh_path();
            case 29: return look_at_navmesh();
            case 31: return save_and_load();
            default: return prepare_to_the_end();
        }
    }

private:
    int32_t number(int32_t usual) {
        return from_.ConsumeBool() ? from_.ConsumeIntegral<int32_t>() : from_.ConsumeIntegralInRange(-2, usual + 1);
    }
    terrane_cell cell() {
        const int32_t x = number(width_);
        return {x, number(height_)};
    }
    terrane_rect rect() {
        const terrane_cell at = cell(), size = cell();
        return {at.x, at.y, size.x, size.y};
    }
    uint32_t terrain() { return from_.ConsumeIntegral<uint8_t>() % 24; }
    // A method name, random bytes, or nothing.
    void name(char (&out)[96]) {
        static constexpr const char* kNames[] = {"astar",
                                                 "wastar:2",
                                                 "nbs",
                                                 "dijkstra",
                                                 "dta:16+trim+smooth",
                                                 "dta:16/nbs",
                                                 "minimal_memory:16",
                                                 "hpa:16",
                                                 "pra:inf",
                                                 "pra:4",
                                                 "cpd",
                                                 "cpd/focal",
                                                 "overlay:2",
                                                 "whca:8",
                                                 "cpra:4",
                                                 "pibt",
                                                 "pibt+flow",
                                                 "lacam",
                                                 "ca",
                                                 "focal:1.5",
                                                 "dta:16+any_angle",
                                                 "jps",
                                                 "canonical",
                                                 "jpsw",
                                                 "theta",
                                                 ""};
        const std::string text = from_.ConsumeBool() ? kNames[from_.ConsumeIntegralInRange<size_t>(0, std::size(kNames) - 1)]
                                                     : from_.ConsumeRandomLengthString(sizeof out);
        std::copy_n(text.begin(), std::min(text.size(), sizeof out), out);
    }
    terrane_find_options find_options() {
        auto options = sized<terrane_find_options>();
        if (from_.ConsumeBool()) {
            options.movement = prepared_.movement;
            std::copy(std::begin(prepared_.method), std::end(prepared_.method), options.method);
        } else {
            options.movement = from_.ConsumeIntegralInRange(0u, 3u);
            name(options.method);
        }
        options.max_expansions = from_.ConsumeIntegral<uint16_t>();
        options.bound = from_.ConsumeBool() ? 0 : from_.ConsumeFloatingPoint<double>();
        options.nearest = from_.ConsumeIntegralInRange(0u, 2u);
        return options;
    }
    terrane_prepare_options prepare_options() {
        auto options = sized<terrane_prepare_options>();
        options.movement = from_.ConsumeIntegralInRange(0u, 3u);
        name(options.method);
        options.max_bytes = from_.ConsumeIntegral<uint32_t>();
        options.lower_bounds = from_.ConsumeIntegralInRange(0u, 70u);
        return options;
    }

    void check(terrane_code code) {
        require((code == TERRANE_OK) || error_.message[0] != 0, "an error has a reason");
        require(code != TERRANE_NO_MEMORY, "a small world takes little memory");
        error_ = sized<terrane_error>();
    }
    void apply() {
        std::vector<terrane_cell_edit> edits(from_.ConsumeIntegralInRange<size_t>(0, 9));
        for (terrane_cell_edit& edit : edits) {
            const terrane_cell at = cell();
            edit = {at.x, at.y, terrain()};
        }
        auto done = sized<terrane_edit>();
        check(terrane_world_apply(world_, edits.data(), edits.size(), &done, &error_));
        terrane_world_repaired(world_, nullptr, 0);
    }
    void read() {
        const terrane_rect area = rect();
        std::vector<uint8_t> cells(64);
        terrane_world_read(world_, area, cells.data(), cells.size());
    }
    void costs() {
        terrane_profile_cost(profile_, from_.ConsumeRandomLengthString(9).c_str(), from_.ConsumeIntegral<uint32_t>());
        terrane_profile_otherwise(profile_, from_.ConsumeIntegral<uint32_t>());
        uint32_t all[256];
        check(terrane_profile_costs(profile_, world_, all, &error_));
        if (from_.ConsumeBool()) return;  // the next calls use the profile with these costs
        terrane_profile_free(profile_);
        profile_ = terrane_profile_preset(from_.ConsumeBool() ? "deer" : "walker", nullptr);
    }
    void find() {
        const auto options = find_options();
        const terrane_cell from = cell();
        check(terrane_find(planner_, from, cell(), profile_, &options, path_, &error_));
    }
    void begin() {
        const auto options = find_options();
        const terrane_cell from = cell();
        check(terrane_begin(planner_, from, cell(), profile_, &options, &error_));
    }
    void look() {
        auto info = sized<terrane_path_info>();
        terrane_path_get_info(path_, &info, nullptr);
        require(terrane_path_cells(path_, nullptr, 0) == info.cells, "a path has the reported number of cells");
        require(terrane_status_text(info.status) != nullptr, "a status has a name");
        terrane_path_valid(path_, world_);
        terrane_share shares[4];
        terrane_path_shares(path_, world_, profile_, shares, std::size(shares), nullptr);
    }
    void prepare() {
        terrane_prepare_free(preparation_);
        prepared_ = prepare_options();
        if (width_ > kWidth && prepared_.method[0] == 'c') prepared_.method[0] = 0;  // cpd: takes as long as a thousand other calls
        preparation_ = terrane_prepare_begin(world_, profile_, &prepared_, &error_);
        check(preparation_ == nullptr ? error_.code : TERRANE_OK);
    }
    void prepare_to_the_end() {
        prepare();
        if (preparation_ == nullptr) return;
        static_cast<void>(terrane_prepare_run(preparation_, TERRANE_UNLIMITED));
        check(terrane_prepare_install(preparation_, world_, &error_));
        find();
    }
    void install() {
        if (from_.ConsumeBool()) check(terrane_prepare_install(preparation_, world_, &error_));
    }
    void discard() {
        const auto options = prepare_options();
        terrane_prepared_bytes(world_, profile_, &options, nullptr);
        terrane_overlay_portals(world_, profile_, &options, nullptr, 0, nullptr);
        terrane_prepared_discard(world_, profile_, &options, nullptr);
    }
    // Changes one byte, or none.
    void damage(std::vector<char>& bytes) {
        if (bytes.empty() || from_.ConsumeBool()) return;
        bytes[from_.ConsumeIntegralInRange<size_t>(0, bytes.size() - 1)] ^= static_cast<char>(from_.ConsumeIntegralInRange(1, 255));
    }
    void save_and_load() {
        std::vector<char> bytes(terrane_world_save(world_, "terrane", nullptr, 0, &error_));
        require(!bytes.empty(), "a world can be saved");
        terrane_world_save(world_, "terrane", bytes.data(), bytes.size(), nullptr);
        damage(bytes);
        terrane_world_free(terrane_world_from_bytes(bytes.data(), bytes.size(), nullptr, nullptr, &error_));
        const auto options = prepare_options();
        bytes.resize(terrane_path_database_save(world_, profile_, &options, nullptr, 0, nullptr));
        terrane_path_database_save(world_, profile_, &options, bytes.data(), bytes.size(), nullptr);
        damage(bytes);
        check(terrane_path_database_install(world_, profile_, options.movement, bytes.data(), bytes.size(), nullptr, &error_));
        find();
    }
    void through() {
        const terrane_cell from = cell(), to = cell();
        const uint32_t movement = from_.ConsumeIntegralInRange(0u, 3u);
        check(terrane_find_through(planner_, from, to, rect(), profile_, movement, path_, &error_));
        auto obstacle = sized<terrane_obstacle>();
        check(terrane_find_obstacle(planner_, from, to, profile_, movement, path_, &obstacle, &error_));
    }
    void new_crowd() {
        terrane_crowd_free(crowd_);
        agents_ = 0;
        auto options = sized<terrane_crowd_options>();
        options.movement = from_.ConsumeIntegralInRange(0u, 3u);
        name(options.method);
        options.seed = from_.ConsumeIntegral<uint8_t>();
        options.lifelong = from_.ConsumeIntegralInRange(0u, 2u);
        options.budget = from_.ConsumeBool() ? 0 : from_.ConsumeIntegral<uint16_t>();
        crowd_ = terrane_crowd_new(world_, &profile_, from_.ConsumeIntegralInRange(0u, 1u), &options, &error_);
        check(crowd_ == nullptr ? error_.code : TERRANE_OK);
        if (crowd_ != nullptr && from_.ConsumeBool()) {
            agents_ = from_.ConsumeIntegralInRange(0u, kMaxAgents);
            check(terrane_crowd_spawn(crowd_, agents_, from_.ConsumeIntegralInRange(0u, 2u), options.seed, &error_));
        }
    }
    void add() {
        const terrane_cell at = cell();
        if (agents_++ < kMaxAgents) terrane_crowd_add(crowd_, at, cell(), from_.ConsumeIntegral<uint8_t>(), nullptr);
        check(terrane_crowd_goal(crowd_, from_.ConsumeIntegral<uint8_t>(), cell(), &error_));
        if (from_.ConsumeBool()) check(terrane_crowd_remove(crowd_, from_.ConsumeIntegral<uint8_t>(), &error_));
    }
    void look_at_crowd() {
        auto info = sized<terrane_crowd_info>();
        terrane_crowd_get_info(crowd_, &info, nullptr);
        require(info.at_goal <= info.agents, "no more agents arrive than exist");
        terrane_crowd_agents(crowd_, nullptr, 0);
        terrane_crowd_reservations(crowd_, nullptr, 0);
        terrane_crowd_arrows(crowd_, nullptr, 0);
    }

    // A request's id, or any number.
    uint64_t request_id() { return from_.ConsumeBool() ? last_request_ : from_.ConsumeIntegral<uint64_t>(); }
    void request() {
        if (queue_ == nullptr || from_.ConsumeIntegralInRange(0, 9) == 0) {
            terrane_queue_free(queue_);
            auto options = sized<terrane_queue_options>();
            options.searches = from_.ConsumeIntegral<uint32_t>() >> from_.ConsumeIntegralInRange(0, 31);
            queue_ = terrane_queue_new(world_, &options, &error_);
            check(queue_ == nullptr ? error_.code : TERRANE_OK);
        }
        const auto options = find_options();
        const terrane_cell from = cell(), to = cell();
        last_request_ = terrane_queue_add(queue_, from, to, profile_, &options, from_.ConsumeIntegral<int32_t>(), &error_);
        check(last_request_ == 0 ? error_.code : TERRANE_OK);
    }
    void answer() {
        const uint32_t waiting = terrane_queue_waiting(queue_), budget = from_.ConsumeIntegralInRange(0u, 300u);
        require(terrane_queue_run(queue_, budget) <= budget, "a queue keeps to its budget");
        require(terrane_queue_waiting(queue_) <= waiting, "requests are answered once");
        const uint64_t id = request_id();
        const bool done = terrane_queue_done(queue_, id) != 0;
        require(!done || terrane_queue_status(queue_, id) != TERRANE_NOT_ASKED, "an answered request is known");
        terrane_queue_ready(queue_, id, nullptr, 0);
        if (from_.ConsumeBool()) {
            require((terrane_queue_take(queue_, id, path_, nullptr) == TERRANE_OK) == done, "an answer can be taken");
        } else {
            terrane_queue_cancel(queue_, request_id(), nullptr);
        }
        require(queue_ == nullptr || terrane_queue_bytes(queue_) > 0, "a queue takes memory");
    }
    void nearest() {
        std::vector<terrane_cell> goals(from_.ConsumeIntegralInRange<size_t>(0, 9));
        for (terrane_cell& goal : goals) goal = cell();
        const terrane_cell from = cell();
        const uint32_t movement = from_.ConsumeIntegralInRange(0u, 3u);
        check(terrane_find_nearest(planner_, from, goals.data(), goals.size(), profile_, movement, path_, &error_));
        std::vector<uint64_t> costs(goals.size());
        check(terrane_find_costs(planner_, from, goals.data(), goals.size(), profile_, movement, costs.data(), &error_));
        check(terrane_find_nearest_terrain(planner_, from, terrain(), profile_, movement, path_, &error_));
    }
    void flood() {
        const terrane_cell from = cell();
        const uint64_t max_cost = from_.ConsumeIntegral<uint64_t>() >> from_.ConsumeIntegralInRange(0, 63);
        check(terrane_flood(planner_, from, max_cost, profile_, from_.ConsumeIntegralInRange(0u, 3u), &error_));
        std::vector<terrane_reached_cell> reached(terrane_flood_cells(planner_, nullptr, 0, nullptr));
        require(terrane_flood_cells(planner_, reached.data(), reached.size(), nullptr) == reached.size(), "a flood has one length");
        std::vector<uint64_t> costs(from_.ConsumeIntegralInRange<size_t>(0, 9999));
        terrane_flood_costs(planner_, costs.data(), costs.size(), nullptr);
        check(terrane_flood_path(planner_, cell(), path_, &error_));
    }
    void watch() {
        const uint64_t watch = terrane_world_watch(world_, path_, &error_);
        check(watch == 0 ? error_.code : TERRANE_OK);
        if (from_.ConsumeBool()) terrane_world_unwatch(world_, from_.ConsumeBool() ? watch : from_.ConsumeIntegral<uint64_t>(), nullptr);
        const size_t broken = terrane_world_broken(world_, nullptr, 0);
        auto done = sized<terrane_edit>();
        check(terrane_world_fill(world_, rect(), terrain(), &done, &error_));
        require(terrane_world_broken(world_, nullptr, 0) == (done.version == 0 ? broken : done.broken), "an edit lists what it breaks");
    }

    // ---- navigation meshes

    int32_t small() { return from_.ConsumeIntegralInRange(-1, 2); }
    float length() {
        if (from_.ConsumeIntegralInRange(0, 7) == 0) return from_.ConsumeFloatingPoint<float>();
        return static_cast<float>(from_.ConsumeIntegralInRange(-8, 56)) / 2;
    }
    terrane_position position() {
        const float x = length(), y = from_.ConsumeBool() ? 0 : length();
        return {x, y, length()};
    }
    // Without a mesh, any call is rejected.
    void check_navmesh(terrane_code code) {
        require((code == TERRANE_OK) || error_.message[0] != 0, "an error has a reason");
        require(navmesh_ != nullptr || code != TERRANE_OK, "no mesh, no change");
        error_ = sized<terrane_error>();
    }
    // A floor of 24x24 metres in tiles of 12 metres, with a hole of any size; or a mesh without tiles.
    void new_navmesh() {
        terrane_navmesh_planner_free(navmesh_planner_);
        terrane_navmesh_free(navmesh_);
        const auto left = static_cast<float>(from_.ConsumeIntegralInRange(2, 12)),
                   right = static_cast<float>(from_.ConsumeIntegralInRange(12, 22));
        const std::vector<terrane_position> vertices = {{0, 0, 0},       {24, 0, 0},       {24, 0, 24},       {0, 0, 24},
                                                        {left, 0, left}, {right, 0, left}, {right, 0, right}, {left, 0, right}};
        const std::vector<uint32_t> triangles = {0, 4, 1, 1, 4, 5, 1, 5, 2, 2, 5, 6, 2, 6, 3, 3, 6, 7, 3, 7, 0, 0, 7, 4};
        std::vector<uint8_t> areas(8);
        for (uint8_t& area : areas) area = from_.ConsumeIntegralInRange<uint8_t>(4, 8);
        auto options = sized<terrane_navmesh_options>();
        options.tile_size = 12;
        options.obstacles = from_.ConsumeBool() ? 1 : 0;
        const char* const links = from_.ConsumeBool() ? "flags road 3\nlink road 1 0 1  11 0 11  0.6 one_way\n" : nullptr;
        navmesh_ = terrane_navmesh_build(vertices.data(), vertices.size(), triangles.data(), 8, areas.data(), links, &options, &error_);
        if (navmesh_ != nullptr && options.obstacles == 0 && from_.ConsumeBool()) empty_navmesh();
        navmesh_planner_ = terrane_navmesh_planner_new(navmesh_, &error_);
        error_ = sized<terrane_error>();
    }
    void empty_navmesh() {
        const terrane_navmesh_params params{sizeof params, from_.ConsumeIntegralInRange(1u, 5u), 64, 12, 12, {0, 0, 0}};
        keep_tile();
        terrane_navmesh_free(navmesh_);
        navmesh_ = terrane_navmesh_new(&params, nullptr, &error_);
        require(navmesh_ != nullptr, "a mesh without tiles can be created");
    }
    // Keeps the data of a tile for add_tile().
    void keep_tile() {
        terrane_navmesh_tile tiles[4] = {};
        const size_t count = std::min<size_t>(terrane_navmesh_tiles(navmesh_, tiles, std::size(tiles)), std::size(tiles));
        if (count == 0) return;
        const terrane_navmesh_tile& tile = tiles[from_.ConsumeIntegralInRange<size_t>(0, count - 1)];
        tile_.resize(tile.bytes);
        require(terrane_navmesh_tile_data(navmesh_, tile.x, tile.y, tile.layer, tile_.data(), tile_.size(), nullptr) == tile.bytes,
                "a tile in the list can be read");
    }
    // Adds random bytes, or a valid tile with altered bytes.
    void add_tile() {
        keep_tile();
        std::vector<uint8_t> data = tile_;
        if (from_.ConsumeIntegralInRange(0, 9) == 0) data = from_.ConsumeBytes<uint8_t>(from_.ConsumeIntegralInRange<size_t>(0, 300));
        for (int i = from_.ConsumeIntegralInRange(0, 4); i > 0 && !data.empty(); --i) {
            const size_t at = from_.ConsumeIntegralInRange<size_t>(0, std::min<size_t>(data.size() - 1, 60000));
            data[at] = from_.ConsumeIntegral<uint8_t>();
        }
        terrane_navmesh_tile added{};
        check_navmesh(terrane_navmesh_add_tile(navmesh_, data.data(), data.size(), &added, &error_));
    }
    void set_area() {
        const terrane_position low = position(), high = position();
        const uint32_t area = from_.ConsumeBool() ? TERRANE_KEEP : from_.ConsumeIntegralInRange(0u, 65u);
        const uint32_t flags = from_.ConsumeBool() ? TERRANE_KEEP : from_.ConsumeIntegralInRange(0u, 70000u);
        check_navmesh(terrane_navmesh_set_area(navmesh_, low, high, area, flags, nullptr, &error_));
    }
    void add_obstacle() {
        const terrane_position at = position();
        const bool box = from_.ConsumeBool();
        const uint32_t id = box ? terrane_navmesh_add_box(navmesh_, at, position(), &error_)
                                : terrane_navmesh_add_cylinder(navmesh_, at, length(), length(), &error_);
        check_navmesh(id != 0 ? TERRANE_OK : error_.code);
    }
    void update_navmesh() {
        if (from_.ConsumeBool()) check_navmesh(terrane_navmesh_remove_obstacle(navmesh_, from_.ConsumeIntegralInRange(0u, 5u), &error_));
        const uint32_t tiles = from_.ConsumeBool() ? TERRANE_UNLIMITED : from_.ConsumeIntegralInRange(0u, 3u);
        check_navmesh(terrane_navmesh_update(navmesh_, tiles, nullptr, &error_));
    }
    void find_on_navmesh() {
        auto filter = sized<terrane_navmesh_filter>();
        filter.include_flags = from_.ConsumeIntegralInRange(0u, 3u);
        filter.exclude_flags = from_.ConsumeIntegralInRange(0u, 2u);
        for (uint32_t area = 3; area < 9; ++area) filter.costs[area] = from_.ConsumeIntegral<uint16_t>();
        filter.blocked = from_.ConsumeIntegral<uint8_t>();
        auto options = sized<terrane_navmesh_find_options>();
        options.nearest = from_.ConsumeIntegralInRange(0u, 1u);
        options.crossings = from_.ConsumeIntegralInRange(0u, 1u);
        if (from_.ConsumeBool()) std::string_view("dta").copy(options.method, sizeof options.method);
        options.max_expansions = from_.ConsumeIntegral<uint8_t>();
        if (from_.ConsumeBool()) options.extents = position();
        const terrane_position from = position(), to = position();
        const terrane_navmesh_filter* const with = from_.ConsumeBool() ? &filter : nullptr;
        check_navmesh(from_.ConsumeBool() ? terrane_navmesh_find(navmesh_planner_, from, to, with, &options, navmesh_path_, &error_)
                                          : terrane_navmesh_begin(navmesh_planner_, from, to, with, &options, &error_));
    }
    void take_navmesh_path() {
        static_cast<void>(terrane_navmesh_ready(navmesh_planner_, nullptr, 0));
        terrane_navmesh_take(navmesh_planner_, navmesh_path_, nullptr);
        auto info = sized<terrane_navmesh_path_info>();
        terrane_navmesh_path_get_info(navmesh_path_, &info, nullptr);
        require(terrane_navmesh_path_points(navmesh_path_, nullptr, 0) == info.points, "a path has the reported number of points");
        require(terrane_navmesh_path_polygons(navmesh_path_, nullptr, 0) == info.polygons, "and of polygons");
    }
    void look_at_navmesh() {
        auto info = sized<terrane_navmesh_info>();
        terrane_navmesh_get_info(navmesh_, &info, nullptr);
        require(terrane_navmesh_tiles(navmesh_, nullptr, 0) == info.tiles, "the tiles are listed");
        terrane_navmesh_triangles(navmesh_, nullptr, 0);
        std::string bytes(terrane_navmesh_save(navmesh_, nullptr, 0, nullptr), 0);
        terrane_navmesh_save(navmesh_, bytes.data(), bytes.size(), nullptr);
        terrane_navmesh* again = terrane_navmesh_from_bytes(bytes.data(), bytes.size(), "saved", nullptr);
        require((again != nullptr) == (info.tiles > 0), "a mesh with tiles can be saved and read");
        terrane_navmesh_free(again);
        auto filter = sized<terrane_navmesh_filter>();
        terrane_navmesh_filter_of(navmesh_, profile_, &filter, nullptr);
    }

    FuzzedDataProvider& from_;
    int32_t width_ = kWidth, height_ = kHeight;
    terrane_prepare_options prepared_ = sized<terrane_prepare_options>();  // options of the last preparation
    terrane_world* world_ = nullptr;
    terrane_planner* planner_ = nullptr;
    terrane_profile* profile_ = nullptr;
    terrane_path* path_ = terrane_path_new(nullptr);
    terrane_preparation* preparation_ = nullptr;
    terrane_queue* queue_ = nullptr;
    uint64_t last_request_ = 0;
    terrane_crowd* crowd_ = nullptr;
    uint32_t agents_ = 0;
    terrane_navmesh* navmesh_ = nullptr;
    terrane_navmesh_planner* navmesh_planner_ = nullptr;
    terrane_navmesh_path* navmesh_path_ = terrane_navmesh_path_new(nullptr);
    std::vector<uint8_t> tile_;  // data of a tile of the last mesh that had some
    terrane_error error_ = sized<terrane_error>();
};

}  // namespace

}  // namespace terrane

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    FuzzedDataProvider from(data, size);
    Caller caller(from);
    for (int calls = 0; calls < 40 && from.remaining_bytes() > 0; ++calls) caller.call();
    return 0;
}
