// The router: finds the row of the route table for a path and a method.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::http {

class Router {
public:
    // `pattern` is a path whose segments are literal, or {name} for any non-empty segment. A literal segment takes precedence over
    // {name}. `row` is what row() returns.
    void add(std::string_view method, std::string_view pattern, std::size_t row);

    struct Match {
        std::size_t resource;                 // which path
        std::vector<std::string> parameters;  // percent-decoded, in the order of the pattern
    };
    // `raw_path` as in the request line. Empty when no pattern matches, an escape is malformed or the text is not UTF-8.
    std::optional<Match> match(std::string_view raw_path) const;

    // The row of a method there; HEAD is GET.
    std::optional<std::size_t> row(const Match& match, std::string_view method) const;

    // "GET, HEAD, OPTIONS": the value of Allow.
    std::string allow(const Match& match) const;

    const std::string& pattern(const Match& match) const { return resources_[match.resource].pattern; }

private:
    struct Resource {
        std::string pattern;
        std::vector<std::string> segments;
        std::vector<std::pair<std::string, std::size_t>> rows;  // method, row
    };
    std::vector<Resource> resources_;
};

}  // namespace tradepost::http
