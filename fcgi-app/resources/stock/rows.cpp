#include "resources/stock/rows.h"

#include <map>

#include "db/sql.h"
#include "fields/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::stock {
namespace {

// `field` as the first of an item's rows has it; the others have no need of it.
std::string in_first_row(std::string list, const std::string& field) {
    return list.replace(list.find(field), field.size(), "IF(i.position > 0, NULL, " + field + ")");
}

StockItem::Image read_image(const db::Row& row, std::size_t first) {
    return {row.uuid(first), uploads::upload_url(row.text(first + 1), row.text(first + 2)),
            uploads::thumbnail_url(row.text(first + 1), row.text(first + 2))};
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

const std::string& columns_with_images() {
    static const std::string list = in_first_row(in_first_row(columns(), "t.description"), "t.attributes") +
                                    ", i.position, i.upload_id, u.content_hash, u.content_type";
    return list;
}

std::vector<StockItem> read_items(db::Rows& rows) {
    const std::size_t position = 2 + stock_fields().size();
    std::map<core::Uuid, std::map<std::int64_t, StockItem::Image>> images;
    std::vector<StockItem> items;
    for (auto& row : rows) {
        const auto place = row.opt_integer(position);
        if (place) images[row.uuid(0)].emplace(*place, read_image(row, position + 1));
        if (place.value_or(0) == 0) items.push_back(read(row));
    }
    for (auto& item : items)
        for (auto& [place, image] : images[item.id]) item.images.push_back(std::move(image));
    return items;
}

void add_images(db::Connection& connection, std::span<StockItem> items) {
    if (items.empty()) return;
    std::map<core::Uuid, StockItem*> by_id;
    std::vector<core::Uuid> ids;
    for (auto& item : items) {
        by_id[item.id] = &item;
        ids.push_back(item.id);
    }
    db::Sql sql(
        "SELECT STRAIGHT_JOIN i.stock_id, i.upload_id, u.content_hash, u.content_type FROM stock_images i FORCE INDEX (PRIMARY) "
        "JOIN "
        "uploads u FORCE INDEX (PRIMARY) ON u.id = i.upload_id WHERE ");
    sql.add_in("i.stock_id", std::span<const core::Uuid>(ids)).add(" ORDER BY i.stock_id, i.position");
    for (const auto& row : connection.query(sql)) by_id.at(row.uuid(0))->images.push_back(read_image(row, 1));
}

std::optional<StockItem> find_of_member(db::Connection& connection, const core::Uuid& user_id, const core::Uuid& id) {
    auto rows = connection.query("SELECT " + columns() +
                                     " FROM stock_items t FORCE INDEX (PRIMARY) JOIN memberships m FORCE INDEX (PRIMARY)"
                                     " ON m.organisation_id = t.organisation_id AND m.user_id = ? WHERE t.id = ?",
                                 {user_id, id});
    if (rows.empty()) return {};
    auto item = read(rows[0]);
    add_images(connection, std::span(&item, 1));
    return item;
}

}  // namespace tradepost::stock
