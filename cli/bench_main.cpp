// terrane-bench, run by `terrane bench`.
#include "bench/bench.h"

#include <fmt/format.h>

#include "cli/common.h"

namespace terrane::cli {

namespace {

struct BenchArguments {
    const BenchInfo* bench = nullptr;
    std::string command;  // as typed
    Output output;
    std::vector<std::string> peers;
    BenchOptions options;
};

int measure(BenchArguments& args) {
    for (const std::string& peer : args.peers) {
        const size_t equals = peer.find('=');
        if (equals == 0 || equals == std::string::npos)
            return fail({ErrorCode::kBadValue, {}, 0, "--peer '" + peer + "': expected NAME=COMMAND"});
        args.options.peers.push_back({peer.substr(0, equals), peer.substr(equals + 1)});
    }
    auto report = args.bench->run(args.options);
    if (!report) return fail(report.error());
    report->command = args.command;
    if (args.output.writes_json()) {
        Json json = envelope("bench");
        json.update(report->json());
        const auto saved = write_json(args.output.json, json);
        if (!saved) return fail(saved.error());
    }
    if (args.output.prints_text()) fmt::print("{}\n{}\n", machine(), report->table());
    return kDone;
}

// Returns a word as a shell reads it.
std::string quoted(const std::string& word) {
    return word.find_first_of(" '\"$&|;<>(){}*?\\") == std::string::npos ? word : "'" + word + "'";
}

void add_bench_verb(CLI::App& app, const BenchInfo& bench, BenchArguments& args, Run& run) {
    CLI::App* verb = app.add_subcommand(bench.name, bench.summary)->group("Benches");
    if (bench.takes_maps) {
        verb->add_option("--maps", args.options.maps,
                         "Use the maps of a folder, with their .scen files (navmesh: nav_test.obj); may be repeated [generated maps]")
            ->allow_extra_args(false)
            ->type_name("DIR");
    }
    CLI::Option* quick = verb->add_flag("--quick", args.options.quick, "Run on fewer and smaller inputs: a smoke test, not a measurement");
    verb->add_flag("--tiny", args.options.tiny, "Run on inputs small enough for a unit test")->needs(quick)->group("");  // hidden
    if (bench.takes_peers) {
        verb->add_option("--peer", args.peers,
                         "Also measure another program: the shell runs COMMAND with {map}, {scen} and {costs} replaced by file names; it "
                         "prints the cost of each problem's path, and optionally microseconds and expansions; may be repeated")
            ->allow_extra_args(false)
            ->type_name("NAME=COMMAND");
    }
    add_json(*verb, args.output);
    verb->footer("Compare times in rows of one run only.");
    verb->callback([&args, &bench, &run] {
        args.bench = &bench;
        run = [&args] { return measure(args); };
    });
}

}  // namespace

}  // namespace terrane::cli

int main(int argc, char** argv) {
    using namespace terrane::cli;
    BenchArguments args;
    args.command = "terrane bench";
    for (int i = 1; i < argc; ++i) args.command += " " + quoted(argv[i]);
    CLI::App app("Run a benchmark; answers are checked before the clock starts.", "terrane bench");
    app.require_subcommand(1);
    app.footer("'terrane bench NAME --help' explains the options of each.");
    Run run;
    for (const terrane::BenchInfo& bench : terrane::benches()) add_bench_verb(app, bench, args, run);
    return run_program(app, run, argc, argv);
}
