#include "bench/bench.h"

#include <fmt/format.h>

#include "cli/common.h"

namespace terrane::cli {

namespace {

struct BenchArguments {
    std::string name, json;
    BenchOptions options;
};

int measure(const BenchArguments& args) {
    const BenchInfo* bench = find_bench(args.name);
    if (bench == nullptr) return fail({ErrorCode::kUnknownName, {}, 0, "no bench '" + args.name + "'; 'terrane bench --help' lists them"});
    const auto report = bench->run(args.options);
    if (!report) return fail(report.error());
    if (!args.json.empty()) {
        const auto saved = write_json(args.json, report->json());
        if (!saved) return fail(saved.error());
    }
    if (args.json != "-") fmt::print("{}\n{}\n", machine(), report->table());
    return kDone;
}

std::string benches_help() {
    std::string text = "Benches:\n";
    for (const BenchInfo& info : benches()) text += fmt::format("  {:<16}{}\n", info.name, info.summary);
    return text + "\nTimes are the best of three passes; compare rows of one run, not of two machines.";
}

}  // namespace

void add_bench(CLI::App& app, Run& run) {
    const auto args = std::make_shared<BenchArguments>();
    CLI::App* verb = app.add_subcommand("bench", "Measure what the project claims; answers are checked first");
    verb->add_option("name", args->name, "Which; see below")->required();
    verb->add_option("--maps", args->options.maps, "Measure on the .map files of a folder, with their .scen")->type_name("DIR");
    verb->add_flag("--quick", args->options.quick, "Less work: to see that it runs, not to quote");
    add_json(*verb, args->json);
    verb->footer(benches_help());
    verb->callback([args, &run] { run = [args] { return measure(*args); }; });
}

}  // namespace terrane::cli
