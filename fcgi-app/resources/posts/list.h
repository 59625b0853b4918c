// The lists of posts.
#pragma once
#include "lists/counting.h"
#include "lists/list.h"

namespace tradepost::posts {

// What the public sees: published, of a published organisation or of none.
const lists::List& public_list();

// All posts of an organisation, as its members see them: drafts come last.
const lists::List& member_list();

// Their counts.
const lists::CountedTable& counted_table();

}  // namespace tradepost::posts
