// A whole feed as a response: one snapshot of the rows. The worker writes the lines to a file and ends the transaction, before the client
// reads: a slow one holds neither the worker nor the transaction.
#pragma once
#include "api/write.h"
#include "db/connection.h"
#include "http/conditional.h"
#include "resource/feed/body.h"
#include "resource/feed/spool.h"
#include "resource/feed/writing.h"
#include "resource/rows.h"

namespace tradepost::feeds {

template <class T>
http::Response get(api::Call& call) {
    constexpr int page = 100;
    auto& connection = call.services.connection;
    const auto organisation_id = api::queried_organisation(call);
    const auto turn = await_reading_turn(call, organisation_id);
    const db::Transaction snapshot(connection, db::Reads::as_of_the_first);
    const auto tag = tag_of(digest(connection, T::described().table, T::described().poll_index, organisation_id));
    http::Response response;
    response.set("Content-Type", media_type);
    response.set("ETag", tag);
    response.more = [] { return std::string(); };
    if (call.request.method == "HEAD" || http::evaluate(call.request, tag) != http::Preconditions::met) return response;
    Spool spool(call);
    for (std::string after;;) {
        const auto items = resource::select<T>(
            connection,
            "FORCE INDEX (" + std::string(T::described().reference_index) + ")" + std::string(resource::joins<T>()) +
                " WHERE t.organisation_id = ? AND t.reference > ? ORDER BY t.reference LIMIT ?",
            std::array{db::Value(organisation_id), db::Value(db::Binary{after}), db::Value(page)}, false);
        if (items.empty()) break;
        std::string lines;
        for (const auto& item : items) lines.append(resource::render(item)).append("\n");
        spool.add(lines);
        after = *resource::reference(items.back());
    }
    response.more = spool.reader();
    return response;
}

}  // namespace tradepost::feeds
