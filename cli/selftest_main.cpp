// terrane-selftest, run by `terrane selftest`.
#include "selftest/selftest.h"

#include <fmt/format.h>

#include <cstdio>

#include "bench/progress.h"
#include "bench/report.h"
#include "cli/common.h"

namespace terrane::cli {

namespace {

struct SelftestArguments {
    std::vector<std::string> names;
    selftest::Setting setting;
    Output output;
};

std::string names_of_tests() {
    std::string out;
    for (const selftest::Test& test : selftest::tests()) out += (out.empty() ? "" : ", ") + std::string(test.name);
    return out;
}

int selftest_verb(const SelftestArguments& args) {
    for (const std::string& name : args.names) {
        if (std::ranges::none_of(selftest::tests(), [&](const selftest::Test& test) { return name == test.name; })) {
            return fail({ErrorCode::kUnknownName, {}, 0, "no test '" + name + "'; there are " + names_of_tests()});
        }
    }
    bool all_held = true;
    Json json = envelope("selftest");
    json["seed"] = args.setting.seed;
    json["seconds"] = args.setting.seconds;
    for (const selftest::Test& test : selftest::tests()) {
        if (!args.names.empty() && std::ranges::find(args.names, test.name) == args.names.end()) continue;
        if (args.output.prints_text()) fmt::print("{}: {}\n", test.name, test.what);
        selftest::Outcome outcome;
        bool told = false;  // prints figures as they come
        {
            Progress bar(test.name, 0);
            selftest::Setting setting = args.setting;
            uint64_t shown = 0;
            setting.progress = [&](uint64_t trials) { bar.advance(trials - std::exchange(shown, trials)); };
            setting.figure = [&](const std::string& name, const std::string& value) {
                told = true;
                if (!args.output.prints_text()) return;
                fmt::print("  {}: {}\n", name, value);
                std::fflush(stdout);
            };
            outcome = test.run(setting);
        }
        all_held = all_held && outcome.failure.empty();
        auto figures = Json::object();
        std::vector<std::vector<std::string>> rows{{"", ""}, {outcome.unit, format_number(static_cast<double>(outcome.trials))}};
        for (const auto& [name, value] : outcome.figures) {
            if (!told) rows.push_back({name, value});
            figures[name] = value;
        }
        Json& result = json["tests"].emplace_back(
            Json{{"test", test.name}, {"held", outcome.failure.empty()}, {"unit", outcome.unit}, {"trials", outcome.trials}});
        if (!outcome.failure.empty()) result["failure"] = outcome.failure;
        result["figures"] = figures;
        if (args.output.prints_text())
            fmt::print("{}{}\n\n", format_table(rows), outcome.failure.empty() ? "held" : "FAILED: " + outcome.failure);
    }
    if (args.output.writes_json()) {
        if (const auto saved = write_json(args.output.json, json); !saved) return fail(saved.error());
    }
    return all_held ? kDone : kNo;
}

}  // namespace

}  // namespace terrane::cli

int main(int argc, char** argv) {
    using namespace terrane;
    using namespace terrane::cli;
    SelftestArguments args;
    CLI::App app("Test the library's guarantees on random worlds, for as long as you like.", "terrane selftest");
    app.add_option("names", args.names, "Tests to run: " + names_of_tests() + " [all]")->type_name("TEST");
    add_real(app, "--seconds", args.setting.seconds, "Duration of each test, in seconds", {0, 1e6});
    add_seed(app, args.setting.seed, {});
    add_whole(app, "--threads", args.setting.threads, "Number of threads: readers of the test readers", 1, 256);
    app.add_option("--folder", args.setting.folder, "Folder for failing cases")->capture_default_str()->type_name("FOLDER");
    add_whole(app, "--side", args.setting.side,
              "Side of the largest worlds of the test limits, in cells; it uses as many profiles, up to 10,000", 64, kMaxSide);
    app.add_option("--part", args.setting.part, "Run only this part of the test limits")->check(CLI::IsMember(selftest::limits_parts()));
    add_bytes(app, "--memory", args.setting.memory,
              "Memory limit of each part of the test limits, as in 8GB [12 bytes per cell plus 256 MB]");
    add_json(app, args.output);
    app.footer(
        "Examples:\n"
        "  terrane selftest                                  a minute or so of everything\n"
        "  terrane selftest edits --seconds 28800 --seed 7   a night of edits\n"
        "  terrane selftest readers --threads 16\n"
        "  terrane selftest limits --side 32768              the largest: an hour, and 13 GB of memory\n"
        "A failing case is reduced to a minimal one and saved as a drawing.");
    const Run run = [&] { return selftest_verb(args); };
    return run_program(app, run, argc, argv);
}
