// How much hashing a failed sign-in takes, whoever it was for.
#pragma once
#include <optional>

#include "core/clock.h"
#include "db/connection.h"
#include "identity/passwords/passwords.h"

namespace tradepost::identity {

class FailureWork {
public:
    // Borrows all.
    FailureWork(db::Connection& connection, const Passwords& passwords, const core::Clock& clock)
        : connection_(connection), passwords_(passwords), clock_(clock) {}

    // As much as the most expensive hashes of all users take, and at least a hash of ours. At most a minute old: once a minute it
    // reads one row for each form of hashes, however many users there are. Throws db::Unavailable or db::Error.
    HashingWork get();

private:
    HashingWork of_stored_hashes();

    db::Connection& connection_;
    const Passwords& passwords_;
    const core::Clock& clock_;
    std::optional<HashingWork> found_;
    core::Time found_at_{};
};

}  // namespace tradepost::identity
