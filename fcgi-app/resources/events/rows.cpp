#include "resources/events/rows.h"

#include "fields/json.h"
#include "fields/rows.h"
#include "identity/organisation_columns.h"
#include "identity/organisation_json.h"
#include "lists/id_or_slug.h"

namespace tradepost::events {

std::string columns(bool detailed) {
    return std::string("t.id, t.slug, ") + identity::organisation_columns + fields::columns(event_fields(), "t.", detailed);
}

Event read(db::Row& row, bool detailed) {
    Event event;
    event.id = row.uuid(0);
    event.slug = row.text(1);
    event.organisation = identity::read_organisation(row, 2);
    fields::read_columns(row, 2 + identity::organisation_width, event_fields(), event, detailed);
    return event;
}

void write(json::Writer& writer, const Event& event, bool detailed) {
    writer.begin_object().member("id", event.id).member("slug", event.slug).name("organisation");
    identity::write_organisation(writer, event.organisation);
    fields::write_fields(writer, event_fields(), event, detailed);
    writer.end_object();
}

std::string render(const Event& event) {
    json::Writer writer;
    write(writer, event, true);
    return writer.take();
}

std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now) {
    const lists::IdOrSlug named(id_or_slug);
    if (!named.is_possible()) return {};
    auto rows = connection.query("SELECT " + columns(true) + ", t.listed FROM events t" + joins + " WHERE " + named.condition(),
                                 {named.value()});
    if (rows.empty()) return {};
    Found found{read(rows[0], true), rows[0].boolean(rows[0].columns() - 1)};
    found.visible = found.visible && found.item.published_at && *found.item.published_at <= now;
    return found;
}

}  // namespace tradepost::events
