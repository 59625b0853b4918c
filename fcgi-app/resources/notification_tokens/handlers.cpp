#include "resources/notification_tokens/handlers.h"

#include "api/write.h"
#include "fields/json.h"
#include "json/writer.h"
#include "push/subscription.h"
#include "resources/notification_tokens/rows.h"

namespace tradepost::notification_tokens {
namespace {

// One browser has one row however its subscription is written. What is no object was always taken, and gets no messages.
void read_subscription(NotificationToken& token) {
    if (token.platform != "WEB" || !token.token.starts_with(push::subscription_begin)) return;
    try {
        token.token = push::to_text(push::parse_subscription(token.token));
    } catch (const std::invalid_argument& error) {
        throw http::invalid_field("token", error.what());
    }
}

}  // namespace

http::Response register_notification_token(api::Call& call) {
    const auto& body = call.body();
    NotificationToken token;
    fields::refuse_unknown(body, notification_token_fields());
    fields::read_fields(body, notification_token_fields(), token, fields::Reading::create);
    read_subscription(token);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        NotificationTokens(transaction.connection()).put(call.caller().user_id, token, call.services.clock.now());
        return http::data(R"({"registered":true})");
    });
}

http::Response get_key(api::Call& call) {
    const auto& key = call.services.config.push.public_key;
    json::Writer writer;
    writer.begin_object().member("publicKey", key.empty() ? std::nullopt : std::optional(key)).end_object();
    return http::data(writer.text());
}

}  // namespace tradepost::notification_tokens
