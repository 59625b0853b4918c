#include "resources/stock/writer.h"

#include <algorithm>
#include <map>

#include "db/bulk_insert.h"
#include "db/sql.h"
#include "fields/rows.h"
#include "resources/stock/list.h"
#include "resources/stock/rows.h"
#include "resources/stock/words.h"
#include "resources/uploads/attachments.h"
#include "versions/collection_versions.h"
#include "writes/derived.h"

namespace tradepost::stock {
namespace {

std::vector<StockItem> read_all(db::Connection& connection, db::Rows rows) {
    std::vector<StockItem> items;
    for (auto& row : rows) items.push_back(read(row));
    add_images(connection, items);
    return items;
}

// uploads::Uploads that the first shows and the second, which may be null, does not.
std::vector<core::Uuid> only_in(const StockItem* one, const StockItem* other) {
    std::vector<core::Uuid> ids;
    if (!one) return ids;
    for (const auto& image : one->images) {
        const auto same = [&](const auto& i) { return i.upload_id == image.upload_id; };
        if (!other || std::none_of(other->images.begin(), other->images.end(), same)) ids.push_back(image.upload_id);
    }
    return ids;
}

bool same_images(const StockItem& item, const StockItem* row) {
    const auto same = [](const auto& a, const auto& b) { return a.upload_id == b.upload_id; };
    if (!row) return item.images.empty();
    return std::equal(item.images.begin(), item.images.end(), row->images.begin(), row->images.end(), same);
}

std::string literals(const StockItem& item) {
    std::string row = db::literal(item.id) + ", " + db::literal(item.organisation_id);
    fields::append_literals(row, stock_fields(), item);
    writes::append_literals(row, derived_columns(), item);
    return row;
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
    add_images(connection_, items);
    return items;
}

bool StockWriter::reference_exists(const core::Uuid& organisation_id, const std::string& reference) {
    return !connection_
                .query(
                    "SELECT 1 FROM stock_items FORCE INDEX (stock_items_reference) WHERE organisation_id = ? AND reference = ?",
                    {organisation_id, db::Binary{reference}})
                .empty();
}

bool StockWriter::lock_images(StockItem& item, const StockItem* row) {
    auto ids = only_in(row, &item);
    const auto added = only_in(&item, row);
    ids.insert(ids.end(), added.begin(), added.end());
    const auto usable = uploads::Attachments(connection_).lock(item.organisation_id, ids);
    for (auto& image : item.images) {
        if (std::find(added.begin(), added.end(), image.upload_id) == added.end()) {
            image = *std::find_if(row->images.begin(), row->images.end(),
                                  [&](const auto& i) { return i.upload_id == image.upload_id; });
            continue;
        }
        const auto found = usable.find(image.upload_id);
        if (found == usable.end()) return false;
        image.url = found->second.url;
        image.thumbnail_url = found->second.thumbnail_url;
    }
    return true;
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
    write_words(connection_, items);
    std::vector<const StockItem*> changed;
    uploads::Attachments attachments(connection_);
    for (const auto& item : items) {
        const auto found = row_of.find(item.id);
        const auto* row = found == row_of.end() ? nullptr : found->second;
        if (same_images(item, row)) continue;
        changed.push_back(&item);
        attachments.attach(only_in(&item, row));
        attachments.detach(only_in(row, &item), now);
    }
    write_images(changed);
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

void StockWriter::remove(const StockItem& row, core::Time now) {
    const auto shown = only_in(&row, nullptr);
    uploads::Attachments attachments(connection_);
    attachments.lock(row.organisation_id, shown);
    attachments.detach(shown, now);
    connection_.execute("DELETE FROM stock_search WHERE stock_id = ?", {row.id});
    connection_.execute("DELETE FROM stock_items WHERE id = ?", {row.id});
    change_count(row, -1);
    transaction_.record(versions::stock_collection, row.id, row.organisation_id, changes::Kind::removed);
    transaction_.changed(versions::stock_collection);
}

std::vector<StockItem> StockWriter::after(db::Connection& connection, const std::optional<core::Uuid>& id, int limit) {
    return read_all(connection, connection.query("SELECT " + columns() + " FROM stock_items t FORCE INDEX (PRIMARY) WHERE " +
                                                     (id ? "t.id > ?" : "? IS NULL") + " ORDER BY t.id LIMIT ?",
                                                 {id, limit}));
}

void write_words_again(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids) {
    write_words(transaction.connection(), StockWriter(transaction).find(ids, {}));
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
