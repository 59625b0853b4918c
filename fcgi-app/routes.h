#pragma once
#include <span>

#include "api/call.h"

namespace tradepost {

// THE table of the API: one row a method and path.
std::span<const api::Route> routes();

}  // namespace tradepost
