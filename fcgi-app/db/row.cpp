#include <charconv>
#include <cmath>

#include "db/connection.h"

namespace tradepost::db {
namespace {

// The value stays out of the message: it may be personal, and messages go to the log.
[[noreturn]] void refuse(std::size_t column, const char* why) {
    throw std::logic_error("column " + std::to_string(column) + " of a row " + why);
}

template <class Number>
Number number(const std::string& text, std::size_t column, const char* otherwise) {
    Number value{};
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) refuse(column, otherwise);
    return value;
}

}  // namespace

std::size_t Row::columns() const {
    return cells_.size();
}

bool Row::is_null(std::size_t column) const {
    if (column >= cells_.size()) refuse(column, "does not exist");
    return !cells_[column].has_value();
}

const std::string& Row::text(std::size_t column) const {
    if (column >= cells_.size()) refuse(column, "does not exist");
    const auto& cell = cells_[column];
    if (!cell) refuse(column, "is NULL");
    return *cell;
}

std::int64_t Row::integer(std::size_t column) const {
    return number<std::int64_t>(text(column), column, "is no 64-bit integer");
}

std::uint64_t Row::unsigned_integer(std::size_t column) const {
    return number<std::uint64_t>(text(column), column, "is no unsigned 64-bit integer");
}

double Row::real(std::size_t column) const {
    const auto value = number<double>(text(column), column, "is no number");
    if (!std::isfinite(value)) refuse(column, "is no number");
    return value;
}

bool Row::boolean(std::size_t column) const {
    const auto& cell = text(column);
    if (cell != "0" && cell != "1") refuse(column, "is neither 0 nor 1");
    return cell == "1";
}

core::Uuid Row::uuid(std::size_t column) const {
    const auto& cell = text(column);
    if (cell.size() != 16) refuse(column, "is no UUID of 16 bytes");
    return core::Uuid::from_bytes(cell);
}

core::Time Row::time(std::size_t column) const {
    const auto time = core::parse_sql(text(column));
    if (!time) refuse(column, "is no date and time");
    return *time;
}

std::optional<std::string> Row::opt_text(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return text(column);
}

std::optional<std::string> Row::take_text(std::size_t column) {
    if (is_null(column)) return std::nullopt;
    return std::move(cells_[column]);
}

std::optional<std::int64_t> Row::opt_integer(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return integer(column);
}

std::optional<core::Uuid> Row::opt_uuid(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return uuid(column);
}

std::optional<core::Time> Row::opt_time(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return time(column);
}

}  // namespace tradepost::db
