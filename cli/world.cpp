#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/method/method_interface.h"

namespace terrane::cli {

namespace {

constexpr const char* kWorldFooter =
    R"(A saved world is a .terrane file: the map, the regions that dta methods search, ready to be read instead of built, and the methods that
were prepared. Files are replaced atomically: after a crash the old file is intact.

Examples:
  terrane world save island.map -o island.terrane --sector 16 --sector 32
  terrane world save island.map -o island.terrane --method overlay:2 --profile deer --profile person
  terrane world edit island.terrane --fill 100,80,41,1,bridge --set 120,81,road
  terrane world check island.terrane
  terrane path island.terrane --from 120,200 --to 380,300 --method dta:16)";

struct WorldArguments {
    MapArguments map;
    std::vector<uint32_t> sectors = WorldOptions{}.sectors;
    std::string out;
    Output output;
};

struct SaveArguments : WorldArguments {
    std::string method;
    std::vector<std::string> profiles{"person"};
    Movement movement = Movement::kEightNoCornerCutting;
};

struct EditArguments : WorldArguments {
    std::vector<FillEdit> edits;  // in the order of the command line
};

struct EditDone {
    WorldEdit edit;
    double ms = 0;
};

std::string number(uint64_t n) { return format_number(static_cast<double>(n)); }

uint64_t file_bytes(const std::string& file) {
    std::error_code ignored;
    return std::filesystem::file_size(file, ignored);
}

// Writes the JSON, and prints the text unless the JSON goes to standard output.
int tell(const WorldArguments& args, const Json& json, const std::string& text, Exit exit) {
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, json);
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}", text);
    return exit;
}

// ---- save

// Prepares the method of the command line, if there is one, for each of the profiles.
Result<void> prepare_profiles(World& world, const SaveArguments& args) {
    if (args.method.empty()) return {};
    auto method = find_method(args.method);
    if (!method) return method.error();
    if (!prepares(*method)) return Error{ErrorCode::kUnsupported, {}, 0, args.method + " has nothing to prepare"};
    for (const std::string& name : args.profiles) {
        const auto profile = find_profile(name);
        if (!profile) return profile.error();
        const auto costs = profile->compile(world.grid().catalogue());
        if (!costs) return costs.error();
        if (const auto done = world.prepare(*costs, {.method = *method, .movement = args.movement, .threads = 0}); !done) return done;
    }
    return {};
}

int save(const SaveArguments& args) {
    const auto opened = args.map.open(args.sectors);
    if (!opened) return fail(opened.error());
    if (const auto prepared = prepare_profiles(*opened->world, args); !prepared) return fail(prepared.error());
    const WorldSnapshot world = opened->world->snapshot();
    const Stopwatch watch;
    if (const auto saved = save_world(args.out, world); !saved) return fail(saved.error());
    const double save_ms = watch.ms();
    Json json = envelope("world save", args.map.file, world.grid().layout());
    json.update({{"file_bytes", file_bytes(args.out)}, {"load_ms", opened->load_ms}, {"build_ms", opened->build_ms}, {"save_ms", save_ms}});
    std::string text =
        fmt::format("{}: {} x {} cells, {} bytes; read in {:.1f} ms, regions built in {:.1f} ms, written in {:.1f} ms\n", args.out,
                    world.grid().width(), world.grid().height(), number(file_bytes(args.out)), opened->load_ms, opened->build_ms, save_ms);
    for (const TerrainRegions& r : world.all_regions()) {
        json["abstractions"].push_back(regions_json(r));
        text +=
            fmt::format("  sector {}: {} regions, {} edges\n", sector_name(r.sector()), number(r.region_count()), number(r.edge_count()));
    }
    json["prepared"] = Json::array();
    for (const auto& data : world.all_prepared()) {
        json["prepared"].push_back({{"method", data->method().name()}, {"bytes", data->bytes()}});
        text += fmt::format("  prepared {}: {} bytes of memory\n", data->method().name(), number(data->bytes()));
    }
    add_written(json, {args.out});
    return tell(args, json, text, kDone);
}

// ---- edit

