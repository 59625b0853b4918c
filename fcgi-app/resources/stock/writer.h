// Writing stock.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "resources/stock/stock_item.h"
#include "writes/transaction.h"

namespace tradepost::stock {

struct StockKey {
    core::Uuid organisation_id;
    std::string reference;
};

// Another item of the organisation has the reference. As a duplicate key it lets writes::write() begin again.
class ReferenceTaken : public db::Error {
public:
    using db::Error::Error;
};

class StockWriter {
public:
    explicit StockWriter(writes::WriteTransaction& transaction)
        : transaction_(transaction), connection_(transaction.connection()) {}

    // The items with any of these ids or keys, images and documents included, locked until the transaction ends. By id.
    std::vector<StockItem> find(std::span<const core::Uuid> ids, std::span<const StockKey> keys);

    bool reference_exists(const core::Uuid& organisation_id, const std::string& reference);

    // Locks the uploads that `item` shows and `row`, which is null for a new item, does not, and those that it no longer shows;
    // sets the URLs of its images and documents. Throws 400 when one that is to be attached is not READY, of another organisation or of
    // the wrong type.
    void lock_uploads(StockItem& item, const StockItem* row);

    // As lock_uploads(), without locks and without a transaction: throws what it would throw now.
    static void check_uploads(db::Connection& connection, const StockItem& item, const StockItem* row);

    // Inserts or updates by id. `rows`: what find() gave of those that exist. Uploads must have been locked; `now` is when those
    // that nothing shows any more were detached. Throws ReferenceTaken.
    void write(std::span<const StockItem> items, std::span<const StockItem> rows, core::Time now);

    // `row` is find()'s; `now` is later than all polls of its organisation, which is locked.
    void remove(const StockItem& row, core::Time now);

    // At most `limit` rows in the order of their ids, those behind `id` only: everything, page by page.
    static std::vector<StockItem> after(db::Connection& connection, const std::optional<core::Uuid>& id, int limit);

    // Writes every row again as it is, which derives the rest of it anew; each page in a transaction of its own. Returns how many.
    static std::size_t rewrite(db::Connection& connection);

private:
    void write_images(std::span<const StockItem* const> items);
    void write_documents(std::span<const StockItem* const> items);
    void change_count(const StockItem& item, std::int64_t n);

    writes::WriteTransaction& transaction_;
    db::Connection& connection_;
};

// Writes the words of these items again. They stay locked until the transaction ends.
void write_words_again(writes::WriteTransaction& transaction, std::span<const core::Uuid> ids);

}  // namespace tradepost::stock
