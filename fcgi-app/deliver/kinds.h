// The kinds of messages and who sends them.
#pragma once
#include <atomic>
#include <span>
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

// The senders that kinds share. A lane that is busy holds up no other one.
struct Lane {
    std::string_view name;
    std::size_t senders;      // threads of a process; each sends to one target at a time
    std::size_t most_of_one;  // targets of one organisation at a time
    bool slow_wait = false;   // an organisation whose receivers are slow has one sender for all of them
};

struct Kind {
    std::string_view name;
    std::string_view lane = {};  // of `lanes`; empty: that of kinds without senders of their own
    // Tries once, within 45 seconds. Sending the same message twice must do no harm, or no more than annoy. What it throws is a retry, and
    // db::Unavailable counts as no attempt.
    outbox::Outcome (*send)(Sending&, const outbox::Delivery&);
    // Delivered messages stay for outbox::delivered_are_kept, with their payload.
    bool keep = false;
    // It does its work in the database, so a copy does it, too. A copy sends no other kind.
    bool stays_inside = false;
    // In the transaction that makes a message dead. May be null.
    void (*given_up)(db::Connection&, const outbox::Delivery&) = nullptr;
};

std::span<const Lane> lanes();

// Null when this release knows none of that name.
const Kind* find_kind(std::string_view name);

}  // namespace tradepost::deliver
