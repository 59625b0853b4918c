// JSON that several resources share.
#pragma once
#include "domain/organisation.h"
#include "json/writer.h"

namespace tradepost::api {

// {id, slug, name, logoUrl}
inline void write_organisation(json::Writer& writer, const domain::OrganisationSummary& organisation) {
    writer.begin_object().member("id", organisation.id).member("slug", organisation.slug).member("name", organisation.name);
    writer.member("logoUrl", organisation.logo_url).end_object();
}

}  // namespace tradepost::api
