// Reading stock, as the members of its organisations see it.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/connection.h"
#include "domain/stock_item.h"
#include "repo/listing.h"
#include "repo/offset_search.h"

namespace tradepost::repo {

// Several texts of one kind mean any of them, an empty list no filter.
struct StockFilter {
    std::vector<std::string> statuses, availabilities, references;
    std::optional<core::Time> updated_since, updated_until;  // both inclusive; the second only beside the first
};

// A page of a list, and how many match in all.
struct StockPage {
    std::vector<domain::StockItem> items;
    std::int64_t total = 0;
};

// Borrows the connection. Throws db::Unavailable or db::Error.
class Stock {
public:
    explicit Stock(db::Connection& connection) : connection_(connection) {}

    // The items of these organisations, newest createdAt first, then id descending. What `total` says is not counted again. One
    // round trip, and five more for a page far from the first.
    StockPage list(std::span<const core::Uuid> organisation_ids, const StockFilter& filter, Slice slice,
                   std::optional<std::int64_t> total = {});

    // Empty when there is no such item, or the user is no member of its organisation. At most two round trips.
    std::optional<domain::StockItem> find(const core::Uuid& user_id, const core::Uuid& id);

private:
    std::optional<OffsetStart> start_of(std::span<const FilterKey> keys, std::int64_t offset);
    db::Connection& connection_;
};

}  // namespace tradepost::repo
