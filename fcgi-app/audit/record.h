// The audit log: who did what to whose account. Each event is a row of audit_log, a line of the log and a count.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/events.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::audit {

// Who does something, and from where. "-" is unknown.
struct Origin {
    std::string actor = "-";  // a user's id, or ctl:NAME for a command that this user of the host runs
    std::string address = "-", request_id = "-";
};

// What this thread records while it lives, it records for this origin; without one all is unknown. An ambient value, because everything that
// a request does has one origin, and functions that do not record anything would have to pass it on.
class Acting {
public:
    explicit Acting(Origin origin);
    ~Acting();
    Acting(const Acting&) = delete;
    Acting& operator=(const Acting&) = delete;

    // Once it is known who it is.
    static void set_actor(const core::Uuid& user);

    // The user who does it; empty when it is nobody, or the operator.
    static std::optional<core::Uuid> user();

private:
    Origin before_;
};

// Never with a secret: a password, a token, a code, the value or the hash of a session's cookie.
struct Entry {
    Event event;
    std::optional<core::Uuid> user{};    // whose account it is about
    std::optional<core::Uuid> target{};  // what else it is about: the token's id, for example
    std::optional<core::Uuid> organisation{};
    std::string_view detail{};  // cut to max_detail code points
};

inline constexpr std::size_t max_detail = 254;

// Writes the row, in the open transaction if there is one: neither then exists without the other. Log line and count follow the
// commit, and come without a row only if the connection is lost before the server confirms it. Throws db::Unavailable or db::Error,
// which ends the transaction. An unknown actor who was given access to a user's account is that user.
void record(db::Connection& connection, core::Time now, const Entry& entry);

// For what clients can repeat without a right to anything: the failures of one hour for the same event, user and address (IPv6: its
// /64) share a row, which counts them and has the details of the last one. A failure to write is logged and changes nothing else.
// Outside a transaction. The cost does not depend on the user.
void record_failure(db::Connection& connection, core::Time now, const Entry& entry) noexcept;

// `email` if it has the form of an email address, else "-": people type their password into the wrong field.
std::string_view loggable_email(std::string_view email);

// Reading the audit log.

struct Filter {
    std::optional<core::Time> since{};
    std::optional<core::Uuid> user{};  // who did it, or whose account it is about
    std::optional<std::string> event{}, address{};
};

struct Found {
    core::Time happened_at, first_at;
    std::uint64_t times;
    std::string event, actor, address, request_id, detail;
    std::optional<core::Uuid> user, target, organisation;
    // As they are today; empty when the user or the organisation is gone.
    std::optional<std::string> actor_email, user_email, organisation_slug;
};

// The newest `limit`, the newest first. Throws db::Unavailable or db::Error.
std::vector<Found> search(db::Connection& connection, const Filter& filter, int limit);

}  // namespace tradepost::audit
