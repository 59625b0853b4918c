#include "search/engine.h"

#include "search/mysql_fulltext.h"

namespace tradepost::search {

Matches MysqlSearch::find(std::string_view table, const Searched& searched, const Query& query, const db::Sql& where,
                          const db::Sql& order, db::Slice slice) {
    const auto words = boolean_query(query);
    const std::string match = "MATCH (s.tokens) AGAINST (? IN BOOLEAN MODE)";
    db::Sql from(" FROM " + std::string(searched.table) + " s JOIN " + std::string(table) + " t ON t.id = s." +
                     std::string(searched.id) + " WHERE " + match,
                 {words.required});
    for (const auto& excluded : words.excluded) from.add(" AND NOT " + match, {excluded});
    from.add(" AND ").add(where);

    // One statement for the page and the total: the full-text part is what costs.
    db::Sql page("SELECT t.id, COUNT(*) OVER (), " + match + " AS score", {words.required});
    page.add(from).add(" ORDER BY score DESC, ").add(order).add(" LIMIT ? OFFSET ?", {slice.limit, slice.offset});
    const auto rows = connection_.query_within(timeout_, page.text, page.values);
    Matches matches;
    for (const auto& row : rows) {
        matches.ids.push_back(row.uuid(0));
        matches.total = row.integer(1);
    }
    if (rows.empty() && slice.offset > 0) {
        db::Sql count("SELECT COUNT(*)");
        count.add(from);
        matches.total = connection_.query_within(timeout_, count.text, count.values).at(0).integer(0);
    }
    return matches;
}

}  // namespace tradepost::search
