// Organisations as they are written, with what follows for the lists that show them.
#pragma once
#include <span>

#include "identity/organisations/organisation.h"
#include "writes/transaction.h"

namespace tradepost::accounts {

// Inserts or updates by id, logos excepted; what the organisations publish is listed or unlisted as `published` says. Throws db::Error with
// is_duplicate_key() when a slug is another id's, and std::runtime_error for a test organisation that is published.
void write_organisations(writes::WriteTransaction& transaction, std::span<const identity::Organisation> organisations);

// What members may change of an organisation that is locked, logo included: all but slug and `published`.
void change_organisation(writes::WriteTransaction& transaction, const identity::Organisation& before,
                         const identity::Organisation& after);

// False when there is no such organisation; publishing what is published does nothing. Throws std::runtime_error for a test organisation.
bool set_published(writes::WriteTransaction& transaction, const core::Uuid& id, bool published, core::Time now);

// The same for test organisations: one that is published is hidden from the public.
bool set_test(writes::WriteTransaction& transaction, const core::Uuid& id, bool test, core::Time now);

}  // namespace tradepost::accounts
