// Any q is a tree or a syntax error; whatever it is, only tokens and operators reach boolean mode.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "core/text.h"
#include "search/engines/boolean_query.h"
#include "search/engines/search_plan.h"
#include "search/grammar/tokens.h"

using namespace tradepost;
using namespace tradepost::search;
using tradepost::search::boolean_query;

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

// +token, +token*, +(token* token), parted by one space.
void require_boolean(std::string_view text) {
    require(!text.empty());
    while (!text.empty()) {
        require(text.front() == '+');
        text.remove_prefix(1);
        const bool grouped = text.starts_with('(');
        if (grouped) text.remove_prefix(1);
        std::size_t end = std::min(text.find(grouped ? ')' : ' '), text.size());
        std::string tokens(text.substr(0, end));
        if (grouped) ++end;
        tokens.erase(std::remove(tokens.begin(), tokens.end(), '*'), tokens.end());
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
        std::size_t count = query.required.size();
        for (const auto& group : query.excluded) count += group.size();
        require(count <= most_terms);
        const auto plan = search::plan_search(query, search::WordSample({row}), {1e5, 1e5, true, 0});
        require(plan.required.size() == query.required.size());
        if (!plan.found_by.empty()) require_boolean(boolean_query(plan.found_by));
    } catch (const SyntaxError&) {
    }
    return 0;
}
