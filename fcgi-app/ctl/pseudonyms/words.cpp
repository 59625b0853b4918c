#include "ctl/pseudonyms/words.h"

#include <algorithm>

#include "core/crypto.h"
#include "core/hex.h"
#include "core/text.h"
#include "core/utf8.h"
#include "identity/people/users.h"

namespace tradepost::ctl {
namespace {

constexpr std::string_view domain = "@example.invalid", site = "https://example.invalid/";
constexpr std::size_t least_digits = 9, hash_digits = 16;

// Bytes that follow from the key and a text.
class Stream {
public:
    Stream(std::string_view key, std::string_view kind, std::string_view text)
        : key_(key), seed_(std::string(kind) + '\0' + std::string(text)) {}

    unsigned next(unsigned below) {
        if (at_ == block_.size()) {
            block_ = core::hmac_sha256(key_, std::to_string(blocks_++) + '\0' + seed_);
            at_ = 0;
        }
        return static_cast<unsigned char>(block_[at_++]) % below;
    }

private:
    const std::string key_, seed_;
    std::string block_;
    std::size_t at_ = 0;
    unsigned blocks_ = 0;
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool is_letter(char32_t c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= 0x80 && !core::is_white_space(c) && !core::is_ignorable(c));
}
// Of bytes: all of a character beyond ASCII are.
bool is_word(char c) {
    return static_cast<unsigned char>(c) >= 0x80 || is_letter(char32_t(c)) || is_digit(c);
}

// Vowels and consonants in turn, so that it can be said.
std::string word(Stream& stream, std::size_t letters) {
    constexpr std::string_view consonants = "bdfgklmnprstvz", vowels = "aeiou";
    std::string made;
    for (bool vowel = stream.next(4) == 0; made.size() < letters; vowel = !vowel) {
        const auto from = vowel ? vowels : consonants;
        made += from[stream.next(unsigned(from.size()))];
    }
    return made;
}

std::string hash(std::string_view key, std::string_view kind, std::string_view text) {
    return core::to_hex(core::hmac_sha256(key, std::string(kind) + '\0' + std::string(text))).substr(0, hash_digits);
}

// Other words of as many letters in the place of a word, with its capitals.
std::string replaced(Stream& stream, std::string_view original) {
    std::string capitals;
    for (std::size_t at = 0; at < original.size();) {
        const auto begin = at;
        (void)core::next_code_point(original, at);
        capitals += is_upper(original[begin]) ? 'A' : 'a';
    }
    const auto lower = core::lower_ascii(original);
    auto made = word(stream, capitals.size());
    for (int tries = 0; made == lower && tries < 20; ++tries) made = word(stream, capitals.size());
    for (std::size_t i = 0; i < made.size(); ++i)
        if (capitals[i] == 'A') made[i] = char(made[i] - 'a' + 'A');
    return made;
}

bool is_local(char c) {
    return is_word(c) || std::string_view("._%+-'").find(c) != std::string_view::npos;
}
bool is_host(char c) {
    return is_word(c) || c == '.' || c == '-';
}

// The end of the telephone number that begins at `begin`, or `begin` when none does.
std::size_t end_of_phone(std::string_view text, std::size_t begin) {
    if ((text[begin] != '+' && text[begin] != '0') || (begin > 0 && (is_word(text[begin - 1]) || text[begin - 1] == '.')))
        return begin;
    std::size_t digits = 0, end = begin;
    for (std::size_t at = begin; at < text.size(); ++at) {
        if (is_digit(text[at])) {
            ++digits;
            end = at + 1;
        } else if (std::string_view(" -/()").find(text[at]) == std::string_view::npos && !(at == begin && text[at] == '+')) {
            break;
        }
    }
    return digits < least_digits || (end < text.size() && is_word(text[end])) ? begin : end;
}

}  // namespace

std::string Pseudonyms::email(std::string_view text) const {
    const auto normal = identity::email_key(text);
    Stream stream(key_, "email", normal);
    return word(stream, 5) + "." + word(stream, 6) + "-" + hash(key_, "email", normal) + std::string(domain);
}

std::string Pseudonyms::scrambled(std::string_view kind, std::string_view text) const {
    Stream stream(key_, kind, text);
    std::string made, original;
    const auto end_word = [&] {
        if (!original.empty()) made += replaced(stream, original);
        original.clear();
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto begin = at;
        const auto c = core::next_code_point(text, at);
        const auto character = text.substr(begin, at - begin);
        if (is_letter(c)) {
            original += character;
            continue;
        }
        end_word();
        if (c < 0x80 && is_digit(char(c)))
            made += char('0' + stream.next(10));
        else
            made += character;
    }
    end_word();
    return made;
}

std::string Pseudonyms::phone(std::string_view text) const {
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits), is_digit);
    Stream stream(key_, "phone", digits);
    const auto zeros = std::min(digits.find_first_not_of('0'), digits.size());
    for (std::size_t i = zeros; i < digits.size(); ++i)
        digits[i] = i < zeros + 3 && digits.size() > zeros + 6 ? '9' : char('0' + stream.next(10));
    auto made = scrambled("phone", text);  // somebody may have written words beside it
    std::size_t at = 0;
    for (auto& c : made)
        if (is_digit(c)) c = digits[at++];
    return made;
}

std::string Pseudonyms::url(std::string_view text) const {
    return std::string(site) + hash(key_, "url", text);
}

std::string Pseudonyms::filename(std::string_view text) const {
    const auto dot = std::min(text.rfind('.'), text.size());
    return scrambled("filename", text.substr(0, dot)) + std::string(text.substr(dot));
}

std::string Pseudonyms::without_contacts(std::string_view text) const {
    std::string made;
    std::size_t kept = 0;  // up to where the text is in `made`
    const auto replace = [&](std::size_t begin, std::size_t end, const std::string& by) {
        made.append(text.substr(kept, begin - kept)).append(by);
        kept = end;
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '@') {
            auto begin = at, end = at + 1;
            while (begin > kept && is_local(text[begin - 1])) --begin;
            while (end < text.size() && is_host(text[end])) ++end;
            while (end > at + 1 && !is_word(text[end - 1])) --end;
            if (begin == at || text.substr(at, end - at).find('.') == std::string_view::npos) continue;
            replace(begin, end, email(text.substr(begin, end - begin)));
            at = end - 1;
        } else if (const auto end = end_of_phone(text, at); end > at) {
            replace(at, end, phone(text.substr(at, end - at)));
            at = end - 1;
        }
    }
    return made.append(text.substr(kept));
}

}  // namespace tradepost::ctl
