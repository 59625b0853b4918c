// What finds the rows of a list with `q`. The engines are in search/engines/.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "core/clock.h"
#include "db/connection.h"
#include "lists/facets.h"
#include "lists/selection.h"

namespace tradepost::lists {

// The ids of one page of matches, best first, and how many there are in all.
struct Matches {
    std::vector<core::Uuid> ids;
    std::int64_t total = 0;
};

// The search did not answer in time, or could not be asked.
struct SearchUnavailable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The search was not begun, because it would cost too much, or too many others run.
struct SearchRefused : SearchUnavailable {
    using SearchUnavailable::SearchUnavailable;
};

class SearchEngine {
public:
    virtual ~SearchEngine() = default;
    // Of the rows that the selection has at `now`, those that match its `search`. The best match comes first; equally good ones come in
    // the list's order. Throws SearchUnavailable.
    virtual Matches find(const Selection& selection, db::Slice slice, core::Time now) = 0;
    // The facets of all of these; their total has no end. Throws SearchUnavailable.
    virtual Facets facets(const Selection& selection, const Fields& fields, core::Time now) = 0;
    // Whether it finds all that is committed, so that its answers stay right as long as a collection's version does.
    virtual bool is_current() const = 0;
};

}  // namespace tradepost::lists
