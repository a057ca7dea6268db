// `terrane studio`: serves the browser studio to this machine, and to nobody else.
//
// The page's files are read once, when it begins, and answered from memory by their names: a request can ask for nothing else.
#include <fmt/format.h>
#include <httplib.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "cli/common.h"
#include "terrane/file.h"

namespace terrane::cli {

namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr uint64_t kMaxFileBytes = 64 << 20;
constexpr const char* kWholePage = "terrane-studio.html";  // for those who have no server

struct StudioArguments {
    std::string folder;
    int port = 8017;
};

struct PageFile {
    std::string bytes;
    const char* type = "application/octet-stream";
};
using Page = std::map<std::string, PageFile, std::less<>>;  // by the path of its address

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

Result<Page> load_page(const std::string& folder) {
    Page page;
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
        if (!it->is_regular_file() || it->path().filename() == kWholePage) continue;
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
void add_headers(httplib::Response& answer) {
    answer.set_header("Content-Security-Policy",
                      "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self' 'unsafe-inline'; "
                      "img-src 'self' blob: data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    answer.set_header("Cross-Origin-Opener-Policy", "same-origin");  // alone in its process, a page has a finer clock
    answer.set_header("Cross-Origin-Embedder-Policy", "require-corp");
    answer.set_header("X-Content-Type-Options", "nosniff");
    answer.set_header("Referrer-Policy", "no-referrer");
    answer.set_header("Cache-Control", "no-cache");
}

void answer_from(const Page& page, const httplib::Request& request, httplib::Response& answer) {
    add_headers(answer);
    const auto found = page.find(request.path);
    if (found == page.end()) {
        answer.status = 404;
        answer.set_content("There is no such file here.\n", "text/plain; charset=utf-8");
        return;
    }
    answer.set_content(found->second.bytes, found->second.type);
}

void prepare(httplib::Server& server, const Page& page) {
    server.set_socket_options([](socket_t socket) {  // as usual, but that no two share a port
        const int yes = 1;
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.new_task_queue = [] { return new httplib::ThreadPool(16); };
    server.set_read_timeout(5);
    server.set_write_timeout(10);
    server.set_keep_alive_timeout(2);
    server.set_payload_max_length(1024);  // nothing is sent to us
    server.Get(".*", [&page](const httplib::Request& request, httplib::Response& answer) { answer_from(page, request, answer); });
    const auto refuse = [](const httplib::Request&, httplib::Response& answer) {
        answer.status = 405;
        answer.set_header("Allow", "GET, HEAD");
    };
    server.Post(".*", refuse);
    server.Put(".*", refuse);
    server.Patch(".*", refuse);
    server.Delete(".*", refuse);
    server.Options(".*", refuse);
}

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal may set it

// Serves until Ctrl-C.
void serve(httplib::Server& server) {
    std::signal(SIGINT, [](int) { interrupted = true; });
    std::signal(SIGTERM, [](int) { interrupted = true; });
    std::thread watch([&server] {
        while (!interrupted) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        server.stop();
    });
    server.listen_after_bind();
    interrupted = true;
    watch.join();
}

int run_studio(const StudioArguments& args) {
    const std::string folder = args.folder.empty() ? find_folder() : args.folder;
    if (folder.empty()) {
        return fail({ErrorCode::kCannotOpen, {}, 0, "the studio is not built yet: 'make studio' builds it, --folder says where it is"});
    }
    const auto page = load_page(folder);
    if (!page) return fail(page.error());
    httplib::Server server;
    prepare(server, *page);
    const int port = args.port == 0 ? server.bind_to_any_port(kHost) : server.bind_to_port(kHost, args.port) ? args.port : -1;
    if (port <= 0) {
        return fail({ErrorCode::kCannotOpen,
                     {},
                     0,
                     fmt::format("port {} is taken, or not ours to use: try another with --port N, or --port 0 for any", args.port)});
    }
    fmt::print("Terrane Studio: http://{}:{}/\nOpen it in a browser on this machine; Ctrl-C ends it.\n", kHost, port);
    std::fflush(stdout);
    serve(server);
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
