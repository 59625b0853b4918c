#include "resources/stock/handlers.h"

#include "api/write.h"
#include "http/error.h"
#include "json/parse.h"
#include "lists/lists.h"
#include "resources/stock/json.h"
#include "resources/stock/list.h"
#include "resources/stock/rows.h"
#include "resources/stock/writer.h"

namespace tradepost::stock {
namespace {

void read_item(const json::Json& body, StockItem& item, fields::Reading reading) {
    read_stock_item(body, item, reading, {"id", "organisationId", "images", "documents"});
}

bool same(const StockItem& a, const StockItem& b) {
    return fields::same_fields(stock_fields(), a, b) && same_attachments(a, b);
}

http::ApiError reference_is_used() {
    return http::conflict("reference is used by another item");
}

// The answer to a change; nothing is written when nothing differs.
http::Response store(api::Call& call, const writes::OwnOrganisation& owner, StockWriter& writer, StockItem& item,
                     const StockItem& before) {
    if (same(item, before)) return api::current(render(before));
    item.updated_at = api::next_update(call, owner, before.updated_at);
    writer.write(std::span(&item, 1), std::span(&before, 1), item.updated_at);
    return api::current(render(item));
}

http::Response insert(StockWriter& writer, const StockItem& item) {
    writer.write(std::span(&item, 1), {}, item.updated_at);
    return api::created("/api/v1/stock/" + item.id.to_string(), render(item));
}

StockItem new_item(api::Call& call, const writes::OwnOrganisation& owner) {
    StockItem item;
    item.created_at = item.updated_at = api::next_update(call, owner);
    item.id = core::Uuid::v7(item.created_at);
    item.organisation_id = owner.summary.id;
    return item;
}

StockItem find(StockWriter& writer, const core::Uuid& id) {
    const auto found = writer.find(std::span(&id, 1), {});
    if (found.empty()) throw http::not_found();
    return found[0];
}

std::vector<StockItem> find(StockWriter& writer, const writes::OwnOrganisation& owner, const std::string& reference) {
    const StockKey key{owner.summary.id, reference};
    return writer.find({}, std::span(&key, 1));
}

http::Response remove(api::Call& call, const writes::OwnOrganisation& owner, StockWriter& writer, const StockItem& item) {
    api::check_if_match(call, render(item));
    writer.remove(item, api::next_update(call, owner, item.updated_at));
    return api::deleted(item.id);
}

}  // namespace

http::Response list_stock(api::Call& call) {
    const auto organisation_id = lists::read_id(call.query, "organisationId");
    return call.services.lists.answer(member_list(), call.request, call.query,
                                      [&] { return api::own_organisations(call, organisation_id); });
}

http::Response get_stock_facets(api::Call& call) {
    const auto organisation_id = lists::read_id(call.query, "organisationId");
    return call.services.lists.facets(member_list(), call.request, call.query,
                                      [&] { return api::own_organisations(call, organisation_id); });
}

http::Response get_stock_item(api::Call& call) {
    const auto item = find_of_member(call.services.reads, call.caller().user_id, api::path_id(call));
    if (!item) throw http::not_found();
    return http::data(render(*item));
}

http::Response create_stock_item(api::Call& call) {
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        auto item = new_item(call, api::own_organisation(call, transaction));
        read_item(call.body(), item, fields::Reading::create);
        StockWriter writer(transaction);
        if (!stock_may_begin(item.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new stock item");
        writer.lock_uploads(item, nullptr);
        try {
            return insert(writer, item);
        } catch (const ReferenceTaken&) {
            throw reference_is_used();
        }
    });
}

http::Response change_stock_item(api::Call& call) {
    const auto id = api::path_id(call);
    const auto& body = call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "stock_items", id);
        StockWriter writer(transaction);
        const auto before = find(writer, id);
        auto item = before;
        read_item(body, item, fields::Reading::change);
        writer.lock_uploads(item, &before);
        if (!stock_may_move(before.status, item.status)) throw http::illegal_move(before.status, item.status);
        if (item.reference != before.reference && writer.reference_exists(item.organisation_id, item.reference))
            throw reference_is_used();
        api::check_if_match(call, render(before));
        try {
            return store(call, owner, writer, item, before);
        } catch (const ReferenceTaken&) {
            throw reference_is_used();
        }
    });
}

http::Response put_stock_item(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::own_organisation(call, transaction);
        const auto& body = api::body_with_reference(call);
        StockWriter writer(transaction);
        const auto found = find(writer, owner, call.parameters[0]);
        const auto* before = found.empty() ? nullptr : &found[0];
        auto item = read_put(body, new_item(call, owner), before);
        writer.lock_uploads(item, before);
        if (!before) {
            if (call.request.header("if-match")) throw http::precondition_failed();
            return insert(writer, item);
        }
        check_put(item, *before);
        api::check_if_match(call, render(*before));
        return store(call, owner, writer, item, *before);
    });
}

http::Response get_stock_item_by_reference(api::Call& call) {
    const auto item = find_by_reference(call.services.reads, api::queried_organisation(call), call.parameters[0]);
    if (!item) throw http::not_found();
    return http::data(render(*item));
}

http::Response delete_stock_item(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "stock_items", id, true);
        StockWriter writer(transaction);
        return remove(call, owner, writer, find(writer, id));
    });
}

http::Response delete_stock_item_by_reference(api::Call& call) {
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::queried_organisation(call, transaction, true);
        StockWriter writer(transaction);
        const auto found = find(writer, owner, call.parameters[0]);
        if (found.empty()) throw http::not_found();
        return remove(call, owner, writer, found[0]);
    });
}

}  // namespace tradepost::stock
