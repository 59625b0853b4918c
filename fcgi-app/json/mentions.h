// Finds texts that tell of a person: by ids, and by an email address.
#pragma once
#include <set>
#include <string>
#include <string_view>

#include "core/uuid.h"

namespace tradepost::json {

class Mentions {
public:
    // `ids`: of the user, and of what the user sent. `address` is an email address.
    Mentions(std::set<core::Uuid> ids, std::string_view address);

    // Whether a text has one of the ids, or the address, regardless of its case and not as a part of a longer address.
    bool in_text(std::string_view text) const;

    // The same of a JSON document, in which texts may be escaped. A text that is no JSON is searched as it is.
    bool in_document(std::string_view document) const;

private:
    bool has_id(std::string_view text) const;
    bool has_address(std::string_view text) const;

    std::set<core::Uuid> ids_;
    std::string address_;  // folded
};

}  // namespace tradepost::json
