#include "lists/position.h"

#include <charconv>

#include "lists/no_time.h"

namespace tradepost::lists {
namespace {

constexpr std::int64_t last_millisecond = 253'402'300'799'999;  // of the year 9999, the last that SQL and RFC 3339 write

// Takes a number and the full stop behind it off the front.
std::optional<core::Time> take_time(std::string_view& text) {
    std::int64_t milliseconds = 0;
    const auto* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, milliseconds);
    if (error != std::errc() || at == end || *at != '.' || milliseconds < 0 || milliseconds > last_millisecond) return {};
    text.remove_prefix(std::size_t(at - text.data()) + 1);
    return core::Time(core::milliseconds(milliseconds));
}

// The same; a full stop alone stands for no time.
std::optional<core::Time> take_time_or_none(std::string_view& text) {
    if (!text.starts_with('.')) return take_time(text);
    text.remove_prefix(1);
    return no_time;
}

}  // namespace

std::string Position::to_string() const {
    const auto of_row = time == no_time ? std::string() : std::to_string(time.time_since_epoch().count());
    return std::to_string(until.time_since_epoch().count()) + "." + of_row + "." + id.to_string();
}

std::optional<Position> Position::parse(std::string_view text) {
    const auto until = take_time(text);
    const auto time = until ? take_time_or_none(text) : std::nullopt;
    const auto id = time ? core::Uuid::parse(text) : std::nullopt;
    if (!id) return {};
    return Position{*until, *time, *id};
}

}  // namespace tradepost::lists
