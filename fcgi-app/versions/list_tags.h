// Entity tags of lists. A tag contains the version that the list was made from, so that any worker can tell whether a client's copy is
// current without reading the list.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "versions/total.h"

namespace tradepost::versions {

// A tag contains the version of the collection, the time until which the list holds if nobody writes, the total, and a keyed hash of these,
// of the list's name and of the program that rendered it. The key is stored in the database. So a tag counts only for the list, the program
// and the database that it was made with, and every worker makes the same tag for the same list. A database's versions must never repeat:
// after a restore it needs another key (systemd/OPERATORS.md, "Backup and restore").
class ListTags {
public:
    explicit ListTags(std::string key) : key_(std::move(key)) {}  // at least 16 bytes

    // `list` names the list with its owners, filters and page.
    std::string make(std::string_view list, std::uint64_t version, const Total& total) const;

    // The tag of an If-None-Match that shows that the client's copy is current, and the total in it. Empty when none does.
    struct Current {
        std::string_view tag;
        std::int64_t total;
    };
    std::optional<Current> find(std::string_view if_none_match, std::string_view list, std::uint64_t version,
                                core::Time now) const;

private:
    std::string hash(std::string_view list, std::string_view fields) const;
    std::string key_;
};

}  // namespace tradepost::versions
