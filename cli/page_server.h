// Serves a page's files from memory over HTTP, on the loopback address only.
//
// One thread polls all clients without blocking, so that no client can delay another: not by silence, by sending a byte per second, by
// never reading, or by a thousand connections. A request has at most 8 KB and must arrive within five seconds. Anything else, such as a
// body, is refused and the connection closed, so that it cannot be read as the start of another request. Only requests for the host
// 127.0.0.1 or localhost are answered, which prevents DNS rebinding.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "terrane/base/result.h"

namespace terrane::cli {

struct PageFile {
    std::string bytes;
    const char* type = "application/octet-stream";
};
using Page = std::map<std::string, PageFile, std::less<>>;  // by URL path

class PageServer {
public:
    // Port 0: any free port. Fails if the port is in use or not permitted.
    static Result<PageServer> listen(int port);
    PageServer(PageServer&& other) noexcept : socket_(other.socket_), port_(other.port_) { other.socket_ = -1; }
    PageServer& operator=(PageServer&&) = delete;
    ~PageServer();

    std::string address() const;  // "http://127.0.0.1:8017/"
    // Serves until `stop` is true. Adds `headers`, lines that end with \r\n, to each answer.
    void serve(const Page& page, std::string_view headers, const std::atomic<bool>& stop) const;

private:
    PageServer(int socket, int port) : socket_(socket), port_(port) {}

    int socket_;
    int port_;
};

}  // namespace terrane::cli
