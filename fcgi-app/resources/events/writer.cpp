#include "resources/events/writer.h"

#include "core/text.h"

namespace tradepost::events {

std::vector<std::string_view> EventTable::searched(const Resource& event) {
    return {event.title, core::text_of(event.summary), core::text_of(event.description), core::text_of(event.venue_name),
            core::text_of(event.city)};
}

std::span<const writes::Derived<Event>> EventTable::derived() {
    static constexpr writes::Derived<Event> columns[] = {
        {"category_key", [](const Event& event) { return writes::key_of(event.category); }},
        {"city_key", [](const Event& event) { return writes::key_of(event.city); }},
        {"over_at", [](const Event& event) { return event.over_at(); }},
    };
    return columns;
}

}  // namespace tradepost::events

template class tradepost::writes::ContentWriter<tradepost::events::EventTable>;
