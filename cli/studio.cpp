// `terrane studio`: serves the browser studio to this machine, and to nobody else.
//
// The page's files are read once, when it begins, and answered from memory by their names: a request can ask for nothing else.
#include <fmt/format.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>

#include "cli/common.h"
#include "cli/page_server.h"
#include "terrane/base/file.h"

namespace terrane::cli {

namespace {

constexpr uint64_t kMaxFileBytes = 64 << 20;
constexpr const char* kWholePage = "terrane-studio.html";  // for those who have no server

struct StudioArguments {
    std::string folder;
    int port = 8017;
};

const char* type_of(const std::filesystem::path& file) {
    static const std::map<std::string, const char*, std::less<>> types = {
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".wasm", "application/wasm"},
        {".json", "application/json"},
        {".map", "application/json"},
        {".png", "image/png"},
        {".svg", "image/svg+xml"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const auto found = types.find(file.extension().string());
    return found == types.end() ? "application/octet-stream" : found->second;
}

// Beside the program as it is built, or as it is installed.
std::string find_folder() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {"../studio", "../share/terrane/studio"}) {
        const std::filesystem::path folder = (program / place).lexically_normal();
        if (std::filesystem::exists(folder / "index.html", error)) return folder.string();
    }
    return {};
}

// Links are not followed: what is served lies in the folder.
Result<Page> load_page(const std::string& folder) {
    Page page;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code unknown;
        if (it->symlink_status(unknown).type() != std::filesystem::file_type::regular || it->path().filename() == kWholePage) continue;
        auto bytes = read_file(it->path().string(), kMaxFileBytes);
        if (!bytes) return bytes.error();
        page["/" + it->path().filename().string()] = {*std::move(bytes), type_of(it->path())};
    }
    const auto index = page.find("/index.html");
    if (index == page.end()) {
        return Error{ErrorCode::kCannotOpen, folder, 0,
                     "the studio is not in this folder: 'make studio' builds it, --folder says where it is"};
    }
    page["/"] = index->second;
    return page;
}

// A page may do what ours does: its own scripts, the engine, pictures that it made.
constexpr const char* kHeaders =
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' "
    "'unsafe-inline'; "
    "img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n"
    "Cross-Origin-Opener-Policy: same-origin\r\n"  // alone in its process, a page has a finer clock
    "Cross-Origin-Embedder-Policy: require-corp\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-cache\r\n";

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal may set it

int run_studio(const StudioArguments& args) {
    const std::string folder = args.folder.empty() ? find_folder() : args.folder;
    if (folder.empty()) {
        return fail({ErrorCode::kCannotOpen, {}, 0, "the studio is not built yet: 'make studio' builds it, --folder says where it is"});
    }
    const auto page = load_page(folder);
    if (!page) return fail(page.error());
    const auto server = PageServer::listen(args.port);
    if (!server) return fail(server.error());
    fmt::print("Terrane Studio: {}\nOpen it in a browser on this machine; Ctrl-C ends it.\n", server->address());
    std::fflush(stdout);
    std::signal(SIGINT, [](int) { interrupted = true; });
    std::signal(SIGTERM, [](int) { interrupted = true; });
    server->serve(*page, kHeaders, interrupted);
    return kDone;
}

}  // namespace

void add_studio(CLI::App& app, Run& run) {
    CLI::App* verb = app.add_subcommand("studio", "Serve the browser studio on this machine's loopback address");
    auto args = std::make_shared<StudioArguments>();
    verb->add_option("--port", args->port, "The port to listen on; 0: any that is free")
        ->capture_default_str()
        ->check(CLI::Range(0, 65535));
    verb->add_option("--folder", args->folder, "The built page, where it is not beside the program")->type_name("DIR");
    verb->footer(
        "The page needs no network: the engine is the library itself, run by the browser. The same folder (build/studio) can be put on "
        "any\n"
        "static host.");
    verb->callback([args, &run] { run = [args] { return run_studio(*args); }; });
}

}  // namespace terrane::cli
