// The lists of jobs.
#pragma once
#include "lists/list.h"

namespace tradepost::jobs {

// What the public sees: published, not expired, of a published organisation.
const lists::List& public_list();

// All jobs of an organisation, as its members see them.
const lists::List& member_list();

inline constexpr lists::Searched words{"job_search", "job_id"};

}  // namespace tradepost::jobs
