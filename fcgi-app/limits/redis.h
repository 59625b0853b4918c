// Counters in Redis or Valkey, for several hosts that share them.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "limits/limiter.h"
#include "limits/window.h"

struct redisContext;

namespace tradepost::limits {

struct RedisTimeouts {
    std::chrono::milliseconds connect{100};
    std::chrono::milliseconds answer{200};
};

// One round trip a request: a script does the whole fixed window, timed by the server's clock, under keys
// "tradepost:<instance>:<class>:<key>". Connecting and answering have time-outs. After any failure requests pass uncounted
// for a second, without an attempt, so that a server that is away costs next to nothing; then the next one tries again.
// A host name is looked up by the system's resolver, whose own time-outs apply: an address or a socket's path is better.
// One object is for one thread.
class RedisLimiter final : public Limiter {
public:
    // `server` is HOST, HOST:PORT, [IPV6]:PORT or a Unix socket's absolute path. Does not connect yet.
    // Throws std::runtime_error when it is none of these.
    RedisLimiter(const std::string& server, const std::string& instance, const core::Clock& clock, RedisTimeouts timeouts = {});
    ~RedisLimiter() override;

    Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate) noexcept override;

private:
    struct Closer {
        void operator()(redisContext* context) const noexcept;
    };

    Verdict count_or_throw(std::string_view rate_class, std::string_view key, core::Rate rate);
    void connect();
    bool is_closed_by_peer() const noexcept;

    std::string host_;  // or the socket's path, when port_ is 0
    std::uint16_t port_ = 0;
    std::string prefix_;
    const core::Clock& clock_;
    RedisTimeouts timeouts_;
    MinuteWarning warn_;
    std::string script_sha1_;
    std::unique_ptr<redisContext, Closer> context_;
    std::optional<core::Time> failed_at_;
};

}  // namespace tradepost::limits
