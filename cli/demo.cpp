// `terrane demo`, which is what `make run` runs: three creatures, one island, a fire.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/common.h"

namespace terrane::cli {

namespace {

struct Arguments {
    std::string out = "out";
};

// An island on which the three go separate ways between these two cells.
constexpr int32_t kSide = 1024;
constexpr uint64_t kSeed = 12;
constexpr Cell kFrom{561, 658}, kTo{218, 215};
constexpr int32_t kFireRadius = 110;

// The woods around the middle of a path: every cell of trees or jungle within a radius.
std::vector<CellEdit> fire(const GridSnapshot& grid, const Path& path, int32_t radius) {
    const Catalogue& terrains = grid.catalogue();
    const Terrain burning = *terrains.find("fire"), trees = *terrains.find("trees"), jungle = *terrains.find("jungle");
    const Cell centre = path.cells[path.cells.size() / 2];
    std::vector<CellEdit> edits;
    for (int32_t y = centre.y - radius; y <= centre.y + radius; ++y) {
        for (int32_t x = centre.x - radius; x <= centre.x + radius; ++x) {
            const Terrain t = grid.at(Cell{x, y});
            const bool near = (x - centre.x) * (x - centre.x) + (y - centre.y) * (y - centre.y) <= radius * radius;
            if (near && (t == trees || t == jungle)) edits.push_back({{x, y}, burning});
        }
    }
    return edits;
}

// Prints and draws one moment. Nothing where a picture could not be saved.
Result<std::vector<Answer>> moment(const GridSnapshot& grid, const Question& question, const std::string& title, const std::string& png) {
    auto answers = ask(grid, question);
    if (!answers) return answers;
    fmt::print("\n{}\n{}", title, answer_table(grid, *answers));
    const auto saved = save_png(png, draw_answers(grid, *answers, {}));
    if (!saved) return saved.error();
    return answers;
}

int demonstrate(const Arguments& args) {
    std::error_code error;
    std::filesystem::create_directories(args.out, error);
    if (error) return fail({ErrorCode::kCannotOpen, args.out, 0, "cannot make this folder: " + error.message()});
    const auto file = [&](const char* name) { return (std::filesystem::path(args.out) / name).string(); };

    IslandOptions island;
    island.width = island.height = kSide;
    island.seed = kSeed;
    auto grid = generate_island(island);
    if (!grid) return fail(grid.error());
    if (const auto saved = save_map(file("island.map"), grid->snapshot()); !saved) return fail(saved.error());
    fmt::print("An island of {} x {} cells. Three creatures go from {},{} to {},{}, each at its own terrain costs.\n", kSide, kSide,
               kFrom.x, kFrom.y, kTo.x, kTo.y);

    Question question{kFrom, kTo, {}, {}};
    for (const char* name : {"person", "deer", "outlaw"}) question.profiles.push_back(*Profile::preset(name));
    const auto before = moment(grid->snapshot(), question, "Before the fire:", file("1-before.png"));
    if (!before) return fail(before.error());
    if (const auto saved = save_png(file("0-island.png"), draw_terrain(grid->snapshot())); !saved) return fail(saved.error());

    const Answer& deer = (*before)[1];
    if (!deer.path) return fail({ErrorCode::kBadValue, {}, 0, "the deer finds no way on this island"});
    const EditResult burnt = grid->apply(fire(grid->snapshot(), deer.path, kFireRadius));
    const auto after = moment(grid->snapshot(), question, fmt::format("The woods burn ({} cells), and all go around:", burnt.cells_changed),
                              file("2-after.png"));
    if (!after) return fail(after.error());
    if (const auto saved = save_map(file("burning.map"), grid->snapshot()); !saved) return fail(saved.error());

    fmt::print(
        "\nPictures: {}, {}. Try next:\n"
        "  build/release/terrane info {}\n"
        "  build/release/terrane path {} --from {},{} --to {},{} --profile deer --method wastar:2 --png {} --heat\n"
        "  build/release/terrane bench search\n"
        "  build/release/terrane --help\n",
        file("1-before.png"), file("2-after.png"), file("island.map"), file("island.map"), kFrom.x, kFrom.y, kTo.x, kTo.y,
        file("deer.png"));
    return kDone;
}

}  // namespace

void add_demo(CLI::App& app, Run& run) {
    const auto args = std::make_shared<Arguments>();
    CLI::App* verb = app.add_subcommand("demo", "Three creatures cross an island, before and after a fire; pictures in out/");
    verb->add_option("--out", args->out, "Folder for maps and pictures")->capture_default_str()->type_name("DIR");
    verb->callback([args, &run] { run = [args] { return demonstrate(*args); }; });
}

}  // namespace terrane::cli
