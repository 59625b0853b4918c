#include "db/lease.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "core/crypto.h"
#include "core/log.h"

namespace tradepost::db {
namespace {

std::string host_name() {
    char host[65] = "";
    (void)gethostname(host, sizeof host - 1);
    return host;
}

std::string this_process() {
    return host_name() + ", process " + std::to_string(getpid());
}

// The process that holds a lease, and which of its leases it is: the token.
struct LeaseHolder {
    std::uint32_t place = 0;  // where process ids are its own: host and namespace; 0: not known
    std::uint32_t process = 0;
    std::uint32_t started = 0;  // in clock ticks; 0: not known. It tells the process from later ones of that id.
    std::uint32_t random = 0;
};
static_assert(sizeof(LeaseHolder) == 16);

std::uint32_t number_of(std::string_view bytes) {
    std::uint32_t number = 0;
    std::memcpy(&number, bytes.data(), sizeof number);
    return number;
}

// With the host's name, since copies of a virtual machine may have one machine-id. Containers often have none: there it is the boot of the kernel.
std::uint32_t this_place() {
    std::string machine;
    std::ifstream("/etc/machine-id") >> machine;
    if (machine.empty()) std::ifstream("/proc/sys/kernel/random/boot_id") >> machine;
    struct stat ids {};
    if (machine.empty() || stat("/proc/self/ns/pid", &ids) != 0) return 0;
    return number_of(core::sha256(machine + " " + host_name() + " " + std::to_string(ids.st_ino)));
}

// proc(5), /proc/pid/stat, field 22. 0 for a process that is hidden from this one, as those of other services are in a service.
std::uint32_t time_started(std::uint32_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto name_end = text.rfind(')');
    if (name_end == text.npos) return 0;
    std::istringstream fields(text.substr(name_end + 1));
    std::string field;
    for (int number = 3; number < 22; ++number) fields >> field;
    unsigned long long ticks = 0;
    fields >> ticks;
    return std::uint32_t(ticks);
}

core::Uuid new_token() {
    const auto process = std::uint32_t(getpid());
    const LeaseHolder holder{this_place(), process, time_started(process), number_of(core::random_bytes(4))};
    return core::Uuid::from_bytes({reinterpret_cast<const char*>(&holder), sizeof holder});
}

// Whether the process that made the token is known to have ended. kill() without a signal finds hidden processes too.
bool has_ended(const core::Uuid& token) {
    LeaseHolder holder;
    std::memcpy(&holder, token.bytes().data(), sizeof holder);
    if (holder.place == 0 || holder.place != this_place()) return false;
    if (kill(pid_t(holder.process), 0) != 0 && errno == ESRCH) return true;
    const auto started = time_started(holder.process);
    return started != 0 && holder.started != 0 && started != holder.started;
}

}  // namespace

Lease::Lease(Connection& connection, std::string_view name, std::chrono::seconds lifetime)
    : connection_(&connection), name_(name), lifetime_(lifetime), token_(new_token()) {}

Lease::Lease(Lease&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)),
      name_(std::move(other.name_)),
      lifetime_(other.lifetime_),
      token_(other.token_) {}

std::optional<Lease> Lease::take(Connection& connection, std::string_view name, std::chrono::seconds lifetime,
                                 std::string* holder) {
    Lease lease(connection, name, lifetime);
    lease.connection_ = nullptr;  // until it is taken, there is nothing to give back
    const auto before = connection.query("SELECT token FROM leases WHERE name = ?", {name});
    std::optional<core::Uuid> ended;
    if (!before.empty() && has_ended(before[0].uuid(0))) ended = before[0].uuid(0);
    const bool taken = in_transaction(connection, [&] {
        connection.execute(
            "INSERT INTO leases (name, holder, token, expires_at) VALUES (?, '', ?, '1970-01-01') ON DUPLICATE KEY UPDATE name = "
            "name",
            {name, lease.token_});
        return connection.execute(
                   "UPDATE leases SET holder = ?, token = ?, expires_at = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE name = ? "
                   "AND (expires_at <= UTC_TIMESTAMP(3) OR token = ?)",
                   {this_process(), lease.token_, std::int64_t(lifetime.count()), name, ended}) == 1;
    });
    if (taken) {
        lease.connection_ = &connection;
        return lease;
    }
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

KeptLease::KeptLease(const core::Config::Database& config, std::function<void()> lost, std::chrono::seconds lifetime)
    : connection_(config), lost_(std::move(lost)), lifetime_(lifetime) {}

std::unique_ptr<KeptLease> KeptLease::take(const core::Config::Database& config, std::string_view name,
                                           std::function<void()> lost, std::string* holder, std::chrono::seconds lifetime) {
    std::unique_ptr<KeptLease> kept(new KeptLease(config, std::move(lost), lifetime));
    auto lease = Lease::take(kept->connection_, name, lifetime, holder);
    if (!lease) return {};
    kept->lease_.emplace(std::move(*lease));
    kept->thread_ = std::jthread([&self = *kept](const std::stop_token& stop) { self.keep(stop); });
    return kept;
}

void KeptLease::keep(const std::stop_token& stop) {
    const auto pause = lifetime_ / 6;
    auto renewed = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
        connection_.close();
        if (wake_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) return;
        const auto now = std::chrono::steady_clock::now();
        try {
            if (!lease_->renew()) break;
            renewed = now;
        } catch (const Error& error) {
            core::log::warning("lease_not_renewed", {{"why", error.what()}});
            if (std::chrono::steady_clock::now() - renewed > lifetime_ - 2 * pause) break;
        }
    }
    lost_();
}

}  // namespace tradepost::db
