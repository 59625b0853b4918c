// doctor: the search engine.
#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "changes/readers.h"
#include "ctl/doctor/doctor.h"
#include "db/sphinxql.h"
#include "lists/totals.h"
#include "resources/tables.h"
#include "search/engines/index_state.h"
#include "search/engines/mysql_search.h"
#include "search/engines/words_state.h"

namespace tradepost::ctl {
namespace {

constexpr std::chrono::seconds answers_within{5};
constexpr std::chrono::milliseconds lag_allowed{5000};
constexpr std::chrono::milliseconds longest_measured{1000};
// Any database searches fewer rows fast enough.
constexpr std::int64_t fewest_measured = 10'000;

std::string start(const Context& context, const std::string& unit) {
    return context.instance.empty() ? "start tradepost-" + unit : "systemctl restart tradepost-" + unit + "@" + context.instance;
}

bool check_server(Context& context, db::SphinxQl& server, Report& report) {
    try {
        return report.check(true, "search server answers: " + describe_search_server(server.version()), "");
    } catch (const db::Error& error) {
        const auto& search = context.config().search;
        return report.check(
            false, "search server answers",
            "install sphinxsearch and " + (search.socket.empty() ? "start searchd at " + search.host : start(context, "search")) +
                ", or correct socket, host and port of [search]; until then searches are 503, and lists without q "
                "go on: " +
                error.what());
    }
}

// The server lists them by their types.
bool has_columns(db::SphinxQl& server, const search::SphinxIndex& described, const std::string& index) {
    std::set<std::string> wanted, found;
    std::istringstream columns(described.columns());
    for (std::string name; std::getline(columns >> std::ws, name, ',');) wanted.insert(name);
    for (const auto& row : server.query("DESCRIBE " + index)) found.insert(std::string(row.text(0)));
    return found == wanted;
}

// Why the index that is searched is not the one that the database expects; empty when it is.
std::string index_fault(Context& context, db::Connection& connection, db::SphinxQl& server,
                        const search::SphinxIndex& described) {
    const auto rebuilt = ": tradepost-index builds it anew; see its log, or run tradepostctl reindex";
    const auto built = search::searched_index(connection, described);
    if (!built) return std::string("it was never built") + rebuilt;
    const auto index = described.name(built->side);
    try {
        if (!has_columns(server, described, index))
            return "the server has other columns in it than this release writes: write its configuration again with tradepostctl "
                   "config sphinx, and " +
                   start(context, "search");
        const auto state = search::index_state(server, index);
        if (!state) return std::string("it is empty, or is being built") + rebuilt;
        if (search::history_at(connection, described, *built, state->position) != state->history)
            return std::string("it is of another database, an earlier state of it, or another release") + rebuilt;
    } catch (const db::Error& error) {
        return std::string(error.what()) + ": write the server's configuration again with tradepostctl config sphinx, and " +
               start(context, "search");
    }
    return {};
}

void check_lag(Context& context, db::Connection& connection, const search::SphinxIndex& described, Report& report) {
    const auto behind = changes::backlog(connection, search::reader(described));
    char seconds[32];
    (void)std::snprintf(seconds, sizeof seconds, "%.1f", double(behind.lag.count()) / 1000);
    report.figure("index_lag_" + std::string(described.table()) + "=" + seconds + "s;5;;0");
    if (behind.lag <= lag_allowed) return;
    report.warn("index of " + std::string(described.table()) + " is " + seconds + " s behind",
                std::to_string(behind.waiting) +
                    (behind.waiting == changes::most_counted ? " changes or more wait: " : " changes wait: ") +
                    "after an import wait; else see the log of tradepost-index, or " + start(context, "index"));
}

void check_indexer(db::Connection& connection, const std::string& remedy, Report& report) {
    const auto rows =
        connection.query("SELECT holder FROM leases WHERE name LIKE 'search index %' AND expires_at > UTC_TIMESTAMP(3) LIMIT 1");
    report.check(!rows.empty(), "tradepost-index runs" + (rows.empty() ? "" : ": " + std::string(rows[0].text(0))),
                 remedy + ": without it nothing that is written is found");
}

void check_sphinx(Context& context, db::Connection& connection, Report& report) {
    db::SphinxQl server(context.config().search, answers_within);
    const bool answers = check_server(context, server, report);
    // Without a server it gives its lease back again and again.
    if (answers) check_indexer(connection, start(context, "index"), report);
    for (const auto& described : search::sphinx_indexes(resources::counted_tables())) {
        if (answers) {
            const auto fault = index_fault(context, connection, server, described);
            report.check(fault.empty(), "index of " + std::string(described.table()), fault);
        }
        check_lag(context, connection, described, report);
    }
}

// The letter with which most words of the list begin.
std::string common_letter(const search::WordSample& sample) {
    std::string most = "a";
    for (char c = 'a'; c <= 'z'; ++c)
        if (const std::string letter(1, c); sample.entries_of_prefix(letter) > sample.entries_of_prefix(most)) most = letter;
    return most;
}

// How long the database takes for one of the most expensive searches in a list; `longest_measured` if it takes longer, and 0 for a list of
// few rows.
std::chrono::milliseconds measure_search(db::Connection& connection, const lists::List& list) {
    const auto now = core::SystemClock().now();
    lists::Selection selection;
    selection.list = &list;
    selection.by_relevance = true;
    const auto total = lists::total_of(connection, selection, now);
    if (total.rows < fewest_measured) return {};
    selection.search = search::Query{{{{common_letter(search::draw_sample(connection, list, total, now))}, true}}, {}};
    search::SearchBounds any;
    any.most_cost = any.expensive = std::chrono::hours(1);
    search::MysqlSearch search(connection, longest_measured, any);
    // The first search reads into memory what a server in use has there, and others may be beside one: the fastest counts.
    auto fastest = longest_measured;
    for (int i = 0; i < 3; ++i) {
        try {
            const auto begun = std::chrono::steady_clock::now();
            search.find(selection, {0, 20}, now);
            const auto taken = std::chrono::steady_clock::now() - begun;
            fastest = std::min(fastest, std::chrono::duration_cast<std::chrono::milliseconds>(taken));
        } catch (const lists::SearchUnavailable&) {
        }
    }
    return fastest;
}

void check_mysql(db::Connection& connection, Report& report) {
    const auto most = std::chrono::duration_cast<std::chrono::milliseconds>(search::SearchBounds().most_cost);
    for (const auto* table : resources::counted_tables())
        for (const auto* list : table->lists()) {
            if (list->scope != lists::listed || !list->searched || !search::words_complete(connection, list->table)) continue;
            const auto taken = measure_search(connection, *list);
            if (taken > most)
                report.warn("search in " + std::string(list->collection) + " by the database",
                            "a search for its most common words takes " +
                                (taken < longest_measured ? std::to_string(taken.count())
                                                          : "more than " + std::to_string(longest_measured.count())) +
                                " ms, and searches that need more than " + std::to_string(most.count()) +
                                " ms are 503: " + advise_sphinx);
        }
}

}  // namespace

std::string describe_search_server(const std::string& version) {
    if (version.starts_with("2.2.") && version.find("release") != std::string::npos) return "Sphinx " + version;
    // Its versions have a commit and a date.
    const bool manticore = version.find('@') != std::string::npos;
    return (manticore ? "Manticore Search " + version + ", which speaks the same dialect and" : version + ", which") +
           " is not tested as Sphinx 2.2 is";
}

void check_search(Context& context, db::Connection& connection, Report& report) try {
    if (context.config().search.is_sphinx())
        check_sphinx(context, connection, report);
    else
        check_mysql(connection, report);
} catch (const db::Error& error) {
    report.check(false, "search", one_line(error, context.config_path()));
}

}  // namespace tradepost::ctl
