#include "api/stock.h"

#include "api/list.h"
#include "api/polling.h"
#include "api/stock_fields.h"
#include "api/write.h"
#include "http/error.h"

namespace tradepost::api {
namespace {

using domain::StockItem;

void write(json::Writer& writer, const StockItem& item) {
    writer.begin_object().member("id", item.id).member("organisationId", item.organisation_id);
    write_stock_fields(writer, item);
    writer.end_object();
}

std::string render(const StockItem& item) {
    json::Writer writer;
    write(writer, item);
    return writer.take();
}

void read(const json::Json& body, StockItem& item, json::Reading reading) {
    read_stock_item(body, item, reading, {"id", "organisationId", "images"});
}

bool same(const StockItem& a, const StockItem& b) {
    return domain::same_fields(domain::stock_fields(), a, b) && a.images == b.images;
}

http::ApiError reference_is_used() {
    return http::conflict("reference is used by another item");
}

// Checks of what is new, and of what takes the place of `before`.
void check_new(Call& call, StockItem& item) {
    if (!domain::stock_may_begin(item.status))
        throw http::invalid_field("status", "must be DRAFT or PUBLISHED in a new stock item");
    if (!call.services.changes.stock().lock_images(item, nullptr)) throw unusable_image();
}

void check_changed(Call& call, StockItem& item, const StockItem& before) {
    auto writer = call.services.changes.stock();
    if (!writer.lock_images(item, &before)) throw unusable_image();
    if (!domain::stock_may_move(before.status, item.status)) throw http::illegal_move(before.status, item.status);
    if (item.reference != before.reference && writer.reference_exists(item.organisation_id, item.reference))
        throw reference_is_used();
    check_if_match(call, render(before));
}

// The answer to a change; nothing is written when nothing differs.
http::Response store(Call& call, StockItem& item, const StockItem& before) {
    if (same(item, before)) return current(render(before));
    item.updated_at = next_update(call, before.updated_at);
    auto writer = call.services.changes.stock();
    writer.write(std::span(&item, 1), std::span(&before, 1), item.updated_at);
    writer.finish();
    return current(render(item));
}

http::Response insert(Call& call, const StockItem& item) {
    auto writer = call.services.changes.stock();
    writer.write(std::span(&item, 1), {}, item.updated_at);
    writer.finish();
    return created("/api/v1/stock/" + item.id.to_string(), render(item));
}

StockItem new_item(Call& call, const core::Uuid& organisation_id) {
    StockItem item;
    item.created_at = item.updated_at = call.services.clock.now();
    item.id = core::Uuid::v7(item.created_at);
    item.organisation_id = organisation_id;
    return item;
}

StockItem find(Call& call, const core::Uuid& id) {
    const auto found = call.services.changes.stock().find(std::span(&id, 1), {});
    if (found.empty()) throw http::not_found();
    return found[0];
}

// The stock of some organisations, as list() wants it.
struct OwnStockList {
    repo::Stock& stock;
    std::vector<core::Uuid> organisations;

    std::pair<std::vector<StockItem>, repo::Count> list(const repo::StockFilter& filter, repo::Slice slice, const repo::Count* known) {
        auto page = stock.list(organisations, filter, slice, known ? std::optional(known->total) : std::nullopt);
        repo::Count count;
        count.total = page.total;
        return {std::move(page.items), count};
    }
};

// Nobody else asks for the same: nothing is remembered.
http::Response poll(Call& call, OwnStockList& stock, const repo::StockFilter& filter, const http::Page& page) {
    const auto [found, count] = stock.list(filter, {page.offset(), page.limit}, nullptr);
    json::Writer items;
    items.begin_array();
    for (const auto& item : found) write(items, item);
    items.end_array();
    return page_of_list(call, repo::stock_collection, items.text(), page, count.total, filter.updated_until);
}

}  // namespace

http::Response list_stock(Call& call) {
    repo::StockFilter filter;
    const auto asked = read_id(call.query, "organisationId");
    filter.statuses = codes(call.query, "status");
    filter.availabilities = codes(call.query, "availability");
    filter.references = texts(call.query, "reference");
    filter.updated_since = read_updated_since(call.query);
    const auto page = http::read_page(call.query);

    OwnStockList stock{call.services.stock, own_organisations(call, asked)};
    if (filter.updated_since) {
        filter.updated_until = call.services.changes.horizon(stock.organisations, call.services.clock);
        return poll(call, stock, filter, page);
    }
    ListKey key(repo::stock_collection, call.query, {"status", "availability", "reference"});
    for (const auto& id : stock.organisations) key.text += id.bytes();
    auto response = list(call, key, stock, filter, write);
    set_next_poll(call, response, {});
    return response;
}

http::Response get_stock_item(Call& call) {
    const auto item = call.services.stock.find(call.principal->user_id, path_id(call));
    if (!item) throw http::not_found();
    return http::data(render(*item));
}

http::Response create_stock_item(Call& call) {
    return create(call, [&] {
        auto item = new_item(call, own_organisation(call).summary.id);
        read(call.body(), item, json::Reading::create);
        check_new(call, item);
        try {
            return insert(call, item);
        } catch (const repo::ReferenceTaken&) {
            throw reference_is_used();
        }
    });
}

http::Response change_stock_item(Call& call) {
    const auto id = path_id(call);
    const auto& body = call.body();
    return change(call, [&] {
        owner_of(call, repo::Owned::stock, id);
        const auto before = find(call, id);
        auto item = before;
        read(body, item, json::Reading::change);
        check_changed(call, item, before);
        try {
            return store(call, item, before);
        } catch (const repo::ReferenceTaken&) {
            throw reference_is_used();
        }
    });
}

http::Response put_stock_item(Call& call) {
    const auto& reference = call.parameters[0];
    auto& body = call.body();
    return change(call, [&] {
        const auto organisation_id = own_organisation(call).summary.id;
        if (const auto given = body.find("reference"); given == body.end())
            body["reference"] = reference;
        else if (given->is_string() && *given != reference)
            throw http::invalid_field("reference", "must be the one in the path");

        auto item = new_item(call, organisation_id);
        const repo::StockKey key{organisation_id, reference};
        const auto found = call.services.changes.stock().find({}, std::span(&key, 1));
        if (found.empty()) {
            read(body, item, json::Reading::create);
            check_new(call, item);
            if (call.request.header("if-match")) throw http::precondition_failed();
            return insert(call, item);
        }
        const auto& before = found[0];
        item.id = before.id;
        item.status = before.status;
        item.created_at = before.created_at;
        item.updated_at = before.updated_at;
        read(body, item, json::Reading::create);
        check_changed(call, item, before);
        return store(call, item, before);
    });
}

http::Response delete_stock_item(Call& call) {
    const auto id = path_id(call);
    return change(call, [&] {
        owner_of(call, repo::Owned::stock, id, true);
        const auto before = find(call, id);
        check_if_match(call, render(before));
        auto writer = call.services.changes.stock();
        writer.remove(before, call.services.clock.now());
        writer.finish();
        return deleted(id);
    });
}

}  // namespace tradepost::api
