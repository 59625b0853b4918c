// Conditional requests (RFC 9110, section 13).
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "http/request.h"

namespace tradepost::http {

// A strong entity tag of a body, with its quotes: equal bodies have equal tags.
std::string entity_tag(std::string_view body);

// Calls `fits` with each tag of a field value of If-None-Match or If-Match, with its quotes and without W/, until it returns true.
// Returns whether it did. `*` contains no tag.
bool find_tag(std::string_view field, const std::function<bool(std::string_view tag)>& fits);

// What the preconditions of a request say of the resource as it is.
enum class Preconditions {
    met,           // go on
    not_modified,  // of a GET or HEAD: 304
    failed,        // 412
};

// Evaluates If-Match, then If-None-Match (RFC 9110, section 13.2.2). `tag` is the entity tag of the resource's representation; empty: it has
// none, such as before a PUT creates it. Only the opaque parts of tags are compared, also for If-Match: all our tags are strong, and nginx
// weakens those of compressed responses, with which clients must be able to write. If-Modified-Since and If-Unmodified-Since are ignored, as
// no response has a Last-Modified.
Preconditions evaluate(const Request& request, std::string_view tag);

// For a write, just before it: throws precondition_failed() unless the preconditions are met. See evaluate().
void check_preconditions(const Request& request, std::string_view tag);

}  // namespace tradepost::http
