// Whose rows a request asks for, on routes where members of an organisation see more than the public.
#pragma once
#include "api/call.h"

namespace tradepost::api {

bool is_member(const Call& call, const core::Uuid* organisation_id);

// Whether a list, facets or a detail is asked by a member of the organisation whose rows of `table` these are.
bool is_own_read(const Call& call, std::string_view table);

}  // namespace tradepost::api
