#include "cli/pathdb.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/report.h"
#include "terrane/cpd/path_database_file.h"

namespace terrane::cli {

namespace {

constexpr const char* kPathdbFooter =
    R"(A path database holds the first move of a cheapest path from every cell to every cell, for one map, one profile and one movement rule:
paths are read off it, nothing is searched. Where the map has changed since, it guides a search that stays near-optimal.

Examples:
  terrane pathdb build island.map --profile deer -o deer.pathdb
  terrane pathdb info deer.pathdb --verify
  terrane pathdb path island.map --pathdb deer.pathdb --profile deer --from 120,200 --to 380,300 --png path.png
  terrane pathdb path island.map --pathdb deer.pathdb --profile deer --from 120,200 --to 380,300 --now burnt.map --method cpd/branching)";

struct DatabaseInfoArguments {
    std::string file;
    Output output;
    bool check = false;
};

std::string name_in(const auto& names, auto value) {
    const auto it = std::ranges::find_if(names, [&](const auto& choice) { return choice.value == value; });
    return it == names.end() ? "" : it->name;
}

std::string targets_text(const PathFileInfo& info) {
    if (info.everywhere) return "all of them";
    const Rect& r = info.target_bounds;
    return fmt::format("{} cells within {},{} to {},{}", format_number(info.targets), r.x, r.y, r.right() - 1, r.bottom() - 1);
}

void print(const PathFileInfo& info, const DatabaseInfoArguments& args, double ms) {
    fmt::print("{}: version {}, {} bytes; {} in {:.1f} ms\n", args.file, info.version, format_number(static_cast<double>(info.file_bytes)),
               args.check ? "every byte checked" : "header checked", ms);
    fmt::print("  map        {} x {} cells, {} passable; checksum {:016x}\n", info.width, info.height, format_number(info.nodes),
               info.map_checksum);
    fmt::print("  profile    checksum {:016x} of its costs for the map's terrains\n", info.costs_checksum);
    fmt::print("  movement   {}\n", to_string(info.movement));
    fmt::print("  paths to   {}\n", targets_text(info));
    fmt::print("  encoding   {}, order {}, {:.1f} bytes per cell\n", name_of(info.encoding), name_of(info.order),
               static_cast<double>(info.file_bytes) / std::max(info.nodes, 1u));
}

Json to_json(const PathFileInfo& info, const DatabaseInfoArguments& args, double ms) {
    const Rect& r = info.target_bounds;
    Json json = envelope("pathdb info");
    json.update({{"pathdb", args.file},
                 {"format_version", info.version},
                 {"file_bytes", info.file_bytes},
                 {"header_bytes", info.header_bytes},
                 {"width", info.width},
                 {"height", info.height},
                 {"nodes", info.nodes},
                 {"targets", info.targets},
                 {"everywhere", info.everywhere},
                 {"target_bounds", {r.x, r.y, r.width, r.height}},
                 {"movement", to_string(info.movement)},
                 {"encoding", name_of(info.encoding)},
                 {"order", name_of(info.order)},
                 {"map_checksum", fmt::format("{:016x}", info.map_checksum)},
                 {"costs_checksum", fmt::format("{:016x}", info.costs_checksum)},
                 {"checked", args.check ? "all" : "header"},
                 {"load_ms", ms}});
    return json;
}

int inform_database(const DatabaseInfoArguments& args) {
    const Stopwatch watch;
    const auto info = inspect_path_database(args.file, args.check ? PathFileCheck::kAll : PathFileCheck::kHeader);
    if (!info) return fail(info.error());
    const double ms = watch.ms();
    if (args.output.writes_json()) {
        const auto saved = write_json(args.output.json, to_json(*info, args, ms));
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) print(*info, args, ms);
    return kDone;
}

void add_database_info(CLI::App& pathdb, Run& run) {
    const auto args = std::make_shared<DatabaseInfoArguments>();
    CLI::App* verb = pathdb.add_subcommand("info", "Describe a path database: map, profile, encoding, size");
    add_input(*verb, "file", args->file, "Path database to read")->required();
    verb->add_flag("--verify", args->check, "Check every byte, not only the header");
    add_json(*verb, args->output);
    verb->footer("Exit: 0 valid; 2 refused, with the reason: truncated, altered, or of another version.");
    verb->callback([args, &run] { run = [args] { return inform_database(*args); }; });
}

}  // namespace

void WalkArguments::add_to(CLI::App& verb) {
    map.add_to(verb, "map", "The map that the database is built for")->required();
    add_profile(verb, profile);
    add_movement(verb, movement);
}

Result<WalkedMap> WalkArguments::load() const {
    const auto who = find_profile(profile);
    if (!who) return who.error();
    const auto grid = map.load();
    if (!grid) return grid.error();
    const GridSnapshot snapshot = grid->snapshot();
    const auto costs = who->compile(snapshot.catalogue());
    if (!costs) return costs.error();
    return WalkedMap{snapshot, *costs, who->name()};
}

std::string name_of(PathEncoding encoding) { return name_in(kEncodings, encoding); }
std::string name_of(PathOrder order) { return name_in(kOrders, order); }

std::string format_bytes(uint64_t bytes) {
    const auto size = static_cast<double>(bytes);
    if (bytes < 1000) return fmt::format("{} bytes", bytes);
    if (bytes < 1000 * 1000) return fmt::format("{:.1f} kB", size / 1e3);
    return bytes < 1000 * 1000 * 1000 ? fmt::format("{:.1f} MB", size / 1e6) : fmt::format("{:.1f} GB", size / 1e9);
}

void add_pathdb(CLI::App& app, Run& run, std::shared_ptr<Ranks> ranks) {
    CLI::App* verb = app.add_subcommand("pathdb", "Build, describe and search compressed path databases (CPD): build, info, path");
    verb->require_subcommand(1);
    verb->footer(kPathdbFooter);
    add_pathdb_build(*verb, run, std::move(ranks));
    add_database_info(*verb, run);
    add_pathdb_path(*verb, run);
}

void add_pathdb(CLI::App& app, Run& run) { add_pathdb(app, run, std::make_shared<Ranks>()); }

}  // namespace terrane::cli
