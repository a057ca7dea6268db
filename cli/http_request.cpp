#include "cli/http_request.h"

#include <algorithm>

namespace terrane::cli {

namespace {

constexpr HttpRefusal kMalformed{"400 Bad Request", "Not an HTTP request.\n"};

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}
bool is_text(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
}
bool same_word(std::string_view a, std::string_view lower) {
    return std::ranges::equal(a, lower, [](char x, char y) { return (x >= 'A' && x <= 'Z' ? static_cast<char>(x + 32) : x) == y; });
}

// Removes and returns the text before `mark`, and removes the mark; all of the text if there is no mark.
std::string_view cut(std::string_view& rest, std::string_view mark) {
    const size_t at = rest.find(mark);
    const std::string_view part = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + mark.size());
    return part;
}
std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

// Accepts any port: the connection may have been forwarded.
bool is_this_machine(std::string_view host) {
    const std::string_view name = cut(host, ":");
    return (name == "127.0.0.1" || same_word(name, "localhost")) && std::ranges::all_of(host, [](char c) { return c >= '0' && c <= '9'; });
}

// The headers that the server uses.
struct Headers {
    int hosts = 0;
    std::string_view host;
    bool body = false;
    bool close = false;
    bool keep = false;
};

std::optional<HttpRefusal> read_headers(std::string_view rest, Headers& out) {
    while (!rest.empty()) {
        std::string_view value = cut(rest, "\r\n");
        if (!is_text(value) || value.find(':') == std::string_view::npos) return kMalformed;  // is_text: rejects \r and \n
        const std::string_view name = cut(value, ":");
        if (!is_token(name)) return kMalformed;  // a continuation line has no name
        value = trimmed(value);
        if (same_word(name, "host")) ++out.hosts, out.host = value;
        if (same_word(name, "transfer-encoding") || (same_word(name, "content-length") && value != "0")) out.body = true;
        if (same_word(name, "connection")) (same_word(value, "keep-alive") ? out.keep : out.close) = true;
    }
    return std::nullopt;
}

}  // namespace

std::optional<HttpRefusal> read_http_request(std::string_view head, HttpRequest& out) {
    std::string_view line = cut(head, "\r\n");
    if (!is_text(line)) return kMalformed;
    out.method = cut(line, " ");
    std::string_view target = cut(line, " ");
    const bool old = line == "HTTP/1.0";
    if (!is_token(out.method) || !target.starts_with('/')) return kMalformed;
    if (!old && line != "HTTP/1.1") return HttpRefusal{"505 HTTP Version Not Supported", "HTTP/1.0 and 1.1 are understood here.\n"};
    Headers headers;
    if (const auto wrong = read_headers(head, headers)) return wrong;
    if (headers.hosts > 1 || (headers.hosts == 0 && !old)) return kMalformed;
    if (headers.hosts == 1 && !is_this_machine(headers.host)) {
        return HttpRefusal{"421 Misdirected Request", "The studio is at http://127.0.0.1 or http://localhost, by no other name.\n"};
    }
    if (out.method != "GET" && out.method != "HEAD") return HttpRefusal{"405 Method Not Allowed", "GET and HEAD are understood here.\n"};
    if (headers.body) return HttpRefusal{"400 Bad Request", "Nothing can be sent here.\n"};
    out.path = cut(target, "?");
    out.last = headers.close || (old && !headers.keep);
    return std::nullopt;
}

}  // namespace terrane::cli
