#include "cli/page_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

#include "cli/http_request.h"

namespace terrane::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kHost = "127.0.0.1";
constexpr size_t kMaxRequest = 8192;
constexpr std::string_view kEnd = "\r\n\r\n";            // end of a request's head
constexpr size_t kMostClients = 4000;                    // fewer if the limit on open files is lower
constexpr int kAcceptAtOnce = 64;                        // new connections per round, before existing ones are served
constexpr auto kToAsk = std::chrono::seconds(5);         // limit for receiving a request, including the idle time before it
constexpr auto kToRead = std::chrono::seconds(60);       // limit for sending an answer
constexpr auto kToLeave = std::chrono::seconds(1);       // linger after the last answer, so that it is delivered
constexpr auto kGlance = std::chrono::milliseconds(50);  // interval for checking `stop` and time-outs

struct Client {
    enum class State : uint8_t { kAsks, kReads, kLeaves };

    explicit Client(int connection, Clock::time_point now) : socket(connection), since(now) {}

    int socket;
    Clock::time_point since;  // when it entered this state
    State state = State::kAsks;
    bool last = false;  // close after this answer
    std::string asked;  // received bytes: the request and what follows it
    std::string head;   // headers of the answer
    std::string_view body;
    size_t sent = 0;  // bytes of head and body

    void enter(State next, Clock::time_point now) {
        state = next;
        since = now;
    }
    Clock::time_point until() const {
        return since + (state == State::kAsks    ? Clock::duration(kToAsk)
                        : state == State::kReads ? Clock::duration(kToRead)
                                                 : Clock::duration(kToLeave));
    }
};

bool would_wait() { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

void never_wait(int socket) {
    ::fcntl(socket, F_SETFD, FD_CLOEXEC);
    ::fcntl(socket, F_SETFL, ::fcntl(socket, F_GETFL) | O_NONBLOCK);
}

// The limit on open files, less those that the program needs.
size_t most_clients() {
    constexpr rlim_t kOwn = 32;
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0) return 256;
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, kMostClients + kOwn);
    ::setrlimit(RLIMIT_NOFILE, &files);
    ::getrlimit(RLIMIT_NOFILE, &files);
    return static_cast<size_t>(std::clamp<rlim_t>(files.rlim_cur, kOwn + 1, kMostClients + kOwn) - kOwn);
}

class Hall {
public:
    Hall(int door, const Page& page, std::string_view headers) : door_(door), page_(page), headers_(headers), most_(most_clients()) {}
    Hall(const Hall&) = delete;
    Hall& operator=(const Hall&) = delete;
    ~Hall() {
        for (const Client& c : clients_) ::close(c.socket);
    }

    // Serves what is ready, or waits for at most kGlance.
    void turn() {
        waits_.clear();
        waits_.push_back({door_, POLLIN, 0});
        for (const Client& c : clients_)
            waits_.push_back({c.socket, static_cast<short>(c.state == Client::State::kReads ? POLLOUT : POLLIN), 0});
        if (::poll(waits_.data(), static_cast<nfds_t>(waits_.size()), static_cast<int>(kGlance.count())) < 0) return;  // a signal
        now_ = Clock::now();
        size_t kept = 0;
        for (size_t i = 0; i < clients_.size(); ++i) {
            const bool stays = (waits_[i + 1].revents == 0 || attend(clients_[i])) && now_ < clients_[i].until();
            if (!stays) {
                ::close(clients_[i].socket);
            } else if (kept++ != i) {
                clients_[kept - 1] = std::move(clients_[i]);
            }
        }
        clients_.erase(clients_.begin() + static_cast<ptrdiff_t>(kept), clients_.end());
        if (waits_[0].revents != 0) let_in();
    }

private:
    // Closes the oldest connections if there are too many.
    void let_in() {
        for (int i = 0; i < kAcceptAtOnce; ++i) {
            const int socket = ::accept(door_, nullptr, nullptr);
            if (socket < 0 && (errno == EMFILE || errno == ENFILE) && !clients_.empty()) {
                drop_oldest();
                continue;
            }
            if (socket < 0) return;
            never_wait(socket);
            const int yes = 1;
            ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
            if (clients_.size() >= most_) drop_oldest();
            clients_.emplace_back(socket, now_);
        }
    }
    void drop_oldest() {
        const auto oldest = std::ranges::min_element(clients_, {}, &Client::since);
        ::close(oldest->socket);
        *oldest = std::move(clients_.back());
        clients_.pop_back();
    }

    // Returns false if the connection must be closed.
    bool attend(Client& c) {
        bool stays = c.state == Client::State::kAsks ? hear(c) : c.state == Client::State::kReads ? tell(c) : see_off(c);
        while (stays && c.state == Client::State::kAsks && has_asked(c)) stays = answer_next(c);
        return stays;
    }

