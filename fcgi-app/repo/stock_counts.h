// Which counts of the stock's lists an item takes part in, and which add up to a filter's total.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "domain/stock_item.h"
#include "repo/list_counts.h"
#include "repo/stock.h"

namespace tradepost::repo {

// What of a row the lists' filters look at.
struct CountedStock {
    static constexpr std::string_view columns = "organisation_id, status, availability, created_at";

    core::Uuid organisation_id;
    std::string status, availability;
    core::Time created_at;

    static CountedStock of(const domain::StockItem& item) {
        return {item.organisation_id, item.status, item.availability, item.created_at};
    }
    // From `columns`, the first of which is column `first`.
    static CountedStock read(const db::Row& row, std::size_t first);
};

struct StockTable {
    using Counted = CountedStock;
    static constexpr std::string_view name = "stock_items";
};

// Adds `n` for the item to each count that it takes part in: its organisation's, by status, by availability, by both; each also
// by creation.
void count(CountChanges& changes, const CountedStock& item, std::int64_t n);

// The filters whose counts add up to what `filter` finds in an organisation. False when nobody keeps them.
bool counted_filters(const StockFilter& filter, const core::Uuid& organisation_id, std::vector<FilterKey>& keys);

}  // namespace tradepost::repo
