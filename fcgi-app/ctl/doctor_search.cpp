// doctor: the search engine.
#include <cstdio>
#include <set>
#include <sstream>

#include "changes/readers.h"
#include "ctl/doctor.h"
#include "db/sphinxql.h"
#include "engines/index_state.h"
#include "resources/tables.h"

namespace tradepost::ctl {
namespace {

constexpr std::chrono::seconds answers_within{5};
constexpr std::chrono::milliseconds lag_allowed{5000};
// From here on the database's full text costs more than the rest of its work.
constexpr std::int64_t rows_for_the_database = 100'000;

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
bool has_columns(db::SphinxQl& server, const engines::SphinxIndex& described, const std::string& index) {
    std::set<std::string> wanted, found;
    std::istringstream columns(described.columns());
    for (std::string name; std::getline(columns >> std::ws, name, ',');) wanted.insert(name);
    for (const auto& row : server.query("DESCRIBE " + index)) found.insert(std::string(row.text(0)));
    return found == wanted;
}

// Why the index that is searched is not the one that the database expects; empty when it is.
std::string index_fault(Context& context, db::Connection& connection, db::SphinxQl& server,
                        const engines::SphinxIndex& described) {
    const auto rebuilt = ": tradepost-index builds it anew; see its log, or run tradepostctl reindex";
    const auto built = engines::searched_index(connection, described.table());
    if (!built) return std::string("it was never built") + rebuilt;
    const auto index = described.name(built->side);
    try {
        if (!has_columns(server, described, index))
            return "the server has other columns in it than this release writes: write its configuration again with tradepostctl "
                   "config sphinx, and " +
                   start(context, "search");
        const auto state = engines::index_state(server, index);
        if (!state) return std::string("it is empty, or is being built") + rebuilt;
        if (engines::history_at(connection, described, *built, state->position) != state->history)
            return std::string("it is of another database, an earlier state of it, or another release") + rebuilt;
    } catch (const db::Error& error) {
        return std::string(error.what()) + ": write the server's configuration again with tradepostctl config sphinx, and " +
               start(context, "search");
    }
    return {};
}

void check_lag(Context& context, db::Connection& connection, const engines::SphinxIndex& described, Report& report) {
    const auto behind = changes::backlog(connection, engines::reader(described));
    if (behind.lag <= lag_allowed) return;
    char seconds[32];
    (void)std::snprintf(seconds, sizeof seconds, "%.1f s", double(behind.lag.count()) / 1000);
    report.warn("index of " + std::string(described.table()) + " is " + seconds + " behind",
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
    for (const auto& described : engines::sphinx_indexes(resources::counted_tables())) {
        if (answers) {
            const auto fault = index_fault(context, connection, server, described);
            report.check(fault.empty(), "index of " + std::string(described.table()), fault);
        }
        check_lag(context, connection, described, report);
    }
}

void check_mysql(db::Connection& connection, Report& report) {
    for (const std::string table : {"jobs", "events", "posts"}) {
        const auto more = connection.query("SELECT 1 FROM " + table + " LIMIT 1 OFFSET " + std::to_string(rows_for_the_database));
        if (!more.empty())
            report.warn("search in " + table + " by the database",
                        "there are more than " + std::to_string(rows_for_the_database) +
                            " rows, and a search for a common word reads most of them: " + advise_sphinx);
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
