// Conditional requests (RFC 9110, section 13).
#pragma once
#include <functional>
#include <string>
#include <string_view>

namespace tradepost::http {

// A strong entity tag of a body, with its quotes: equal bodies have equal tags.
std::string entity_tag(std::string_view body);

// Calls `fits` with each tag of a field value of If-None-Match or If-Match, with its quotes and without W/, until it returns true.
// Returns whether it did. `*` contains no tag.
bool find_tag(std::string_view field, const std::function<bool(std::string_view tag)>& fits);

// Whether a field value of If-None-Match or If-Match (a list, or `*`) matches `tag`. Only the opaque parts are compared, since nginx
// weakens the tags of compressed responses.
bool names_tag(std::string_view field, std::string_view tag);

}  // namespace tradepost::http
