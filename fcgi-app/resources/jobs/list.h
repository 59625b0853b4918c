// The lists of jobs.
#pragma once
#include "lists/counting.h"
#include "lists/list.h"

namespace tradepost::jobs {

// What the public sees: published, not expired, of a published organisation.
const lists::List& public_list();

// All jobs of an organisation, as its members see them.
const lists::List& member_list();

// Their counts.
const lists::CountedTable& counted_table();

}  // namespace tradepost::jobs
