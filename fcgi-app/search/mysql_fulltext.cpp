#include "search/mysql_fulltext.h"

#include <algorithm>
#include <span>

#include "core/crypto.h"
#include "core/utf8.h"

namespace tradepost::search {
namespace {

// Every token begins with this: no word is too short (innodb_ft_min_token_size up to 4) or a stop word, and v* is no
// shorter than any other prefix.
constexpr std::string_view lead = "tok";

// No word encodes to it: `_` is always followed by digits.
constexpr std::string_view boundary = "tok_";

// innodb_ft_max_token_size is 84 at most, and tokens above it are left out of the index without a word.
constexpr std::size_t longest_token = 80;
constexpr std::size_t hash_digits = 32;
constexpr std::string_view hash_mark = "__";
constexpr std::size_t longest_word = longest_token - lead.size();
constexpr std::size_t kept_of_longer = longest_word - hash_mark.size() - hash_digits;

// Error 191 ("Too many words in a FTS phrase") above it.
constexpr std::size_t longest_phrase = 128;

constexpr int title_weight = 3;

void append_digits(std::string& out, char32_t value, int count) {
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    char32_t divisor = 1;
    while (--count > 0) divisor *= 36;
    for (; divisor > 0; divisor /= 36) out += digits[value / divisor % 36];
}

// Letters and digits of ASCII as they are. Others as `_` and four digits to the base 36, the first of which never gets beyond
// n for a code point; so those that begin with o to z are free for a short form of two digits: Greek and Cyrillic.
// One code point's form never begins another's, so that prefixes of words are prefixes of tokens.
void append_encoded(std::string& out, char32_t c) {
    constexpr char32_t first_short = 0x0370, last_short = 0x051F, short_base = 24 * 36;
    static_assert(short_base + (last_short - first_short) < 36 * 36);
    static_assert(0x10FFFF < 24 * 36 * 36 * 36);
    if (c < 0x80) {
        out += char(c);
    } else if (c >= first_short && c <= last_short) {
        out += '_';
        append_digits(out, short_base + (c - first_short), 2);
    } else {
        out += '_';
        append_digits(out, c, 4);
    }
}

// A word too long for a token keeps its beginning, for prefixes, and gets a hash, to stay exact. The mark before the hash
// is in no other token.
void append_token(std::string& out, std::string_view word) {
    out += lead;
    const std::size_t begin = out.size();
    std::size_t kept = begin;
    for (std::size_t at = 0; at < word.size();) {
        append_encoded(out, core::next_code_point(word, at));
        if (out.size() - begin <= kept_of_longer) kept = out.size();
        if (out.size() - begin > longest_word) {
            out.resize(kept);
            out += hash_mark;
            out += core::to_hex(core::fast_hash128(word));
            return;
        }
    }
}

void append_words(std::string& out, std::span<const std::string> words) {
    out += out.empty() ? "+" : " +";
    const bool phrase = words.size() > 1;
    if (phrase) out += '"';
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) out += ' ';
        append_token(out, words[i]);
    }
    if (phrase) out += '"';
}

// A phrase longer than InnoDB takes becomes overlapping ones. Only a text that repeats itself over more than the overlap can
// hold all of those and not the whole.
void append_term(std::string& out, const Term& term) {
    std::span<const std::string> words = term.words;
    for (; words.size() > longest_phrase; words = words.subspan(std::min(longest_phrase / 2, words.size() - longest_phrase)))
        append_words(out, words.first(longest_phrase));
    append_words(out, words);
    if (term.prefix) out += '*';
}

std::string all_of(const std::vector<Term>& terms) {
    std::string out;
    for (const Term& term : terms) append_term(out, term);
    return out;
}

}  // namespace

std::string index_tokens(const std::vector<std::string_view>& fields) {
    std::string out;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        std::string tokens;
        for (const std::string& word : words(fields[i])) {
            if (!tokens.empty()) tokens += ' ';
            append_token(tokens, word);
        }
        if (tokens.empty()) continue;
        for (int copy = 0; copy < (i == 0 ? title_weight : 1); ++copy) {
            if (!out.empty()) (out += ' ').append(boundary) += ' ';
            out += tokens;
        }
    }
    return out;
}

BooleanQuery boolean_query(const Query& query) {
    BooleanQuery result;
    result.required = all_of(query.required);
    for (const std::vector<Term>& group : query.excluded) result.excluded.push_back(all_of(group));
    return result;
}

}  // namespace tradepost::search
