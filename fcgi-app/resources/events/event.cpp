#include "resources/events/event.h"

namespace tradepost::events {
namespace {
constexpr std::string_view statuses[] = {"SCHEDULED", "CANCELLED", "POSTPONED"};
}

std::span<const fields::Field<Event>> event_fields() {
    static const fields::Field<Event> fields[] = {
        {"title", fields::rules::required_text(150), &Event::title},
        {"summary", fields::rules::text(300), &Event::summary},
        {"description", fields::rules::text(20000), &Event::description, fields::Use::detail},
        {"category", fields::rules::text(80), &Event::category},
        {"startsAt", fields::rules::time(fields::Presence::required), &Event::starts_at},
        {"endsAt", fields::rules::time(), &Event::ends_at},
        {"timezone", fields::rules::of(fields::Kind::timezone), &Event::timezone},
        {"venueName", fields::rules::text(150), &Event::venue_name},
        {"address", fields::rules::text(300), &Event::address},
        {"city", fields::rules::text(80), &Event::city},
        {"country", fields::rules::of(fields::Kind::country), &Event::country},
        {"isOnline", {fields::Kind::boolean, fields::Presence::defaulted}, &Event::is_online},
        {"url", fields::rules::of(fields::Kind::web_url), &Event::url},
        {"imageUrl", fields::rules::of(fields::Kind::web_url), &Event::image_url},
        {"status", fields::rules::choice(statuses, fields::Presence::defaulted), &Event::status},
        {"publishedAt", fields::rules::time(), &Event::published_at},
        {"createdAt", fields::rules::time(fields::Presence::defaulted), &Event::created_at, fields::Use::read_only},
        {"updatedAt", fields::rules::time(fields::Presence::defaulted), &Event::updated_at, fields::Use::read_only},
    };
    return fields;
}

std::optional<fields::Fault> fault(const Event& event) {
    if (event.ends_at && *event.ends_at < event.starts_at) return fields::Fault{"endsAt", "must not be before startsAt"};
    return {};
}

std::optional<fields::Fault> fault_in_writing(const Event& event) {
    if (const auto found = fault(event)) return found;
    if (event.published_at && !event.is_online && (!event.city || event.city->empty()))
        return fields::Fault{"city", "is required to publish unless isOnline is true"};
    return {};
}

}  // namespace tradepost::events
