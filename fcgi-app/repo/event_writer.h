// Writing events.
#pragma once
#include "domain/event.h"
#include "repo/content_writer.h"
#include "repo/event_counts.h"

namespace tradepost::repo {

struct EventTable {
    using Resource = domain::Event;
    using Counted = CountedEvent;
    static Counted counted(const Resource& event, bool listed) { return CountedEvent::of(event, listed); }
    static constexpr std::string_view name = "events", search = "event_search", search_id = "event_id";
    static constexpr std::string_view derived = "category_key, city_key, over_at, ";
    static std::span<const domain::Field<Resource>> fields() { return domain::event_fields(); }
    static bool is_public(const Resource& event) {
        return event.published_at.has_value();
    }  // apart from its organisation and the time
    static std::vector<std::string_view> searched(const Resource& event);
    static void append_derived(std::string& sql, const Resource& event);
};

using EventWriter = ContentWriter<EventTable>;

}  // namespace tradepost::repo
