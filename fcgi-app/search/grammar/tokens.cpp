#include "search/grammar/tokens.h"

#include <set>
#include <vector>

#include "core/crypto.h"
#include "core/text.h"
#include "core/utf8.h"
#include "search/grammar/query.h"

namespace tradepost::search {
namespace {

// Every token begins with this: no word is too short (innodb_ft_min_token_size up to 4) or a stop word, and v* is no
// shorter than any other prefix.
constexpr std::string_view lead = "tok";

// `q` begins what stands for more than itself. No word encodes to it alone, so it separates texts.
constexpr char escape = 'q';
constexpr std::string_view boundary = "tokq";

// Sphinx keeps the first 42 characters of a token, and would take two longer ones for the same.
constexpr std::size_t longest_token = 42;
constexpr std::size_t hash_digits = 20;  // 80 bits
constexpr std::string_view hash_mark = "ql";
constexpr std::size_t longest_word = longest_token - lead.size();
constexpr std::size_t kept_of_longer = longest_word - hash_mark.size() - hash_digits;

void append_digits(std::string& out, char32_t value, int count) {
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
    char32_t divisor = 1;
    while (--count > 0) divisor *= 36;
    for (; divisor > 0; divisor /= 36) out += digits[value / divisor % 36];
}

// Letters and digits of ASCII but q as they are. The digit behind a `q` tells what follows: 0 to 5 four digits to the base 36, that
// digit included, of the code point; 6 to k three, of other alphabets; m four more, of the last planes; n nothing, for q itself;
// o to z two, of Greek and Cyrillic. One code point's form never begins another's, so that prefixes of words are prefixes of tokens.
void append_encoded(std::string& out, char32_t c) {
    constexpr char32_t first_short = 0x0370, last_short = 0x051F, short_base = 24 * 36;
    constexpr char32_t first_middle = 0x80, middle_base = 6 * 36 * 36, middle_end = 21 * 36 * 36;
    constexpr char32_t long_end = 6 * 36 * 36 * 36;
    static_assert(short_base + (last_short - first_short) < 36 * 36);
    if (c < 0x80 && c != char32_t(escape)) {
        out += char(c);
        return;
    }
    out += escape;
    if (c == char32_t(escape)) {
        out += 'n';
    } else if (c >= first_short && c <= last_short) {
        append_digits(out, short_base + (c - first_short), 2);
    } else if (middle_base + (c - first_middle) < middle_end) {
        append_digits(out, middle_base + (c - first_middle), 3);
    } else if (c < long_end) {
        append_digits(out, c, 4);
    } else {
        out += 'm';
        append_digits(out, c, 4);
    }
}

std::string hash(std::string_view word) {
    return core::to_hex(core::fast_hash128(word)).substr(0, hash_digits);
}

std::string encoded(std::string_view word) {
    std::string out;
    for (std::size_t at = 0; at < word.size();) append_encoded(out, core::next_code_point(word, at));
    return out;
}

bool is_long(std::string_view encoded_word) {
    return encoded_word.size() > longest_word;
}

// The letters of a longer word that its token shows, encoded.
std::string beginning_of_longer(std::string_view word) {
    std::string out;
    for (std::size_t at = 0; at < word.size();) {
        const auto kept = out.size();
        append_encoded(out, core::next_code_point(word, at));
        if (out.size() <= kept_of_longer) continue;
        out.resize(kept);
        break;
    }
    return out;
}

std::string token_of_prefix(std::string_view letters) {
    return std::string(lead).append(hash_mark).append(hash(letters));
}

// Hands each beginning of the word, up to the longest, to `use`.
template <class Use>
void each_beginning(std::string_view word, Use use) {
    std::size_t letters = 0;
    for (std::size_t at = 0; at < word.size() && letters < longest_prefix; ++letters) {
        core::next_code_point(word, at);
        use(word.substr(0, at));
    }
}

// Beside its texts, a row has tokens that are found one at a time, without order.
class Extras {
public:
    // The token of a longer word does not begin with all that the word begins with.
    void add_long_word(std::string_view word) {
        each_beginning(word, [&](std::string_view beginning) {
            if (encoded(beginning).size() > kept_of_longer) tokens_.insert(token_of_prefix(beginning));
        });
    }

    void add_code(std::string_view code) {
        std::string joined;
        for (const auto& word : words(code)) {
            add_beginnings(word);
            joined += word;
        }
        add_beginnings(joined);
        if (!joined.empty()) add_word(joined);
    }

    void append_to(std::string& out) const {
        for (const auto& each : tokens_) out.append(boundary).append(" ").append(each).append(" ");
    }

private:
    void add_word(std::string_view word) {
        tokens_.insert(token(word));
        if (is_long(encoded(word))) add_long_word(word);
    }
    void add_beginnings(std::string_view word) {
        each_beginning(word, [&](std::string_view beginning) { tokens_.insert(token(beginning)); });
    }
    std::set<std::string> tokens_;
};

}  // namespace

std::string token(std::string_view word) {
    auto text = encoded(word);
    if (is_long(text)) text = beginning_of_longer(word).append(hash_mark).append(hash(word));
    return std::string(lead).append(text);
}

PrefixTokens prefix_tokens(std::string_view letters) {
    const auto text = encoded(letters);
    PrefixTokens tokens;
    if (!is_long(text)) tokens.beginning = std::string(lead).append(text);
    if (text.size() > kept_of_longer) tokens.whole = token_of_prefix(letters);
    return tokens;
}

std::string index_tokens(std::span<const std::string_view> texts, std::span<const std::string_view> codes) {
    std::string out(1, ' ');
    Extras extras;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        std::string tokens;
        for (const std::string& word : words(texts[i])) {
            tokens.append(token(word)).append(" ");
            // A byte is encoded as at most two.
            if (2 * word.size() > longest_word && is_long(encoded(word))) extras.add_long_word(word);
        }
        if (tokens.empty()) continue;
        for (int copy = 0; copy < (i == 0 ? title_weight : 1); ++copy) {
            if (out.size() > 1) out.append(boundary).append(" ");
            out.append(tokens);
        }
    }
    for (const auto& code : codes) extras.add_code(code);
    extras.append_to(out);
    return out;
}

}  // namespace tradepost::search
