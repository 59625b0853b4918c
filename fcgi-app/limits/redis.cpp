#include "limits/redis.h"

#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <openssl/evp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "core/crypto.h"
#include "core/host.h"

namespace tradepost::limits {
namespace {

constexpr std::chrono::seconds pause_after_failure{1};
constexpr std::size_t longest_plain_key = 64;

// Takes the limit, the window in milliseconds, and 1 to take, -1 to give back. Returns {allowed, used, milliseconds left}. A key without a lifetime, or with more than a window (after a change of the
// configuration), begins a new window.
constexpr std::string_view script = R"(
local limit, window = tonumber(ARGV[1]), tonumber(ARGV[2])
local left = redis.call('PTTL', KEYS[1])
if left <= 0 or left > window then
    if ARGV[3] == '-1' then return {1, 0, window} end
    if limit == 0 then return {0, 0, window} end
    redis.call('SET', KEYS[1], 1, 'PX', window)
    return {1, 1, window}
end
local used = tonumber(redis.call('GET', KEYS[1]))
if ARGV[3] == '-1' then
    if used > 0 then used = redis.call('DECR', KEYS[1]) end
    return {1, used, left}
end
if used >= limit then return {0, used, left} end
return {1, redis.call('INCR', KEYS[1]), left}
)";

std::string sha1_hex(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
    std::size_t length = 0;
    if (EVP_Q_digest(nullptr, "SHA1", nullptr, text.data(), text.size(), digest.data(), &length) != 1)
        throw std::runtime_error("SHA-1 is not available");
    return core::to_hex({reinterpret_cast<const char*>(digest.data()), length});
}

timeval as_timeval(std::chrono::milliseconds time) {
    return {time.count() / 1000, time.count() % 1000 * 1000};
}

[[noreturn]] void fail(const redisContext& context) {
    const bool timed_out = context.err == REDIS_ERR_IO && (errno == EAGAIN || errno == ETIMEDOUT);
    throw std::runtime_error(timed_out ? "no answer in time" : context.errstr);
}

[[noreturn]] void fail_with_errno() {
    throw std::runtime_error(errno == EAGAIN ? "no answer in time" : std::strerror(errno));
}

bool is_error(const redisReply& reply, std::string_view code) {
    return reply.type == REDIS_REPLY_ERROR && std::string_view(reply.str, reply.len).starts_with(code);
}

}  // namespace

void RedisLimiter::Closer::operator()(redisContext* context) const noexcept {
    redisFree(context);
}
void RedisLimiter::ReplyFreer::operator()(redisReply* reply) const noexcept {
    freeReplyObject(reply);
}

RedisLimiter::RedisLimiter(const std::string& server, const std::string& instance, const core::Clock& clock,
                           RedisTimeouts timeouts, RedisAccess access)
    : host_(server),
      prefix_("tradepost:" + instance + ":"),
      clock_(clock),
      timeouts_(timeouts),
      warn_(clock, "redis " + server),
      script_sha1_(sha1_hex(script)),
      access_(std::move(access)) {
    if (access_.tls) tls_.emplace(access_.tls_ca);
    if (server.starts_with('/')) return;
    const auto endpoint = core::parse_endpoint(server, 6379);
    if (!endpoint) throw std::runtime_error("rate_limits.redis: \"" + server + "\" is neither HOST:PORT nor a socket's path");
    host_ = endpoint->host;
    port_ = endpoint->port;
}

RedisLimiter::~RedisLimiter() = default;

Verdict RedisLimiter::count(std::string_view rate_class, std::string_view key, core::Rate rate, Use use) noexcept {
    return try_count(rate_class, key, rate, use).value_or(allow_uncounted(rate));
}

std::optional<Verdict> RedisLimiter::try_count(std::string_view rate_class, std::string_view key, core::Rate rate,
                                               Use use) noexcept {
    try {
        if (failed_at_) {
            const core::Time now = clock_.now();
            if (now >= *failed_at_ && now - *failed_at_ < pause_after_failure) return {};
        }
        const Verdict found = count_or_throw(rate_class, key, rate, use);
        if (failed_at_) core::log::info("rate_limits_counted_again", {{"store", "redis " + host_}});
        failed_at_.reset();
        return found;
    } catch (const std::exception& error) {
        // A late answer must not be read as that of the next request, so the connection is closed.
        disconnect();
        failed_at_ = clock_.now();
        warn_(error.what());
        return {};
    }
}

