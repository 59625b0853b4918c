// Writing events.
#pragma once
#include "resources/events/event.h"
#include "resources/events/list.h"
#include "writes/content_writer.h"

namespace tradepost::events {

struct EventTable {
    using Resource = Event;
    static constexpr std::string_view name = "events", search = "event_search", search_id = "event_id";
    static std::span<const fields::Field<Resource>> fields() { return event_fields(); }
    static std::span<const writes::Derived<Resource>> derived();
    static const lists::CountedTable& counted() { return counted_table(); }
    // Apart from its organisation and the time; and the same in SQL.
    static bool is_public(const Resource& event) { return event.published_at.has_value(); }
    static constexpr std::string_view public_sql = "published_at IS NOT NULL";
    static std::vector<std::string_view> searched(const Resource& event);
};

using EventWriter = writes::ContentWriter<EventTable>;

}  // namespace tradepost::events

// Compiled once, in writer.cpp.
extern template class tradepost::writes::ContentWriter<tradepost::events::EventTable>;
