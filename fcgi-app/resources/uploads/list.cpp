// GET /uploads: what the caller's organisations have sent, so that a client that was interrupted finds it again.
#include <algorithm>

#include "api/write.h"
#include "http/pagination.h"
#include "lists/selection.h"
#include "resources/uploads/handlers.h"
#include "resources/uploads/json.h"
#include "resources/uploads/rows.h"

namespace tradepost::uploads {
namespace {

// The engine of lists has no use for the rest: what an upload looks like depends on the caller.
const lists::List& list() {
    static const lists::Filter status{.parameter = "status", .compare = lists::Compare::code, .column = "status"};
    static const lists::List list{.name = "uploads",
                                  .collection = "uploads",
                                  .table = "uploads",
                                  .scope = "organisation_id",
                                  .index = "uploads_list",
                                  .order = "created_at",
                                  .filters = std::span(&status, 1),
                                  .columns = {},
                                  .write = nullptr};
    return list;
}

std::string render(api::Call& call, std::span<const Upload> uploads, http::Page page, std::int64_t total) {
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name("uploads").begin_array();
    for (const auto& upload : uploads) write(writer, call, upload, ticket_key(call));
    writer.end_array().member("total", total).member("page", page.number).member("pages", page.pages(total));
    writer.end_object().end_object();
    return writer.take();
}

}  // namespace

http::Response list_uploads(api::Call& call) {
    const auto named = lists::read_id(call.query, "organisationId");
    auto selection = lists::select(list(), call.query);
    const auto page = http::read_page(call.query);
    selection.owners = api::own_organisations(call, named);
    std::int64_t total = 0;
    std::vector<Upload> found;
    if (!selection.is_empty()) {
        Uploads rows(call.services.reads);
        // What is being fetched is none yet: uploads/fetching.h.
        std::vector<std::string> statuses{"PENDING", "READY"};
        if (!selection.chosen.empty())
            std::erase_if(statuses, [&](const auto& status) { return !std::ranges::count(selection.chosen[0].texts, status); });
        if (!statuses.empty()) total = rows.count(selection.owners, statuses);
        if (page.offset() < total) found = rows.page(selection.owners, statuses, {page.offset(), page.limit});
    }
    http::Response response;
    response.body = render(call, found, page, total);
    http::add_page_headers(response, call.services.config.http.base_url + "/api/v1/uploads", call.query, page, total);
    return response;
}

}  // namespace tradepost::uploads
