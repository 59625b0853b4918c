// Code lists of other bodies.
#pragma once
#include <string_view>

namespace tradepost::fields {

bool is_country(std::string_view code);   // ISO 3166-1 alpha-2, officially assigned, upper case
bool is_currency(std::string_view code);  // ISO 4217, upper case: those in use, ANG and BGN
// How many digits the minor units of a currency have by ISO 4217: 0 for JPY, 2 for HUF, 3 for IQD. Returns 2 if ISO 4217 gives none, as for gold,
// and if there is no such currency. Lists of operating systems and browsers (CLDR) have the digits of coins in use instead, such as 0 for HUF.
int minor_digits(std::string_view currency);
bool is_timezone(std::string_view name);  // a zone or link of the IANA database

}  // namespace tradepost::fields
