// Limits of emails to people who did not ask for them: invitations, and confirmations of a new address. Counters outlive what they count, so
// withdrawing an invitation and inviting again changes nothing.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::identity {

// A window begins with its first email, as those of other rate limits do.
inline constexpr std::chrono::hours letter_window{24};
inline constexpr int most_letters_of_recipient = 3, most_letters_of_organisation = 50;
// An invitation waits so long after the window's first email to its recipient, and after each further one, whoever sent it.
inline constexpr std::chrono::minutes second_letter_after{10}, further_letter_after{60};

// Borrows the connection. Calls throw db::Unavailable or db::Error, and run inside the transaction that sends the email.
class LetterLimits {
public:
    explicit LetterLimits(db::Connection& connection) : connection_(connection) {}

    // Counts an email to this address, of the organisation if there is one. Over a limit it returns how long the caller has to wait, rounded up
    // to seconds; the transaction must then be rolled back. Others who write to the address or for the organisation wait for the commit.
    std::optional<std::chrono::seconds> count(std::string_view email, const std::optional<core::Uuid>& organisation_id,
                                              core::Time now);

    // Removes what is counted of the address alone.
    void forget(std::string_view email);
    // Removes what is counted of the organisation.
    void forget(const core::Uuid& organisation_id);

private:
    void remove(const std::string& key);
    core::milliseconds wait(std::string_view key, int most, bool spaced, core::Time now);

    db::Connection& connection_;
};

}  // namespace tradepost::identity
