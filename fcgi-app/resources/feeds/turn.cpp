#include "resources/feeds/turn.h"

#include "http/error.h"

namespace tradepost::feeds {

constexpr std::chrono::seconds longest_wait{8};

bool is_feed(const http::Request& request) {
    return request.raw_path().ends_with("/feed");
}

limits::Turns::Turn await_turn(const api::Call& call, const core::Uuid& organisation_id) {
    if (!call.services.turns) return {};
    auto taken = call.services.turns->take("feed of " + organisation_id.to_string(), longest_wait);
    if (taken.refusal != limits::Turns::Refusal::none)
        throw http::service_unavailable("the organisation has another feed written");
    return std::move(taken.turn);
}

}  // namespace tradepost::feeds
