// The second factor of sign-in: codes of an authenticator app (identity/sessions/totp.h), and recovery codes for when that is lost.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "db/connection.h"
#include "identity/tokens/issued.h"

namespace tradepost::identity {

inline constexpr int recovery_code_count = 10;
// So many wrong codes of one user close the second factor for so long: whoever types them knows the password.
inline constexpr int max_code_failures = 8;
inline constexpr std::chrono::minutes code_failures_window{15};

struct SecondFactor {
    std::optional<core::Time> enabled_at;
    std::int64_t recovery_codes = 0;  // that were not used
};

enum class CodeVerdict { right, wrong, too_many };

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class SecondFactors {
public:
    explicit SecondFactors(db::Connection& connection) : connection_(connection) {}

    SecondFactor find(const core::Uuid& user_id);
    bool is_enabled(const core::Uuid& user_id);

    // A new secret, which replaces one that waits for its first code. Empty when the user has a second factor.
    std::optional<std::string> begin(const core::Uuid& user_id, core::Time now);

    // Enables the secret that waits, if this is its code; returns new recovery codes. Empty when it is not, or none waits.
    std::optional<std::vector<std::string>> enable(const core::Uuid& user_id, std::string_view code, core::Time now);

    // Takes a code of the app or a recovery code; each works once. Wrong for a user without a second factor.
    CodeVerdict check(const core::Uuid& user_id, std::string_view code, core::Time now);

    // When check() looks at codes again after too_many; not later than `now` for a user whose second factor is not closed.
    core::Time opens_at(const core::Uuid& user_id, core::Time now);

    // New recovery codes instead of the old ones. Empty when the user has no second factor.
    std::optional<std::vector<std::string>> renew_recovery_codes(const core::Uuid& user_id, core::Time now);

    // Removes secret and recovery codes, and ends what the user issued in organisations that require a second factor. False when there was none.
    bool remove(const core::Uuid& user_id, core::Time now, IntegrationTokens tokens = IntegrationTokens::keep);

private:
    std::vector<std::string> replace_recovery_codes(const core::Uuid& user_id);
    bool take_recovery_code(const core::Uuid& user_id, std::string_view code, core::Time now);

    db::Connection& connection_;
};

}  // namespace tradepost::identity
