// What the lists and details of all public resources share: the organisation beside them, ids and slugs, pages by id.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/connection.h"
#include "domain/organisation.h"
#include "domain/slug.h"

namespace tradepost::repo {

inline constexpr const char* organisation_columns = "o.id, o.slug, o.name, o.logo_url";

inline domain::OrganisationSummary read_organisation(const db::Row& row, std::size_t first) {
    return {row.uuid(first), row.text(first + 1), row.text(first + 2), row.opt_text(first + 3)};
}

// What a list shows of its matches.
struct Slice {
    std::int64_t offset;
    std::int64_t limit;
};

// How many match a filter, and until when that holds if nobody writes.
struct Count {
    std::int64_t total = 0;
    std::optional<core::Time> valid_until = {};
    // Of jobs: how many had to be taken off because they have expired and are listed still. See unlist_expired_jobs().
    std::int64_t expired = 0;
    // Of events: how many are not over, and when the earliest of those starts.
    std::int64_t upcoming = 0;
    core::Time first_start = {};
};

// Finds a row of the table `t` by id or by slug, whichever the text is; a slug is never shaped like a UUID.
struct Identity {
    std::optional<core::Uuid> id;
    std::string_view slug;
    explicit Identity(std::string_view id_or_slug) : id(core::Uuid::parse(id_or_slug)), slug(id_or_slug) {}
    // False for a text that nothing can have. SQL alone would find "name" for "name ": columns compare without trailing spaces.
    bool possible() const { return id || domain::is_slug(slug); }
    const char* condition() const { return id ? "t.id = ?" : "t.slug = ?"; }
    db::Value value() const { return id ? db::Value(*id) : db::Value(slug); }
};

// "?, ?, ?" for so many values.
inline std::string placeholders(std::size_t count) {
    std::string list;
    for (std::size_t i = 0; i < count; ++i) list += i == 0 ? "?" : ", ?";
    return list;
}

// The rows of `ids`, in that order.
template <class T>
std::vector<T> in_order(std::vector<T> items, const std::vector<core::Uuid>& ids) {
    std::vector<T> sorted;
    for (const auto& id : ids)
        for (auto& item : items)
            if (item.id == id) {
                sorted.push_back(std::move(item));
                break;
            }
    return sorted;
}

}  // namespace tradepost::repo
