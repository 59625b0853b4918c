#include "domain/stock_item.h"

namespace tradepost::domain {
namespace {
constexpr std::string_view conditions[] = {"NEW", "USED", "REFURBISHED"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "ARCHIVED"};
constexpr std::string_view availabilities[] = {"DUE_IN", "IN_STOCK", "RESERVED", "SOLD"};
constexpr std::int64_t max_price = 1'000'000'000'000;
}  // namespace

std::span<const Field<StockItem>> stock_fields() {
    using S = StockItem;
    static const Field<S> fields[] = {
        {"reference", rules::required_text(64), &S::reference},
        {"title", rules::required_text(150), &S::title},
        {"description", rules::text(20000), &S::description},
        {"category", rules::text(80), &S::category},
        {"make", rules::text(80), &S::make},
        {"model", rules::text(80), &S::model},
        {"variant", rules::text(80), &S::variant},
        {"year", rules::integer(1000, 9999), &S::year},
        {"condition", rules::choice(conditions), &S::condition},
        {"price", rules::integer(0, max_price), &S::price},
        {"currency", rules::of(Kind::currency), &S::currency},
        {"attributes", rules::texts_by_name(50), &S::attributes},
        {"status", rules::choice(statuses, Presence::defaulted), &S::status},
        {"availability", rules::choice(availabilities, Presence::defaulted), &S::availability},
        {"createdAt", rules::time(Presence::defaulted), &S::created_at, Use::read_only},
        {"updatedAt", rules::time(Presence::defaulted), &S::updated_at, Use::read_only},
    };
    return fields;
}

std::optional<Fault> fault(const StockItem& item) {
    if (item.status != "PUBLISHED") return {};
    static const std::string why = "is required to publish";
    if (!item.price) return Fault{"price", why};
    if (!item.currency) return Fault{"currency", why};
    return {};
}

bool stock_may_move(std::string_view from, std::string_view to) {
    return from == to || (from == "DRAFT" && to == "PUBLISHED") || (from == "PUBLISHED" && to == "ARCHIVED") || (from == "ARCHIVED" && to == "DRAFT");
}

bool stock_may_begin(std::string_view status) { return status == "DRAFT" || status == "PUBLISHED"; }

}  // namespace tradepost::domain
