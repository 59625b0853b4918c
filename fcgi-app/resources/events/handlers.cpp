#include "resources/events/handlers.h"

#include "api/content.h"
#include "resources/events/list.h"
#include "resources/events/rows.h"
#include "resources/events/writer.h"

namespace tradepost::events {
namespace {

struct Kind {
    using Table = EventTable;
    using Found = events::Found;
    static constexpr auto public_list = events::public_list, member_list = events::member_list;
    static constexpr auto find = events::find;
    static constexpr auto json = render;

    static std::optional<core::Time> shown_until(const Event&) { return {}; }
    static void read(const json::Json& body, Event& event, fields::Reading reading) {
        api::read_content(body, event_fields(), event, reading, fault_in_writing);
    }
    static void check_new(writes::WriteTransaction&, const Event&) {}
    static void check_change(writes::WriteTransaction&, const Event&, const Event&) {}
    static void settle(Event&, core::Time) {}
    static void write(writes::WriteTransaction& transaction, const writes::OwnOrganisation& owner, const Event& event) {
        EventWriter writer(transaction);
        writer.know(owner.summary, owner.published);
        writer.write(std::span(&event, 1));
    }
    static void remove(writes::WriteTransaction& transaction, const Event& event, core::Time) {
        EventWriter(transaction).remove(event.id);
    }
};

}  // namespace

http::Response list_events(api::Call& call) {
    return api::list_content<Kind>(call);
}

http::Response get_event_facets(api::Call& call) {
    return api::content_facets<Kind>(call);
}

http::Response get_event(api::Call& call) {
    return api::get_content<Kind>(call);
}

http::Response create_event(api::Call& call) {
    return api::create_content<Kind>(call);
}

http::Response change_event(api::Call& call) {
    return api::change_content<Kind>(call);
}

http::Response delete_event(api::Call& call) {
    return api::delete_content<Kind>(call);
}

}  // namespace tradepost::events
