#include "api/events.h"

#include "api/list.h"
#include "api/write.h"
#include "http/error.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

void write(json::Writer& writer, const domain::Event& event, bool detailed) {
    writer.begin_object().member("id", event.id).member("slug", event.slug).name("organisation");
    write_organisation(writer, event.organisation);
    json::write_fields(writer, domain::event_fields(), event, detailed);
    writer.end_object();
}

// A moment, or a date: its first millisecond as a lower bound, its last as an upper one.
std::optional<core::Time> bound(const http::Query& query, std::string_view name, bool upper) {
    const auto text = query.filter(name);
    if (!text) return {};
    if (const auto date = core::parse_date(*text)) return upper ? *date + std::chrono::days(1) - core::milliseconds(1) : *date;
    const auto time = core::parse_rfc3339(*text);
    if (!time) throw http::invalid_query("no time: " + std::string(name));
    return time;
}

}  // namespace

http::Response list_events(Call& call) {
    repo::EventFilter filter;
    filter.search = read_search(call.query);
    filter.categories = texts(call.query, "category");
    filter.cities = texts(call.query, "city");
    filter.from = bound(call.query, "from", false);
    filter.to = bound(call.query, "to", true);
    if (filter.from && filter.to && *filter.from > *filter.to) throw http::invalid_query("from is after to");

    const ListKey key("events", call.query, {"q", "category", "city", "from", "to"});
    return list(call, key, call.services.events, filter, [](json::Writer& writer, const domain::Event& event) { write(writer, event, false); });
}

http::Response get_event(Call& call) {
    auto response = detail_by_version(call, "events", [&]() -> std::optional<Detail> {
        const auto event = call.services.events.find(call.parameters[0], call.services.clock.now());
        if (!event) return {};
        json::Writer writer;
        write(writer, *event, true);
        return Detail{writer.take(), {}};
    });
    if (!response) throw http::not_found();
    return std::move(*response);
}

}  // namespace tradepost::api
