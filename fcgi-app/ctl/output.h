// What commands print: a table for people, or one JSON document.
#pragma once
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/time.h"

namespace tradepost::ctl {

using Json = nlohmann::ordered_json;

inline void print(const Json& document) {
    std::cout << document.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

inline Json to_json(const std::optional<core::Time>& time) {
    return time ? Json(core::to_rfc3339(*time)) : Json();
}
inline Json to_json(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
}

// Rows of the objects' members, in columns; nothing when there are none.
void print_table(const Json& objects);

// Either, as --json says.
inline void print_list(const Json& objects, bool json) {
    if (json)
        print(objects);
    else
        print_table(objects);
}

}  // namespace tradepost::ctl
