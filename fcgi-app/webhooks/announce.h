// Telling webhooks what happens: a message for each that wants to know, in the transaction that causes it.
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

// That a row is gone: the data is its entry in the list of deletions.
Happening deletion(std::string_view type, const core::Uuid& id, const core::Uuid& organisation_id,
                   const std::optional<std::string>& reference, core::Time at);

}  // namespace tradepost::webhooks
