// The query string of a request (application/x-www-form-urlencoded).
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"

namespace tradepost::http {

// %XX decoded; empty when an escape is malformed. `plus_is_space` for query strings.
std::optional<std::string> percent_decode(std::string_view text, bool plus_is_space);

// All characters but the unreserved ones of RFC 3986 as %XX.
std::string percent_encode(std::string_view text);

// A parameter may be repeated in three forms, which clients' libraries choose: `make=a&make=b`, `make[]=a&make[]=b` and
// `make[0]=a&make[1]=b`. The values stand in the order of the query, whatever the numbers are.
class Query {
public:
    Query() = default;
    // Throws invalid_query() for a malformed escape, invalid UTF-8 or NUL in any name or value.
    explicit Query(std::string_view raw);

    // Throws invalid_query() for the first parameter that is not one of `known`, is empty or is repeated: a request that writes must not do
    // something else than its sender meant.
    void require_only(std::span<const std::string_view> known) const;

    // The one value of a parameter; throws invalid_query() when it is repeated. Empty values count.
    std::optional<std::string_view> single(std::string_view name) const;

    // As single(), but empty values do not count.
    std::optional<std::string_view> filter(std::string_view name) const;

    // All values of a parameter that are not empty, in order.
    std::vector<std::string_view> filters(std::string_view name) const;

    // A whole number in decimal digits between min and max. Throws invalid_query() for anything else, an empty value and repetition
    // included.
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max) const;

    // An RFC 3339 time, or none when the parameter is missing or empty. Takes the plus of an offset that was sent without an escape, and
    // which therefore arrives as a space. Throws invalid_query() with `reason` for anything else.
    std::optional<core::Time> time(std::string_view name, const char* reason = "must be an RFC 3339 time") const;

    // Whether the parameter has the second of its two values. It has the first one when it is missing or empty. Throws invalid_query() for
    // any other value.
    bool is_second(std::string_view name, std::string_view first, std::string_view second) const;

    using Pairs = std::vector<std::pair<std::string, std::string>>;
    const Pairs& pairs() const { return pairs_; }

    // Those whose names the functions above were asked for: what the response depends on.
    Pairs used() const;

private:
    bool is(std::size_t pair, std::string_view name) const;  // and notes that it was asked for

    Pairs pairs_;
    mutable std::vector<bool> used_;  // of each pair
};

}  // namespace tradepost::http
