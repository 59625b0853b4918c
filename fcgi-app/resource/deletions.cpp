#include "resource/deletions.h"

#include "api/write.h"
#include "db/sql.h"
#include "http/error.h"
#include "http/pagination.h"
#include "json/writer.h"
#include "lists/horizon.h"
#include "lists/selection.h"
#include "writes/deletions.h"

namespace tradepost::resource {
namespace {

struct Asked {
    std::string_view collection;
    std::vector<core::Uuid> organisations;
    core::Time since, until;  // both inclusive
    std::optional<lists::Position> position;
    http::Page page;
};

core::Time read_since(const api::Call& call) {
    const auto since = call.query.time("since");
    if (!since) throw http::invalid_query("since", "is required");
    if (*since < call.services.clock.now() - writes::deletions_are_shown)
        throw http::ApiError(410, "Gone: start again from the list");
    return *since;
}

db::Sql conditions(const Asked& asked) {
    db::Sql sql("t.collection = ? AND ", {asked.collection});
    sql.add_in("t.organisation_id", std::span<const core::Uuid>(asked.organisations));
    return sql.add(" AND t.deleted_at >= ? AND t.deleted_at <= ?", {asked.since, asked.until});
}

constexpr std::string_view table = " FROM deletions t FORCE INDEX (deletions_organisation) WHERE ";

// The last first, one more than the page holds.
db::Rows rows(db::Connection& connection, const Asked& asked) {
    db::Sql sql("SELECT t.id, t.row_id, t.organisation_id, t.reference, t.deleted_at" + std::string(table));
    sql.add(conditions(asked));
    if (const auto& last = asked.position)
        sql.add(" AND (t.deleted_at < ? OR (t.deleted_at = ? AND t.id < ?))", {last->time, last->time, last->id});
    sql.add(" ORDER BY t.deleted_at DESC, t.id DESC LIMIT ? OFFSET ?",
            {asked.page.limit + 1, asked.position ? 0 : asked.page.offset()});
    return connection.query(sql);
}

std::int64_t total(db::Connection& connection, const Asked& asked) {
    db::Sql sql("SELECT COUNT(*)" + std::string(table));
    return connection.query(sql.add(conditions(asked))).at(0).integer(0);
}

std::string render(const Asked& asked, const db::Rows& rows, std::int64_t total) {
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name("deletions").begin_array();
    for (const auto& row : rows)
        writer.begin_object()
            .member("id", row.uuid(1))
            .member("organisationId", row.uuid(2))
            .member("reference", row.opt_text(3))
            .member("deletedAt", row.time(4))
            .end_object();
    writer.end_array().member("total", total).member("page", asked.page.number).member("pages", asked.page.pages(total));
    writer.end_object().end_object();
    return writer.take();
}

}  // namespace

http::Response list_deletions(api::Call& call, std::string_view collection) {
    const auto named = lists::read_id(call.query, "organisationId");
    Asked asked{collection, {}, read_since(call), {}, {}, http::read_page(call.query)};
    if (const auto position = call.query.filter("position")) {
        asked.position = lists::Position::parse(*position);
        if (!asked.position || asked.position->time == lists::no_time)
            throw http::invalid_query("position", "must be that of a next link");
    }
    asked.organisations = api::own_organisations(call, named);
    auto& connection = call.services.connection;
    asked.until = asked.position
                      ? asked.position->until
                      : lists::horizon(connection, "deletions", asked.organisations, call.services.clock, "deleted_at");
    db::Rows found;
    std::int64_t count = 0;
    if (!asked.organisations.empty()) {
        found = rows(connection, asked);
        count = total(connection, asked);
    }
    http::NextOfPoll next{found.size() > std::size_t(asked.page.limit), {}};
    if (next.exists) {
        found.pop_back();
        next.position = lists::Position{asked.until, found.back().time(4), found.back().uuid(0)}.to_string();
    }
    http::Response response;
    response.body = render(asked, found, count);
    response.set("X-Next-Updated-Since", core::to_rfc3339(asked.until));
    http::add_page_headers(response, call.services.config.http.base_url + "/api/v1/" + std::string(collection) + "/deletions",
                           call.query, asked.page, count, &next);
    return response;
}

}  // namespace tradepost::resource
