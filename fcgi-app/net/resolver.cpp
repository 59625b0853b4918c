#include "net/resolver.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace tradepost::net {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// So a name whose AAAA query nobody answers still gets its IPv4 addresses within 10 seconds.
constexpr milliseconds first_timeout{1500};  // of one query to one server; the second one has twice as long
constexpr int tries = 2;

struct Lookup {
    Resolved found;
    bool done = false;
};

std::string text_of(const sockaddr& address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address.sa_family == AF_INET) {
        sockaddr_in v4;
        std::memcpy(&v4, &address, sizeof v4);
        inet_ntop(AF_INET, &v4.sin_addr, text.data(), text.size());
    } else if (address.sa_family == AF_INET6) {
        sockaddr_in6 v6;
        std::memcpy(&v6, &address, sizeof v6);
        inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
    }
    return text.data();
}

void keep(void* data, int status, int, ares_addrinfo* result) {
    auto& lookup = *static_cast<Lookup*>(data);
    lookup.done = true;
    lookup.found.timed_out = status == ARES_ETIMEOUT || status == ARES_ECANCELLED;
    if (!result) return;
    for (const auto* node = result->nodes; node; node = node->ai_next)
        if (auto text = text_of(*node->ai_addr); !text.empty()) lookup.found.addresses.push_back(std::move(text));
    ares_freeaddrinfo(result);
}

class Channel {
public:
    Channel() {
        static std::once_flag once;
        std::call_once(once, [] { ares_library_init(ARES_LIB_INIT_ALL); });
        ares_options options{};
        options.timeout = int(first_timeout.count());
        options.tries = tries;
        options.sock_state_cb = watch;
        options.sock_state_cb_data = &watched_;
        if (ares_init_options(&channel_, &options, ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB) != ARES_SUCCESS)
            throw std::runtime_error("the settings of the resolver cannot be read");
    }
    ~Channel() { ares_destroy(channel_); }
    Channel(const Channel&) = delete;

    ares_channel get() const { return channel_; }

    // Waits for answers until the next timeout of a query or the deadline, and handles them.
    void process(Clock::time_point deadline) {
        // Handling an answer opens and closes sockets.
        std::vector<pollfd> polled;
        for (const auto& [socket, events] : watched_) polled.push_back({socket, events, 0});
        const auto left = std::max(std::chrono::ceil<milliseconds>(deadline - Clock::now()), milliseconds(0));
        timeval most{left.count() / 1000, left.count() % 1000 * 1000}, next{};
        const auto* wait = ares_timeout(channel_, &most, &next);
        const bool any = poll(polled.data(), polled.size(), int(wait->tv_sec * 1000 + (wait->tv_usec + 999) / 1000)) > 0;
        if (!any) return ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);  // timeouts
        for (const auto& each : polled)
            if (each.revents)
                ares_process_fd(channel_, each.revents & ~POLLOUT ? each.fd : ARES_SOCKET_BAD,
                                each.revents & POLLOUT ? each.fd : ARES_SOCKET_BAD);
    }

private:
    using Watched = std::map<ares_socket_t, short>;

    static void watch(void* watched, ares_socket_t socket, int readable, int writable) {
        const int events = (readable ? POLLIN : 0) | (writable ? POLLOUT : 0);
        if (events)
            (*static_cast<Watched*>(watched))[socket] = short(events);
        else
            static_cast<Watched*>(watched)->erase(socket);
    }

    Watched watched_;  // outlives the channel, which closes its sockets at its end
    ares_channel channel_ = nullptr;
};

}  // namespace

Resolved resolve(const std::string& host, Clock::time_point deadline) {
    // Nothing is asked then: on a host without a name server the failure would come before the timeout.
    if (Clock::now() >= deadline) return {.addresses = {}, .timed_out = true};
    Lookup lookup;  // outlives the channel, which calls keep() at its end at the latest
    Channel channel;
    ares_addrinfo_hints hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    ares_getaddrinfo(channel.get(), host.c_str(), nullptr, &hints, keep, &lookup);
    while (!lookup.done) {
        if (Clock::now() >= deadline) {
            ares_cancel(channel.get());
            break;
        }
        channel.process(deadline);
    }
    return lookup.found;
}

}  // namespace tradepost::net
