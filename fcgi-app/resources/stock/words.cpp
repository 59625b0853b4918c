#include "resources/stock/words.h"

#include <algorithm>
#include <array>

#include "core/text.h"
#include "db/bulk_insert.h"
#include "db/sql.h"
#include "db/statement.h"
#include "search/tokens.h"

namespace tradepost::stock {
namespace {

// What dealers know a vehicle by, besides their reference. It is found by its beginning, too.
bool is_code(std::string_view attribute) {
    constexpr std::array names{"registration", "vin"};
    const auto folded = core::fold(attribute);
    return std::find(names.begin(), names.end(), folded) != names.end();
}

std::string tokens(const StockItem& item) {
    std::vector<std::string> attributes;
    std::vector<std::string_view> codes{item.reference};
    for (const auto& [name, value] : item.attributes) {
        attributes.push_back(name + " " + value);
        if (is_code(name)) codes.push_back(value);
    }
    std::vector<std::string_view> texts{item.title, item.reference};
    for (const auto* text : {&item.make, &item.model, &item.variant, &item.category, &item.description})
        texts.push_back(core::text_of(*text));
    texts.insert(texts.end(), attributes.begin(), attributes.end());
    return search::index_tokens(texts, codes);
}

}  // namespace

void write_words(db::Connection& connection, std::span<const StockItem* const> items) {
    // MySQL 9.7 loses all rows but the last one from its full text where an ON DUPLICATE KEY UPDATE of several rows updates one.
    if (items.size() > 1) {
        std::vector<db::Value> ids;
        for (const auto* item : items) ids.emplace_back(item->id);
        connection.execute("DELETE FROM stock_search WHERE stock_id IN (" + db::placeholders(ids.size()) + ")", ids);
    }
    db::BulkInsert rows(connection, "stock_search (stock_id, tokens)", "tokens = VALUES(tokens)");
    for (const auto* item : items) rows.add(db::literal(item->id) + ", " + db::literal(tokens(*item)));
    rows.flush();
}

bool same_words(const StockItem& a, const StockItem& b) {
    return tokens(a) == tokens(b);
}

}  // namespace tradepost::stock
