// Organisations: the dealers and other members of the marketplace.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/uuid.h"
#include "db/connection.h"
#include "fields/field.h"
#include "json/writer.h"

namespace tradepost::identity {

struct Organisation {
    core::Uuid id;
    std::string slug;
    std::string name;
    std::optional<std::string> description, website, phone, email, address, city, postal_code, country;
    std::optional<core::Uuid> logo_upload_id;
    std::optional<std::string> logo_url;
    bool published = false;
    bool test = false;  // for programs that are being written: never published
    core::Time created_at, updated_at;
};

std::span<const fields::Field<Organisation>> organisation_fields();

// The part of an organisation that lists and details of other resources contain.
struct OrganisationSummary {
    core::Uuid id;
    std::string slug, name;
    std::optional<std::string> logo_url;
};

enum class Role { admin, member };
std::string_view to_string(Role role);                  // ADMIN, MEMBER
std::optional<Role> parse_role(std::string_view text);  // exactly those

// The organisation that stands beside a resource in a row, as `o`.

inline constexpr const char* organisation_columns = "o.id, o.slug, o.name, o.logo_url";
inline constexpr std::size_t organisation_width = 4;

inline OrganisationSummary read_organisation(const db::Row& row, std::size_t first) {
    return {row.uuid(first), row.text(first + 1), row.text(first + 2), row.opt_text(first + 3)};
}

// An organisation as other resources show it: {id, slug, name, logoUrl}.

inline void write_organisation(json::Writer& writer, const OrganisationSummary& organisation) {
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug).member("name", organisation.name);
    writer.member("logoUrl", organisation.logo_url).end_object();
}

}  // namespace tradepost::identity