    static bool hear(Client& c) {
        char bytes[kMaxRequest];
        const ssize_t count = ::recv(c.socket, bytes, sizeof bytes, 0);
        if (count > 0) c.asked.append(bytes, static_cast<size_t>(count));
        return count > 0 || (count < 0 && would_wait());
    }
    static bool has_asked(const Client& c) { return c.asked.size() > kMaxRequest || c.asked.find(kEnd) != std::string::npos; }

    bool answer_next(Client& c) {
        const size_t end = c.asked.find(kEnd);
        if (end > kMaxRequest) return refuse(c, {"431 Request Header Fields Too Large", "A request has at most 8 KB here.\n"});
        HttpRequest request;
        if (const auto wrong = read_http_request(std::string_view(c.asked).substr(0, end), request)) return refuse(c, *wrong);
        c.last = request.last;
        const bool body = request.method == "GET";
        const auto file = page_.find(request.path);
        c.asked.erase(0, end + kEnd.size());  // invalidates `request`
        if (file == page_.end()) return answer(c, "404 Not Found", "text/plain; charset=utf-8", "There is no such file here.\n", body);
        return answer(c, "200 OK", file->second.type, file->second.bytes, body);
    }

    bool refuse(Client& c, const HttpRefusal& why) {
        c.last = true;
        c.asked.clear();
        return answer(c, why.status, "text/plain; charset=utf-8", why.why, true);
    }

    // `bytes` must outlive the client.
    bool answer(Client& c, const char* status, const char* type, std::string_view bytes, bool body) {
        c.head = std::string("HTTP/1.1 ") + status + "\r\nContent-Type: " + type + "\r\nContent-Length: " + std::to_string(bytes.size()) +
                 "\r\n" + (c.last ? "Connection: close\r\n" : "") + "Allow: GET, HEAD\r\n" + std::string(headers_) + "\r\n";
        c.body = body ? bytes : std::string_view();
        c.sent = 0;
        c.enter(Client::State::kReads, now_);
        return tell(c);
    }

    bool tell(Client& c) {
        while (c.sent < c.head.size() + c.body.size()) {
            const bool of_head = c.sent < c.head.size();
            const std::string_view rest = of_head ? std::string_view(c.head).substr(c.sent) : c.body.substr(c.sent - c.head.size());
            const ssize_t count = ::send(c.socket, rest.data(), rest.size(), 0);
            if (count < 0) return would_wait();
            c.sent += static_cast<size_t>(count);
        }
        if (c.last) {
            c.enter(Client::State::kLeaves, now_);
            return ::shutdown(c.socket, SHUT_WR) == 0;
        }
        c.enter(Client::State::kAsks, now_);
        return true;
    }

    // Reads until the client closes: closing a connection with unread data would discard the answer.
    static bool see_off(Client& c) {
        char bytes[kMaxRequest];
        const ssize_t count = ::recv(c.socket, bytes, sizeof bytes, 0);
        return count > 0 || (count < 0 && would_wait());
    }

    int door_;
    const Page& page_;
    std::string_view headers_;
    size_t most_;
    Clock::time_point now_ = Clock::now();
    std::vector<Client> clients_;
    std::vector<pollfd> waits_;  // the listening socket, then the clients in order
};

}  // namespace

Result<PageServer> PageServer::listen(int port) {
    const auto refuse = [&] {
        return Error{
            ErrorCode::kCannotOpen,
            {},
            0,
            "port " + std::to_string(port) + " is in use or not permitted: choose another with --port N, or --port 0 for any free one"};
    };
    const int door = ::socket(AF_INET, SOCK_STREAM, 0);
    if (door < 0) return refuse();
    PageServer server(door, port);
    never_wait(door);
    const int yes = 1;
    ::setsockopt(door, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(static_cast<uint16_t>(port));
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    if (::bind(door, reinterpret_cast<const sockaddr*>(&at), length) != 0 || ::listen(door, SOMAXCONN) != 0 ||
        ::getsockname(door, reinterpret_cast<sockaddr*>(&at), &length) != 0) {
        return refuse();
    }
    server.port_ = ntohs(at.sin_port);
    return server;
}

PageServer::~PageServer() {
    if (socket_ >= 0) ::close(socket_);
}

std::string PageServer::address() const { return std::string("http://") + kHost + ":" + std::to_string(port_) + "/"; }

void PageServer::serve(const Page& page, std::string_view headers, const std::atomic<bool>& stop) const {
    std::signal(SIGPIPE, SIG_IGN);  // a closed connection is then an error of send()
    Hall hall(socket_, page, headers);
    while (!stop) hall.turn();
}

}  // namespace terrane::cli
