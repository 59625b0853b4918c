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

// How many items of an organisation match a filter.
struct OwnStock {
    core::Uuid organisation_id;
    std::int64_t total;
};

// Borrows the connection. Throws db::Unavailable or db::Error.
class Stock {
public:
    explicit Stock(db::Connection& connection) : connection_(connection) {}

    // One entry for each of these organisations. One round trip where the writers keep the filter's counts (see stock_counts.h); else,
    // or before they are complete, the rows are counted.
    std::vector<OwnStock> count(std::span<const core::Uuid> organisation_ids, const StockFilter& filter);

    // Newest createdAt first, then id descending. `counted` is count()'s for the same filter. At most two round trips, and four more
    // for a page far from the first.
    std::vector<domain::StockItem> page(std::span<const OwnStock> counted, const StockFilter& filter, Slice slice);

    // Empty when there is no such item, or the user is no member of its organisation. At most two round trips.
    std::optional<domain::StockItem> find(const core::Uuid& user_id, const core::Uuid& id);

private:
    std::vector<OwnStock> kept_counts(std::span<const core::Uuid> organisation_ids, const StockFilter& filter);
    std::optional<OffsetStart> start_of(std::span<const OwnStock> counted, const StockFilter& filter, std::int64_t offset);
    db::Connection& connection_;
};

}  // namespace tradepost::repo
