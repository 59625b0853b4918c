#include "fcgi/worker.h"

#include <fcgiapp.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>

#include "core/log.h"
#include "fcgi/deadline.h"
#include "fcgi/listener.h"
#include "fcgi/message.h"

namespace tradepost::fcgi {
namespace {

// Few requests are as large, so the half millisecond that returning memory takes is seldom spent.
constexpr std::size_t large_body = 256 << 10;

// Makes accept() on file descriptor 0 return at once, or soon. O_NONBLOCK belongs to all processes that share the socket, and systemd clears
// it for each command of ExecReload that has the socket as its standard input. A time limit belongs to the socket. Connections accepted from
// a TCP socket would inherit it, those from a Unix socket do not.
bool never_block_in_accept() {
    int domain = 0;
    socklen_t length = sizeof domain;
    if (getsockopt(0, SOL_SOCKET, SO_DOMAIN, &domain, &length) != 0) return false;
    constexpr timeval soon{.tv_sec = 0, .tv_usec = 10'000};
    if (domain == AF_UNIX && setsockopt(0, SOL_SOCKET, SO_RCVTIMEO, &soon, sizeof soon) != 0) return false;
    return fcntl(0, F_SETFL, fcntl(0, F_GETFL) | O_NONBLOCK) == 0;
}

}  // namespace

std::string pool_name() {
    sockaddr_un address{};
    socklen_t length = sizeof address;
    if (getsockname(0, reinterpret_cast<sockaddr*>(&address), &length) != 0 || address.sun_family != AF_UNIX) return "default";
    const std::string path(address.sun_path, strnlen(address.sun_path, sizeof address.sun_path));
    const auto stem = std::filesystem::path(path).stem().string();
    return stem.empty() ? "default" : stem;
}

int run(const Handler& handler, const TimeAllowed& time_allowed, const std::string& config) {
    // Before FCGX_Init, whose handler would take a SIGUSR1 that came before the listener's.
    Listener listener(0);
    if (FCGX_Init() != 0 || !never_block_in_accept() || FCGX_IsCGI()) {
        core::log::error("start",
                         {{"worker", getpid()},
                          {"config", config},
                          {"why", "file descriptor 0 is no listening socket; start workers through systemd or make run"}});
        return 1;
    }
    // After FCGX_Init, which sets dispositions of its own.
    (void)std::signal(SIGPIPE, SIG_IGN);
    Deadline limit(time_allowed({}));

    FCGX_Request exchange;
    FCGX_InitRequest(&exchange, 0, FCGI_FAIL_ACCEPT_ON_INTR);
    core::log::info("start", {{"worker", getpid()}, {"pool", pool_name()}, {"config", config}});
    std::uint64_t served = 0;
    for (auto event = listener.wait(); event != Listener::Event::stop; event = listener.wait()) {
        if (event == Listener::Event::none) limit.disarm();
        if (FCGX_Accept_r(&exchange) != 0) continue;  // another worker was faster, or the peer has gone
        limit.begin();
        bool was_large = false;
        if (const auto request = read_request(exchange)) {
            limit.set_request_id(request->header("x-request-id").value_or(""));
            limit.allow(time_allowed(*request));
            auto response = handler(*request);
            write_response(exchange, response);
            response.more = nullptr;  // and what it holds
            if (response.after) response.after();
            was_large = request->body.size() >= large_body;
            ++served;
        } else {
            core::log::info("aborted", {{"worker", getpid()}, {"why", "the client or nginx gave up before the body was whole"}});
            FCGX_Finish_r(&exchange);
        }
        // The allocator keeps what a large body took, up to hundreds of megabytes.
        if (was_large) (void)malloc_trim(0);
        limit.end();
    }
    core::log::info("stop",
                    {{"worker", getpid()}, {"served", served}, {"why", std::string("told to by ") + listener.stop_signal()}});
    return 0;
}

}  // namespace tradepost::fcgi
