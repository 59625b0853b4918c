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

std::string render(const StockItem& item) {
    json::Writer writer;
    write(writer, item);
    return writer.take();
}

void read(const json::Json& body, StockItem& item, fields::Reading reading) {
    read_stock_item(body, item, reading, {"id", "organisationId", "images"});
}

bool same(const StockItem& a, const StockItem& b) {
    return fields::same_fields(stock_fields(), a, b) && a.images == b.images;
}

http::ApiError reference_is_used() {
    return http::conflict("reference is used by another item");
}

// Checks of what is new, and of what takes the place of `before`.
void check_new(StockWriter& writer, StockItem& item) {
    if (!stock_may_begin(item.status)) throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new stock item");
    if (!writer.lock_images(item, nullptr)) throw unusable_image();
}

void check_changed(api::Call& call, StockWriter& writer, StockItem& item, const StockItem& before) {
    if (!writer.lock_images(item, &before)) throw unusable_image();
    if (!stock_may_move(before.status, item.status)) throw http::illegal_move(before.status, item.status);
    if (item.reference != before.reference && writer.reference_exists(item.organisation_id, item.reference))
        throw reference_is_used();
    api::check_if_match(call, render(before));
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
        read(call.body(), item, fields::Reading::create);
        StockWriter writer(transaction);
        check_new(writer, item);
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
        read(body, item, fields::Reading::change);
        check_changed(call, writer, item, before);
        try {
            return store(call, owner, writer, item, before);
        } catch (const ReferenceTaken&) {
            throw reference_is_used();
        }
    });
}

http::Response put_stock_item(api::Call& call) {
    const auto& reference = call.parameters[0];
    auto& body = call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::own_organisation(call, transaction);
        if (const auto given = body.find("reference"); given == body.end())
            body["reference"] = reference;
        else if (given->is_string() && *given != reference)
            throw http::invalid_field("reference", "must be the one in the path");

        auto item = new_item(call, owner);
        const StockKey key{owner.summary.id, reference};
        StockWriter writer(transaction);
        const auto found = writer.find({}, std::span(&key, 1));
        if (found.empty()) {
            read(body, item, fields::Reading::create);
            check_new(writer, item);
            if (call.request.header("if-match")) throw http::precondition_failed();
            return insert(writer, item);
        }
        const auto& before = found[0];
        item.id = before.id;
        item.status = before.status;
        item.created_at = before.created_at;
        item.updated_at = before.updated_at;
        read(body, item, fields::Reading::create);
        check_changed(call, writer, item, before);
        return store(call, owner, writer, item, before);
    });
}

http::Response delete_stock_item(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        api::owner_of(call, transaction, "stock_items", id, true);
        StockWriter writer(transaction);
        const auto before = find(writer, id);
        api::check_if_match(call, render(before));
        writer.remove(before, call.services.clock.now());
        return api::deleted(id);
    });
}

}  // namespace tradepost::stock
