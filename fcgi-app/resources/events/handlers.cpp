#include "resources/events/handlers.h"

#include "http/error.h"
#include "lists/lists.h"
#include "resources/events/list.h"
#include "resources/events/rows.h"

namespace tradepost::events {

http::Response list_events(api::Call& call) {
    return call.services.lists.answer(public_list(), call.request, call.query);
}

http::Response get_event_facets(api::Call& call) {
    return call.services.lists.facets(public_list(), call.request, call.query);
}

http::Response get_event(api::Call& call) {
    const auto& id_or_slug = call.parameters[0];
    const auto response = call.services.lists.detail("events", id_or_slug, [&]() -> std::optional<lists::Detail> {
        const auto found = find_public(call.services.reads, id_or_slug, call.services.clock.now());
        if (!found) return {};
        json::Writer writer;
        write(writer, *found, true);
        return lists::Detail{writer.take()};
    });
    if (!response) throw http::not_found();
    return *response;
}

}  // namespace tradepost::events
