#include "search/engines/word_sample.h"

#include <algorithm>
#include <map>
#include <set>

#include "lists/newest_first.h"
#include "search/grammar/tokens.h"

namespace tradepost::search {
namespace {

// 1 row in 384 is 0.3 %: 300 of 100,000 rows, which the full-text index finds in a few milliseconds. More pages show better how words are
// spread, and cost 1 ms each.
constexpr std::int64_t pages = 16, rows_of_page = 24;

std::set<std::string_view> split(std::string_view text) {
    std::set<std::string_view> tokens;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = std::min(text.find(' ', at), text.size());
        if (end > at) tokens.insert(text.substr(at, end - at));
        at = end + 1;
    }
    return tokens;
}

}  // namespace

WordSample::WordSample(const std::vector<std::string>& texts) {
    std::map<std::string_view, int> counts;
    std::size_t bytes = 0;
    for (const auto& text : texts) {
        bytes += text.size();
        for (const auto token : split(text)) ++counts[token];
    }
    rows_ = double(std::max<std::size_t>(1, texts.size()));
    bytes_ = double(bytes) / rows_;
    tokens_.assign(counts.begin(), counts.end());
}

double WordSample::share_of_word(std::string_view word) const {
    const auto token = search::token(word);
    const auto found = std::lower_bound(tokens_.begin(), tokens_.end(), token,
                                        [](const auto& each, const auto& wanted) { return each.first < wanted; });
    return (found == tokens_.end() || found->first != token ? 1 : found->second) / rows_;
}

double WordSample::entries_of_prefix(std::string_view letters) const {
    const auto beginning = prefix_tokens(letters).beginning;
    if (beginning.empty()) return 1 / rows_;
    double entries = 0;
    for (auto each = std::lower_bound(tokens_.begin(), tokens_.end(), beginning,
                                      [](const auto&token, const auto&wanted) { return token.first < wanted; });
         each != tokens_.end() && each->first.starts_with(beginning); ++each)
        entries += each->second;
    return std::max(1.0, entries) / rows_;
}

double WordSample::share_of(const Term& term) const {
    if (term.prefix) return std::min(1.0, entries_of_prefix(term.words[0]));
    double share = 1;
    for (const auto& word : term.words) share = std::min(share, share_of_word(word));
    return share;
}

WordSample draw_sample(db::Connection& connection, const lists::List& list, const lists::Total& total, core::Time now) {
    lists::Selection all;
    all.list = &list;
    const auto step = std::max(rows_of_page, total.rows / pages);
    std::set<core::Uuid> ids;
    for (std::int64_t offset = 0; offset < total.rows; offset += step)
        for (const auto& row : lists::read_page(connection, all, {offset, rows_of_page}, now, &total).rows)
            ids.insert(row.uuid(0));
    if (ids.empty()) return WordSample({});

    const auto& searched = *list.searched;
    db::Sql sql("SELECT " + std::string(searched.column) + " FROM " + std::string(searched.table) + " WHERE ");
    const std::vector<core::Uuid> chosen(ids.begin(), ids.end());
    sql.add_in(searched.id, std::span(chosen));
    std::vector<std::string> texts;
    for (auto& row : connection.query(sql)) texts.push_back(row.take_text(0).value_or(""));
    return WordSample(texts);
}

}  // namespace tradepost::search
