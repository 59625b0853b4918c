// Work that is done in steps: what follows from a request and is too much for it.
#pragma once
#include "deliver/kinds.h"

namespace tradepost::deliver {

// Writes the name of an organisation into the words of its jobs (resources/accounts/background.h).
outbox::Outcome follow_renaming(Sending&, const outbox::Delivery&);

// Takes a deleted integration off what it wrote.
outbox::Outcome remove_user(Sending&, const outbox::Delivery&);

}  // namespace tradepost::deliver
