// Code lists of other bodies.
#pragma once
#include <string_view>

namespace tradepost::fields {

bool is_country(std::string_view code);   // ISO 3166-1 alpha-2, officially assigned, upper case
bool is_currency(std::string_view code);  // ISO 4217, active, upper case
bool is_timezone(std::string_view name);  // a zone or link of the IANA database

}  // namespace tradepost::fields
