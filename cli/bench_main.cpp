// terrane-bench, which `terrane bench` runs.
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

}  // namespace terrane::cli

int main(int argc, char** argv) {
    using namespace terrane::cli;
    BenchArguments args;
    CLI::App app("Measure what the project claims; answers are checked first.", "terrane bench");
    app.add_option("name", args.name, "Which; see below")->required();
    app.add_option("--maps", args.options.maps, "Measure on the .map files of a folder, with their .scen")->type_name("DIR");
    CLI::Option* quick = app.add_flag("--quick", args.options.quick, "Less work: to see that it runs, not to quote");
    app.add_flag("--tiny", args.options.tiny, "Still less work: inputs small enough for a test")->needs(quick)->group("");  // hidden
    add_json(app, args.json);
    app.footer(benches_help());
    return run_program(
        app, [&] { return measure(args); }, argc, argv);
}
