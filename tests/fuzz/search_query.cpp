// Any q is a tree or a syntax error; whatever it is, only tokens and operators reach boolean mode.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "core/text.h"
#include "engines/boolean_query.h"
#include "search/tokens.h"

using namespace tradepost;
using namespace tradepost::search;
using tradepost::engines::boolean_query;
using tradepost::engines::BooleanQuery;

namespace {

void require(bool kept) {
    if (!kept) std::abort();
}

void require_terms(const std::vector<Term>& terms) {
    require(!terms.empty());
    for (const Term& term : terms) {
        require(!term.words.empty());
        require(!term.prefix || term.words.size() == 1);
        for (const std::string& word : term.words) {
            require(core::fold(word) == word);
            require(words(word) == std::vector<std::string>{word});
        }
    }
}

void require_tokens(std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        require(end >= 4 && end <= 42 && text.starts_with("tok"));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// +token, +token*, +(token* token), +"token token …", parted by one space.
void require_boolean(std::string_view text) {
    require(!text.empty());
    while (!text.empty()) {
        require(text.front() == '+');
        text.remove_prefix(1);
        const char closing = text.starts_with('"') ? '"' : text.starts_with('(') ? ')' : ' ';
        if (closing != ' ') text.remove_prefix(1);
        std::size_t end = std::min(text.find(closing), text.size());
        std::string tokens(text.substr(0, end));
        if (closing != ' ') ++end;
        if (closing != '"') tokens.erase(std::remove(tokens.begin(), tokens.end(), '*'), tokens.end());
        require(!tokens.empty());
        require(tokens.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789 ") == std::string_view::npos);
        require_tokens(tokens);
        require(end <= text.size());
        text.remove_prefix(end);
        if (text.empty()) return;
        require(text.front() == ' ');
        text.remove_prefix(1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (text.empty() || !core::is_utf8(text)) return 0;
    const std::array texts{text, text.substr(0, 0), text};
    const auto row = index_tokens(texts, std::span(&text, 1));
    require(row.starts_with(' ') && row.ends_with(' '));
    if (row.size() > 1) require_tokens(std::string_view(row).substr(1, row.size() - 2));
    try {
        const Query query = parse(text);
        require_terms(query.required);
        for (const auto& group : query.excluded) require_terms(group);
        const BooleanQuery boolean = boolean_query(query);
        require_boolean(boolean.required);
        require(boolean.excluded.size() == query.excluded.size());
        for (const std::string& group : boolean.excluded) require_boolean(group);
    } catch (const SyntaxError&) {
    }
    return 0;
}
