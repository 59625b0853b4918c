// Notification tokens: the addresses of devices for push messages.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "fields/field.h"

namespace tradepost::notification_tokens {

struct NotificationToken {
    std::string token;     // compared by bytes
    std::string platform;  // IOS, ANDROID, WEB
    std::optional<std::string> device_name;
};

std::span<const fields::Field<NotificationToken>> notification_token_fields();

}  // namespace tradepost::notification_tokens
