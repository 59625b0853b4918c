// What a device gave its app so that it can be sent push messages.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "domain/field.h"

namespace tradepost::domain {

struct NotificationToken {
    std::string token;     // compared byte by byte
    std::string platform;  // IOS, ANDROID, WEB
    std::optional<std::string> device_name;
};

std::span<const Field<NotificationToken>> notification_token_fields();

}  // namespace tradepost::domain
