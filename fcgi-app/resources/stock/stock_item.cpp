#include "resources/stock/stock_item.h"

#include <algorithm>

namespace tradepost::stock {
namespace {
constexpr std::string_view conditions[] = {"NEW", "USED", "REFURBISHED"};
constexpr std::string_view statuses[] = {"DRAFT", "PUBLISHED", "ARCHIVED"};
constexpr std::string_view availabilities[] = {"DUE_IN", "IN_STOCK", "RESERVED", "SOLD"};
constexpr std::int64_t max_price = 1'000'000'000'000;

std::optional<std::int64_t> negative(const std::optional<std::int64_t>& number) {
    if (!number) return {};
    return -*number;
}
}  // namespace

std::span<const fields::Field<StockItem>> stock_fields() {
    using S = StockItem;
    static const fields::Field<S> fields[] = {
        {"reference", fields::rules::required_text(64), &S::reference},
        {"title", fields::rules::required_text(150), &S::title},
        {"description", fields::rules::text(20000), &S::description},
        {"category", fields::rules::text(80), &S::category},
        {"make", fields::rules::text(80), &S::make},
        {"model", fields::rules::text(80), &S::model},
        {"variant", fields::rules::text(80), &S::variant},
        {"year", fields::rules::integer(1000, 9999), &S::year},
        {"condition", fields::rules::choice(conditions), &S::condition, fields::Use::writable,
         "item_condition"},  // CONDITION is a word of SQL
        {"price", fields::rules::integer(0, max_price), &S::price},
        {"currency", fields::rules::of(fields::Kind::currency), &S::currency},
        {"attributes", fields::rules::texts_by_name(50), &S::attributes},
        {"status", fields::rules::choice(statuses, fields::Presence::defaulted), &S::status},
        {"availability", fields::rules::choice(availabilities, fields::Presence::defaulted), &S::availability},
        {"createdAt", fields::rules::time(fields::Presence::defaulted), &S::created_at, fields::Use::read_only},
        {"updatedAt", fields::rules::time(fields::Presence::defaulted), &S::updated_at, fields::Use::read_only},
    };
    return fields;
}

std::span<const writes::Derived<StockItem>> derived_columns() {
    using S = StockItem;
    static constexpr writes::Derived<S> columns[] = {
        {"category_key", [](const S& item) { return writes::key_of(item.category); }},
        {"make_key", [](const S& item) { return writes::key_of(item.make); }},
        {"model_key", [](const S& item) { return writes::key_of(item.model); }},
        {"has_images", [](const S& item) { return std::optional<std::int64_t>(!item.images.empty()); }},
        {"price_up", [](const S& item) { return negative(item.price); }},
        {"year_up", [](const S& item) { return negative(item.year); }},
    };
    return columns;
}

bool same_images(const StockItem& a, const StockItem& b) {
    return std::equal(a.images.begin(), a.images.end(), b.images.begin(), b.images.end(),
                      [](const auto& x, const auto& y) { return x.upload_id == y.upload_id; });
}

bool same_documents(const StockItem& a, const StockItem& b) {
    return std::equal(a.documents.begin(), a.documents.end(), b.documents.begin(), b.documents.end(),
                      [](const auto& x, const auto& y) { return x.upload_id == y.upload_id && x.title == y.title; });
}

std::optional<fields::Fault> fault(const StockItem& item) {
    if (item.status != "PUBLISHED") return {};
    static const std::string why = "is required to publish";
    if (!item.price) return fields::Fault{"price", why};
    if (!item.currency) return fields::Fault{"currency", why};
    return {};
}

bool stock_may_move(std::string_view from, std::string_view to) {
    return from == to || (from == "DRAFT" && to == "PUBLISHED") || (from == "PUBLISHED" && to == "ARCHIVED") ||
           (from == "ARCHIVED" && to == "DRAFT");
}

bool stock_may_be_put(std::string_view from, std::string_view to) {
    return stock_may_move(from, to) || (from == "ARCHIVED" && to == "PUBLISHED");
}

bool stock_may_begin(std::string_view status) {
    return status == "DRAFT" || status == "PUBLISHED";
}

}  // namespace tradepost::stock
