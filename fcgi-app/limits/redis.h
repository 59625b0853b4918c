// Rate counters in Redis or Valkey, which several hosts can share.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "limits/limiter.h"
#include "limits/tls_client.h"
#include "limits/window.h"

struct redisContext;
struct redisReply;

namespace tradepost::limits {

// How long a request waits for a server.
struct RedisTimeouts {
    std::chrono::milliseconds connect{100};
    std::chrono::milliseconds answer{200};
};

struct RedisAccess {
    std::string user, password;  // as Config::RateLimits has them
    bool tls = false;
    std::string tls_ca;
};

// One round trip for a request: a script does the whole fixed window, by the server's clock, with keys
// "tradepost:<instance>:<class>:<key>". Connecting and answering have time-outs. After a failure requests are allowed uncounted
// for a second, without an attempt, so that an unavailable server costs next to nothing; then the next one tries again.
// A host name is looked up by the system's resolver, whose own time-outs apply: prefer an address or a socket's path.
// One object is for one thread.
class RedisLimiter final : public Limiter {
public:
    // `server` is HOST, HOST:PORT, [IPV6]:PORT or a Unix socket's absolute path; anything else throws std::runtime_error, and so
    // does a CA file that cannot be read. Does not connect yet.
    RedisLimiter(const std::string& server, const std::string& instance, const core::Clock& clock, RedisTimeouts timeouts = {},
                 RedisAccess access = {});
    ~RedisLimiter() override;

    Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use = Use::take) noexcept override;
    // As count(), but empty when the server did not count.
    std::optional<Verdict> try_count(std::string_view rate_class, std::string_view key, core::Rate rate,
                                     Use use = Use::take) noexcept;

private:
    struct Closer {
        void operator()(redisContext* context) const noexcept;
    };
    struct ReplyFreer {
        void operator()(redisReply* reply) const noexcept;
    };
    using Reply = std::unique_ptr<redisReply, ReplyFreer>;

    Verdict count_or_throw(std::string_view rate_class, std::string_view key, core::Rate rate, Use use);
    void connect();
    void send_all(std::string_view bytes);
    std::size_t receive(char* into, std::size_t size);
    Reply command(const std::vector<std::string_view>& words);
    void disconnect() noexcept;
    bool is_closed_by_peer() const noexcept;

    std::string host_;  // or the socket's path, when port_ is 0
    std::uint16_t port_ = 0;
    std::string prefix_;
    const core::Clock& clock_;
    RedisTimeouts timeouts_;
    MinuteWarning warn_;
    std::string script_sha1_;
    RedisAccess access_;
    std::optional<TlsClient> tls_;
    std::unique_ptr<redisContext, Closer> context_;
    std::optional<TlsSession> session_;  // over the socket of context_
    std::optional<core::Time> failed_at_;
};

}  // namespace tradepost::limits
