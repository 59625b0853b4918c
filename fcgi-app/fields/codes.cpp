#include "fields/codes.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>

namespace tradepost::fields {
namespace {

// The dashboard reads these files, too (nginx/www/dashboard/assets/codes.js), so they hold rows alone, sorted by code.
struct Country {
    std::string_view code, currency;  // the currency of prices there, empty in Antarctica
};
constexpr Country countries[] = {
#include "fields/countries.inc"
};

struct Currency {
    std::string_view code;
    int digits;  // -1: ISO 4217 gives no minor units, as for gold
};
constexpr Currency currencies[] = {
#include "fields/currencies.inc"
};

// The row of a code, or null.
template <class Row, std::size_t size>
constexpr const Row* find(const Row (&rows)[size], std::string_view code) {
    const auto found = std::ranges::lower_bound(rows, code, {}, &Row::code);
    return found != std::end(rows) && found->code == code ? found : nullptr;
}

template <class Row, std::size_t size>
constexpr bool are_sorted(const Row (&rows)[size]) {
    return std::ranges::adjacent_find(rows, std::ranges::greater_equal(), &Row::code) == std::end(rows);
}
static_assert(are_sorted(countries) && are_sorted(currencies), "lookups search sorted lists");
static_assert(std::ranges::all_of(countries,
                                  [](const Country& each) { return each.currency.empty() || find(currencies, each.currency); }),
              "each country has a currency that is accepted");
}  // namespace

bool is_country(std::string_view code) {
    return find(countries, code);
}

bool is_currency(std::string_view code) {
    return find(currencies, code);
}

int minor_digits(std::string_view currency) {
    const auto* row = find(currencies, currency);
    return row && row->digits >= 0 ? row->digits : 2;
}

// Debian's tzdata has a file for each name.
bool is_timezone(std::string_view name) {
    if (name.empty() || name.size() > 64 || name.front() < 'A' || name.front() > 'Z' || name.find("//") != std::string_view::npos)
        return false;
    const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-' ||
               c == '/';
    });
    std::error_code ignored;
    return plain && std::filesystem::is_regular_file("/usr/share/zoneinfo/" + std::string(name), ignored);
}

}  // namespace tradepost::fields
