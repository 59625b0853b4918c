#include "api/content.h"

#include "lists/selection.h"

namespace tradepost::api {
namespace {

// Whose row it is, in any state. One round trip.
std::optional<core::Uuid> organisation_of(db::Connection& connection, std::string_view table, std::string_view id_or_slug) {
    const lists::IdOrSlug named(id_or_slug);
    if (!named.is_possible()) return {};
    const auto rows = connection.query("SELECT t.organisation_id FROM " + std::string(table) + " t WHERE " + named.condition(),
                                       {named.value()});
    if (rows.empty()) return {};
    return rows[0].opt_uuid(0);
}

}  // namespace

bool is_member(const Call& call, const core::Uuid* organisation_id) {
    return organisation_id && call.principal && call.principal->roles.contains(*organisation_id);
}

bool is_own_read(const Call& call, std::string_view table) {
    if (!call.principal || call.principal->roles.empty()) return false;
    if (call.parameters.empty()) {
        const auto named = lists::read_id(call.query, "organisationId");
        return named && is_member(call, &*named);
    }
    const auto organisation_id = organisation_of(call.services.reads, table, call.parameters[0]);
    return organisation_id && is_member(call, &*organisation_id);
}

}  // namespace tradepost::api
