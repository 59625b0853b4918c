// Facets: how many rows of a selection have each value of a filter's column. A web site draws its filters from them.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/clock.h"
#include "counts/values.h"
#include "db/connection.h"
#include "http/query.h"
#include "lists/selection.h"

namespace tradepost::lists {

// The facets that one request asks for.
using Fields = std::vector<const counts::Facet*>;

// For each of the fields how often its texts are there, as they are written; and the total of the selection.
struct Facets {
    std::vector<std::map<std::string, std::int64_t>> counts;
    Total total;
};

// The parameter `fields`. Throws 400 unless it names facets of the list, each once.
Fields read_fields(const List& list, const http::Query& query);

// Whether kept counts answer, once they are complete.
bool are_kept(const Selection& selection, const Fields& fields);

// Of a selection without a search, from kept counts, or from the rows where none are kept, which may take at most `limit`: past it throws
// SearchUnavailable. Throws as require_derived().
Facets facets_of(db::Connection& connection, counts::Texts& texts, const Selection& selection, const Fields& fields,
                 core::Time now, std::chrono::milliseconds limit);

// A SELECT of the fields and the number of rows that have them, of `t` in `from`, which is a FROM and WHERE; and what its rows add to `counts`,
// `sign` times. Null fields are skipped. add_groups() returns how many rows there are in all.
db::Sql select_groups(const Fields& fields, const db::Sql& from);
std::int64_t add_groups(const db::Rows& groups, const Fields& fields, Facets& facets, std::int64_t sign = 1);

// The response's body: the 100 most frequent values of each field.
std::string to_json(const Fields& fields, const Facets& facets);

}  // namespace tradepost::lists
