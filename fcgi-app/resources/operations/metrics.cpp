#include "resources/operations/metrics.h"

#include "changes/readers.h"
#include "core/log.h"
#include "engines/index_state.h"
#include "http/error.h"
#include "metrics/metrics.h"
#include "outbox/stored.h"
#include "resources/tables.h"

namespace tradepost::operations {
namespace {

std::string seconds(std::chrono::milliseconds time) {
    auto fraction = std::to_string(time.count() % 1000);
    fraction.insert(0, 3 - fraction.size(), '0');
    return std::to_string(time.count() / 1000) + "." + fraction + "\n";
}

// Empty when the database does not answer.
std::string outbox_backlog(db::Connection& connection) try {
    const auto found = outbox::backlog(connection);
    return "# HELP tradepost_outbox_messages Messages to the outside that wait, and that were given up.\n"
           "# TYPE tradepost_outbox_messages gauge\n"
           "tradepost_outbox_messages{state=\"waiting\"} " +
           std::to_string(found.waiting) + "\ntradepost_outbox_messages{state=\"dead\"} " + std::to_string(found.dead) +
           "\n# HELP tradepost_outbox_lag_seconds Time that the oldest message that is due has waited for a deliverer.\n"
           "# TYPE tradepost_outbox_lag_seconds gauge\n"
           "tradepost_outbox_lag_seconds " +
           seconds(found.lag);
} catch (const db::Error& error) {
    core::log::warning("no_outbox_lag", {{"why", error.what()}});
    return {};
}

// How far the indexes of a search server are behind the database. Some statements for each, which count no more than changes::most_counted
// rows. Empty when the database does not answer.
std::string search_lag(db::Connection& connection) try {
    std::string lag =
        "# HELP tradepost_search_index_lag_seconds Age of the oldest change that the search index does not have, by collection.\n"
        "# TYPE tradepost_search_index_lag_seconds gauge\n";
    std::string queue =
        "# HELP tradepost_search_index_queue Changes that the search index does not have, by collection.\n"
        "# TYPE tradepost_search_index_queue gauge\n";
    for (const auto& described : engines::sphinx_indexes(resources::counted_tables())) {
        const auto found = changes::backlog(connection, engines::reader(described));
        const auto labels = "{collection=\"" + std::string(described.collection()) + "\"} ";
        lag.append("tradepost_search_index_lag_seconds").append(labels).append(seconds(found.lag));
        queue.append("tradepost_search_index_queue").append(labels).append(std::to_string(found.waiting) + "\n");
    }
    return lag + queue;
} catch (const db::Error& error) {
    core::log::warning("no_search_lag", {{"why", error.what()}});
    return {};
}

}  // namespace

http::Response get_metrics(api::Call& call) {
    auto text = call.services.metrics ? call.services.metrics->text() : std::nullopt;
    if (!text) throw http::service_unavailable("this worker has no metrics; see its log for event no_metrics");
    http::Response response;
    response.body = std::move(*text);
    response.body += outbox_backlog(call.services.connection);
    if (call.services.config.search.is_sphinx()) response.body += search_lag(call.services.connection);
    response.set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    return response;
}

}  // namespace tradepost::operations
