#include "resources/stock/rows.h"

#include <map>

#include "db/sql.h"
#include "fields/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::stock {
namespace {

// `field` as the first of an item's rows has it; the others have no need of it.
std::string in_first_row(std::string list, const std::string& field) {
    return list.replace(list.find(field), field.size(), "IF(i.position > 0 OR d.position > 0, NULL, " + field + ")");
}

// From content_hash, content_type, status and source_url, which begin at `first`.
StockItem::Image read_image(const db::Row& row, const core::Uuid& id, std::size_t first) {
    StockItem::Image image;
    image.upload_id = id;
    image.status = row.text(first + 2);
    image.source_url = row.opt_text(first + 3);
    if (image.status != "READY") return image;
    image.url = uploads::upload_url(row.text(first), row.text(first + 1));
    image.thumbnail_url = uploads::thumbnail_url(row.text(first), row.text(first + 1));
    return image;
}

// From content_hash, content_type, filename and title.
StockItem::Document read_document(const db::Row& row, const core::Uuid& id, std::size_t first) {
    return {id, row.opt_text(first + 3), uploads::download_url(row.text(first), row.text(first + 1), row.text(first + 2))};
}

}  // namespace

const std::string& columns() {
    static const std::string list = "t.id, t.organisation_id" + fields::columns(stock_fields(), "t.");
    return list;
}

const std::string& columns_written() {
    static const std::string list =
        "id, organisation_id" + fields::columns(stock_fields(), "") + writes::columns<StockItem>(derived_columns());
    return list;
}

StockItem read(db::Row& row) {
    StockItem item;
    item.id = row.uuid(0);
    item.organisation_id = row.uuid(1);
    fields::read_columns(row, 2, stock_fields(), item);
    return item;
}

const std::string& columns_with_attachments() {
    static const std::string list = in_first_row(in_first_row(columns(), "t.description"), "t.attributes") +
                                    ", i.position, i.upload_id, u.content_hash, u.content_type, u.status, u.source_url, "
                                    "d.position, d.upload_id, "
                                    "f.content_hash, f.content_type, f.filename, d.title";
    return list;
}

std::vector<StockItem> read_items(db::Rows& rows) {
    const std::size_t image = 2 + stock_fields().size(), document = image + 6;
    std::map<core::Uuid, std::map<std::int64_t, StockItem::Image>> images;
    std::map<core::Uuid, std::map<std::int64_t, StockItem::Document>> documents;
    std::vector<StockItem> items;
    for (auto& row : rows) {
        const auto id = row.uuid(0);
        const auto of_image = row.opt_integer(image), of_document = row.opt_integer(document);
        if (of_image) images[id].emplace(*of_image, read_image(row, row.uuid(image + 1), image + 2));
        if (of_document) documents[id].emplace(*of_document, read_document(row, row.uuid(document + 1), document + 2));
        if (of_image.value_or(0) == 0 && of_document.value_or(0) == 0) items.push_back(read(row));
    }
    for (auto& item : items) {
        for (auto& [place, each] : images[item.id]) item.images.push_back(std::move(each));
        for (auto& [place, each] : documents[item.id]) item.documents.push_back(std::move(each));
    }
    return items;
}

void add_attachments(db::Connection& connection, std::span<StockItem> items) {
    if (items.empty()) return;
    std::map<core::Uuid, StockItem*> by_id;
    std::vector<core::Uuid> ids;
    for (auto& item : items) {
        by_id[item.id] = &item;
        ids.push_back(item.id);
    }
    const std::span<const core::Uuid> all(ids);
    db::Sql sql;
    const auto add = [&](const std::string& table, const std::string& kind, const std::string& more) {
        sql.add("SELECT STRAIGHT_JOIN a.stock_id, a.upload_id, u.content_hash, u.content_type, " + more + ", " + kind +
                " AS kind, a.position FROM " + table +
                " a FORCE INDEX (PRIMARY) JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = a.upload_id WHERE ")
            .add_in("a.stock_id", all);
    };
    add("stock_images", "0", "u.status AS status, u.source_url AS source_url");
    sql.add(" UNION ALL ");
    add("stock_documents", "1", "u.filename, a.title");
    sql.add(" ORDER BY stock_id, kind, position");
    for (const auto& row : connection.query(sql)) {
        auto& item = *by_id.at(row.uuid(0));
        if (row.integer(6) == 0)
            item.images.push_back(read_image(row, row.uuid(1), 2));
        else
            item.documents.push_back(read_document(row, row.uuid(1), 2));
    }
}

std::vector<StockItem> find_by_references(db::Connection& connection, const core::Uuid& organisation_id,
                                          std::span<const std::string> references) {
    std::vector<StockItem> items;
    if (references.empty()) return items;
    std::vector<db::Value> values{organisation_id};
    for (const auto& reference : references) values.emplace_back(db::Binary{reference});
    for (auto& row :
         connection.query("SELECT " + columns() +
                              " FROM stock_items t FORCE INDEX (stock_items_reference) WHERE t.organisation_id = ? AND "
                              "t.reference IN (" +
                              db::placeholders(references.size()) + ")",
                          values))
        items.push_back(read(row));
    add_attachments(connection, items);
    return items;
}

namespace {

std::optional<StockItem> first(db::Connection& connection, db::Rows& rows) {
    if (rows.empty()) return {};
    auto item = read(rows[0]);
    add_attachments(connection, std::span(&item, 1));
    return item;
}

}  // namespace

std::optional<StockItem> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id) {
    auto rows = connection.query("SELECT " + columns() +
                                     " FROM stock_items t FORCE INDEX (PRIMARY) JOIN memberships m FORCE INDEX (PRIMARY)"
                                     " ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
                                 {user_id, id});
    return first(connection, rows);
}

std::optional<StockItem> find_by_reference(db::Connection& connection, const core::Uuid& organisation_id,
                                           const std::string& reference) {
    auto rows = connection.query("SELECT " + columns() +
                                     " FROM stock_items t FORCE INDEX (stock_items_reference) WHERE t.organisation_id = ? AND "
                                     "t.reference = ?",
                                 {organisation_id, db::Binary{reference}});
    return first(connection, rows);
}

}  // namespace tradepost::stock
