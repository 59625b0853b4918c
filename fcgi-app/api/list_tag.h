// Entity tags of lists: they name what the list was made from, so that any worker can tell whether a client's copy is still true
// without having the list, or making it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "repo/listing.h"

namespace tradepost::api {

// A tag holds the version of the collection, until when the list stands if nobody writes, and its total; and a code over these,
// which list it is and the program that rendered it, with a key of the database's own: what this program did not make for this
// list over this database is not believed. The same list has the same tag whoever makes it. It is taken for granted that a
// database's versions never come again: one that was restored needs another key (README, "Back up and restore").
class ListTags {
public:
    explicit ListTags(std::string key) : key_(std::move(key)) {}  // at least 16 bytes

    // `list`: the collection, whose it is, its filters and its page.
    std::string make(std::string_view list, std::uint64_t version, const repo::Count& count) const;

    // A tag of an If-None-Match that says that the client has the list as it is.
    struct Current {
        std::string_view tag;
        std::int64_t total;
    };
    std::optional<Current> find(std::string_view if_none_match, std::string_view list, std::uint64_t version,
                                core::Time now) const;

private:
    std::string code(std::string_view list, std::string_view says) const;
    std::string key_;
};

}  // namespace tradepost::api
