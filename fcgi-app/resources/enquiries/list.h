// The lists of enquiries.
#pragma once
#include "lists/list.h"

namespace tradepost::enquiries {

// What some organisations received, as their members see it.
const lists::List& received_list();

// What a user sent, without the recipients' notes.
const lists::List& sent_list();

// Their counts.
const lists::CountedTable& counted_table();

}  // namespace tradepost::enquiries
