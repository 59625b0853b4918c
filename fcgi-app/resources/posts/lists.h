// The lists of posts.
#pragma once
#include "lists/list.h"

namespace tradepost::posts {

// What the public sees: published, of a published organisation or of none.
const lists::List& public_list();

// All posts of an organisation, as its members see them: drafts come last.
const lists::List& member_list();

inline constexpr lists::Searched words{"post_search", "post_id"};

}  // namespace tradepost::posts
