// A whole feed as a response: one snapshot of the rows, sent page by page, so that the worker holds one page.
#pragma once
#include <memory>
#include <optional>

#include "api/write.h"
#include "db/connection.h"
#include "resources/feeds/body.h"
#include "resources/feeds/digest.h"

namespace tradepost::feeds {

// A transaction whose reads all see the rows as its first one does.
class Snapshot {
public:
    explicit Snapshot(db::Connection& connection) : transaction_(begin(connection)) {}

private:
    static db::Connection& begin(db::Connection& connection) {
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ");  // of the next one alone
        return connection;
    }
    db::Transaction transaction_;
};

// `Kind` as in put.h.
template <class Kind>
http::Response get(api::Call& call) {
    constexpr int page = 100;
    auto& connection = call.services.connection;
    const auto organisation_id = api::queried_organisation(call);
    auto snapshot = std::make_shared<std::optional<Snapshot>>();
    snapshot->emplace(connection);
    http::Response response;
    response.set("Content-Type", media_type);
    response.set("ETag", tag_of(digest(connection, Kind::table, Kind::poll_index, organisation_id)));
    response.more = [&connection, organisation_id, snapshot, after = std::string()]() mutable {
        auto lines = Kind::lines(connection, organisation_id, after, page);
        if (lines.empty()) snapshot->reset();
        return lines;
    };
    return response;
}

}  // namespace tradepost::feeds
