// Texts of all scripts in Latin letters.
#pragma once
#include <string>
#include <string_view>

namespace tradepost::core {

// `text`, which is valid UTF-8, in Latin letters, without accents where ICU can: "Продавец" becomes "Prodavec". Characters for which ICU has no
// rule stay. The first call in a process reads ICU's rules, and so does the first Chinese text.
std::string latin(std::string_view text);

}  // namespace tradepost::core
