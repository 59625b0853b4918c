// API tokens. The database holds the hash of a token, not its text.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/clock.h"
#include "db/connection.h"
#include "identity/caller.h"
#include "identity/tokens/scopes.h"

namespace tradepost::identity {

inline constexpr std::chrono::days token_lifetime{90};
inline constexpr std::chrono::days expiry_is_told{14}, expiry_is_near{3};  // before a token's end: to its program, and by letters
inline constexpr int max_active_tokens = 10;
inline constexpr std::chrono::minutes last_used_interval{5};

// The person who created a token of an integration.
struct Minter {
    core::Uuid id;
    std::string name;
};

struct Token {
    core::Uuid id;
    core::Uuid user_id;
    std::optional<std::string> name;  // none: created by POST /auth
    core::Time created_at, expires_at;
    std::optional<core::Time> revoked_at, last_used_at;
    std::optional<Scopes> scopes;       // none: all
    std::optional<Minter> minter = {};  // in lists and after a mint; none: the user of the token or the operator

    bool active(core::Time now) const { return !revoked_at && now < expires_at; }
};

// A token that may be used, and its user.
struct ActiveToken : Caller {
    Token token;
};

struct MintedToken {
    Token token;
    std::string plain;  // 64 lower-case hexadecimal characters
};

// On what a mint rests: a change of the password, which may come meanwhile and revoke tokens, ends it. None: an administrator's command.
struct MintingRight {
    std::optional<std::string_view> password_hash{};  // the one that was verified
    std::optional<std::string_view> session{};        // Session::hash
    std::optional<Minter> minter{};                   // the ADMIN who creates a token of an integration
    std::optional<core::Uuid> rotated_from{};         // the token that the new one takes the place of
};

// Why a token cannot be used, or not for this request. That of a disabled user is unknown, as if it had been deleted.
enum class TokenFault { unknown, expired, revoked, scope };
std::string_view to_string(TokenFault fault);  // the names above

// The 32 bytes under which a token is stored.
std::string token_hash(std::string_view plain);

// Borrows the connection. Calls throw db::Unavailable or db::Error unless they say otherwise.
class Tokens {
public:
    explicit Tokens(db::Connection& connection) : connection_(connection) {}

    // The token, or why it cannot be used. One round trip.
    std::variant<ActiveToken, TokenFault> find(std::string_view hash, core::Time now, CallerDetail detail = CallerDetail::roles);

    // The same without the reason: empty when the token cannot be used.
    std::optional<ActiveToken> find_active(std::string_view hash, core::Time now);

    // A new token, in a transaction of its own, which records it and, after a password was verified, the sign-in; the user's oldest active ones beyond max_active_tokens are deleted.
    // The user's tokens have strictly ascending times, in the order of their commits. Empty when there is no such user, it is
    // disabled, or has another password hash or no such session by now. Without `scopes` it has all.
    std::optional<MintedToken> mint(const core::Uuid& user_id, const std::optional<std::string>& name, const core::Clock& clock,
                                    const MintingRight& right = {}, const std::optional<Scopes>& scopes = {});

    // True when the token existed and was not revoked before (it may have expired).
    bool revoke(const core::Uuid& id, core::Time now);
    // True when it was an active token of that user.
    bool revoke_own(const core::Uuid& user_id, const core::Uuid& id, core::Time now);

    // The user's newest 1000, expired and revoked ones included, newest first.
    std::vector<Token> list(const core::Uuid& user_id);

    // The user's active ones, newest first.
    std::vector<Token> list_active(const core::Uuid& user_id, core::Time now);

    // Whether touch_last_used() would write.
    static bool touch_is_due(const std::optional<core::Time>& last_used_at, core::Time now) {
        return !last_used_at || *last_used_at <= now - last_used_interval;
    }

    // Writes last_used_at unless it is younger than last_used_interval or another transaction has locked the row: never waits for a
    // lock. Failures are logged.
    void touch_last_used(const core::Uuid& id, core::Time now) noexcept;

private:
    db::Connection& connection_;
};

// Parts of Tokens for those who have a transaction of their own, or ask for several users at once.

// Tokens::mint() and revoke_own() inside a transaction of the caller.
std::optional<MintedToken> mint_within(db::Connection& connection, const core::Uuid& user_id,
                                       const std::optional<std::string>& name, const core::Clock& clock,
                                       const MintingRight& right, const std::optional<Scopes>& scopes);
bool revoke_within(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id, core::Time now,
                   std::string_view why = {});

// A new token of the same user, name, scopes and minter, inside a transaction of the caller. `token` ends after `overlap`, or at its own end if
// that comes first, or at once if the user has max_active_tokens that are newer. A token that took its place before and was never used, because
// the answer was lost, ends at once. Empty when the token is not active any more.
struct Rotated {
    MintedToken minted;
    std::optional<core::Time> previous_expires_at;  // none: it has ended
};
std::optional<Rotated> rotate_within(db::Connection& connection, const Token& token, std::chrono::seconds overlap,
                                     const core::Clock& clock);

// Tokens::list_active() of these users.
std::vector<Token> list_active(db::Connection& connection, std::span<const core::Uuid> user_ids, core::Time now);

}  // namespace tradepost::identity
