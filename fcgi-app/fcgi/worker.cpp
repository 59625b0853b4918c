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
#include <list>
#include <memory>
#include <optional>
#include <thread>

#include "core/log.h"
#include "core/present.h"
#include "core/version.h"
#include "fcgi/deadline.h"
#include "fcgi/listener.h"
#include "fcgi/message.h"
#include "fcgi/sender.h"

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

// How long the listener waits: for requests that may have no other worker, and between two looks at those that wait for their share.
constexpr std::chrono::milliseconds idle_wait{1000}, resume_after{2};

// The requests of a worker: one is served at a time, and those wait that the handler does not answer yet.
class Served {
public:
    Served(const Handler& handler, const TimeAllowed& time_allowed, Deadline& limit)
        : handler_(handler), time_allowed_(time_allowed), limit_(limit) {}

    bool has_waiting() const { return !waiting_.empty(); }
    std::uint64_t count() const { return count_; }

    void accept() {
        if (!next_) {
            next_ = std::make_unique<Exchange>();
            FCGX_InitRequest(&next_->fastcgi, 0, FCGI_FAIL_ACCEPT_ON_INTR);
        }
        if (FCGX_Accept_r(&next_->fastcgi) != 0) return;  // another worker was faster, or the peer has gone
        limit_.begin();
        next_->request = read_request(next_->fastcgi);
        if (next_->request) {
            serve(*next_, [this] { return handler_(*next_->request); });
            if (next_->response.resume) waiting_.push_back(std::move(next_));
        } else {
            core::log::info("aborted", {{"worker", getpid()}, {"why", "the client or nginx gave up before the body was whole"}});
            FCGX_Finish_r(&next_->fastcgi);
        }
        limit_.end();
    }

    // Those that came first are asked first.
    void resume() {
        for (auto each = waiting_.begin(); each != waiting_.end();) {
            auto& exchange = **each;
            limit_.begin();
            serve(exchange, [&] { return exchange.response.resume(); });
            limit_.end();
            each = exchange.response.resume ? std::next(each) : waiting_.erase(each);
        }
    }

private:
    struct Exchange {
        FCGX_Request fastcgi{};
        std::optional<http::Request> request;
        http::Response response;
    };

    template <class Answer>
    void serve(Exchange& exchange, Answer&& answer) {
        const auto& request = core::present(exchange.request);
        limit_.set_request_id(request.header("x-request-id").value_or(""));
        limit_.allow(time_allowed_(request));
        exchange.response = answer();
        auto& response = exchange.response;
        if (response.resume) return;
        write_response(exchange.fastcgi, response);
        response.more = nullptr;  // and what it holds
        if (response.after) response.after();
        ++count_;
        // The allocator keeps what a large body took, up to hundreds of megabytes.
        const bool was_large = request.body.size() >= large_body;
        exchange.request.reset();
        response = {};
        if (was_large) (void)malloc_trim(0);
    }

    const Handler& handler_;
    const TimeAllowed& time_allowed_;
    Deadline& limit_;
    std::unique_ptr<Exchange> next_;
    std::list<std::unique_ptr<Exchange>> waiting_;
    std::uint64_t count_ = 0;
};

}  // namespace

std::string pool_name() {
    sockaddr_un address{};
    socklen_t length = sizeof address;
    if (getsockname(0, reinterpret_cast<sockaddr*>(&address), &length) != 0 || address.sun_family != AF_UNIX) return "default";
    const std::string path(address.sun_path, strnlen(address.sun_path, sizeof address.sun_path));
    const auto stem = std::filesystem::path(path).stem().string();
    return stem.empty() ? "default" : stem;
}

int run(const Handler& handler, const std::function<void(bool)>& settle, const TimeAllowed& time_allowed,
        const std::string& config, Idle idle) {
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

    core::log::info("start", {{"worker", getpid()}, {"pool", pool_name()}, {"version", core::version}, {"config", config}});
    Served served(handler, time_allowed, limit);
    auto event = Listener::Event::none;
    bool over = false;
    while (event != Listener::Event::stop && !over) {
        event = listener.wait(served.has_waiting() ? resume_after : idle_wait);
        if (event == Listener::Event::none && !served.has_waiting()) {
            limit.disarm();
            settle(false);
            over = idle.is_over();
        }
        if (event == Listener::Event::request) {
            served.accept();
            idle.used();
        }
        served.resume();
    }
    for (; served.has_waiting(); served.resume()) std::this_thread::sleep_for(resume_after);
    await_senders();
    settle(true);
    const auto why = over ? std::string("idle") : std::string("told to by ") + listener.stop_signal();
    core::log::info("stop", {{"worker", getpid()}, {"served", served.count()}, {"why", why}});
    return 0;
}

}  // namespace tradepost::fcgi
