// `terrane bench`, `terrane selftest` and `terrane studio` run separate programs, so that `terrane` builds and starts without them. It
// looks for terrane-bench in its own folder (a build folder) and in libexec (an installed tree), and passes the arguments after the verb.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>

#include "cli/common.h"

namespace terrane::cli {

namespace {

namespace fs = std::filesystem;

// The folder of the running program.
fs::path program_folder() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    return error ? fs::path(".") : self.parent_path();
}

Result<fs::path> find_companion(const std::string& name) {
    const fs::path folder = program_folder();
    for (const fs::path& candidate : {folder / name, folder / TERRANE_LIBEXEC / name}) {
        if (access(candidate.c_str(), X_OK) == 0) return candidate;
    }
    return Error{ErrorCode::kCannotOpen, name, 0,
                 "not found beside " + (folder / "terrane").string() + " or in " + (folder / TERRANE_LIBEXEC).lexically_normal().string() +
                     "; build it from the sources with 'make build', or install Terrane with the component 'program'"};
}

int run_companion(const std::string& name, const std::vector<std::string>& arguments) {
    const auto program = find_companion(name);
    if (!program) return fail(program.error());
    std::string path = program->string();
    std::vector<std::string> words = arguments;
    std::vector<char*> argv{path.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(path.c_str(), argv.data());
    return fail({ErrorCode::kCannotOpen, path, 0, std::strerror(errno)});
}

void add_companion(CLI::App& app, Run& run, const std::string& verb_name, const std::string& summary) {
    CLI::App* verb = app.add_subcommand(verb_name, summary);
    verb->prefix_command()->set_help_flag();  // passes every argument on, including --help
    verb->callback([verb, verb_name, &run] { run = [=] { return run_companion("terrane-" + verb_name, verb->remaining()); }; });
}

}  // namespace

std::string own_command() {
    const fs::path folder = program_folder();
    const char* path = std::getenv("PATH");
    std::istringstream folders(path != nullptr ? path : "");
    std::error_code error;
    for (std::string each; std::getline(folders, each, ':');) {
        if (fs::equivalent(fs::path(each) / "terrane", folder / "terrane", error)) return "terrane";
    }
    const fs::path near = fs::proximate(folder / "terrane", error);
    return (error ? folder / "terrane" : near).string();
}

void add_bench(CLI::App& app, Run& run) {
    add_companion(app, run, "bench", "Run a benchmark; answers are checked before the clock starts");
}

void add_selftest(CLI::App& app, Run& run) {
    add_companion(app, run, "selftest", "Test the library's guarantees on random worlds, for as long as you like");
}

void add_studio(CLI::App& app, Run& run) {
    add_companion(app, run, "studio", "Serve the browser studio on this machine's loopback address");
}

}  // namespace terrane::cli
