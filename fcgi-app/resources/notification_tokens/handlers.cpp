#include "resources/notification_tokens/handlers.h"

#include "api/write.h"
#include "fields/json.h"
#include "resources/notification_tokens/rows.h"

namespace tradepost::notification_tokens {

http::Response register_notification_token(api::Call& call) {
    const auto& body = call.body();
    NotificationToken token;
    fields::refuse_unknown(body, notification_token_fields());
    fields::read_fields(body, notification_token_fields(), token, fields::Reading::create);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        NotificationTokens(transaction.connection()).put(call.caller().user_id, token, call.services.clock.now());
        return http::data(R"({"registered":true})");
    });
}

}  // namespace tradepost::notification_tokens
