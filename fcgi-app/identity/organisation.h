// Organisations: the dealers and other members of the marketplace.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "core/uuid.h"
#include "fields/field.h"

namespace tradepost::identity {

struct Organisation {
    core::Uuid id;
    std::string slug;
    std::string name;
    std::optional<std::string> description, website, phone, email, address, city, postal_code, country;
    std::optional<core::Uuid> logo_upload_id;
    std::optional<std::string> logo_url;
    bool published = false;
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

}  // namespace tradepost::identity
