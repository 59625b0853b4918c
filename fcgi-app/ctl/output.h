// What commands print: a table for people, or one JSON document.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/time.h"

namespace tradepost::ctl {

using Json = nlohmann::ordered_json;

void print(const Json& document);

// `text` without the control characters, which must not reach the terminal: names come from users.
std::string printable(std::string text);

inline Json to_json(const std::optional<core::Time>& time) {
    return time ? Json(core::to_rfc3339(*time)) : Json();
}
inline Json to_json(const std::optional<std::string>& text) {
    return text ? Json(*text) : Json();
}

// Rows of the objects' members, in columns; nothing when there are none.
void print_table(const Json& objects);

// Either, as --json says.
void print_list(const Json& objects, bool json);

}  // namespace tradepost::ctl
