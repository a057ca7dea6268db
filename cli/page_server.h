// Serves a page's files from memory over HTTP, on the loopback address only.
//
// Answers GET and HEAD for the hosts 127.0.0.1 and localhost, which prevents DNS rebinding; refuses bodies. A connection carries one
// request, so that what follows it cannot be read as another. Each connection has its own thread and time limits: a request must arrive
// within five seconds and its answer must be read within a minute. Therefore no client delays another: not by silence, by sending a byte
// per second, by never reading, or by a thousand connections. Beyond 4000, new connections wait for the end of one.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "terrane/base/result.h"

namespace terrane::cli {

struct PageFile {
    std::string bytes;
    const char* type = "application/octet-stream";
};
struct Page {
    std::map<std::string, PageFile> files;                          // by URL path
    std::vector<std::pair<std::string, std::string>> headers = {};  // of every answer
};

// Serves `page`, which must live until the process ends. Returns only on an error. Port 0: any free port. Calls `ready` with the address
// ("http://127.0.0.1:8017/") when clients can connect.
Error serve_page(const Page& page, int port, const std::function<void(const std::string& address)>& ready);

}  // namespace terrane::cli
