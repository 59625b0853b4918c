// An organisation as other resources show it: {id, slug, name, logoUrl}.
#pragma once
#include "identity/organisation.h"
#include "json/writer.h"

namespace tradepost::identity {

inline void write_organisation(json::Writer& writer, const OrganisationSummary& organisation) {
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug).member("name", organisation.name);
    writer.member("logoUrl", organisation.logo_url).end_object();
}

}  // namespace tradepost::identity
