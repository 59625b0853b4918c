// UTF-8 text: validity, length, and the folding that search and filters share.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::core {

bool is_utf8(std::string_view text);             // valid UTF-8 (RFC 3629): no surrogates, nothing overlong
std::size_t code_points(std::string_view text);  // of valid UTF-8
std::string_view trim(std::string_view text);    // without ASCII white space at both ends
std::string lower_ascii(std::string_view text);

// The text, or an empty one.
inline std::string_view text_of(const std::optional<std::string>& text) {
    return text ? std::string_view(*text) : std::string_view();
}

// Folds case and accents: compatibility decomposition (NFKD) and full case folding; removes combining accents and default-ignorable
// code points; replaces letters without a decomposition (ø → o, ł → l, æ → ae, þ → th …). Marks that are vowels of their script
// stay. `text` is valid UTF-8; so is the result.
std::string fold(std::string_view text);

// The key by which values of filters are compared: 16 bytes of a hash of fold(text) with white space collapsed and trimmed, for a
// BINARY(16) column. Empty text gives an empty string.
std::string fold_key(std::string_view text);

}  // namespace tradepost::core
