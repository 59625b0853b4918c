#include "repo/stock_row.h"

#include <map>

#include "domain/upload.h"
#include "repo/content_writer.h"
#include "repo/listing.h"

namespace tradepost::repo {
namespace {

std::string columns(std::string_view prefix) {
    std::string list;
    for (const std::string_view key : {"id", "organisation_id"}) list.append(list.empty() ? "" : ", ").append(prefix).append(key);
    for (const auto& field : domain::stock_fields()) list.append(", ").append(prefix).append(stock_column(field.name));
    return list;
}

// `field` as the first of an item's rows has it; the others have no need of it.
std::string in_first_row(std::string list, const std::string& field) {
    return list.replace(list.find(field), field.size(), "IF(i.position > 0, NULL, " + field + ")");
}

domain::StockItem::Image read_image(const db::Row& row, std::size_t first) {
    return {row.uuid(first), domain::upload_url(row.text(first + 1), row.text(first + 2)),
            domain::thumbnail_url(row.text(first + 1), row.text(first + 2))};
}

}  // namespace

std::string stock_column(std::string_view field) {
    return field == "condition" ? "item_condition" : column_name(field);  // CONDITION is a word of SQL
}

const std::string& stock_columns() {
    static const std::string list = columns("t.");
    return list;
}

const std::string& stock_columns_written() {
    static const std::string list = columns("");
    return list;
}

domain::StockItem read_stock_item(const db::Row& row) {
    domain::StockItem item;
    item.id = row.uuid(0);
    item.organisation_id = row.uuid(1);
    std::size_t at = 2;
    for (const auto& field : domain::stock_fields())
        std::visit([&](auto member) { detail::read(row, at++, item.*member); }, field.member);
    return item;
}

void add_images(db::Connection& connection, std::span<domain::StockItem> items) {
    if (items.empty()) return;
    std::map<core::Uuid, domain::StockItem*> by_id;
    std::vector<db::Value> ids;
    for (auto& item : items) {
        by_id[item.id] = &item;
        ids.emplace_back(item.id);
    }
    const auto rows = connection.query(
        "SELECT STRAIGHT_JOIN i.stock_id, i.upload_id, u.content_hash, u.content_type FROM stock_images i FORCE INDEX (PRIMARY) "
        "JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = i.upload_id WHERE i.stock_id IN (" +
            placeholders(ids.size()) + ") ORDER BY i.stock_id, i.position",
        ids);
    for (const auto& row : rows) by_id.at(row.uuid(0))->images.push_back(read_image(row, 1));
}

const std::string& stock_columns_with_images() {
    static const std::string list = in_first_row(in_first_row(stock_columns(), "t.description"), "t.attributes") +
                                    ", i.position, i.upload_id, u.content_hash, u.content_type";
    return list;
}

const char* stock_images() {
    return " LEFT JOIN stock_images i FORCE INDEX (PRIMARY) ON i.stock_id = t.id LEFT JOIN uploads u FORCE INDEX (PRIMARY) ON u.id = i.upload_id";
}

std::vector<domain::StockItem> read_stock_items(const db::Rows& rows) {
    static const std::size_t position = 2 + domain::stock_fields().size();
    std::map<core::Uuid, std::map<std::int64_t, domain::StockItem::Image>> images;
    std::vector<domain::StockItem> items;
    for (const auto& row : rows) {
        if (row.is_null(0)) continue;
        const auto place = row.opt_integer(position);
        if (place) images[row.uuid(0)].emplace(*place, read_image(row, position + 1));
        if (place.value_or(0) == 0) items.push_back(read_stock_item(row));
    }
    for (auto& item : items)
        for (auto& [place, image] : images[item.id]) item.images.push_back(std::move(image));
    return items;
}

}  // namespace tradepost::repo
