#include "support/fastcgi_exchange.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <system_error>

namespace tradepost::test {
namespace {

int check(int result, const char* what) {
    if (result < 0) throw std::system_error(errno, std::generic_category(), what);
    return result;
}

std::string length(std::size_t n) {
    if (n < 128) return {char(n)};
    return {char(n >> 24 | 0x80), char(n >> 16), char(n >> 8), char(n)};
}

// A stream is as many records as it needs and an empty one.
std::string stream(RecordType type, std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += 65535) text += record(type, bytes.substr(at, 65535));
    return text + record(type, {});
}

}  // namespace

std::string record(RecordType type, std::string_view content) {
    const auto size = content.size();
    std::string text{1, char(type), 0, 1, char(size >> 8), char(size), 0, 0};
    return text.append(content);
}

std::string begin_request() {
    return record(RecordType::begin_request, {"\0\1\0\0\0\0\0\0", 8});
}

std::string params(const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::string text;
    for (const auto& [name, value] : pairs) text += length(name.size()) + length(value.size()) + name + value;
    return stream(RecordType::params, text);
}

std::string body(std::string_view bytes) {
    return stream(RecordType::stdin_stream, bytes);
}

// The kernel names the socket: nothing is left in the file system.
FastcgiExchange::FastcgiExchange() {
    static const int ready = FCGX_Init();
    check(-ready, "FCGX_Init");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    socklen_t size = sizeof address;
    listening_ = check(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    check(bind(listening_, reinterpret_cast<sockaddr*>(&address), sizeof address.sun_family), "bind");
    check(listen(listening_, 1), "listen");
    check(getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size), "getsockname");
    peer_ = check(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), "socket");
    check(connect(peer_, reinterpret_cast<sockaddr*>(&address), size), "connect");
    check(fcntl(listening_, F_SETFL, O_NONBLOCK), "fcntl");  // a refused connection is not waited for again
    FCGX_InitRequest(&request_, listening_, 0);
}

FastcgiExchange::~FastcgiExchange() {
    finish();
    FCGX_Free(&request_, 1);
    close(listening_);
    close(peer_);
}

// The peer has both hands free, so that no body and no answer is too long for the socket's buffers.
void FastcgiExchange::serve(std::string bytes) {
    for (std::size_t sent = 0; sent < bytes.size();) {
        const auto done = send(peer_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
        if (done <= 0) break;
        sent += std::size_t(done);
    }
    shutdown(peer_, SHUT_WR);
    char buffer[65536];
    for (ssize_t got; (got = recv(peer_, buffer, sizeof buffer, 0)) > 0;) answer_.append(buffer, std::size_t(got));
}

bool FastcgiExchange::accept(std::string bytes) {
    server_ = std::async(std::launch::async, &FastcgiExchange::serve, this, std::move(bytes));
    return FCGX_Accept_r(&request_) == 0;
}

std::string FastcgiExchange::finish(bool* whole) {
    FCGX_Finish_r(&request_);
    if (server_.valid()) server_.get();
    if (whole) *whole = false;
    std::string out;
    for (std::string_view rest = answer_; rest.size() >= 8;) {
        const auto byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(rest[i])); };
        const auto type = RecordType(byte(1));
        const std::size_t size = byte(4) << 8 | byte(5), padding = byte(6);
        if (type == RecordType::stdout_stream) out.append(rest.substr(8, size));
        if (type == RecordType::end_request && whole) *whole = true;
        rest.remove_prefix(std::min(rest.size(), 8 + size + padding));
    }
    return out;
}

}  // namespace tradepost::test
