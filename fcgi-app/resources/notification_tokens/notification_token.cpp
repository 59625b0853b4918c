#include "resources/notification_tokens/notification_token.h"

namespace tradepost::notification_tokens {
namespace {
constexpr std::string_view platforms[] = {"IOS", "ANDROID", "WEB"};
}  // namespace

std::span<const fields::Field<NotificationToken>> notification_token_fields() {
    static const fields::Field<NotificationToken> fields[] = {
        {"token", fields::rules::required_text(4096), &NotificationToken::token},
        {"platform", fields::rules::choice(platforms, fields::Presence::required), &NotificationToken::platform},
        {"deviceName", fields::rules::text(80), &NotificationToken::device_name},
    };
    return fields;
}

}  // namespace tradepost::notification_tokens
