// The organisation that stands beside a resource in a row, as `o`.
#pragma once
#include "db/connection.h"
#include "identity/organisation.h"

namespace tradepost::identity {

inline constexpr const char* organisation_columns = "o.id, o.slug, o.name, o.logo_url";
inline constexpr std::size_t organisation_width = 4;

inline OrganisationSummary read_organisation(const db::Row& row, std::size_t first) {
    return {row.uuid(first), row.text(first + 1), row.text(first + 2), row.opt_text(first + 3)};
}

}  // namespace tradepost::identity
