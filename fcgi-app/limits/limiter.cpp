#include "limits/limiter.h"

#include <arpa/inet.h>

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>

#include "limits/redis.h"
#include "limits/shared_memory.h"
#include "limits/window.h"

namespace tradepost::limits {
namespace {

// Independent servers: the first that can count does, so all hosts that reach it use the same one. When it fails, the next one begins
// new windows, and a client may send up to twice its limit in that window.
class RedisServers final : public Limiter {
public:
    RedisServers(const core::Config& config, const core::Clock& clock) {
        const auto& settings = config.rate_limits;
        const RedisAccess access{settings.redis_user, settings.redis_password, settings.redis_tls, settings.redis_tls_ca};
        const RedisTimeouts timeouts{settings.redis_connect_timeout, settings.redis_timeout};
        for (const auto& server : settings.redis)
            servers_.push_back(std::make_unique<RedisLimiter>(server, config.instance, clock, timeouts, access));
    }
    Verdict count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use) noexcept override {
        for (const auto& server : servers_)
            if (const auto verdict = server->try_count(rate_class, key, rate, use)) return *verdict;
        return allow_uncounted(rate);
    }

private:
    std::vector<std::unique_ptr<RedisLimiter>> servers_;
};

}  // namespace

std::unique_ptr<Limiter> make_limiter(const core::Config& config, const core::Clock& clock) {
    const auto& settings = config.rate_limits;
    if (settings.store == "redis") return std::make_unique<RedisServers>(config, clock);
    if (settings.store != "shared-memory")
        throw std::runtime_error("rate_limits.store: \"" + settings.store + "\" is not a store");
    return std::make_unique<SharedMemoryLimiter>(config.counters_path(), clock, settings.lock_wait);
}

std::string address_key(std::string_view address) {
    std::array<char, INET6_ADDRSTRLEN> text;
    in_addr v4{};
    in6_addr v6{};
    const std::string whole(address);
    const std::string without_zone = whole.substr(0, whole.find('%'));
    if (whole.find('\0') != std::string::npos) return whole;
    if (inet_pton(AF_INET6, without_zone.c_str(), &v6) != 1) return whole;
    if (IN6_IS_ADDR_V4MAPPED(&v6)) {
        std::memcpy(&v4, &v6.s6_addr[12], sizeof v4);
        return inet_ntop(AF_INET, &v4, text.data(), text.size());
    }
    std::memset(&v6.s6_addr[8], 0, 8);
    return std::string(inet_ntop(AF_INET6, &v6, text.data(), text.size())) + "/64";
}

}  // namespace tradepost::limits
