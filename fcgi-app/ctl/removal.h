// Removes an organisation with everything that belongs to it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.h"
#include "db/connection.h"
#include "files/store.h"
#include "identity/organisations/organisation.h"

namespace tradepost::ctl {

// How many things of one kind belong to an organisation.
struct Belonging {
    std::string kind;
    std::int64_t count;
    std::int64_t published = 0;  // of jobs, events and posts
};
std::vector<Belonging> belongings(db::Connection& connection, const core::Uuid& organisation_id);

// Hides the organisation, ends its memberships and integrations, then removes its content and at last its own row. Users who were members stay.
// Lists of deletions, the change log and the audit log keep their rows. Each transaction writes few rows. If it is interrupted, call it again.
// Returns how many uploads have files that could not be removed, which `prune` removes. Throws db::Error.
std::size_t remove_organisation(db::Connection& connection, const core::Clock& clock, files::Store& store,
                                const identity::Organisation& organisation);

}  // namespace tradepost::ctl
