// The route table of the API.
#pragma once
#include <span>

#include "api/route.h"

namespace tradepost {

// One row for each method and path.
std::span<const api::Route> routes();

}  // namespace tradepost
