#include "cli/page_server.h"

#include <httplib.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ranges>
#include <regex>
#include <thread>

namespace terrane::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kHost = "127.0.0.1";
constexpr size_t kMaxRequest = 8192;                // bytes of a request's head
constexpr rlim_t kMaxFiles = 4096;                  // connections, about
constexpr auto kToAsk = std::chrono::seconds(5);    // limit for receiving a request
constexpr auto kToRead = std::chrono::seconds(60);  // limit for sending an answer
constexpr auto kToLeave = std::chrono::seconds(1);  // linger after an answer, so that it is delivered

// Versions of cpp-httplib differ in the pure virtual functions of a stream: these are the ones that not all have.
struct AnyStream : httplib::Stream {
    virtual bool is_writable() const { return true; }  // NOLINT(modernize-use-override): newer versions of cpp-httplib have no such member
    virtual bool wait_readable() const { return true; }
    virtual bool wait_writable() const { return true; }
    virtual time_t duration() const { return 0; }
};

// A client's connection. cpp-httplib's own would wait anew for each byte, collect a request of any size, and look 90 times per second
// whether a silent client has sent something. Closes the socket at its end.
class Connection : public AnyStream {
public:
    explicit Connection(socket_t socket) : socket_(socket) {}
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection() override { ::close(socket_); }

    // Receives the head of a request. Returns false if it does not arrive in time, or is too long and was refused.
    bool receive() {
        set_limit(kToAsk);
        size_t end = std::string::npos;
        while (end == std::string::npos && head_.size() <= kMaxRequest) {
            if (!receive_more()) return false;
            end = head_.find("\r\n\r\n");
        }
        set_limit(kToRead);
        if (end > kMaxRequest) {
            Stream::write("HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            return false;
        }
        head_.resize(end + 4);
        return true;
    }
    // Reads until the client closes: closing a connection with unread data would discard the answer.
    void leave() {
        set_limit(kToLeave);
        if (::shutdown(socket_, SHUT_WR) == 0) {
            while (receive_more()) head_.clear();
        }
    }

    bool is_readable() const override { return true; }
    ssize_t read(char* to, size_t size) override {
        size = head_.copy(to, size, read_);
        read_ += size;
        return static_cast<ssize_t>(size);
    }
    ssize_t write(const char* bytes, size_t size) override {
        return wait(POLLOUT) ? ::send(socket_, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL) : -1;
    }
    void get_remote_ip_and_port(std::string&, int&) const override {}
    void get_local_ip_and_port(std::string&, int&) const override {}
    socket_t socket() const override { return socket_; }

private:
    void set_limit(Clock::duration time) { until_ = Clock::now() + time; }
    bool wait(short event) const {
        const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - Clock::now()).count();
        pollfd waited{socket_, event, 0};
        return rest > 0 && ::poll(&waited, 1, static_cast<int>(rest)) > 0;
    }
    bool receive_more() {
        char bytes[kMaxRequest];
        const ssize_t count = wait(POLLIN) ? ::recv(socket_, bytes, sizeof bytes, 0) : 0;
        if (count > 0) head_.append(bytes, static_cast<size_t>(count));
        return count > 0;
    }

    socket_t socket_;
    Clock::time_point until_;
    std::string head_;
    size_t read_ = 0;
};

// A thread for each connection, so that none waits for another.
class ThreadPerConnection : public httplib::TaskQueue {
    using Enqueued = decltype(std::declval<httplib::TaskQueue&>().enqueue({}));  // void, or bool since version 0.15

public:
    Enqueued enqueue(std::function<void()> connection) override {
        while (!start(connection)) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return Enqueued(true);
    }
    void shutdown() override {}

private:
    // Returns false if the system has no more threads.
    static bool start(const std::function<void()>& connection) try {
        std::thread(connection).detach();
        return true;
    } catch (const std::system_error&) {
        return false;
    }
};

// Accepts any port: the connection may have been forwarded.
bool is_this_machine(const std::string& host) {
    static const std::regex ours("(127\\.0\\.0\\.1|localhost)(:[0-9]{0,5})?", std::regex::icase);
    return host.size() < 32 && std::regex_match(host, ours);
}

