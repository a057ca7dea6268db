// Runs a program with verbs: parses its command line, answers `help`, and explains what is wrong with a command.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <span>
#include <system_error>

#include "cli/common.h"

namespace terrane::cli {

namespace {

using Words = std::vector<std::string>;

// Does not throw, unlike fmt::print, if standard error cannot be written.
void complain(const std::string& what) { std::fputs(("terrane: " + what + "\n").c_str(), stderr); }

// Verbs, benches and options that had another name before. `verb` begins the name of those concerned; empty: all.
struct Renamed {
    std::string_view verb, before, now;
};
constexpr Renamed kRenamed[] = {{"", "openfield", "weighted-regions"},
                                {"", "open-terrain", "weighted-regions"},
                                {"", "refract", "any-angle"},
                                {"", "mm", "minimal-memory"},
                                {"", "cpd-agree", "terrane selftest path_databases"},
                                {"", "--kind", "--profile"},
                                {"crowd", "--life-long", "--lifelong"},
                                {"crowd", "--bound", "--lower-bound"},
                                {"import", "--tolerance", "--colour-tolerance"},
                                {"pathdb info", "--check", "--verify"},
                                {"pathdb path", "--db", "--pathdb"},
                                {"reach", "--nearest", "--nearest-terrain"},
                                {"weighted-regions", "--heuristic", "--heuristic-cost"},
                                {"weighted-regions", "--tolerance", "--simplify"},
                                {"", "--heuristic", "part of the method: --method astar+landmarks:8"},
                                {"", "--certificates", "part of the method: --method overlay:2+lower_bounds:32"}};

std::string_view new_name(std::string_view verb, std::string_view word) {
    const std::string_view plain = word.substr(0, word.find('='));
    const auto found = std::ranges::find_if(kRenamed, [&](const Renamed& r) { return r.before == plain && verb.starts_with(r.verb); });
    return found == std::end(kRenamed) ? std::string_view() : found->now;
}

// The number of letters to insert, remove, replace or swap with a neighbour to turn one word into the other.
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i) {
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    }
    return d[a.size()][b.size()];
}

// The candidate that the word is a misspelling of; empty if none is close.
std::string nearest_word(std::string_view word, const Words& candidates) {
    const auto distance = [&](const std::string& each) { return edit_distance(word, each); };
    const auto best = std::ranges::min_element(candidates, {}, distance);
    return best != candidates.end() && distance(*best) <= std::max<size_t>(1, word.size() / 3) ? *best : "";
}

Words verbs_of(const CLI::App& app) {
    Words names;
    for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

Words options_of(const CLI::App& app) {
    Words names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

// What the first words of a command line name.
struct Named {
    CLI::App* app;
    std::string verb;     // "world edit"
    std::string unknown;  // why there is no such verb; empty: there is
};

Named find_verb(CLI::App& program, const Words& words) {
    Named named{&program, {}, {}};
    for (size_t i = 0; named.app->get_require_subcommand_min() > 0; ++i) {
        const Words verbs = verbs_of(*named.app);
        if (i < words.size() && words[i].starts_with('-')) {
            const bool known = named.app->get_option_no_throw(words[i].substr(0, words[i].find('='))) != nullptr;  // --help, --version
            if (!known)
                named.unknown = fmt::format("unknown option '{}': expected a verb first: one of {}", words[i], fmt::join(verbs, ", "));
            break;
        }
        if (i == words.size()) {
            named.unknown = fmt::format("expected a verb: one of {}", fmt::join(verbs, ", "));
            break;
        }
        const auto at = std::ranges::find(verbs, words[i]);
        if (at == verbs.end()) {
            const std::string_view now = new_name({}, words[i]);
            const std::string near = nearest_word(words[i], verbs);
            named.unknown = !now.empty()    ? fmt::format("'{}' is now '{}'", words[i], now)
                            : !near.empty() ? fmt::format("unknown verb '{}': did you mean '{}'?", words[i], near)
                                            : fmt::format("unknown verb '{}': expected one of {}", words[i], fmt::join(verbs, ", "));
            break;
        }
        named.app = named.app->get_subcommand(words[i]);
        named.verb += (i == 0 ? "" : " ") + words[i];
    }
    return named;
}

// What to write instead of words that the verb does not know.
void explain_options(const CLI::App& program, const Named& named) {
    for (const std::string& word : program.remaining(true)) {
        if (!word.starts_with('-') || word == "-" || word == "--") continue;
        const std::string near = nearest_word(word.substr(0, word.find('=')), options_of(*named.app));
        if (const std::string_view now = new_name(named.verb, word); !now.empty()) {
            complain(now.starts_with("--") ? fmt::format("'{}' is now '{}'", word, now) : fmt::format("'{}' is {}", word, now));
        } else if (!near.empty()) {
            complain(fmt::format("unknown option '{}': did you mean '{}'?", word, near));
        }
    }
}

void point_to_help(const CLI::App& program, const Named& named) {
    const std::string verb = named.verb.empty() ? "" : " " + named.verb;
    std::fputs(fmt::format("Run '{}{} --help' for more information.\n", program.get_name(), verb).c_str(), stderr);
}

int run_verb(CLI::App& app, const Run& run, Words words, bool loud) {
    if (!words.empty() && words[0] == "help") {  // `help path` is `path --help`
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    const Named named = find_verb(app, words);
    if (!named.unknown.empty()) {
        if (!loud) return kBadInput;
        complain(named.unknown);
        point_to_help(app, named);
        return kBadInput;
    }
    try {
        std::ranges::reverse(words);  // the order that CLI11 expects
        app.parse(words);
        if (const auto error = check_files(app)) return loud ? fail(*error) : int{kBadInput};
        return run();
    } catch (const CLI::Success& e) {
        return app.exit(e);  // --help, --version
    } catch (const CLI::ParseError& e) {
        if (!loud) return kBadInput;
        complain(e.what());
        explain_options(app, named);
        point_to_help(app, named);
        return kBadInput;
    } catch (const std::bad_alloc&) {
        complain("out of memory");
        return kBadInput;
    }
}

}  // namespace

void add_verbs(CLI::App& app, Run& run) {
    for (const auto add : {add_crowd, add_gen, add_import, add_info, add_methods, add_weighted_regions, add_path, add_pathdb, add_reach,
                           add_scen, add_selftest, add_why, add_world, add_bench, add_demo})
        add(app, run);
#ifdef TERRANE_HAS_NAVMESH
    add_navmesh(app, run);
#endif
#ifdef TERRANE_HAS_STUDIO
    add_studio(app, run);
#endif
}

int run_program(CLI::App& app, const Run& run, int argc, char** argv, bool loud) {
    app.get_formatter()->column_width(34);
    int code = kDone;
    try {
        code = run_verb(app, run, {argv + std::min(argc, 1), argv + argc}, loud);
    } catch (const std::system_error&) {  // from fmt::print: standard output or standard error cannot be written
        code = kBadInput;
    }
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    complain("cannot write to standard output: the answer is incomplete");
    return kBadInput;
}

}  // namespace terrane::cli
