#include "api/route.h"
#include "db/sql.h"
#include "http/error.h"
#include "http/pagination.h"
#include "json/writer.h"
#include "lists/selection.h"
#include "resources/tables.h"

namespace tradepost::dashboard {
namespace {

struct Asked {
    std::string_view collection, table;
    core::Uuid id;
};

// By `stockId`, `jobId` and so on.
Asked read_asked(const api::Call& call) {
    std::optional<Asked> asked;
    for (const auto& table : resources::tables()) {
        const auto id = lists::read_id(call.query, std::string(table.singular) + "Id");
        if (!id) continue;
        if (asked) throw http::invalid_query(std::string(table.singular) + "Id", "stands beside another id");
        asked = Asked{table.name, table.table, *id};
    }
    if (!asked) throw http::invalid_query("stockId", "or jobId, eventId or postId is required");
    return *asked;
}

// Throws 404 when there is no such row, or the user is no member of its organisation.
void check_member(db::Connection& connection, const core::Uuid& user_id, const Asked& asked) {
    const auto found = connection.query("SELECT 1 FROM " + std::string(asked.table) +
                                            " t FORCE INDEX (PRIMARY) JOIN memberships m FORCE INDEX (PRIMARY)"
                                            " ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
                                        {user_id, asked.id});
    if (found.empty()) throw http::not_found();
}

// ?stockId or ?jobId of the user's organisations: who changed it, and what, the last first. A list with pages.
http::Response get_history(api::Call& call) {
    const auto asked = read_asked(call);
    const auto page = http::read_page(call.query);
    auto& connection = call.services.connection;
    check_member(connection, call.caller().user_id, asked);
    const std::string of_row = " FROM record_history t FORCE INDEX (record_history_row)";
    const std::string condition = " WHERE t.row_id = ? AND t.collection = ?";
    const auto total = connection.query("SELECT COUNT(*)" + of_row + condition, {asked.id, asked.collection}).at(0).integer(0);
    json::Writer writer;
    writer.begin_object().name("history").begin_array();
    for (const auto& row : connection.query("SELECT t.id, t.kind, t.changed_at, u.id, u.name, t.changes" + of_row +
                                                " LEFT JOIN users u ON u.id = t.user_id" + condition +
                                                " ORDER BY t.changed_at DESC, t.id DESC LIMIT ? OFFSET ?",
                                            {asked.id, asked.collection, page.limit, page.offset()})) {
        writer.begin_object().member("id", row.uuid(0)).member("kind", row.text(1)).member("changedAt", row.time(2)).name("user");
        if (const auto user = row.opt_uuid(3))
            writer.begin_object().member("id", *user).member("name", row.text(4)).end_object();
        else
            writer.null();
        writer.name("changes").raw(row.text(5)).end_object();
    }
    writer.end_array().member("total", total).member("page", page.number).member("pages", page.pages(total)).end_object();
    return http::data(writer.text());
}

}  // namespace

std::span<const api::Route> history_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET", "/dashboard/api/history", get_history, {.access = Access::session}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