Verdict RedisLimiter::count_or_throw(std::string_view rate_class, std::string_view key, core::Rate rate, Use use) {
    if (!context_ || is_closed_by_peer()) connect();

    std::string name = prefix_;
    name.append(rate_class).append(":");
    if (key.size() <= longest_plain_key)
        name.append(key);
    else
        name.append("sha256:" + core::to_hex(core::sha256(key)));  // longer than any plain key, so never equal to one

    const std::string limit = std::to_string(rate.requests), window = std::to_string(window_ms(rate));
    const std::string_view step = use == Use::take ? "1" : "-1";
    Reply reply = command({"EVALSHA", script_sha1_, "1", name, limit, window, step});
    if (is_error(*reply, "NOSCRIPT")) reply = command({"EVAL", script, "1", name, limit, window, step});
    if (reply->type == REDIS_REPLY_ERROR) throw std::runtime_error(std::string(reply->str, reply->len));
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 3) throw std::runtime_error("an unexpected answer");
    const auto number = [&](std::size_t i) { return reply->element[i]->integer; };
    return verdict(number(0) != 0, rate, static_cast<std::uint64_t>(number(1)), number(2));
}

void RedisLimiter::disconnect() noexcept {
    session_.reset();
    context_.reset();
}

void RedisLimiter::connect() {
    disconnect();
    const timeval wait = as_timeval(timeouts_.connect);
    context_.reset(port_ == 0 ? redisConnectUnixWithTimeout(host_.c_str(), wait)
                              : redisConnectWithTimeout(host_.c_str(), port_, wait));
    if (!context_) throw std::bad_alloc();
    if (context_->err) fail(*context_);
    if (redisSetTimeout(context_.get(), as_timeval(timeouts_.answer)) != REDIS_OK) fail(*context_);
    fcntl(context_->fd, F_SETFD, FD_CLOEXEC);
    if (tls_) session_ = tls_->begin(context_->fd, host_);
    if (access_.password.empty()) return;
    const auto reply =
        access_.user.empty() ? command({"AUTH", access_.password}) : command({"AUTH", access_.user, access_.password});
    if (reply->type == REDIS_REPLY_ERROR) throw std::runtime_error(std::string(reply->str, reply->len));
}

// hiredis writes with write(2), which may raise SIGPIPE, and not over TLS.
void RedisLimiter::send_all(std::string_view bytes) {
    if (session_) return session_->send_all(bytes);
    while (!bytes.empty()) {
        const ssize_t sent = send(context_->fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0) fail_with_errno();
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

std::size_t RedisLimiter::receive(char* into, std::size_t size) {
    if (session_) return session_->receive(into, size);
    ssize_t got;
    do got = recv(context_->fd, into, size, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0) fail_with_errno();
    return static_cast<std::size_t>(got);
}

RedisLimiter::Reply RedisLimiter::command(const std::vector<std::string_view>& words) {
    std::string request = "*" + std::to_string(words.size()) + "\r\n";
    for (const std::string_view word : words)
        request.append("$" + std::to_string(word.size()) + "\r\n").append(word).append("\r\n");
    send_all(request);
    std::array<char, 4096> bytes;
    for (;;) {
        void* reply = nullptr;
        if (redisReaderGetReply(context_->reader, &reply) != REDIS_OK) throw std::runtime_error(context_->reader->errstr);
        if (reply) return Reply(static_cast<redisReply*>(reply));
        const auto got = receive(bytes.data(), bytes.size());
        if (got == 0) throw std::runtime_error("the server ended the connection");
        if (redisReaderFeed(context_->reader, bytes.data(), got) != REDIS_OK) throw std::runtime_error(context_->reader->errstr);
    }
}

// A server that has restarted, or that closes idle connections, is available: connect again without a pause.
bool RedisLimiter::is_closed_by_peer() const noexcept {
    char byte;
    const ssize_t got = recv(context_->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got >= 0 || (errno != EAGAIN && errno != EINTR);
}

}  // namespace tradepost::limits
