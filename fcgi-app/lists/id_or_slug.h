// The row that a path names by id or by slug.
#pragma once
#include <optional>
#include <string_view>

#include "core/slug.h"
#include "core/uuid.h"
#include "db/value.h"

namespace tradepost::lists {

// A slug is never shaped like a UUID, so one text cannot name two rows.
struct IdOrSlug {
    std::optional<core::Uuid> id;
    std::string_view slug;

    explicit IdOrSlug(std::string_view text) : id(core::Uuid::parse(text)), slug(text) {}

    // False for a text that no row can have. SQL alone would find "name" for "name ": columns compare without trailing spaces.
    bool is_possible() const { return id || core::is_slug(slug); }
    // Over the table `t`, with one `?`.
    const char* condition() const { return id ? "t.id = ?" : "t.slug = ?"; }
    db::Value value() const { return id ? db::Value(*id) : db::Value(slug); }
};

}  // namespace tradepost::lists
