#include "support/database_proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "support/threads.h"

namespace tradepost::test {
namespace {

int checked(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

sockaddr_un unix_address(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error("socket path too long: " + path);
    std::memcpy(address.sun_path, path.c_str(), path.size());
    return address;
}

}  // namespace

DatabaseProxy::DatabaseProxy(const core::Config::Database& server, Listen listen)
    : config_(server), server_socket_(server.socket) {
    if (server_socket_.empty()) throw std::runtime_error("the test server must have a Unix socket");
    checked(pipe2(wake_, O_CLOEXEC | O_NONBLOCK), "pipe2");
    if (listen == Listen::unix_socket) {
        char pattern[] = "/tmp/tradepost-test-XXXXXX";
        if (!mkdtemp(pattern)) throw std::system_error(errno, std::generic_category(), "mkdtemp");
        directory_ = pattern;
        config_.socket = directory_ + "/sock";
        const auto address = unix_address(config_.socket);
        listener_ = checked(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
        checked(bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), "bind");
    } else {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t length = sizeof address;
        listener_ = checked(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
        checked(bind(listener_, reinterpret_cast<const sockaddr*>(&address), length), "bind");
        checked(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length), "getsockname");
        config_.socket.clear();
        config_.host = "127.0.0.1";
        config_.port = ntohs(address.sin_port);
    }
    checked(::listen(listener_, 16), "listen");
    thread_ = Thread([this] { run(); });
}

DatabaseProxy::~DatabaseProxy() {
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake();
    thread_ = Thread();  // waits for it
    for (const auto& pair : pairs_) {
        close(pair.client);
        close(pair.server);
    }
    for (int fd : {listener_, wake_[0], wake_[1]}) close(fd);
    if (!directory_.empty()) {
        unlink(config_.socket.c_str());
        rmdir(directory_.c_str());
    }
}

void DatabaseProxy::wake() {
    (void)!write(wake_[1], "", 1);
}

void DatabaseProxy::freeze() {
    const std::lock_guard lock(mutex_);
    frozen_ = true;
}

void DatabaseProxy::thaw() {
    {
        const std::lock_guard lock(mutex_);
        frozen_ = false;
    }
    wake();
}

void DatabaseProxy::cut() {
    const std::lock_guard lock(mutex_);
    for (const auto& pair : pairs_) {
        shutdown(pair.client, SHUT_RDWR);
        shutdown(pair.server, SHUT_RDWR);
    }
}

void DatabaseProxy::swallow_next_answer() {
    const std::lock_guard lock(mutex_);
    swallow_ = true;
}

void DatabaseProxy::refuse_next(int connections) {
    refused_ = connections;
}

void DatabaseProxy::open_pair() {
    const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    ++accepted_;
    if (refused_ > 0) {
        --refused_;
        // Length, sequence number, ERR, code, text.
        constexpr char too_many[] = "\x17\0\0\0\xff\x10\x04Too many connections";
        (void)!write(client, too_many, sizeof too_many - 1);
        close(client);
        return;
    }
    const auto address = unix_address(server_socket_);
    const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server >= 0 && connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
        pairs_.push_back({client, server});
        return;
    }
    close(server);
    close(client);
}

// False when the pair is over.
bool DatabaseProxy::pass(int from, int to, bool answer) {
    char buffer[65536];
    const auto count = read(from, buffer, sizeof buffer);
    if (count <= 0) return false;
    if (answer && swallow_) {
        swallow_ = false;
        return false;
    }
    for (ssize_t sent = 0; sent < count;) {
        const auto now = send(to, buffer + sent, std::size_t(count - sent), MSG_NOSIGNAL);
        if (now <= 0) return false;
        sent += now;
    }
    return true;
}

void DatabaseProxy::run() {
    for (;;) {
        std::vector<pollfd> fds{{wake_[0], POLLIN, 0}};
        {
            const std::lock_guard lock(mutex_);
            if (stop_) return;
            if (!frozen_) {
                fds.push_back({listener_, POLLIN, 0});
                for (const auto& pair : pairs_) {
                    fds.push_back({pair.client, POLLIN, 0});
                    fds.push_back({pair.server, POLLIN, 0});
                }
            }
        }
        poll(fds.data(), fds.size(), -1);
        char drained[64];
        while (read(wake_[0], drained, sizeof drained) > 0) {
        }
        const std::lock_guard lock(mutex_);
        if (frozen_ || fds.size() == 1) continue;
        auto fd = fds.begin() + 2;
        for (auto pair = pairs_.begin(); pair != pairs_.end(); fd += 2) {
            const bool alive = (!fd[0].revents || pass(pair->client, pair->server, false)) &&
                               (!fd[1].revents || pass(pair->server, pair->client, true));
            if (alive) {
                ++pair;
                continue;
            }
            close(pair->client);
            close(pair->server);
            pair = pairs_.erase(pair);
        }
        if (fds[1].revents) open_pair();
    }
}

}  // namespace tradepost::test
