// A position in a poll, from which its next page continues. Page numbers would skip rows when others leave the set between two requests.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::lists {

struct Position {
    core::Time until;  // up to which the poll is complete, as its first page found
    core::Time time;   // of the last row that was shown, in the column that orders the list
    core::Uuid id;

    // The value of the query parameter `position`.
    std::string to_string() const;
    // Empty for a text that is not a position.
    static std::optional<Position> parse(std::string_view text);
};

}  // namespace tradepost::lists
