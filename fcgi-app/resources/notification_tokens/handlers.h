// Handlers of /notification_tokens.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/call.h"
#include "db/connection.h"
#include "fields/field.h"

namespace tradepost::notification_tokens {

// Notification tokens: the addresses of devices for push messages.
struct NotificationToken {
    std::string token;     // compared by bytes
    std::string platform;  // IOS, ANDROID, WEB
    std::optional<std::string> device_name;
};

std::span<const fields::Field<NotificationToken>> notification_token_fields();

// Notification tokens in the database.
class NotificationTokens {
public:
    explicit NotificationTokens(db::Connection& connection) : connection_(connection) {}

    // A token has one row and belongs to the user who registered it last; of a user's tokens the `kept` that were registered last stay.
    // Inside a transaction. Throws db::Error with is_retryable() when many requests register it at once.
    static constexpr int kept = 50;
    void put(const core::Uuid& user_id, const NotificationToken& token, core::Time now);

    // False when the user has none with this hash, 32 bytes.
    bool remove(const core::Uuid& user_id, std::string_view hash);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::notification_tokens
