#include "db/lease.h"

#include <unistd.h>

#include <utility>

#include "core/crypto.h"
#include "core/log.h"

namespace tradepost::db {
namespace {

std::string this_process() {
    char host[65] = "";
    (void)gethostname(host, sizeof host - 1);
    return std::string(host) + ", process " + std::to_string(getpid());
}

}  // namespace

Lease::Lease(Connection& connection, std::string_view name, std::chrono::seconds lifetime)
    : connection_(&connection), name_(name), lifetime_(lifetime), token_(core::Uuid::from_bytes(core::random_bytes(16))) {}

Lease::Lease(Lease&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)),
      name_(std::move(other.name_)),
      lifetime_(other.lifetime_),
      token_(other.token_) {}

std::optional<Lease> Lease::take(Connection& connection, std::string_view name, std::chrono::seconds lifetime,
                                 std::string* holder) {
    Lease lease(connection, name, lifetime);
    const bool taken = in_transaction(connection, [&] {
        connection.execute(
            "INSERT INTO leases (name, holder, token, expires_at) VALUES (?, '', ?, '1970-01-01') ON DUPLICATE KEY UPDATE name = "
            "name",
            {name, lease.token_});
        return connection.execute(
                   "UPDATE leases SET holder = ?, token = ?, expires_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE name = ? "
                   "AND "
                   "expires_at <= UTC_TIMESTAMP(3)",
                   {this_process(), lease.token_, std::int64_t(lifetime.count()), name}) == 1;
    });
    if (taken) return lease;
    lease.connection_ = nullptr;
    const auto rows = connection.query("SELECT holder FROM leases WHERE name = ?", {name});
    if (holder && !rows.empty()) *holder = rows[0].text(0);
    return {};
}

bool Lease::renew() {
    return in_transaction(*connection_, [&] {
        return connection_->execute(
                   "UPDATE leases SET expires_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE name = ? AND token = ?",
                   {std::int64_t(lifetime_.count()), name_, token_}) == 1;
    });
}

Lease::~Lease() {
    if (!connection_) return;
    try {
        connection_->execute("UPDATE leases SET expires_at = UTC_TIMESTAMP(3) WHERE name = ? AND token = ?", {name_, token_});
    } catch (const std::exception& error) {
        core::log::warning("lease_kept", {{"name", name_}, {"why", error.what()}});
    }
}

}  // namespace tradepost::db
