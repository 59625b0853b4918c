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
        std::optional<std::string> url, thumbnail_url;  // of a READY one
        std::optional<std::string> source_url = {};     // where it is fetched from
        std::string status = "READY";                   // or FETCHING, FAILED
        bool is_new = false;                            // it has no upload yet: StockWriter makes one, and has it fetched
        bool operator==(const Image&) const = default;
    };
    struct Document {
        core::Uuid upload_id;
        std::optional<std::string> title;
        std::string url;
        bool operator==(const Document&) const = default;
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
    std::vector<Image> images;        // in the order in which they are shown
    std::vector<Document> documents;  // the same
    std::string status = "DRAFT";
    std::string availability = "IN_STOCK";
    core::Time created_at, updated_at;
};

// All but id, organisationId, images and documents.
std::span<const fields::Field<StockItem>> stock_fields();

// The columns that follow from fields and images: what filters compare and `sort` orders by.
std::span<const writes::Derived<StockItem>> derived_columns();

inline constexpr std::size_t max_images = 40, max_documents = 10;
inline constexpr std::int64_t max_document_title = 150, max_source_url = 2048;

// Whether these have the same uploads, in the same order and with the same titles.
bool same_images(const StockItem& a, const StockItem& b);
bool same_documents(const StockItem& a, const StockItem& b);
inline bool same_attachments(const StockItem& a, const StockItem& b) {
    return same_images(a, b) && same_documents(a, b);
}

// What is wrong with the item as a whole: published without title, price or currency.
std::optional<fields::Fault> fault(const StockItem& item);

// DRAFT → PUBLISHED → ARCHIVED → DRAFT; staying is no move. A new one is DRAFT or PUBLISHED.
bool stock_may_move(std::string_view from, std::string_view to);
// The same for a PUT by reference, which also lists an archived item again: feeds say PUBLISHED, whatever was before.
bool stock_may_be_put(std::string_view from, std::string_view to);
bool stock_may_begin(std::string_view status);

}  // namespace tradepost::stock