// 200, or the status of the refusal.
int status_of(const httplib::Request& request, const Page& page) {
    const size_t hosts = request.get_header_value_count("Host");
    if (hosts > 1 || (hosts == 0 && request.version != "HTTP/1.0")) return 400;
    if (hosts == 1 && !is_this_machine(request.get_header_value("Host"))) return 421;
    if (request.method != "GET" && request.method != "HEAD") return 405;
    for (const auto& [first, last] = request.headers.equal_range("Content-Length");
         const auto& [name, value] : std::ranges::subrange(first, last))
        if (value != "0") return 400;
    if (request.has_header("Transfer-Encoding")) return 400;
    return page.files.contains(request.path) ? 200 : 404;
}

const char* refusal(int status) {
    switch (status) {
        case 404: return "There is no such file here.\n";
        case 405: return "GET and HEAD are understood here.\n";
        case 421: return "The studio is at http://127.0.0.1 or http://localhost, by no other name.\n";
        default: return "Not an HTTP request, or one with a body; neither is understood here.\n";
    }
}

void answer(const Page& page, const httplib::Request& request, httplib::Response& response) {
    response.status = status_of(request, page);
    if (response.status != 200) return;
    const PageFile& file = page.files.at(request.path);
    response.set_content_provider(file.bytes.size(), file.type, [&file](size_t offset, size_t length, httplib::DataSink& sink) {
        return sink.write(file.bytes.data() + offset, length);
    });
}

class Server : public httplib::Server {
public:
    explicit Server(const Page& page) {
        new_task_queue = [] { return new ThreadPerConnection; };
        set_tcp_nodelay(true);
        set_socket_options([this](socket_t socket) {
            const int yes = 1;
            ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);  // the default options let a second server use the port
            listening_ = socket;
        });
        set_default_headers({page.headers.begin(), page.headers.end()});
        set_pre_routing_handler([&page](const httplib::Request& request, httplib::Response& response) {
            answer(page, request, response);
            return HandlerResponse::Handled;
        });
        set_error_handler([](const httplib::Request&, httplib::Response& response) {
            response.set_content(refusal(response.status), "text/plain; charset=utf-8");
        });
    }

    // Returns the port, or -1.
    int bind(int port) {
        const int bound = port == 0 ? bind_to_any_port(kHost) : bind_to_port(kHost, port) ? port : -1;
        return bound > 0 && ::listen(listening_, SOMAXCONN) == 0 ? bound : -1;  // by default, five clients may wait to be accepted
    }

private:
    bool process_and_close_socket(socket_t socket) override {
        Connection connection(socket);
        if (connection.receive()) process(connection);
        connection.leave();
        return true;
    }
    template <class C>  // a template, because versions of cpp-httplib differ in the parameters
    void process(C& connection) {
        bool closed = false;
        const auto ignore_ranges = [](httplib::Request& request) { request.ranges.clear(); };  // 0.11 does not compare them with the file
        if constexpr (requires { this->process_request(connection, true, closed, ignore_ranges); }) {
            this->process_request(connection, true, closed, ignore_ranges);
        } else {
            this->process_request(connection, "", 0, "", 0, true, closed, ignore_ranges);
        }
    }

    socket_t listening_ = INVALID_SOCKET;
};

}  // namespace

Error serve_page(const Page& page, int port, const std::function<void(const std::string& address)>& ready) {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = std::min(files.rlim_max, kMaxFiles);
        ::setrlimit(RLIMIT_NOFILE, &files);
    }
    auto& server = *new Server(page);  // never deleted: its threads may still run
    const int bound = server.bind(port);
    if (bound < 0) {
        return {ErrorCode::kCannotOpen,
                {},
                0,
                "port " + std::to_string(port) + " is in use or not permitted: choose another with --port N, or --port 0 for any free one"};
    }
    ready(std::string("http://") + kHost + ":" + std::to_string(bound) + "/");
    server.listen_after_bind();
    return {ErrorCode::kCannotOpen, {}, 0, "the system refused to accept connections"};
}

}  // namespace terrane::cli
