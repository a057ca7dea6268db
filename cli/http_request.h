// A request of HTTP/1.0 or 1.1, as strictly as it can be read.
#pragma once
#include <optional>
#include <string_view>

namespace terrane::cli {

// Of the text that it was read from.
struct HttpRequest {
    std::string_view method;  // GET or HEAD
    std::string_view path;    // begins with /; as it came, without what follows a question mark
    bool last = false;        // the client wants no more answers after this one
};

// An answer for everything else, after which the connection must end.
struct HttpRefusal {
    const char* status;  // "400 Bad Request"
    const char* why;     // a line of text
};

// `head`: all of a request but the empty line at its end. Refused: other methods, versions and forms of addresses; a body, or anything that
// could be taken for the promise of one; a host that is not 127.0.0.1 or localhost, with any port; control characters, lines that go on in
// the next, lines that end otherwise.
std::optional<HttpRefusal> read_http_request(std::string_view head, HttpRequest& out);

}  // namespace terrane::cli
