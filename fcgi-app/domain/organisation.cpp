#include "domain/organisation.h"

namespace tradepost::domain {

std::span<const Field<Organisation>> organisation_fields() {
    using O = Organisation;
    static const Field<O> fields[] = {
        {"name", rules::required_text(150), &O::name},
        {"description", rules::text(20000), &O::description},
        {"website", rules::of(Kind::web_url), &O::website},
        {"phone", rules::text(40), &O::phone},
        {"email", rules::of(Kind::email), &O::email},
        {"address", rules::text(300), &O::address},
        {"city", rules::text(80), &O::city},
        {"postalCode", rules::text(16), &O::postal_code},
        {"country", rules::of(Kind::country), &O::country},
        {"published", {Kind::boolean, Presence::defaulted}, &O::published, Use::read_only},
        {"createdAt", rules::time(Presence::defaulted), &O::created_at, Use::read_only},
        {"updatedAt", rules::time(Presence::defaulted), &O::updated_at, Use::read_only},
    };
    return fields;
}

std::string_view to_string(Role role) { return role == Role::admin ? "ADMIN" : "MEMBER"; }

std::optional<Role> parse_role(std::string_view text) {
    if (text == "ADMIN") return Role::admin;
    if (text == "MEMBER") return Role::member;
    return {};
}

}  // namespace tradepost::domain
