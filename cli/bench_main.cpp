// terrane-bench, run by `terrane bench`.
#include "bench/bench.h"

#include <fmt/format.h>

#include "cli/common.h"

namespace terrane::cli {

namespace {

struct BenchArguments {
    std::string name;
    Output output;
    std::vector<std::string> peers;
    BenchOptions options;
};

int measure(BenchArguments& args) {
    const BenchInfo* bench = find_bench(args.name);
    if (bench == nullptr) {
        const std::string hint = renamed_hint(args.name);
        return fail({ErrorCode::kUnknownName,
                     {},
                     0,
                     "no bench '" + args.name + "': " + (hint.empty() ? "'terrane bench --help' lists them" : hint)});
    }
    if (!args.options.maps.empty() && !bench->takes_maps)
        return fail({ErrorCode::kUnsupported, {}, 0, "--maps: " + args.name + " generates its maps"});
    for (const std::string& peer : args.peers) {
        if (!bench->takes_peers) return fail({ErrorCode::kUnsupported, {}, 0, "--peer: " + args.name + " does not run other programs"});
        const size_t equals = peer.find('=');
        if (equals == 0 || equals == std::string::npos)
            return fail({ErrorCode::kBadValue, {}, 0, "--peer '" + peer + "': expected NAME=COMMAND"});
        args.options.peers.push_back({peer.substr(0, equals), peer.substr(equals + 1)});
    }
    const auto report = bench->run(args.options);
    if (!report) return fail(report.error());
    if (args.output.writes_json()) {
        Json json = envelope("bench");
        json.update(report->json());
        const auto saved = write_json(args.output.json, json);
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}\n{}\n", machine(), report->table());
    return kDone;
}

std::string benches_help() {
    std::string text = "Benches:\n";
    for (const BenchInfo& info : benches()) text += fmt::format("  {:<18}{}\n", info.name, info.summary);
    return text + "\nTimes are the best of three passes. Compare rows of one run only.";
}

}  // namespace

}  // namespace terrane::cli

int main(int argc, char** argv) {
    using namespace terrane::cli;
    BenchArguments args;
    CLI::App app("Run a benchmark; answers are checked before the clock starts.", "terrane bench");
    app.add_option("name", args.name, "Name of the bench; see below")->required();
    app.add_option("--maps", args.options.maps, "Use the .map files of a folder and their .scen files")->type_name("DIR");
    CLI::Option* quick = app.add_flag("--quick", args.options.quick, "Run on fewer and smaller inputs: a smoke test, not a measurement");
    app.add_flag("--tiny", args.options.tiny, "Run on inputs small enough for a unit test")->needs(quick)->group("");  // hidden
    app.add_option(
           "--peer", args.peers,
           "Also measure another program: the shell runs COMMAND with {map}, {scen} and {costs} replaced by file names; it prints the "
           "cost of each problem's path, and optionally microseconds and expansions; may be repeated")
        ->type_name("NAME=COMMAND");
    add_json(app, args.output);
    app.footer(benches_help());
    return run_program(
        app, [&] { return measure(args); }, argc, argv);
}
