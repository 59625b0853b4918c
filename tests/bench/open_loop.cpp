// bench-open-loop PORT RATE SECONDS CONNECTIONS FILE [HEADER…]
//
// Sends GET requests to 127.0.0.1:PORT at fixed moments, RATE a second, whether or not earlier ones were answered: one that finds
// all connections busy waits, and its latency counts from the moment that it was due. Takes the targets from FILE, one a line, in
// turn. Prints due, answered and failed requests, the seconds by which the last answer was late, and latencies in ms, as JSON.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Nanoseconds = long long;

constexpr Nanoseconds second = 1'000'000'000;
constexpr Nanoseconds patience = 5 * second;  // for answers that are late at the end

Nanoseconds now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * second + time.tv_nsec;
}

[[noreturn]] void die(const char* what) {
    std::perror(what);
    std::exit(1);
}

// The length of the answer in `text`, once its header is whole; without a Content-Length only a 304 has an end that we know.
std::optional<std::size_t> length(std::string_view text) {
    const auto end = text.find("\r\n\r\n");
    if (end == std::string_view::npos) return {};
    if (text.substr(9, 3) == "304") return end + 4;
    const std::string header(text.substr(0, end));
    const char* field = strcasestr(header.c_str(), "\r\ncontent-length:");
    if (!field) {
        std::fprintf(stderr, "no Content-Length in an answer:\n%s\n", header.c_str());
        std::exit(1);
    }
    return end + 4 + std::strtoul(field + 17, nullptr, 10);
}

struct Connection {
    int socket = -1;
    Nanoseconds due = 0;  // of the request on its way; 0: idle
    std::string answer;
};

class Load {
public:
    Load(int port, std::vector<std::string> requests) : requests_(std::move(requests)) {
        address_.sin_family = AF_INET;
        address_.sin_port = htons(std::uint16_t(port));
        address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    }

    void run(double rate, double seconds, int connections) {
        connections_.resize(std::size_t(connections));
        for (auto& connection : connections_) {
            open(connection);
            idle_.push_back(&connection);
        }
        timer_ = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
        epoll_event event{EPOLLIN, {.ptr = nullptr}};
        epoll_ctl(epoll_, EPOLL_CTL_ADD, timer_, &event);

        const auto count = std::size_t(rate * seconds);
        start_ = now() + second / 20;
        const auto moment = [&](std::size_t i) { return start_ + Nanoseconds(double(i) * double(second) / rate); };
        end_ = moment(count);
        while (now() < end_ + patience) {
            for (; due_ < count && moment(due_) <= now(); ++due_) waiting_.push_back(moment(due_));
            while (!waiting_.empty() && !idle_.empty()) send_next();
            if (due_ == count && waiting_.empty() && idle_.size() == connections_.size()) break;
            wait(due_ < count ? moment(due_) : end_ + patience);
        }
    }

    void print() {
        std::sort(latencies_.begin(), latencies_.end());
        const auto at = [&](double share) {
            if (latencies_.empty()) return 0.0;
            return double(latencies_[std::size_t(std::ceil(share * double(latencies_.size()))) - 1]) / 1e6;
        };
        std::printf(
            "{\"due\": %zu, \"answered\": %zu, \"failed\": %zu, \"late\": %.3f, \"p50\": %.3f, \"p99\": %.3f, \"max\": %.3f}\n",
            due_, latencies_.size(), failed_, double(std::max(last_ - end_, 0LL)) / 1e9, at(0.5), at(0.99), at(1));
    }

private:
    void open(Connection& connection) {
        connection.socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (connect(connection.socket, reinterpret_cast<sockaddr*>(&address_), sizeof address_) != 0) die("connect");
        const int on = 1;
        setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        fcntl(connection.socket, F_SETFL, O_NONBLOCK);
        epoll_event event{EPOLLIN, {.ptr = &connection}};
        epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.socket, &event);
    }

    void send_next() {
        auto& connection = *idle_.back();
        idle_.pop_back();
        const auto& request = requests_[next_++ % requests_.size()];
        connection.due = waiting_.front();
        waiting_.pop_front();
        // A request is smaller than any socket's buffer.
        if (write(connection.socket, request.data(), request.size()) != ssize_t(request.size())) lose(connection);
    }

    // The server has closed it.
    void lose(Connection& connection) {
        close(connection.socket);
        open(connection);
        if (connection.due == 0) return;
        ++failed_;
        release(connection);
    }

    void release(Connection& connection) {
        connection.due = 0;
        connection.answer.clear();
        idle_.push_back(&connection);
    }

    void read_from(Connection& connection) {
        char buffer[65536];
        const auto got = read(connection.socket, buffer, sizeof buffer);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) return lose(connection);
        connection.answer.append(buffer, std::size_t(got));
        const auto whole = length(connection.answer);
        if (!whole || connection.answer.size() < *whole) return;
        last_ = now();
        const auto status = std::string_view(connection.answer).substr(9, 3);
        if (status == "200" || status == "304")
            latencies_.push_back(last_ - connection.due);
        else
            ++failed_;
        // After so many answers nginx closes a connection, and says so.
        const bool closing =
            strcasestr(connection.answer.substr(0, connection.answer.find("\r\n\r\n")).c_str(), "\r\nconnection: close");
        release(connection);
        if (closing) lose(connection);
    }

    void wait(Nanoseconds until) {
        const itimerspec time{{}, {until / second, until % second}};
        timerfd_settime(timer_, TFD_TIMER_ABSTIME, &time, nullptr);
        epoll_event events[64];
        const int count = epoll_wait(epoll_, events, 64, -1);
        for (int i = 0; i < count; ++i)
            if (auto* connection = static_cast<Connection*>(events[i].data.ptr)) read_from(*connection);
    }

    std::vector<std::string> requests_;
    sockaddr_in address_{};
    int epoll_ = epoll_create1(EPOLL_CLOEXEC), timer_ = -1;
    std::vector<Connection> connections_;
    std::vector<Connection*> idle_;
    std::deque<Nanoseconds> waiting_;  // moments at which requests were due
    std::vector<Nanoseconds> latencies_;
    std::size_t due_ = 0, next_ = 0, failed_ = 0;
    Nanoseconds start_ = 0, end_ = 0, last_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 6) {
        std::fputs("usage: bench-open-loop PORT RATE SECONDS CONNECTIONS FILE [HEADER...]\n", stderr);
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1);
    std::string rest = " HTTP/1.1\r\nHost: localhost\r\n";
    for (int i = 6; i < argc; ++i) rest.append(argv[i]).append("\r\n");
    std::vector<std::string> requests;
    std::ifstream file(argv[5]);
    for (std::string target; std::getline(file, target);) requests.push_back("GET " + target + rest + "\r\n");
    if (requests.empty()) die(argv[5]);
    Load load(std::atoi(argv[1]), std::move(requests));
    load.run(std::atof(argv[2]), std::atof(argv[3]), std::atoi(argv[4]));
    load.print();
}
