#include "resources/stock/writer.h"

#include <algorithm>
#include <map>

#include "core/present.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "fields/rows.h"
#include "http/error.h"
#include "resources/stock/history.h"
#include "resources/stock/json.h"
#include "resources/stock/list.h"
#include "resources/stock/rows.h"
#include "resources/stock/words.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/fetching.h"
#include "resources/uploads/upload.h"
#include "versions/collection_versions.h"
#include "webhooks/announce.h"
#include "webhooks/webhook.h"
#include "writes/deletions.h"
#include "writes/derived.h"

namespace tradepost::stock {
namespace {

std::vector<StockItem> read_all(db::Connection& connection, db::Rows rows) {
    std::vector<StockItem> items;
    for (auto& row : rows) items.push_back(read(row));
    add_attachments(connection, items);
    return items;
}

// Uploads that the first shows and the second, which may be null, does not. Without those that are to be made.
std::vector<core::Uuid> only_in(const StockItem* one, const StockItem* other) {
    const auto shown = [](const StockItem* item) {
        std::vector<core::Uuid> ids;
        if (!item) return ids;
        for (const auto& image : item->images)
            if (!image.is_new) ids.push_back(image.upload_id);
        for (const auto& document : item->documents) ids.push_back(document.upload_id);
        return ids;
    };
    auto ids = shown(one);
    for (const auto& id : shown(other)) std::erase(ids, id);
    return ids;
}

const StockItem& or_none(const StockItem* row) {
    static const StockItem none;
    return row ? *row : none;
}

// The attachment of `before`, or null.
template <class Attachment>
const Attachment* find(const std::vector<Attachment>& before, const core::Uuid& upload_id) {
    const auto found = std::find_if(before.begin(), before.end(), [&](const auto& each) { return each.upload_id == upload_id; });
    return found == before.end() ? nullptr : &*found;
}

// Sets the URLs: those of `row` are known, the others are of `usable` ones.
void set_urls(StockItem& item, const StockItem& row, const std::map<core::Uuid, uploads::Attachable>& usable) {
    for (auto& image : item.images) {
        if (image.is_new) continue;
        if (const auto* known = find(row.images, image.upload_id)) {
            image = *known;
            continue;
        }
        const auto found = usable.find(image.upload_id);
        if (found == usable.end() || !uploads::is_image(found->second.content_type))
            throw http::invalid_field("images", "must be READY images of the same organisation");
        image.url = uploads::upload_url(found->second.content_hash, found->second.content_type);
        image.thumbnail_url = uploads::thumbnail_url(found->second.content_hash, found->second.content_type);
    }
    for (auto& document : item.documents) {
        if (const auto* known = find(row.documents, document.upload_id)) {
            document.url = known->url;
            continue;
        }
        const auto found = usable.find(document.upload_id);
        if (found == usable.end() || !uploads::is_document(found->second.content_type))
            throw http::invalid_field("documents", "must be READY PDFs of the same organisation");
        const auto& upload = found->second;
        document.url = uploads::download_url(upload.content_hash, upload.content_type, upload.filename);
    }
}

// Makes the uploads of what is to be fetched.
void begin_fetching(db::Connection& connection, std::span<const StockItem> items, core::Time now) {
    std::vector<uploads::Wanted> wanted;
    for (const auto& item : items)
        for (const auto& image : item.images)
            if (image.is_new) wanted.push_back({image.upload_id, item.organisation_id, core::present(image.source_url)});
    uploads::begin_fetching(connection, wanted, now);
}

std::string literals(const StockItem& item) {
    std::string row = db::literal(item.id) + ", " + db::literal(item.organisation_id);
    fields::append_literals(row, stock_fields(), item);
    writes::append_literals(row, derived_columns(), item);
    return row;
}

void announce(db::Connection& connection, std::span<const StockItem* const> items) {
    std::vector<webhooks::Happening> happenings;
    for (const auto* item : items)
        happenings.push_back(
            {item->organisation_id, item->updated_at, webhooks::stock_changed, [item] { return render(*item); }});
    webhooks::announce(connection, webhooks::stock_changed, happenings);
}

}  // namespace

std::vector<StockItem> StockWriter::find(std::span<const core::Uuid> ids, std::span<const StockKey> keys) {
    std::map<core::Uuid, StockItem> found;
    const auto look = [&](const char* index, const std::string& condition, std::span<const db::Value> values) {
        if (values.empty()) return;
        auto rows = connection_.query(
            "SELECT " + columns() + " FROM stock_items t FORCE INDEX (" + index + ") WHERE " + condition + " FOR UPDATE", values);
        for (auto& row : rows) found.emplace(row.uuid(0), read(row));
    };
    look("PRIMARY", "t.id IN (" + db::placeholders(ids.size()) + ")", std::vector<db::Value>(ids.begin(), ids.end()));

    std::map<core::Uuid, std::vector<db::Value>> references;
    for (const auto& key : keys) references[key.organisation_id].emplace_back(db::Binary{key.reference});
    std::string condition;
    std::vector<db::Value> values;
    for (const auto& [organisation_id, list] : references) {
        condition.append(condition.empty() ? "" : " OR ")
            .append("(t.organisation_id = ? AND t.reference IN (" + db::placeholders(list.size()) + "))");
        values.emplace_back(organisation_id);
        values.insert(values.end(), list.begin(), list.end());
    }
    look("stock_items_reference", condition, values);

    std::vector<StockItem> items;
    for (auto& [id, item] : found) items.push_back(std::move(item));
    add_attachments(connection_, items);
    return items;
}

bool StockWriter::reference_exists(const core::Uuid& organisation_id, const std::string& reference) {
    return !connection_
                .query(
                    "SELECT 1 FROM stock_items FORCE INDEX (stock_items_reference) WHERE organisation_id = ? AND reference = ?",
                    {organisation_id, db::Binary{reference}})
                .empty();
}

void StockWriter::lock_uploads(StockItem& item, const StockItem* row) {
    auto ids = only_in(row, &item);
    const auto added = only_in(&item, row);
    ids.insert(ids.end(), added.begin(), added.end());
    set_urls(item, or_none(row), uploads::Attachments(connection_).lock(item.organisation_id, ids));
    for (auto& image : item.images)
        if (image.is_new) image.upload_id = core::Uuid::v7(item.updated_at);
}

void StockWriter::check_uploads(db::Connection& connection, const StockItem& item, const StockItem* row) {
    const auto added = only_in(&item, row);
    if (added.empty()) return;
    auto checked = item;
    set_urls(checked, or_none(row), uploads::Attachments(connection).usable(item.organisation_id, added));
}

void StockWriter::write(std::span<const StockItem> items, std::span<const StockItem> rows, core::Time now) {
    if (items.empty()) return;
    std::map<core::Uuid, const StockItem*> row_of;
    for (const auto& row : rows) row_of[row.id] = &row;
    const auto table = "stock_items (" + columns_written() + ")";
    db::BulkInsert added(connection_, table), replaced(connection_, table, db::update_by_id(columns_written()));
    try {
        for (const auto& item : items) (row_of.contains(item.id) ? replaced : added).add(literals(item));
        replaced.flush();
        added.flush();
    } catch (const db::Error& error) {
        // 1048: db::update_by_id() met a row with another id.
        if (error.code == 1048 || error.is_duplicate_key()) throw ReferenceTaken(1062, "a reference is taken in stock_items");
        throw;
    }
    for (const auto& item : items) {
        if (const auto row = row_of.find(item.id); row != row_of.end()) change_count(*row->second, -1);
        change_count(item, +1);
    }
    std::vector<const StockItem*> worded, told;
    for (const auto& item : items) {
        const auto row = row_of.find(item.id);
        const bool as_it_is = row != row_of.end() && item.updated_at == row->second->updated_at;
        if (!as_it_is) told.push_back(&item);
        // An item that is written as it is has them derived anew.
        const bool keeps = row != row_of.end() && !as_it_is && same_words(item, *row->second);
        if (!keeps) worded.push_back(&item);
    }
    write_words(connection_, worded);
    std::vector<const StockItem*> with_images, with_documents;
    begin_fetching(connection_, items, now);
    uploads::Attachments attachments(connection_);
    for (const auto& item : items) {
        const auto found = row_of.find(item.id);
        const auto* row = found == row_of.end() ? nullptr : found->second;
        const bool images = !same_images(item, or_none(row)), documents = !same_documents(item, or_none(row));
        if (images) with_images.push_back(&item);
        if (documents) with_documents.push_back(&item);
        if (!images && !documents) continue;
        attachments.attach(only_in(&item, row));
        attachments.detach(only_in(row, &item), now);
    }
    write_images(with_images);
    write_documents(with_documents);
    announce(connection_, told);
    record_history(connection_, items, row_of);
    for (const auto& item : items)
        transaction_.record(versions::stock_collection, item.id, item.organisation_id, changes::Kind::written);
    transaction_.changed(versions::stock_collection);
}

void StockWriter::write_images(std::span<const StockItem* const> items) {
    if (items.empty()) return;
    std::vector<db::Value> ids;
    for (const auto* item : items) ids.emplace_back(item->id);
    connection_.execute("DELETE FROM stock_images WHERE stock_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert insert(connection_, "stock_images (stock_id, position, upload_id)");
    for (const auto* item : items)
        for (std::size_t i = 0; i < item->images.size(); ++i)
            insert.add(db::literal(item->id) + ", " + std::to_string(i) + ", " + db::literal(item->images[i].upload_id));
    insert.flush();
}

void StockWriter::write_documents(std::span<const StockItem* const> items) {
    if (items.empty()) return;
    std::vector<db::Value> ids;
    for (const auto* item : items) ids.emplace_back(item->id);
    connection_.execute("DELETE FROM stock_documents WHERE stock_id IN (" + db::placeholders(ids.size()) + ")", ids);
    db::BulkInsert insert(connection_, "stock_documents (stock_id, position, upload_id, title)");
    for (const auto* item : items)
        for (std::size_t i = 0; i < item->documents.size(); ++i)
            insert.add(db::literal(item->id) + ", " + std::to_string(i) + ", " + db::literal(item->documents[i].upload_id) +
                       ", " + db::literal(item->documents[i].title));
    insert.flush();
}

void StockWriter::remove(const StockItem& row, core::Time now) {
    const auto shown = only_in(&row, nullptr);
    uploads::Attachments attachments(connection_);
    attachments.lock(row.organisation_id, shown);
    attachments.detach(shown, now);
    connection_.execute("DELETE FROM stock_search WHERE stock_id = ?", {row.id});
    connection_.execute("DELETE FROM stock_items WHERE id = ?", {row.id});
    change_count(row, -1);
    transaction_.record(versions::stock_collection, row.id, row.organisation_id, changes::Kind::removed);
    writes::record_deletion(transaction_, {versions::stock_collection, row.id, row.organisation_id, row.reference, now});
    webhooks::announce(connection_, webhooks::stock_changed,
                       webhooks::deletion(webhooks::stock_deleted, row.id, row.organisation_id, row.reference, now));
    transaction_.changed(versions::stock_collection);
}

std::vector<StockItem> StockWriter::after(db::Connection& connection, const std::optional<core::Uuid>& id, int limit) {
    return read_all(connection, connection.query("SELECT " + columns() + " FROM stock_items t FORCE INDEX (PRIMARY) WHERE " +
                                                     (id ? "t.id > ?" : "? IS NULL") + " ORDER BY t.id LIMIT ?",
                                                 {id, limit}));
}

void write_words_again(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids) {
    const auto items = StockWriter(transaction).find(ids, {});
    std::vector<const StockItem*> all;
    for (const auto& item : items) all.push_back(&item);
    write_words(transaction.connection(), all);
}

std::size_t StockWriter::rewrite(db::Connection& connection) {
    std::size_t count = 0;
    for (std::optional<core::Uuid> last;;) {
        std::vector<core::Uuid> ids;
        for (const auto& row : connection.query("SELECT id FROM stock_items FORCE INDEX (PRIMARY) WHERE " +
                                                    std::string(last ? "id > ?" : "? IS NULL") + " ORDER BY id LIMIT 200",
                                                {last}))
            ids.push_back(row.uuid(0));
        if (ids.empty()) return count;
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            StockWriter writer(transaction);
            const auto rows = writer.find(ids, {});
            writer.write(rows, rows, {});
        });
        count += ids.size();
        last = ids.back();
    }
}

void StockWriter::change_count(const StockItem& item, std::int64_t n) {
    const auto& table = counted_table();
    const auto row = table.of([&](std::string_view column) {
        return column == "organisation_id" ? writes::cell(item.organisation_id)
                                           : writes::cell<StockItem>(column, stock_fields(), derived_columns(), item);
    });
    table.count(transaction_.counts(table.name()), row, n);
}

}  // namespace tradepost::stock
