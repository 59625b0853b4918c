#include "search/engines/mysql_search.h"

#include "core/present.h"
#include "db/sql.h"
#include "lists/source.h"
#include "lists/totals.h"
#include "search/engines/words_state.h"

namespace tradepost::search {
namespace {

// A sample is drawn again after this time, or once the list has grown or shrunk by this factor.
constexpr std::chrono::minutes sample_lifetime{5};
constexpr double most_growth = 1.25;

// Begins each search, which the server then shows among what it runs.
constexpr std::string_view mark = "SELECT /* search */";

std::string tokens_of(const lists::List& list) {
    return "s." + std::string(list.searched->column);
}

// The FROM and WHERE of the rows that match. The full-text index finds them, or the list's rows are read in its order.
db::Sql matching_rows(const lists::Selection& selection, const WordMatch& match, core::Time now) {
    const auto& list = *selection.list;
    const auto words = std::string(list.searched->table) + " s", row = std::string(list.table) + " t";
    const auto same_row = " FORCE INDEX (PRIMARY) ON t.id = s." + std::string(list.searched->id) + " WHERE ";
    db::Sql sql(match.uses_index() ? " FROM " + words + " STRAIGHT_JOIN " + row + same_row
                                   : " FROM " + row + lists::index_hint(selection) + " STRAIGHT_JOIN " + words + same_row);
    return sql.add(match.condition()).add(" AND ").add(lists::conditions(selection, lists::Rows::shown, now));
}

db::Sql order_of(const lists::Selection& selection, const WordMatch& match, core::Time now) {
    const auto& list = *selection.list;
    const auto column = "t." + std::string(selection.order().column);
    db::Sql order;
    if (selection.by_relevance) order.add(match.score()).add(" DESC, ");
    if (!list.upcoming) return order.add(column + " DESC, t.id DESC");
    const auto over = "t." + std::string(list.upcoming->over);
    return order.add(
        over + " < ?, IF(" + over + " < ?, NULL, " + column + "), IF(" + over + " < ?, " + column + ", NULL) DESC, t.id DESC",
        {now, now, now});
}

}  // namespace

// Once complete, the words stay so: writers write them.
void MysqlSearch::check_words(std::string_view table) {
    if (complete_.contains(table)) return;
    if (!words_complete(connection_, table))
        throw lists::SearchUnavailable("the words of " + std::string(table) + " are not complete: run tradepostctl reindex");
    complete_.insert(table);
}

// How many rows a search may have to read. One statement, unless a sample is drawn.
SearchSize MysqlSearch::size_of(const lists::Selection& selection, core::Time now) {
    std::vector<lists::Selection> lists(1);
    lists[0].list = selection.list;
    auto filtered = selection;
    filtered.search.reset();
    if (!filtered.chosen.empty() && lists::count_keys(filtered)) lists.push_back(std::move(filtered));
    const auto totals = lists::totals_of(connection_, lists, now);

    auto& sampled = samples_[selection.list->table];
    const auto total = double(totals[0].rows), of_sample = double(sampled.total);
    if (!sampled.words || now > sampled.until || total > of_sample * most_growth || total * most_growth < of_sample) {
        sampled = {draw_sample(connection_, *selection.list, totals[0], now), totals[0].rows, 1, now + sample_lifetime};
        // The index has the words of rows that are not public, too.
        const auto rows = connection_.query(
            "SELECT table_rows FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?",
            {selection.list->searched->table});
        if (!rows.empty() && total > 0) sampled.indexed = std::max(1.0, double(rows[0].opt_integer(0).value_or(0)) / total);
    }
    return {total * sampled.indexed, double(totals.back().rows), selection.by_relevance, 0};
}

// The server runs a full-text search to its end, whoever waits for it. So those that were given up count as well.
void MysqlSearch::require_few_running() {
    const auto given_up = std::chrono::ceil<std::chrono::seconds>(timeout_).count();
    const auto rows = connection_.query(
        "SELECT time >= ? FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID() AND "
        "info LIKE '%SELECT /* search */%' AND info NOT LIKE '%processlist%'",
        {given_up});
    for (const auto& row : rows)
        if (row.boolean(0)) throw lists::SearchRefused("a search that was given up still runs");
    if (std::int64_t(rows.size()) >= bounds_.most_at_once) throw lists::SearchRefused("too many searches run");
}

WordMatch MysqlSearch::match_of(const lists::Selection& selection, std::size_t fields, core::Time now) {
    check_words(selection.list->table);
    const auto& query = core::present(selection.search);
    const auto column = tokens_of(*selection.list);
    if (!selection.is_public()) return {query.required, query.excluded, column};
    auto size = size_of(selection, now);
    size.fields = fields;
    const auto plan = plan_search(query, core::present(samples_[selection.list->table].words), size);
    if (plan.cost > bounds_.most_cost)
        throw lists::SearchRefused("it would take the database " +
                                   std::to_string(std::chrono::ceil<std::chrono::milliseconds>(plan.cost).count()) +
                                   " ms: its words are too common");
    if (plan.cost >= bounds_.expensive) require_few_running();
    return {plan.required, query.excluded, column, plan.found_by};
}

db::Rows MysqlSearch::run(const db::Sql& select) {
    const auto text = std::string(mark) + select.text.substr(std::string_view("SELECT").size());
    return connection_.query_within(timeout_, text, select.values);
}

lists::Matches MysqlSearch::find(const lists::Selection& selection, db::Slice slice, core::Time now) try {
    const auto match = match_of(selection, 0, now);
    // One statement for the page and the total: finding the rows is what costs. The first row tells the total of a page past the end.
    db::Sql page("SELECT id, total, place FROM (SELECT t.id AS id, COUNT(*) OVER () AS total, ROW_NUMBER() OVER (ORDER BY ");
    page.add(order_of(selection, match, now)).add(") AS place").add(matching_rows(selection, match, now));
    page.add(") AS matches WHERE place = 1 OR place BETWEEN ? AND ? ORDER BY place",
             {slice.offset + 1, slice.offset + slice.limit});
    lists::Matches matches;
    for (const auto& each : run(page)) {
        if (each.integer(2) > slice.offset) matches.ids.push_back(each.uuid(0));
        matches.total = each.integer(1);
    }
    return matches;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

lists::Facets MysqlSearch::facets(const lists::Selection& selection, const lists::Fields& fields, core::Time now) try {
    auto unordered = selection;
    unordered.by_relevance = false;
    const auto match = match_of(unordered, fields.size(), now);
    // One statement for all fields: finding the rows is what costs.
    const auto groups = run(lists::select_groups(fields, matching_rows(selection, match, now)));
    lists::Facets facets{std::vector<std::map<std::string, std::int64_t>>(fields.size()), {}};
    facets.total.rows = lists::add_groups(groups, fields, facets);
    return facets;
} catch (const db::Error& error) {
    throw lists::SearchUnavailable(error.what());
}

}  // namespace tradepost::search
