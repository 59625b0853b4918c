#include "api/notification_tokens.h"

#include "api/write.h"
#include "json/fields.h"

namespace tradepost::api {

http::Response register_notification_token(Call& call) {
    const auto& body = call.body();
    domain::NotificationToken token;
    json::refuse_unknown(body, domain::notification_token_fields());
    json::read_fields(body, domain::notification_token_fields(), token, json::Reading::create);
    return change(call, [&] {
        call.services.changes.notification_tokens().put(call.principal->user_id, token, call.services.clock.now());
        return http::data(R"({"registered":true})");
    });
}

}  // namespace tradepost::api
