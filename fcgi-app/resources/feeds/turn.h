// Feeds of one organisation come one after the other.
#pragma once
#include <chrono>

#include "api/call.h"
#include "limits/turns.h"

namespace tradepost::feeds {

// What a feed of the most lines may take. nginx waits a little longer (feed_bodies.conf).
constexpr std::chrono::minutes longest_run{5};

// Whether it asks for a feed, by its path as it was sent.
bool is_feed(const http::Request& request);

// Throws 503 when the turn does not come in a few seconds.
limits::Turns::Turn await_turn(const api::Call& call, const core::Uuid& organisation_id);

}  // namespace tradepost::feeds
