// Where users want push messages to go.
#pragma once
#include "db/connection.h"
#include "domain/notification_token.h"

namespace tradepost::repo {

class NotificationTokens {
public:
    explicit NotificationTokens(db::Connection& connection) : connection_(connection) {}

    // A token has one row whoever registers it: the last one is the user it belongs to. Throws db::Error with is_retryable() when many
    // do at once.
    void put(const core::Uuid& user_id, const domain::NotificationToken& token, core::Time now);

private:
    db::Connection& connection_;
};

}  // namespace tradepost::repo
