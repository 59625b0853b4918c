// An HTTP request with its complete body.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"

namespace tradepost::http {

struct Request {
    std::string method;
    std::string target;                                        // of the request line: path and query, still percent-encoded
    std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
    std::string body;
    std::string body_file;                // the file with the body instead, for the one route whose body nginx writes to a file
    bool body_too_large = false;          // longer than any route permits, and not read
    std::string client_address;           // the peer's, or the one from a trusted proxy
    std::optional<core::Time> queued_at;  // when the web server put it into the pool's queue, if it says so

    // The first header of that (lower-case) name.
    std::optional<std::string_view> header(std::string_view name) const {
        for (const auto& [key, value] : headers)
            if (key == name) return value;
        return {};
    }
    std::string_view raw_path() const { return std::string_view(target).substr(0, target.find('?')); }
    std::string_view raw_query() const {
        const auto mark = target.find('?');
        return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
    }
};

}  // namespace tradepost::http
