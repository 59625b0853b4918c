// A WHERE clause that grows with the filters of a request.
#pragma once
#include <deque>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/value.h"

namespace tradepost::repo {

class Conditions {
public:
    // `sql` with a `?` for each value; joined to the others by AND.
    void add(std::string_view sql, std::initializer_list<db::Value> values = {});

    // column IN (…) over the folded forms of texts, then `end`; nothing when there are none.
    void add_folded(std::string_view column, const std::vector<std::string>& texts, std::string_view end = {});

    // column IN (…) over the texts as they are.
    void add_texts(std::string_view column, const std::vector<std::string>& texts);

    // column IN (…) over ids; nothing when there are none.
    void add_ids(std::string_view column, std::span<const core::Uuid> ids);

    const std::string& sql() const { return sql_; }  // without WHERE; "1" when there are none
    // The values so far, followed by `more`.
    std::vector<db::Value> values(std::initializer_list<db::Value> more = {}) const;

private:
    std::string sql_ = "1";
    std::vector<db::Value> values_;
    std::deque<std::string> kept_;  // what values_ borrow
};

}  // namespace tradepost::repo
