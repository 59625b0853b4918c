#include "engines/mysql_search.h"

#include <deque>
#include <utility>

#include "core/present.h"
#include "db/sql.h"
#include "engines/boolean_query.h"
#include "lists/source.h"
#include "lists/words_state.h"
#include "search/tokens.h"

namespace tradepost::engines {
namespace {

using search::Term;

// A condition that rows match, and their score. It owns the texts that the values of both borrow.
class Match {
public:
    // InnoDB finds the rows by their words, whatever list they are in.
    static Match in_full_text(const search::Query& query, const std::string& column) {
        Match all;
        const auto match = "MATCH (" + column + ") AGAINST (? IN BOOLEAN MODE)";
        auto words = boolean_query(query);
        const std::string_view required = all.keep(std::move(words.required));
        all.condition.add(match, {required});
        all.score.add(match, {required});
        for (auto& excluded : words.excluded) all.condition.add(" AND NOT " + match, {all.keep(std::move(excluded))});
        return all;
    }

    // The words of each row are read.
    static Match in_words(const search::Query& query, const std::string& column) {
        Match all;
        all.contains_all(query.required, column);
        for (const auto& group : query.excluded) {
            all.condition.add(" AND NOT (");
            all.contains_all(group, column);
            all.condition.add(")");
        }
        for (const auto& term : query.required) all.add_occurrences(term, column);
        return all;
    }

    db::Sql condition, score;

private:
    std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

    void contains_all(const std::vector<Term>& terms, const std::string& column) {
        const auto* separator = "";
        for (const auto& term : terms) {
            condition.add(std::exchange(separator, " AND "));
            contains(term, "INSTR(" + column + ", ?) > 0");
        }
    }

    void contains(const Term& term, const std::string& in) {
        if (!term.prefix) {
            condition.add(in, {keep(tokens_in_row(term) + " ")});
            return;
        }
        const auto tokens = search::prefix_tokens(term.words[0]);
        const auto *separator = "(", *end = ")";
        if (!tokens.beginning.empty()) condition.add(std::exchange(separator, " OR ") + in, {keep(" " + tokens.beginning)});
        if (!tokens.whole.empty()) condition.add(separator + in, {keep(" " + tokens.whole + " ")});
        condition.add(end);
    }

    // How often the term occurs. Words that only begin with it count as well.
    void add_occurrences(const Term& term, const std::string& column) {
        auto text = tokens_in_row(term);
        if (term.prefix) {
            const auto tokens = search::prefix_tokens(term.words[0]);
            text = " " + (tokens.beginning.empty() ? tokens.whole : tokens.beginning);
        }
        const auto size = std::int64_t(text.size());
        score.add(score.text.empty() ? "" : " + ")
            .add("(LENGTH(" + column + ") - LENGTH(REPLACE(" + column + ", ?, ''))) DIV ?", {keep(std::move(text)), size});
    }

    static std::string tokens_in_row(const Term& term) {
        std::string text;
        for (const auto& word : term.words) text.append(" ").append(search::token(word));
        return text;
    }

    std::deque<std::string> texts_;
};

// The order of matches. `score` is a column of the page.
db::Sql order_of(const lists::Selection& selection, core::Time now) {
    const auto& list = *selection.list;
    const auto column = "t." + std::string(selection.order()), over = "t." + std::string(list.over);
    db::Sql order(selection.by_relevance ? "score DESC, " : "");
    if (list.over.empty()) return order.add(column + " DESC, t.id DESC");
    return order.add(
        over + " < ?, IF(" + over + " < ?, NULL, " + column + "), IF(" + over + " < ?, " + column + ", NULL) DESC, t.id DESC",
        {now, now, now});
}

Match match_of(const lists::Selection& selection) {
    const auto& query = core::present(selection.search);
    const auto column = "s." + std::string(selection.list->searched->column);
    return selection.is_public() ? Match::in_full_text(query, column) : Match::in_words(query, column);
}

// The rows that match: an owner's rows are found by the owner and their words are read; public rows are found by their words.
db::Sql matching_rows(const lists::Selection& selection, const Match& match, core::Time now) {
    const auto& list = *selection.list;
    const auto& searched = *list.searched;
    const auto words = std::string(searched.table) + " s", row = std::string(list.table) + " t";
    const auto same_row = "t.id = s." + std::string(searched.id);
    db::Sql sql(selection.is_public() ? " FROM " + words + " JOIN " + row + " ON " + same_row
                                      : " FROM " + row + lists::index_hint(selection) + " STRAIGHT_JOIN " + words +
                                            " FORCE INDEX (PRIMARY) ON " + same_row);
    return sql.add(" WHERE ").add(match.condition).add(" AND ").add(lists::conditions(selection, lists::Rows::shown, now));
}

}  // namespace

// Once complete, the words stay so: writers write them.
void MysqlSearch::check_words(std::string_view table) {
    if (complete_.contains(table)) return;
    if (!lists::words_complete(connection_, table))
        throw lists::SearchUnavailable("the words of " + std::string(table) + " are not complete: run tradepostctl reindex");
    complete_.insert(table);
}

lists::Matches MysqlSearch::find(const lists::Selection& selection, db::Slice slice, core::Time now) try {
    check_words(selection.list->table);
    const auto match = match_of(selection);
    const auto rows = matching_rows(selection, match, now);

    // One statement for the page and the total: finding the rows is what costs.
    db::Sql page("SELECT t.id, COUNT(*) OVER (), ");
    page.add(match.score).add(" AS score").add(rows).add(" ORDER BY ").add(order_of(selection, now));
    page.add(" LIMIT ? OFFSET ?", {slice.limit, slice.offset});
    lists::Matches matches;
    for (const auto& each : connection_.query_within(timeout_, page.text, page.values)) {
        matches.ids.push_back(each.uuid(0));
        matches.total = each.integer(1);
    }
    if (matches.ids.empty() && slice.offset > 0) {
        db::Sql count("SELECT COUNT(*)");
        count.add(rows);
        matches.total = connection_.query_within(timeout_, count.text, count.values).at(0).integer(0);
    }
    return matches;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

lists::Facets MysqlSearch::facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) try {
    check_words(selection.list->table);
    const auto match = match_of(selection);
    // One statement for all fields: finding the rows is what costs.
    const auto sql = lists::select_groups(fields, matching_rows(selection, match, now));
    lists::Facets facets{std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
    facets.total.rows = lists::add_groups(connection_.query_within(timeout_, sql.text, sql.values), fields, facets);
    return facets;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

}  // namespace tradepost::engines
