#include "repo/search_engine.h"

#include "search/mysql_fulltext.h"

namespace tradepost::repo {

Matches MysqlSearch::find(const Searched& searched, const search::Query& query, const Conditions& where, Slice slice) {
    const auto words = search::boolean_query(query);
    const std::string match = "MATCH (s.tokens) AGAINST (? IN BOOLEAN MODE)";
    std::string from = " FROM " + std::string(searched.search_table) + " s JOIN " + std::string(searched.table) + " t ON t.id = s." +
                       std::string(searched.search_id) + " WHERE " + match;
    std::vector<db::Value> values{words.required};
    for (const auto& excluded : words.excluded) {
        from += " AND NOT " + match;
        values.emplace_back(excluded);
    }
    from += " AND " + where.sql();
    for (const auto& value : where.values()) values.push_back(value);

    // One statement for the page and the total: the full-text part is what costs.
    auto page_values = values;
    page_values.insert(page_values.begin(), words.required);
    page_values.insert(page_values.end(), {slice.limit, slice.offset});
    const auto rows = connection_.query_within(
        timeout_, "SELECT t.id, COUNT(*) OVER (), " + match + " AS score" + from + " ORDER BY score DESC, " + std::string(searched.order) + " LIMIT ? OFFSET ?",
        page_values);
    Matches matches;
    for (const auto& row : rows) {
        matches.ids.push_back(row.uuid(0));
        matches.total = row.integer(1);
    }
    if (rows.empty() && slice.offset > 0) matches.total = connection_.query_within(timeout_, "SELECT COUNT(*)" + from, values).at(0).integer(0);
    return matches;
}

}  // namespace tradepost::repo
