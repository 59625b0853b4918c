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
    for (const auto& row : rows)
        by_id.at(row.uuid(0))
            ->images.push_back(
                {row.uuid(1), domain::upload_url(row.text(2), row.text(3)), domain::thumbnail_url(row.text(2), row.text(3))});
}

}  // namespace tradepost::repo
