// Stock: what dealers have to sell.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/uuid.h"
#include "fields/field.h"
#include "resource/item.h"

namespace tradepost::stock {

struct StockItem {
    struct Image {
        core::Uuid upload_id;
        std::optional<std::string> url, thumbnail_url;  // of a READY one
        std::optional<std::string> source_url = {};     // where it is fetched from
        std::string status = "READY";                   // or FETCHING, FAILED
        std::optional<std::string> error = {};          // why it is FAILED
        bool is_new = false;  // it has no upload yet: resolve() gives it an id, and a write has it fetched
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

    static const resource::Description<StockItem>& described();
};

}  // namespace tradepost::stock
