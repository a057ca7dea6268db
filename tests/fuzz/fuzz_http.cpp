// read_http_request: an accepted request names one file of this machine, unambiguously.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/http_request.h"
#include "require.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace terrane;
    const std::string_view head(reinterpret_cast<const char*>(data), size);
    cli::HttpRequest request;
    if (const auto refused = cli::read_http_request(head, request)) {
        require(refused->status[0] == '4' || refused->status[0] == '5', "a refusal has an error status");
        require(refused->why[0] != 0, "and has a reason");
        return 0;
    }
    require(request.method == "GET" || request.method == "HEAD", "the method is GET or HEAD");
    require(request.path.starts_with('/') && request.path.find_first_of("? \r\n") == std::string_view::npos, "the path is valid");
    for (size_t i = 0; i < head.size(); ++i) {
        const auto c = static_cast<unsigned char>(head[i]);
        require(c >= 0x20 || c == '\t' || c == '\r' || c == '\n', "the head is text");
        require(c != '\n' || (i > 0 && head[i - 1] == '\r'), "lines end with CR LF");
    }
    std::string again = std::string(request.method) + " " + std::string(request.path) + " HTTP/1.1\r\nHost: localhost";
    if (request.last) again += "\r\nConnection: close";
    cli::HttpRequest same;
    require(!cli::read_http_request(again, same), "an accepted request can be written and read back");
    require(same.method == request.method && same.path == request.path && same.last == request.last, "it reads back the same");
    return 0;
}
