// Points in time, and their forms in the API and the database.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

// UTC, millisecond resolution: what RFC 3339 strings and DATETIME(3) columns carry.
using Time = std::chrono::sys_time<std::chrono::milliseconds>;
using std::chrono::milliseconds;
using std::chrono::seconds;

// "2026-01-31T09:15:00.000Z". Years 0000–9999 only.
std::string to_rfc3339(Time time);

// Any RFC 3339 date-time (offsets and lower case included, section 5.6); empty when it is none.
// Fractions beyond milliseconds are cut off; a leap second, at the end of a month, counts as the second before.
std::optional<Time> parse_rfc3339(std::string_view text);

// The first millisecond of a date such as "2026-01-31" in UTC; empty when it is no calendar date.
std::optional<Time> parse_date(std::string_view text);

// "2026-01-31 09:15:00.000", the form of DATETIME(3), and back (the fraction is optional).
std::string to_sql(Time time);
std::optional<Time> parse_sql(std::string_view text);

// "Sat, 31 Jan 2026 09:15:00 GMT" (RFC 9110, section 5.6.7).
std::string to_http_date(Time time);

}  // namespace tradepost::core
