// terrane-studio, run by `terrane studio`: serves the browser studio on the loopback address. A program of its own, because loading
// cpp-httplib's libraries would delay the start of every verb.
//
// Reads the page's files once, at start, and serves them from memory by name; nothing else can be requested.
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "bench/report.h"
#include "cli/common.h"
#include "cli/page_server.h"
#include "terrane/base/file.h"

namespace terrane::cli {

namespace {

constexpr uint64_t kMaxFileBytes = 64 << 20;
constexpr const char* kWholePage = "terrane-studio.html";  // works without a server

struct StudioArguments {
    std::string folder;
    int port = 8017;
    Output output;
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

// The page's folder in a build tree or in an installed tree.
std::string find_folder() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (const char* place : {"../studio", TERRANE_STUDIO_PAGE}) {
        const std::filesystem::path folder = (program / place).lexically_normal();
        if (std::filesystem::exists(folder / "index.html", error)) return folder.string();
    }
    return {};
}

// Does not follow links: all served files lie in the folder.
Result<Page> load_page(const std::string& folder) {
    Page page;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        std::error_code unknown;
        if (it->symlink_status(unknown).type() != std::filesystem::file_type::regular || it->path().filename() == kWholePage) continue;
        auto bytes = read_file(it->path().string(), kMaxFileBytes);
        if (!bytes) return bytes.error();
        page.files["/" + it->path().filename().string()] = {*std::move(bytes), type_of(it->path())};
    }
    const auto index = page.files.find("/index.html");
    if (index == page.files.end()) {
        return Error{ErrorCode::kCannotOpen, folder, 0,
                     "no studio in this folder: build it with 'make studio', or pass its folder with --folder"};
    }
    page.files["/"] = index->second;
    return page;
}

// The page may run its own scripts and the engine, and show pictures that it made.
constexpr const char* kContentPolicy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const std::vector<std::pair<std::string, std::string>> kHeaders = {
    {"Content-Security-Policy", kContentPolicy},
    {"Cross-Origin-Opener-Policy", "same-origin"},  // an isolated page has a finer clock
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cache-Control", "no-cache"},
    {"Allow", "GET, HEAD"},
};

int run_studio(const StudioArguments& args) {
    const std::string folder = args.folder.empty() ? find_folder() : args.folder;
    if (folder.empty()) {
        return fail({ErrorCode::kCannotOpen, {}, 0, "the studio is not built: run 'make studio', or pass its folder with --folder"});
    }
    auto& page = *new Result<Page>(load_page(folder));  // never deleted: the server's threads use it until the process ends
    if (!page) return fail(page.error());
    page->headers = kHeaders;
    // There is nothing to save, and clients may be connected: end at once.
    for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { ::_exit(kDone); });
    return fail(serve_page(*page, args.port, [&](const std::string& address) {
        if (args.output.writes_json()) {
            Json json = envelope("studio");
            json["address"] = address;
            json["folder"] = folder;
            if (const auto saved = write_json(args.output.json, json); !saved) ::_exit(fail(saved.error()));
        }
        if (args.output.prints_text())
            fmt::print("Terrane Studio: {}\nOpen it in a browser on this machine; press Ctrl-C to stop.\n", address);
        std::fflush(stdout);
    }));
}

}  // namespace

}  // namespace terrane::cli

int main(int argc, char** argv) {
    using namespace terrane::cli;
    StudioArguments args;
    CLI::App app("Serve the browser studio on this machine's loopback address.", "terrane studio");
    add_whole(app, "--port", args.port, "Port to listen on; 0: any free port", 0, 65'535);
    app.add_option("--folder", args.folder, "Folder of the built page [next to the program]")->type_name("DIR");
    add_json(app, args.output);
    app.footer(
        "The page needs no network: the engine is the library itself, run by the browser.\n"
        "The same folder (build/studio) can be put on any static host.");
    const Run run = [&] { return run_studio(args); };
    return run_program(app, run, argc, argv);
}
