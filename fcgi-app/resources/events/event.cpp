#include "resources/events/event.h"

#include "core/text.h"
#include "resource/description.h"
#include "resources/events/lists.h"
#include "search/grammar/tokens.h"
#include "webhooks/webhook.h"

namespace tradepost::events {
namespace {

constexpr std::string_view statuses[] = {"SCHEDULED", "CANCELLED", "POSTPONED"};

const fields::Field<Event> event_fields[] = {
    {"reference", fields::rules::reference(fields::Presence::optional), &Event::reference},
    {"title", fields::rules::required_text(150), &Event::title},
    {"summary", fields::rules::lines(300), &Event::summary},
    {"description", fields::rules::lines(20000), &Event::description, fields::Use::detail},
    {"category", fields::rules::text(80), &Event::category},
    {"startsAt", fields::rules::time(fields::Presence::required), &Event::starts_at},
    {"endsAt", fields::rules::time(), &Event::ends_at},
    {"timezone", fields::rules::of(fields::Kind::timezone), &Event::timezone},
    {"venueName", fields::rules::text(150), &Event::venue_name},
    {"address", fields::rules::lines(300), &Event::address},
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

// It ends before it starts.
std::optional<fields::Fault> fault(const Event& event) {
    if (event.ends_at && *event.ends_at < event.starts_at) return fields::Fault{"endsAt", "must not be before startsAt"};
    return {};
}

// Members publish nothing that does not say where it is.
std::optional<fields::Fault> fault_in_writing(const Event& event) {
    if (const auto found = fault(event)) return found;
    if (event.published_at && !event.is_online && (!event.city || event.city->empty()))
        return fields::Fault{"city", "is required to publish unless isOnline is true"};
    return {};
}

constexpr writes::Derived<Event> derived[] = {
    {"category_key", [](const Event& event) { return writes::key_of(event.category); }},
    {"city_key", [](const Event& event) { return writes::key_of(event.city); }},
    {"over_at", [](const Event& event) { return event.over_at(); }},
};

std::string tokens(const Event& event, std::string_view) {
    return search::index_tokens(std::array{std::string_view(event.title), core::text_of(event.summary),
                                           core::text_of(event.description), core::text_of(event.venue_name),
                                           core::text_of(event.city)});
}

// A feed says what an event is, and its publisher when it is shown.
void keep(Event& event, const Event& before) {
    event.status = before.status;
    event.published_at = before.published_at;
}

void withdraw(Event& event) {
    event.published_at.reset();
}

}  // namespace

const resource::Description<Event>& Event::described() {
    static const resource::Description<Event> events{
        .name = "events",
        .table = "events",
        .singular = "event",
        .noun = "event",
        .a_new = "a new event",
        .things = writes::Things::events,
        .reads = identity::Scope::jobs_read,
        .writes = identity::Scope::jobs_write,
        .fields = event_fields,
        .derived = derived,
        .fault = fault,
        .fault_in_writing = fault_in_writing,
        .visible = {.from = &Event::published_at},
        .is_withdrawn = "published_at IS NULL",
        .owner_index = "events_poll",
        .reference_index = "events_reference",
        .poll_index = "events_poll",
        .public_list = public_list,
        .member_list = member_list,
        .words = {.searched = words, .tokens = tokens},
        .changed = webhooks::event_changed,
        .deleted = webhooks::event_deleted,
        .hooks = {.keep = keep, .withdraw = withdraw},
    };
    return events;
}

}  // namespace tradepost::events
