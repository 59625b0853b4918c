// UTF-8 text: validity, length, and the folding that search and filters share.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tradepost::core {

bool is_utf8(std::string_view text);             // valid UTF-8 (RFC 3629): no surrogates, nothing overlong
std::size_t code_points(std::string_view text);  // of valid UTF-8
std::string_view trim(std::string_view text);    // without ASCII white space at both ends
std::string lower_ascii(std::string_view text);

// The text, or an empty one.
inline std::string_view text_of(const std::optional<std::string>& text) {
    return text ? std::string_view(*text) : std::string_view();
}

// Unicode Normalization Form C (UAX #15). Returns text that is no valid UTF-8 as it is.
std::string nfc(std::string_view text);

// Valid UTF-8 without white space, control characters and invisible characters at both ends: empty when nothing in it can be seen.
// Variation selectors and tags stay behind the character that they belong to.
std::string_view trim_invisible(std::string_view text);

// How the service writes the texts of people, valid UTF-8: in NFC and trim_invisible(). In one_line() each run of white space and control
// characters with a line break, a tab or another control character is one space.
std::string one_line(std::string_view text);
std::string many_lines(std::string_view text);

// A reference as new rows have it: one_line(), or `sent` when nothing of that can be seen.
std::string normal_reference(std::string_view sent);
// The forms in which a row may have the reference that somebody sends. The first one that a row has counts: as it was sent, since rows may be
// older than the rule for texts, then normal_reference().
std::vector<std::string> reference_forms(std::string_view sent);

// Folds case and accents: compatibility decomposition (NFKD) and full case folding; removes combining accents and default-ignorable
// code points; replaces letters without a decomposition (ø → o, ł → l, æ → ae, þ → th …). Marks that are vowels of their script
// stay. `text` is valid UTF-8; so is the result.
std::string fold(std::string_view text);

// The key by which values of filters are compared: 16 bytes of a hash of fold(text) with white space collapsed and trimmed, for a
// BINARY(16) column. Empty text gives an empty string.
std::string fold_key(std::string_view text);

}  // namespace tradepost::core
