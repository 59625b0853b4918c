// Counts how much programs use their tokens on each day, and what fails. A worker adds up in memory, and writes failures at most once a
// second and the rest once a minute, so that neither a client in a loop nor one that reads now and then costs a write for each request. Counts
// that it has not written yet are missing, and are lost when it is killed.
#pragma once
#include <chrono>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::accounts {

inline constexpr std::chrono::days use_is_kept{14};

struct ProgramFailure {
    core::Uuid token_id;
    std::string method, route;  // the pattern of the path
    int status;
    std::string code, parameter;  // http/error_codes.h; the first field or parameter that is wrong, or empty

    auto key() const { return std::tie(token_id, method, route, status, code, parameter); }
    bool operator<(const ProgramFailure& other) const { return key() < other.key(); }
};

class ProgramUse {
public:
    void count_request(const core::Uuid& token_id, bool failed);
    // In each of these organisations. `parameter` may be any text.
    void count_failure(std::span<const core::Uuid> organisations, ProgramFailure failure, const std::string& request_id,
                       core::Time now);

    bool empty() const { return days_.empty(); }
    bool is_due(core::Time now) const {
        const std::chrono::seconds interval{failures_.empty() ? 60 : 1};
        return !empty() && (now < written_ || now - written_ >= interval);
    }
    // Failures to write are logged, and what was added up is dropped.
    void write(db::Connection& connection, core::Time now) noexcept;

    // Removes what is older than use_is_kept.
    static void prune(db::Connection& connection, core::Time now);

private:
    // An organisation has so many kinds. The fields of further ones are not told apart.
    static constexpr std::size_t most_kinds = 500;
    struct Seen {
        std::uint64_t times = 0;
        core::Time first, last;
        std::string request_id;
    };
    struct Day {
        std::uint64_t requests = 0, failures = 0;
    };
    void write_failures(db::Connection& connection);

    std::map<std::pair<core::Uuid, ProgramFailure>, Seen> failures_;
    std::map<core::Uuid, Day> days_;
    core::Time written_{};
};

}  // namespace tradepost::accounts