// Makes concurrent edits of one file wait for each other, from its reading to its replacement: holds an advisory lock on the file for the
// object's lifetime. An edit that waited finds another file under the name, and locks that one. Does nothing for an empty name, and on
// file systems without flock().
class EditLock {
public:
    explicit EditLock(const std::string& file) {
        while (!file.empty()) {
            handle_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
            struct stat opened {
            }, there{};
            if (handle_ < 0 || ::flock(handle_, LOCK_EX) != 0 || ::fstat(handle_, &opened) != 0) return;
            if (::stat(file.c_str(), &there) != 0) return;
            if (opened.st_dev == there.st_dev && opened.st_ino == there.st_ino) return;
            ::close(handle_);
        }
    }
    EditLock(const EditLock&) = delete;
    EditLock& operator=(const EditLock&) = delete;
    ~EditLock() {
        if (handle_ >= 0) ::close(handle_);
    }

private:
    int handle_ = -1;
};

std::vector<EditDone> apply_edits(World& world, const std::vector<FillEdit>& edits) {
    std::vector<EditDone> done;
    done.reserve(edits.size());
    for (const FillEdit& e : edits) {
        const Terrain terrain = *world.grid().catalogue().find(e.terrain);
        const Stopwatch watch;
        WorldEdit edit = world.fill(e.rect, terrain);
        done.push_back({std::move(edit), watch.ms()});
    }
    return done;
}

Json edit_json(const FillEdit& asked, const EditDone& done, const WorldSnapshot& world) {
    auto repairs = Json::array();
    for (size_t i = 0; i < done.edit.repairs.size(); ++i) {
        const RepairReport& r = done.edit.repairs[i];
        repairs.push_back({{"sector", sector_name(world.all_regions()[i].sector())},
                           {"cells_moved", r.cells_moved},
                           {"sectors_labelled", r.sectors_labelled},
                           {"sectors_reconnected", r.sectors_reconnected}});
    }
    return {{"edit", asked.text},
            {"cells_changed", done.edit.grid.cells_changed},
            {"cells_outside", done.edit.grid.cells_outside},
            {"repair_ms", done.ms},
            {"repairs", repairs}};
}

// A line per edit and sector size.
std::string edits_table(const std::vector<FillEdit>& asked, const std::vector<EditDone>& done, const WorldSnapshot& world) {
    std::vector<std::vector<std::string>> rows{
        {"edit", "cells changed", "us", "sector", "cells moved", "sectors labelled", "sectors reconnected"}};
    for (size_t i = 0; i < done.size(); ++i) {
        rows.push_back({asked[i].text, number(done[i].edit.grid.cells_changed), fmt::format("{:.0f}", done[i].ms * 1000)});
        for (size_t k = 0; k < done[i].edit.repairs.size(); ++k) {
            const RepairReport& r = done[i].edit.repairs[k];
            if (k > 0) rows.push_back({"", "", ""});
            for (const std::string& text : {sector_name(world.all_regions()[k].sector()), number(r.cells_moved), number(r.sectors_labelled),
                                            number(r.sectors_reconnected)}) {
                rows.back().push_back(text);
            }
        }
    }
    return format_table(rows);
}

int edit(const EditArguments& args) {
    const std::string& out = args.out.empty() ? args.map.file : args.out;
    const EditLock lock(same_file(out, args.map.file) ? args.map.file : std::string());
    auto saved = load_saved_world(args.map.file, args.map.options());
    if (!saved) return fail(saved.error());
    if (const auto error = check_edits(args.edits, saved->grid.snapshot(), args.map.file)) return fail(*error);
    World world(std::move(saved->grid), std::move(saved->regions), WorldOptions{.sectors = {}});
    if (const auto restored = restore_prepared(world, saved->prepared); !restored)
        return fail({restored.error().code, args.map.file, 0, restored.error().reason});
    const std::vector<EditDone> done = apply_edits(world, args.edits);
    const WorldSnapshot after = world.snapshot();
    if (const auto written = save_world(out, after); !written) return fail(written.error());
    Json json = envelope("world edit", args.map.file, after.grid().layout());
    json["file_bytes"] = file_bytes(out);
    for (size_t i = 0; i < done.size(); ++i) json["edits"].push_back(edit_json(args.edits[i], done[i], after));
    add_written(json, {out});
    const std::string text = fmt::format("{}\n{}: {} bytes written\n", edits_table(args.edits, done, after), out, number(file_bytes(out)));
    return tell(args, json, text, kDone);
}

