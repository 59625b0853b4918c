// A selection: the filters, the search and the poll that one request asks of a list.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/slug.h"
#include "http/query.h"
#include "lists/horizon.h"
#include "lists/list.h"
#include "search/grammar/query.h"

namespace tradepost::lists {

// The values of one filter as columns hold them, each once.
struct Chosen {
    const Filter* filter;
    std::vector<std::string> texts;  // folded, code, text; the 16 bytes of an id
    std::int64_t number = 0;         // at_least, at_most, boolean, present; milliseconds since 1970 of from, to

    bool is_range() const { return filter->compare >= Compare::at_least; }
    bool is_boolean() const { return filter->compare == Compare::boolean || filter->compare == Compare::present; }
};

struct Selection {
    const List* list = nullptr;
    std::vector<core::Uuid> owners;  // the values of the scope; without any, unless it is `listed`, nothing is selected
    std::vector<Chosen> chosen;      // the filters that were given, in the order of the list's
    std::optional<search::Query> search;
    std::string q;                                           // its text
    bool by_relevance = false;                               // the best match first, and among equally good ones the list's order
    const Order* sort = nullptr;                             // null: the list's order
    std::optional<core::Time> updated_since, updated_until;  // a poll; both inclusive
    std::optional<Position> position;                        // the last row that the poll has shown
    bool few = false;  // so few rows match that a page of them is sorted, not found in order

    bool is_public() const { return list->scope == listed; }
    const Order& order() const { return sort ? *sort : list->order; }
    bool order_may_be_null() const { return sort || list->order.may_be_null; }
    // Whether it needs a column that `recount` fills in after an upgrade.
    bool needs_derived() const;
    // Whether no row can match, so that the database need not be asked.
    bool is_empty() const;
    // The key of its cached total: selections that differ in any value have different keys. Polls, which are not cached, have none.
    std::string key() const;
};

// Parses the list's parameters and ignores all others. The owners stay empty. Throws 400 for an invalid value, and for a repeated parameter
// that may be given only once.
Selection select(const List& list, const http::Query& query);

// The row that a path names by id or by slug. A slug is never shaped like a UUID, so one text cannot name two rows.
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

// `organisationId` and other ids: at most once, a UUID. Throws 400 for anything else.
std::optional<core::Uuid> read_id(const http::Query& query, std::string_view name);

}  // namespace tradepost::lists
