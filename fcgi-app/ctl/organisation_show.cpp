// org show
#include <iostream>

#include "ctl/organisations.h"
#include "ctl/output.h"
#include "ctl/tokens.h"
#include "fields/json.h"
#include "identity/people/members.h"
#include "resources/tables.h"
#include "webhooks/webhooks.h"
#include "writes/room.h"

namespace tradepost::ctl {
namespace {

Json fields_of(const identity::Organisation& organisation) {
    json::Writer writer;
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug);
    fields::write_fields(writer, identity::organisation_fields(), organisation, true);
    writer.member("logoUrl", organisation.logo_url).end_object();
    return Json::parse(writer.take());
}

Json members_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& member : identity::Members(context.connection()).of_organisation(id))
        all.push_back({{"email", member.email},
                       {"name", member.name},
                       {"role", std::string(identity::to_string(member.role))},
                       {"createdAt", core::to_rfc3339(member.created_at)}});
    return all;
}

Json integrations_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& integration : identity::Integrations(context.connection()).of_organisation(id, context.now()))
        all.push_back(json_of(integration, context.now()));
    return all;
}

// A row for each token, and one for an integration without tokens.
Json tokens_of(const Json& integrations) {
    Json all = Json::array();
    for (const auto& integration : integrations) {
        const auto add = [&](const Json& token) {
            all.push_back({{"integration", integration["name"]},
                           {"token", token["name"]},
                           {"lastUsedAt", token["lastUsedAt"]},
                           {"expiresAt", token["expiresAt"]}});
        };
        for (const auto& token : integration["tokens"]) add(token);
        if (integration["tokens"].empty()) add({{"name", nullptr}, {"lastUsedAt", nullptr}, {"expiresAt", nullptr}});
    }
    return all;
}

// How many items of each kind have which status. `published` is the condition in SQL, or empty.
void add_counts(Context& context, Json& all, const core::Uuid& id, std::string_view kind, const std::string& table,
                const std::string& status, const std::string& published) {
    for (const auto& row : context.connection().query("SELECT " + status + " AS state, COUNT(*), CAST(COALESCE(SUM(" +
                                                          (published.empty() ? "0" : published) + "), 0) AS SIGNED) FROM " +
                                                          table + " WHERE organisation_id = ? GROUP BY state ORDER BY state",
                                                      {id}))
        all.push_back({{"kind", std::string(kind)},
                       {"status", row.text(0)},
                       {"count", row.integer(1)},
                       {"published", published.empty() ? Json() : Json(row.integer(2))}});
}

Json content_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& table : resources::tables())
        add_counts(context, all, id, table.name, std::string(table.table),
                   table.name == "posts" ? "IF(" + table.published + ", 'PUBLISHED', 'DRAFT')" : "status", table.published);
    add_counts(context, all, id, "enquiries", "enquiries", "status", "");
    return all;
}

Json uploads_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& row :
         context.connection().query("SELECT status, COUNT(*), CAST(COALESCE(SUM(size), 0) AS SIGNED) FROM uploads "
                                    "WHERE organisation_id = ? GROUP BY status ORDER BY status",
                                    {id}))
        all.push_back({{"uploads", row.text(0)}, {"count", row.integer(1)}, {"bytes", row.integer(2)}});
    return all;
}

Json webhooks_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& webhook : webhooks::Webhooks(context.connection()).of_organisation(id))
        all.push_back({{"webhook", webhook.url},
                       {"events", webhook.events},
                       {"active", webhook.active},
                       {"disabledReason", to_json(webhook.disabled_reason)},
                       {"failingSince", to_json(webhook.failing_since)}});
    return all;
}

Json usage_of(Context& context, const core::Uuid& id) {
    Json all = Json::array();
    for (const auto& usage : writes::usage_of(context.connection(), context.config(), id, context.now()))
        all.push_back(
            {{"kind", usage.limit.code}, {"used", usage.used}, {"limit", usage.most}, {"setting", usage.limit.setting}});
    return all;
}

std::int64_t open_enquiries(Context& context, const core::Uuid& id) {
    return context.connection()
        .query("SELECT COUNT(*) FROM enquiries WHERE organisation_id = ? AND status IN ('NEW', 'READ')", {id})
        .at(0)
        .integer(0);
}

}  // namespace

int show_organisation(Context& context, const std::string& slug) {
    const auto organisation = context.organisation(slug);
    const auto& id = organisation.id;
    auto shown = fields_of(organisation);
    shown["openEnquiries"] = open_enquiries(context, id);
    Json rows = Json::array();
    for (const auto& [name, value] : shown.items()) rows.push_back({{"field", name}, {"value", value}});
    const auto integrations = integrations_of(context, id);
    shown["members"] = members_of(context, id);
    shown["integrations"] = integrations;
    shown["content"] = content_of(context, id);
    shown["uploads"] = uploads_of(context, id);
    shown["webhooks"] = webhooks_of(context, id);
    shown["usage"] = usage_of(context, id);
    if (context.json) {
        print(shown);
        return 0;
    }
    print_table(rows);
    shown["integrations"] = tokens_of(integrations);
    for (const char* part : {"members", "integrations", "content", "uploads", "webhooks", "usage"}) {
        if (shown[part].empty()) continue;
        std::cout << "\n";
        print_table(shown[part]);
    }
    return 0;
}

}  // namespace tradepost::ctl
