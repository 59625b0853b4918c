#include "repo/caller.h"

namespace tradepost::repo {

Caller read_caller(const db::Rows& rows, std::size_t first) {
    const auto& row = rows.front();
    Caller caller{row.text(first), row.text(first + 1), row.time(first + 2), {}};
    for (const auto& membership : rows)
        if (!membership.is_null(first + 3))
            caller.roles.emplace(membership.uuid(first + 3), domain::parse_role(membership.text(first + 4)).value());
    return caller;
}

}  // namespace tradepost::repo
