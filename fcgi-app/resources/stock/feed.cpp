#include "resources/stock/feed.h"

#include "db/sql.h"
#include "fields/json.h"
#include "resources/feeds/get.h"
#include "resources/feeds/put.h"
#include "resources/stock/json.h"
#include "resources/stock/rows.h"
#include "resources/stock/writer.h"

namespace tradepost::stock {
namespace {

struct Feed {
    using Item = StockItem;
    static constexpr std::string_view table = "stock_items", poll_index = "stock_items_poll";
    static constexpr bool counts_are_own = true;

    static std::vector<StockItem> find(db::Connection& connection, const core::Uuid& organisation_id,
                                       std::span<const std::string> references) {
        return find_by_references(connection, organisation_id, references);
    }

    // The ids and references of the next items in the order of their references.
    static std::vector<std::pair<core::Uuid, std::string>> not_archived(db::Connection& connection,
                                                                        const core::Uuid& organisation_id,
                                                                        const std::string& after, int limit) {
        std::vector<std::pair<core::Uuid, std::string>> found;
        for (const auto& row : connection.query("SELECT id, reference FROM stock_items FORCE INDEX (stock_items_reference) WHERE "
                                                "organisation_id = ? AND reference > "
                                                "? AND status <> 'ARCHIVED' ORDER BY reference LIMIT ?",
                                                {organisation_id, db::Binary{after}, limit}))
            found.emplace_back(row.uuid(0), row.text(1));
        return found;
    }

    // The next items in the order of their references, as lines; moves `after` on.
    static std::string lines(db::Connection& connection, const core::Uuid& organisation_id, std::string& after, int limit) {
        std::vector<StockItem> items;
        for (auto& row :
             connection.query("SELECT " + columns() +
                                  " FROM stock_items t FORCE INDEX (stock_items_reference) WHERE t.organisation_id = ? "
                                  "AND t.reference > ? ORDER BY t.reference LIMIT ?",
                              {organisation_id, db::Binary{after}, limit}))
            items.push_back(read(row));
        add_attachments(connection, items);
        std::string text;
        for (const auto& item : items) {
            json::Writer writer;
            stock::write(writer, item);
            text.append(writer.text()).append("\n");
        }
        if (!items.empty()) after = items.back().reference;
        return text;
    }

    static const std::string& reference(const StockItem& item) { return item.reference; }

    static StockItem put(const json::Json& body, const StockItem* before, const core::Uuid& organisation_id) {
        StockItem fresh;
        fresh.organisation_id = organisation_id;
        auto item = read_put(body, fresh, before);
        if (before) check_put(item, *before);
        return item;
    }

    static bool same(const StockItem& a, const StockItem& b) {
        return fields::same_fields(stock_fields(), a, b) && same_attachments(a, b);
    }

    static void check(db::Connection& connection, const StockItem& item, const StockItem* before) {
        StockWriter::check_uploads(connection, item, before);
    }

    static void archive(StockItem& item) { item.status = "ARCHIVED"; }

    class Writer {
    public:
        Writer(writes::WriteTransaction& transaction, const writes::OwnOrganisation&) : writer_(transaction) {}

        std::vector<StockItem> find(std::span<const core::Uuid> ids) { return writer_.find(ids, {}); }
        std::vector<StockItem> find(const core::Uuid& organisation_id, std::span<const std::string> references) {
            std::vector<StockKey> keys;
            for (const auto& reference : references) keys.push_back({organisation_id, reference});
            return writer_.find({}, keys);
        }
        void settle(StockItem& item, const StockItem* before) { writer_.lock_uploads(item, before); }
        void write(std::span<const StockItem> items, std::span<const StockItem> rows, core::Time now) {
            writer_.write(items, rows, now);
        }

    private:
        StockWriter writer_;
    };
};

}  // namespace

http::Response get_stock_feed(api::Call& call) {
    return feeds::get<Feed>(call);
}

http::Response put_stock_feed(api::Call& call) {
    return feeds::put<Feed>(call);
}

}  // namespace tradepost::stock
