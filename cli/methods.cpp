// Lists the methods of the library with their capabilities.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/report.h"
#include "cli/common.h"
#include "terrane/crowd/crowd_method.h"
#include "terrane/method/method_interface.h"
#include "terrane/weighted_regions/subdivision_method.h"
#ifdef TERRANE_HAS_NAVMESH
#include "terrane/navmesh/navmesh_planner.h"
#endif

namespace terrane::cli {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// The table of the methods for one type of map.
struct MethodTable {
    const char* title;
    const char* map;  // in JSON: what the methods search
    Rows rows;        // the first is the header
    std::vector<MethodInfo> infos;
    std::vector<MethodCapabilities> capabilities;  // of methods on grids
};

std::string mark(bool has) { return has ? "yes" : ""; }

std::string requirements(const MethodCapabilities& can) {
    std::string all = can.one_cost ? "one cost" : "";
    if (can.only_eight) all += all.empty() ? "movement eight" : ", movement eight";
    return all;
}

MethodTable grid_table() {
    MethodTable table{"Grids", "grid", {{"method", "needs", "guarantee", "any bound", "early cells", "custom rules", "requires"}}, {}, {}};
    for (const MethodFactory* factory : methods()) {
        const MethodCapabilities& can = factory->capabilities;
        table.rows.push_back({factory->info.name, to_string(can.needs), to_string(can.guarantee), mark(can.proves_bounds),
                              mark(can.early_cells), mark(can.custom_rules), requirements(can)});
        table.infos.push_back(factory->info);
        table.capabilities.push_back(can);
    }
    return table;
}

template <class Factories>
MethodTable plain_table(const char* title, const char* map, const Factories& factories) {
    MethodTable table{title, map, {}, {}, {}};
    for (const auto* factory : factories) table.infos.push_back(factory->info);
    return table;
}

std::vector<MethodTable> all_tables() {
    std::vector<MethodTable> tables{grid_table(), plain_table("Crowds", "crowd", crowd_methods()),
                                    plain_table("Weighted regions", "subdivision", subdivision_methods())};
#ifdef TERRANE_HAS_NAVMESH
    tables.push_back(plain_table("Navigation meshes", "navmesh", navmesh_methods()));
#endif
    return tables;
}

std::string markdown_row(const std::vector<std::string>& cells) {
    std::string row = "|";
    for (const std::string& cell : cells) {
        row += cell.empty() ? "" : " ";
        for (const char c : cell) row += c == '|' ? "\\|" : std::string(1, c);
        row += " |";
    }
    return row + "\n";
}

void print_markdown(const MethodTable& table) {
    fmt::print("## {}\n\n", table.title);
    fmt::print("{}", markdown_row({"name", "method", "arguments and options"}) + markdown_row({"---", "---", "---"}));
    for (const MethodInfo& info : table.infos) {
        fmt::print("{}", markdown_row({"`" + std::string(info.usage) + "`", info.summary, info.details}));
    }
    if (!table.rows.empty()) {
        fmt::print("\n{}", markdown_row(table.rows[0]) + markdown_row(std::vector<std::string>(table.rows[0].size(), "---")));
        for (size_t i = 1; i < table.rows.size(); ++i) {
            std::vector<std::string> row = table.rows[i];
            row[0] = "`" + row[0] + "`";
            fmt::print("{}", markdown_row(row));
        }
    }
    fmt::print("\n");
}

void print_text(const MethodTable& table) {
    fmt::print("{}\n", table.title);
    for (const MethodInfo& info : table.infos) {
        fmt::print("  {}\n      {}\n", info.usage, info.summary);
        if (*info.details != 0) fmt::print("      {}\n", info.details);
    }
    if (!table.rows.empty()) fmt::print("\n{}", format_table(table.rows, table.rows[0].size()));
    fmt::print("\n");
}

Json capabilities_json(const MethodCapabilities& can) {
    return {{"needs", to_string(can.needs)},  {"guarantee", to_string(can.guarantee)}, {"proves_bounds", can.proves_bounds},
            {"early_cells", can.early_cells}, {"custom_rules", can.custom_rules},      {"one_cost", can.one_cost},
            {"only_eight", can.only_eight}};
}

Json to_json(const std::vector<MethodTable>& tables) {
    Json json = envelope("methods");
    for (const MethodTable& table : tables) {
        for (size_t i = 0; i < table.infos.size(); ++i) {
            const MethodInfo& info = table.infos[i];
            Json& method = json["methods"].emplace_back(
                Json{{"method", info.name}, {"searches", table.map}, {"usage", info.usage}, {"summary", info.summary}});
            if (*info.details != 0) method["details"] = info.details;
            if (!table.capabilities.empty()) method["capabilities"] = capabilities_json(table.capabilities[i]);
        }
    }
    return json;
}

struct MethodsArguments {
    bool markdown = false;
    Output output;
};

int list_methods(const MethodsArguments& args) {
    const std::vector<MethodTable> tables = all_tables();
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, to_json(tables)); !saved) return fail(saved.error());
    }
    if (!args.output.prints_text()) return kDone;
    for (const MethodTable& table : tables) args.markdown ? print_markdown(table) : print_text(table);
    return kDone;
}

}  // namespace

void add_methods(CLI::App& app, Run& run) {
    const auto args = std::make_shared<MethodsArguments>();
    CLI::App* verb = app.add_subcommand("methods", "List the methods by name, with their options and capabilities");
    verb->add_flag("--markdown", args->markdown, "Print the tables of docs/methods.md");
    add_json(*verb, args->output);
    verb->footer("Example:\n  terrane methods");
    verb->callback([args, &run] { run = [args] { return list_methods(*args); }; });
}

}  // namespace terrane::cli
