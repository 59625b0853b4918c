#include "domain/event.h"

namespace tradepost::domain {
namespace {
constexpr std::string_view statuses[] = {"SCHEDULED", "CANCELLED", "POSTPONED"};
}

std::span<const Field<Event>> event_fields() {
    static const Field<Event> fields[] = {
        {"title", rules::required_text(150), &Event::title},
        {"summary", rules::text(300), &Event::summary},
        {"description", rules::text(20000), &Event::description, Use::detail},
        {"category", rules::text(80), &Event::category},
        {"startsAt", rules::time(Presence::required), &Event::starts_at},
        {"endsAt", rules::time(), &Event::ends_at},
        {"timezone", rules::of(Kind::timezone), &Event::timezone},
        {"venueName", rules::text(150), &Event::venue_name},
        {"address", rules::text(300), &Event::address},
        {"city", rules::text(80), &Event::city},
        {"country", rules::of(Kind::country), &Event::country},
        {"isOnline", {Kind::boolean, Presence::defaulted}, &Event::is_online},
        {"url", rules::of(Kind::web_url), &Event::url},
        {"imageUrl", rules::of(Kind::web_url), &Event::image_url},
        {"status", rules::choice(statuses, Presence::defaulted), &Event::status},
        {"publishedAt", rules::time(), &Event::published_at, Use::read_only},
        {"createdAt", rules::time(Presence::defaulted), &Event::created_at, Use::read_only},
        {"updatedAt", rules::time(Presence::defaulted), &Event::updated_at, Use::read_only},
    };
    return fields;
}

}  // namespace tradepost::domain
