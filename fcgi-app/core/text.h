// UTF-8 text: validity, length, and the folding that search and filters share.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace tradepost::core {

bool is_utf8(std::string_view text);                // valid UTF-8 (RFC 3629): no surrogates, nothing overlong
std::size_t code_points(std::string_view text);     // of valid UTF-8
std::string_view trim(std::string_view text);       // without ASCII white space at both ends
std::string lower_ascii(std::string_view text);

// Case and accents folded: compatibility decomposition (NFKD), full case folding, combining accents removed,
// letters that have no decomposition spelt out (ø → o, ł → l, æ → ae, þ → th …), default-ignorable code points dropped.
// Marks that are vowels of their script stay. `text` is valid UTF-8; so is the result.
std::string fold(std::string_view text);

// What two filter values share when they count as equal: fold(), white space collapsed and trimmed.
// 16 bytes for a BINARY(16) column; empty text gives an empty string.
std::string fold_key(std::string_view text);

}  // namespace tradepost::core
