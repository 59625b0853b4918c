#include "domain/notification_token.h"

namespace tradepost::domain {
namespace {
constexpr std::string_view platforms[] = {"IOS", "ANDROID", "WEB"};
}  // namespace

std::span<const Field<NotificationToken>> notification_token_fields() {
    static const Field<NotificationToken> fields[] = {
        {"token", rules::required_text(4096), &NotificationToken::token},
        {"platform", rules::choice(platforms, Presence::required), &NotificationToken::platform},
        {"deviceName", rules::text(80), &NotificationToken::device_name},
    };
    return fields;
}

}  // namespace tradepost::domain
