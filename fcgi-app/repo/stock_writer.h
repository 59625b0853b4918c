// Writing stock.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/stock_item.h"
#include "repo/stock_counts.h"

namespace tradepost::repo {

struct StockKey {
    core::Uuid organisation_id;
    std::string reference;
};

// Another item of the organisation has the reference. As a duplicate key it lets Changes::run() begin again.
class ReferenceTaken : public db::Error {
public:
    using db::Error::Error;
};

// One object serves one transaction. Borrows the connection.
class StockWriter {
public:
    explicit StockWriter(db::Connection& connection) : connection_(connection) {}

    // The items with any of these ids or keys, images included, locked until the transaction ends. By id.
    std::vector<domain::StockItem> find(std::span<const core::Uuid> ids, std::span<const StockKey> keys);

    bool reference_exists(const core::Uuid& organisation_id, const std::string& reference);

    // Locks the uploads that `item` shows and `row`, which is null for a new item, does not, and those that it no longer shows;
    // sets the URLs of its images. False when one that is to be attached is no READY image of the organisation.
    bool lock_images(domain::StockItem& item, const domain::StockItem* row);

    // Inserts or updates by id. `rows`: what find() gave of those that exist. Images must have been locked; `now` is when those
    // that nothing shows any more were detached. Throws ReferenceTaken.
    void write(std::span<const domain::StockItem> items, std::span<const domain::StockItem> rows, core::Time now);

    // `row` is find()'s.
    void remove(const domain::StockItem& row, core::Time now);

    // Says what readers will see of it: the counts and the list's version. Call it last: their rows stay locked until the commit.
    void finish();

    // At most `limit` rows in the order of their ids, those behind `id` only: everything, page by page.
    std::vector<domain::StockItem> after(const std::optional<core::Uuid>& id, int limit);

private:
    void write_images(std::span<const domain::StockItem* const> items);
    db::Connection& connection_;
    CountChanges counts_{StockTable::name};
};

}  // namespace tradepost::repo
