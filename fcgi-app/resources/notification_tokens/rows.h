// Notification tokens in the database.
#pragma once
#include "db/connection.h"
#include "resources/notification_tokens/notification_token.h"

namespace tradepost::notification_tokens {

class NotificationTokens {
public:
    explicit NotificationTokens(db::Connection& connection) : connection_(connection) {}

    // A token has one row and belongs to the user who registered it last; of a user's tokens the `kept` that were registered last stay.
    // Inside a transaction. Throws db::Error with is_retryable() when many requests register it at once.
    static constexpr int kept = 50;
    void put(const core::Uuid& user_id, const NotificationToken& token, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::notification_tokens
