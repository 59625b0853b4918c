#include "identity/organisations/organisation.h"

namespace tradepost::identity {

std::span<const fields::Field<Organisation>> organisation_fields() {
    using O = Organisation;
    static const fields::Field<O> fields[] = {
        {"name", fields::rules::name(150), &O::name},
        {"description", fields::rules::lines(20000), &O::description},
        {"website", fields::rules::of(fields::Kind::web_url), &O::website},
        {"phone", fields::rules::text(40), &O::phone},
        {"email", fields::rules::of(fields::Kind::email), &O::email},
        {"address", fields::rules::lines(300), &O::address},
        {"city", fields::rules::text(80), &O::city},
        {"postalCode", fields::rules::text(16), &O::postal_code},
        {"country", fields::rules::of(fields::Kind::country), &O::country},
        {"published", {fields::Kind::boolean, fields::Presence::defaulted}, &O::published, fields::Use::read_only},
        {"test", {fields::Kind::boolean, fields::Presence::defaulted}, &O::test, fields::Use::read_only},
        {"createdAt", fields::rules::time(fields::Presence::defaulted), &O::created_at, fields::Use::read_only},
        {"updatedAt", fields::rules::time(fields::Presence::defaulted), &O::updated_at, fields::Use::read_only},
    };
    return fields;
}

std::string_view to_string(Role role) {
    return role == Role::admin ? "ADMIN" : "MEMBER";
}

std::optional<Role> parse_role(std::string_view text) {
    if (text == "ADMIN") return Role::admin;
    if (text == "MEMBER") return Role::member;
    return {};
}

}  // namespace tradepost::identity
