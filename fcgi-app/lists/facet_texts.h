// What a row counts as in a facet.
#pragma once
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text.h"
#include "lists/list.h"

namespace tradepost::lists {

// The column with the facet's values as they are written: texts in JSON if the filter has a value table.
inline std::string_view written_column(const Filter& filter) {
    if (!filter.written.empty()) return filter.written;
    return filter.counted_column.empty() ? filter.column : filter.counted_column;
}

// What the filter compares the text by: texts with the same are one value of the facet.
inline std::string compared(const Filter& filter, const std::string& text) {
    return filter.compare == Compare::folded ? core::fold_key(text) : text;
}

// The values of one row: the first of those that are compared alike, and none that no filter finds.
inline std::vector<std::string> facet_texts(const Filter& filter, std::span<const std::string> texts) {
    std::vector<std::string> found, keys;
    for (const auto& text : texts) {
        auto key = compared(filter, text);
        if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) continue;
        keys.push_back(std::move(key));
        found.push_back(text);
    }
    return found;
}

}  // namespace tradepost::lists
