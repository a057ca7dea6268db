// `terrane demo`, which is what `make run` runs: three creatures, one island, a fire.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/common.h"
#include "terrane/base/rng.h"

namespace terrane::cli {

namespace {

struct DemoArguments {
    std::string out = "out";
};

// An island on which the three go separate ways between these two cells.
constexpr int32_t kSide = 1024;
constexpr uint64_t kSeed = 12;
constexpr Cell kFrom{561, 658}, kTo{218, 215};
constexpr int32_t kFireCells = 6000;

// Woods, and the roads through them.
bool burns(const GridSnapshot& grid, Cell c) {
    const Terrain t = grid.at(c);
    if (t == kOutside) return false;
    const std::string& name = grid.catalogue()[t].name;
    return name == "trees" || name == "jungle" || name == "road";
}

// Where on a path's middle half the most woods are around.
Cell in_the_woods(const GridSnapshot& grid, const Path& path) {
    constexpr int32_t kReach = 24;
    Cell best = path.cells[path.cells.size() / 2];
    int most = -1;
    for (size_t i = path.cells.size() / 4; i < path.cells.size() * 3 / 4; i += 8) {
        const Cell c = path.cells[i];
        int woods = 0;
        for (int32_t y = c.y - kReach; y <= c.y + kReach; y += 3) {
            for (int32_t x = c.x - kReach; x <= c.x + kReach; x += 3) woods += burns(grid, {x, y});
        }
        if (woods > most && burns(grid, c)) {
            most = woods;
            best = c;
        }
    }
    return best;
}

// A fire that starts at a cell and eats its way through the woods around, from anywhere on its edge.
void burn_from(const GridSnapshot& grid, Cell start, std::vector<CellEdit>& fire) {
    const Terrain burning = *grid.catalogue().find("fire");
    std::vector<bool> seen(grid.layout().id_limit());
    std::vector<Cell> edge{start};
    seen[grid.layout().id(start)] = true;
    Rng rng(kSeed);
    for (int i = 0; i < kFireCells && !edge.empty(); ++i) {
        std::swap(edge[rng.below(static_cast<uint32_t>(edge.size()))], edge.back());
        const Cell c = edge.back();
        edge.pop_back();
        fire.push_back({c, burning});
        for (const Cell m : kMoves) {
            const Cell next{c.x + m.x, c.y + m.y};
            if (!burns(grid, next) || seen[grid.layout().id(next)]) continue;
            seen[grid.layout().id(next)] = true;
            edge.push_back(next);
        }
    }
}

// Prints and draws one moment. Nothing where a picture could not be saved.
Result<std::vector<Answer>> moment(World& world, const Question& question, const std::string& title, const std::string& png) {
    auto answers = ask(world, question);
    if (!answers) return answers;
    fmt::print("\n{}\n{}", title, answer_table(world.grid(), *answers, question));
    const auto saved = save_png(png, draw_answers(world.grid(), *answers, {}));
    if (!saved) return saved.error();
    return answers;
}

int demonstrate(const DemoArguments& args) {
    std::error_code error;
    std::filesystem::create_directories(args.out, error);
    if (error) return fail({ErrorCode::kCannotOpen, args.out, 0, "cannot make this folder: " + error.message()});
    const auto file = [&](const char* name) { return (std::filesystem::path(args.out) / name).string(); };

    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = kSeed;
    auto grid = generate_island(island);
    if (!grid) return fail(grid.error());
    World world(std::move(*grid), WorldOptions{.sectors = {}});
    if (const auto saved = save_map(file("island.map"), world.grid()); !saved) return fail(saved.error());
    fmt::print("An island of {} x {} cells. Three creatures go from {},{} to {},{}, each at its own terrain costs.\n", kSide, kSide,
               kFrom.x, kFrom.y, kTo.x, kTo.y);

    Question question{kFrom, kTo, {}, {}, {}};
    for (const char* name : {"person", "deer", "outlaw"}) question.profiles.push_back(*Profile::preset(name));
    const auto before = moment(world, question, "Before the fire:", file("1-before.png"));
    if (!before) return fail(before.error());
    if (const auto saved = save_png(file("0-island.png"), draw_terrain(world.grid())); !saved) return fail(saved.error());

    std::vector<CellEdit> fire;
    for (const Answer& a : *before) {
        if (a.path) burn_from(world.grid(), in_the_woods(world.grid(), a.path), fire);
    }
    const EditResult burnt = world.apply(fire).grid;
    const auto after =
        moment(world, question, fmt::format("The woods burn ({} cells), and all go around:", burnt.cells_changed), file("2-after.png"));
    if (!after) return fail(after.error());
    if (const auto saved = save_map(file("burning.map"), world.grid()); !saved) return fail(saved.error());

    fmt::print(
        "\nPictures: {}, {}. Try next:\n"
        "  terrane info {}\n"
        "  terrane path {} --from {},{} --to {},{} --profile deer --method wastar:2 --png {} --heat\n"
        "  terrane bench search\n"
        "  terrane --help\n",
        file("1-before.png"), file("2-after.png"), file("island.map"), file("island.map"), kFrom.x, kFrom.y, kTo.x, kTo.y,
        file("deer.png"));
    return kDone;
}

}  // namespace

void add_demo(CLI::App& app, Run& run) {
    const auto args = std::make_shared<DemoArguments>();
    CLI::App* verb = app.add_subcommand("demo", "Three creatures cross an island, before and after a fire; pictures in out/");
    verb->add_option("--out", args->out, "Folder for maps and pictures")->capture_default_str()->type_name("DIR");
    verb->callback([args, &run] { run = [args] { return demonstrate(*args); }; });
}

}  // namespace terrane::cli
