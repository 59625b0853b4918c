// Telling webhooks what happens: a bundle of messages to each that wants to know, in the transaction that causes it.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "db/connection.h"

namespace tradepost::webhooks {

struct Happening {
    core::Uuid organisation_id;
    core::Time at;
    std::string_view type;              // of the message
    core::Uuid item;                    // what it is about: when too much waits, the next message about it replaces this one
    std::function<std::string()> data;  // JSON; called if somebody wants to know, inside announce()
};

// The body of a message.
std::string body(std::string_view type, core::Time at, std::string_view data);

// One statement when no organisation of these has an active webhook for `event`, however many happenings there are. Messages of one webhook
// are sent in the order of the happenings.
void announce(db::Connection& connection, std::string_view event, std::span<const Happening> happenings);

inline void announce(db::Connection& connection, std::string_view event, const Happening& happening) {
    announce(connection, event, std::span(&happening, 1));
}

// How messages that this thread causes are disturbed, for the tests of receivers (X-Test-Fault). As set until it is set again.
enum class Disturbance {
    none,
    twice,      // each arrives twice, with the same id
    late,       // half a minute later than they would
    reordered,  // the last of the transaction first, and behind what is caused in the next seconds
};
void disturb(Disturbance disturbance);

// The kind of a message that is caused now, and before when it is not sent.
inline constexpr const char *webhook_kind = "webhook", *twice_kind = "webhook twice";
const char* kind_now();
std::optional<core::Time> not_before(core::Time now);

// That a row is gone: the data is its entry in the list of deletions.
Happening deletion(std::string_view type, const core::Uuid& id, const core::Uuid& organisation_id,
                   const std::optional<std::string>& reference, core::Time at);

}  // namespace tradepost::webhooks