// ---- check

int check(const WorldArguments& args) {
    const Stopwatch load;
    const auto saved = load_saved_world(args.map.file, args.map.options());
    if (!saved) return fail(saved.error());
    const double load_ms = load.ms();
    const GridSnapshot grid = saved->grid.snapshot();
    Json json = envelope("world check", args.map.file, grid.layout());
    json["load_ms"] = load_ms;
    json["abstractions"] = Json::array();
    std::string text = fmt::format("{}: {} x {} cells, read in {:.1f} ms{}\n", args.map.file, grid.width(), grid.height(), load_ms,
                                   saved->regions.empty() ? "; no saved regions" : "");
    bool all_same = true;
    for (const TerrainRegions& kept : saved->regions) {
        const Stopwatch build;
        const bool same = TerrainRegions::build(grid, {kept.sector(), kept.labels()}) == kept;
        const double build_ms = build.ms();
        all_same = all_same && same;
        json["abstractions"].push_back(regions_json(kept));
        json["abstractions"].back()["same"] = same;
        json["abstractions"].back()["build_ms"] = build_ms;
        text += fmt::format("  sector {}: {} regions, {} edges, {} from scratch (in {:.1f} ms)\n", sector_name(kept.sector()),
                            number(kept.region_count()), number(kept.edge_count()),
                            same ? "equal to those built" : "DIFFERENT from those built", build_ms);
    }
    json["same"] = all_same;
    return tell(args, json, text, all_same ? kDone : kNo);
}

// ---- the verbs

CLI::App* add_verb(CLI::App& world, const char* name, const char* help, WorldArguments& args, const std::string& what) {
    CLI::App* verb = world.add_subcommand(name, help);
    args.map.add_to(*verb, "file", what)->required();
    add_json(*verb, args.output);
    return verb;
}

void add_save(CLI::App& world, Run& run) {
    const auto args = std::make_shared<SaveArguments>();
    CLI::App* verb = add_verb(world, "save", "Build the regions of a map and save both, with prepared methods", *args, "The map");
    add_out(*verb, args->out, "a .terrane file", Replaces::kInput)->required();
    add_sectors(*verb, args->sectors, "of the regions to build; the first one also serves connectivity queries [16]");
    add_method(*verb, args->method, "to prepare and to save, besides those of the input [none]");
    add_profiles(*verb, args->profiles, " that --method is prepared for");
    add_movement(*verb, args->movement);
    verb->footer(
        "Path databases (cpd) are saved. All other methods are prepared again when the file is loaded.\n"
        "Example: terrane world save island.map -o island.terrane --method overlay:2 --profile deer");
    verb->callback([args, &run] { run = [args] { return save(*args); }; });
}

void add_edit(CLI::App& world, Run& run) {
    const auto args = std::make_shared<EditArguments>();
    CLI::App* verb = add_verb(world, "edit", "Change cells, and repair the regions that the edits touch", *args, "The world");
    add_fills(*verb, args->edits);
    add_out(*verb, args->out, "a .terrane file [the input file]", Replaces::kInput);
    verb->footer(
        "Edits are applied in order. Edits of one file by several processes wait for each other.\n"
        "Example: terrane world edit island.terrane --fill 100,80,41,1,bridge --set 120,81,road");
    verb->callback([args, &run] {
        if (args->edits.empty()) throw CLI::RequiredError("--set or --fill");
        run = [args] { return edit(*args); };
    });
}

void add_check(CLI::App& world, Run& run) {
    const auto args = std::make_shared<WorldArguments>();
    CLI::App* verb =
        add_verb(world, "check", "Check a saved world: rebuild its regions from scratch and compare them bit for bit", *args, "The world");
    verb->footer("Exit: 0 equal; 1 different; 2 refused, with the reason: truncated, altered, or of another map.");
    verb->callback([args, &run] { run = [args] { return check(*args); }; });
}

}  // namespace

void add_world(CLI::App& app, Run& run) {
    CLI::App* verb = app.add_subcommand("world", "Save, edit and check worlds with their regions: save, edit, check");
    verb->require_subcommand(1);
    verb->footer(kWorldFooter);
    add_save(*verb, run);
    add_edit(*verb, run);
    add_check(*verb, run);
}

}  // namespace terrane::cli
