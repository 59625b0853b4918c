#include "resources/events/writer.h"

namespace tradepost::events {

std::vector<std::string_view> EventTable::searched(const Resource& event) {
    static const std::string none;
    return {event.title, event.summary ? *event.summary : none, event.description ? *event.description : none};
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
