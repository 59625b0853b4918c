// Code lists of other bodies.
#pragma once
#include <string_view>

namespace tradepost::fields {

bool is_country(std::string_view code);       // ISO 3166-1 alpha-2, officially assigned, upper case
bool is_currency(std::string_view code);      // ISO 4217, active, upper case
int minor_digits(std::string_view currency);  // how many digits its minor units have by ISO 4217: 2 for GBP, 0 for JPY
bool is_timezone(std::string_view name);      // a zone or link of the IANA database

}  // namespace tradepost::fields
