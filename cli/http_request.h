// A strict parser for HTTP/1.0 and 1.1 requests.
#pragma once
#include <optional>
#include <string_view>

namespace terrane::cli {

// Refers to the text that it was parsed from.
struct HttpRequest {
    std::string_view method;  // GET or HEAD
    std::string_view path;    // begins with /; not decoded, without the query
    bool last = false;        // close the connection after the answer
};

// The answer to an invalid request; close the connection after it.
struct HttpRefusal {
    const char* status;  // "400 Bad Request"
    const char* why;     // a line of text
};

// Parses `head`, a request without the empty line at its end. Refuses other methods, versions and URL forms; a body, or headers that
// announce one; a host other than 127.0.0.1 and localhost, with any port; control characters, continuation lines and other line ends.
std::optional<HttpRefusal> read_http_request(std::string_view head, HttpRequest& out);

}  // namespace terrane::cli
