// A browser's subscription, as PushSubscription.toJSON() of the Push API gives it.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::push {

struct Subscription {
    std::string endpoint;    // an https address: who knows it may send
    std::string origin;      // of the endpoint
    std::string public_key;  // of the browser, raw
    std::string auth;        // the browser's secret, raw
};

// Notification tokens that begin with it are subscriptions; others of browsers are kept and get nothing.
inline constexpr std::string_view subscription_begin = "{";

// Throws std::invalid_argument, which says what the text must have.
Subscription parse_subscription(std::string_view text);

// The same subscription always as the same text, without what does not belong to it.
std::string to_text(const Subscription& subscription);

}  // namespace tradepost::push
