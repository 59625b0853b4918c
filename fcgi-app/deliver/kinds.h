// The kinds of messages and who sends them.
#pragma once
#include <atomic>
#include <string_view>

#include "core/config.h"
#include "db/connection.h"
#include "outbox/message.h"

namespace tradepost::deliver {

// What a sender may use. Each thread has its own.
struct Sending {
    const core::Config& config;
    db::Connection& connection;  // outside a transaction
    const std::atomic<bool>&
        stopped;  // the program is to end: a sender that takes more than some seconds looks at it, and returns retry()
};

struct Kind {
    std::string_view name;
    // Tries once, within 45 seconds. Sending the same message twice must do no harm, or no more than annoy. What it throws is a retry, and
    // db::Unavailable counts as no attempt.
    outbox::Outcome (*send)(Sending&, const outbox::Delivery&);
    // Delivered messages stay for outbox::delivered_are_kept, with their payload.
    bool keep = false;
    // In the transaction that makes a message dead. May be null.
    void (*given_up)(db::Connection&, const outbox::Delivery&) = nullptr;
};

// Null when this release knows none of that name.
const Kind* find_kind(std::string_view name);

}  // namespace tradepost::deliver
