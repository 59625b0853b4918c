// Events from rows, and to JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "json/writer.h"
#include "resources/events/event.h"

namespace tradepost::events {

// What read() wants of the table `t` and what is joined to it, in its order; `detailed` with the fields that lists leave out.
std::string columns(bool detailed);
// Without the index named, MariaDB 11.8 scans a small table and sorts all rows of the list.
inline constexpr const char* joins = " JOIN organisations o FORCE INDEX (PRIMARY) ON o.id = t.organisation_id";
Event read(db::Row& row, bool detailed);

void write(json::Writer& writer, const Event& event, bool detailed);
std::string render(const Event& event);  // with all details

// An event in any state; `visible` tells whether the public may see it at that time. One round trip.
struct Found {
    Event item;
    bool visible;
};
std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now);

}  // namespace tradepost::events
