// Generates a scenario of version 2 from a map: edits add and remove obstacles, and Dijkstra's algorithm computes the cost of each query.
//
//   gppc_generate MAP.map OUT.scen [--snapshots N] [--patches N] [--queries N] [--seed S]
//
// The first patch is the map itself. Each later snapshot applies more patches: about half of them add a wall with a gap, the others open a
// passage. Starts and goals are random open cells.
#include <terrane/base/rng.h>
#include <terrane/grid_search/grid_search.h>
#include <terrane/terrane.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

#include "scenario.h"

using namespace terrane;

namespace {

struct Settings {
    int snapshots = 10, patches = 8, queries = 20, seed = 1;
};

class Generator {
public:
    Generator(TerrainGrid map, const Settings& settings)
        : grid_(std::move(map)), costs_(Profile::preset("walker")->compile(grid_.snapshot().catalogue()).value()), settings_(settings) {
        scenario_.width = grid_.width();
        scenario_.height = grid_.height();
    }

    gppc::Scenario make() {
        put(0, {{0, 0}, {scenario_.width, scenario_.height}}, [](bool before, Cell) { return before; });
        for (int snapshot = 0; snapshot < settings_.snapshots; ++snapshot) {
            for (int i = 0; i < settings_.patches && snapshot > 0; ++i) change(static_cast<uint32_t>(snapshot));
            for (int i = 0; i < settings_.queries; ++i) add_query(static_cast<uint32_t>(snapshot));
        }
        return std::move(scenario_);
    }

private:
    bool open(const GridSnapshot& grid, Cell c) const { return costs_.passable(grid.at(c)); }

    // Adds a patch with the cells of a rectangle, changed by paint(open, cell).
    template <class Paint>
    void put(uint32_t bucket, Rect rect, Paint paint) {
        gppc::Patch patch{rect.width, rect.height, {}};
        std::vector<CellEdit> edits;
        const GridSnapshot grid = grid_.snapshot();
        for (Cell c = rect.corner(); c.y < rect.bottom(); c = c.x + 1 < rect.right() ? Cell{c.x + 1, c.y} : Cell{rect.x, c.y + 1}) {
            const bool now = paint(open(grid, c), c);
            patch.open.push_back(now ? 1 : 0);
            if (now != open(grid, c)) edits.push_back({c, *grid.catalogue().find(now ? "ground" : "wall")});
        }
        gppc::Command command;
        command.bucket = bucket;
        command.patch = static_cast<uint32_t>(scenario_.patches.size());
        command.at = rect.corner();
        scenario_.patches.push_back(std::move(patch));
        scenario_.commands.push_back(command);
        grid_.apply(edits);
    }

    // Adds a wall with a gap, or a passage.
    void change(uint32_t bucket) {
        const int32_t longest = std::max(3, std::min(scenario_.width, scenario_.height) / 8);
        const int32_t width = std::min(rng_.between(2, longest), scenario_.width),
                      height = std::min(rng_.between(2, longest), scenario_.height);
        const int32_t left = rng_.between(0, scenario_.width - width), top = rng_.between(0, scenario_.height - height);
        const bool wall = rng_.chance(1, 2);
        const int32_t gap = rng_.between(top, top + height - 1), middle = left + width / 2;
        put(bucket, {{left, top}, {width, height}},
            [=](bool before, Cell c) { return wall ? before && (c.x != middle || c.y == gap) : before || c.y == gap; });
    }

    // A random open cell; any cell after 10,000 tries.
    Cell random_open(const GridSnapshot& grid) {
        for (int tries = 1;; ++tries) {
            const Cell c{rng_.between(0, scenario_.width - 1), rng_.between(0, scenario_.height - 1)};
            if (open(grid, c) || tries == 10000) return c;
        }
    }

    void add_query(uint32_t bucket) {
        const GridSnapshot grid = grid_.snapshot();
        gppc::Command command;
        command.query = true;
        command.bucket = bucket;
        command.start = random_open(grid);
        command.goal = random_open(grid);
        SearchOptions options;
        options.method = find_method("dijkstra").value();
        search_.begin({grid, costs_, Movement::kEightNoCornerCutting}, command.start, command.goal, options);
        search_.run();
        search_.path(path_);
        command.cost = path_ ? exact_cost(grid, costs_, path_.cells) : -1;
        scenario_.commands.push_back(command);
    }

    TerrainGrid grid_;
    CostTable costs_;
    Settings settings_;
    Rng rng_{static_cast<uint64_t>(settings_.seed)};
    GridSearch search_;
    Path path_;
    gppc::Scenario scenario_;
};

int fail(const std::string& why) {
    std::fprintf(stderr, "gppc_generate: %s\n", why.c_str());
    return 2;
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    if (argc < 3 || argc % 2 == 0) {
        return fail("usage: gppc_generate MAP.map OUT.scen [--snapshots N] [--patches N] [--queries N] [--seed S]");
    }
    for (int i = 3; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i], text = argv[i + 1];
        int* number = option == "--snapshots" ? &settings.snapshots
                      : option == "--patches" ? &settings.patches
                      : option == "--queries" ? &settings.queries
                      : option == "--seed"    ? &settings.seed
                                              : nullptr;
        if (number == nullptr) return fail("unknown option " + std::string(option));
        const auto [end, bad] = std::from_chars(text.data(), text.data() + text.size(), *number);
        if (bad != std::errc{} || end != text.data() + text.size() || *number < 0 || *number > UINT16_MAX) {
            return fail("invalid " + std::string(option) + ": expected a number from 0 to 65535");
        }
    }
    Result<TerrainGrid> map = load_map(argv[1], {.letters = Letters::kOctile});
    if (!map) return fail(map.error().message());
    if (std::max(map->width(), map->height()) > gppc::kMaxSide)
        return fail("the map is too large: the harness accepts at most 8000 cells a side");
    const gppc::Scenario scenario = Generator(std::move(*map), settings).make();
    if (const Result<void> saved = gppc::save(argv[2], scenario); !saved) return fail(saved.error().message());
    std::printf("%s: %d x %d cells, %zu patches, %zu commands\n", argv[2], scenario.width, scenario.height, scenario.patches.size(),
                scenario.commands.size());
}
