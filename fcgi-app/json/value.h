// The type of a JSON value, for headers that only name it: the whole of nlohmann's header takes seconds to compile.
#pragma once
#include <nlohmann/json_fwd.hpp>

namespace tradepost::json {

using Json = nlohmann::json;

}  // namespace tradepost::json
