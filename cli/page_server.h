// A page's files, from memory, over HTTP to this machine and to nobody else.
//
// One thread waits for all clients at once and sends nobody a file that it does not hold in memory, so that no client can keep another
// waiting: not by silence, not by a byte a second, not by never reading, not by a thousand connections. A request is a line and headers,
// 8 KB and five seconds at most; whatever else comes (a body, say) is refused and the connection ended, so that nothing can be taken for
// the beginning of another request. Only those who ask for 127.0.0.1 or localhost by that name are answered: a page from elsewhere whose
// name was made to lead here (DNS rebinding) is not.
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
using Page = std::map<std::string, PageFile, std::less<>>;  // by the path of its address

class PageServer {
public:
    // Port 0: any that is free. Refused: one that is taken, or not ours to use.
    static Result<PageServer> listen(int port);
    PageServer(PageServer&& other) noexcept : socket_(other.socket_), port_(other.port_) { other.socket_ = -1; }
    PageServer& operator=(PageServer&&) = delete;
    ~PageServer();

    std::string address() const;  // "http://127.0.0.1:8017/"
    // Until `stop` is true. `headers` go with each answer: lines that end with \r\n.
    void serve(const Page& page, std::string_view headers, const std::atomic<bool>& stop) const;

private:
    PageServer(int socket, int port) : socket_(socket), port_(port) {}

    int socket_;
    int port_;
};

}  // namespace terrane::cli
