// Stock: what dealers have to sell.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "fields/field.h"
#include "writes/derived.h"

namespace tradepost::stock {

struct StockItem {
    struct Image {
        core::Uuid upload_id;
        std::string url;
        std::optional<std::string> thumbnail_url;
        bool operator==(const Image&) const = default;
    };
    core::Uuid id, organisation_id;
    std::string reference;  // the dealer's own name for it; compared byte by byte
    std::string title;
    std::optional<std::string> description, category, make, model, variant;
    std::optional<std::int64_t> year;
    std::optional<std::string> condition;
    std::optional<std::int64_t> price;  // minor units
    std::optional<std::string> currency;
    fields::TextMap attributes;
    std::vector<Image> images;  // in the order in which they are shown
    std::string status = "DRAFT";
    std::string availability = "IN_STOCK";
    core::Time created_at, updated_at;
};

// All but id, organisationId and images.
std::span<const fields::Field<StockItem>> stock_fields();

// The columns that follow from fields and images: what filters compare and `sort` orders by.
std::span<const writes::Derived<StockItem>> derived_columns();

inline constexpr std::size_t max_images = 40;

// What is wrong with the item as a whole: published without title, price or currency.
std::optional<fields::Fault> fault(const StockItem& item);

// DRAFT → PUBLISHED → ARCHIVED → DRAFT; staying is no move. A new one is DRAFT or PUBLISHED.
bool stock_may_move(std::string_view from, std::string_view to);
bool stock_may_begin(std::string_view status);

}  // namespace tradepost::stock
