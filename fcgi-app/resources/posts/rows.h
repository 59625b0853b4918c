// Posts from rows, and to JSON.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "db/connection.h"
#include "json/writer.h"
#include "resources/posts/post.h"

namespace tradepost::posts {

// What read() wants of the table `t` and what is joined to it, in its order; `detailed` with the fields that lists leave out.
std::string columns(bool detailed);
// Without the index named, MariaDB 11.8 scans a small table and sorts all rows of the list.
inline constexpr const char* joins = " LEFT JOIN organisations o FORCE INDEX (PRIMARY) ON o.id = t.organisation_id";
Post read(db::Row& row, bool detailed);

void write(json::Writer& writer, const Post& post, bool detailed);
std::string render(const Post& post);  // with all details

// A post in any state; `visible` tells whether the public may see it at that time. One round trip.
struct Found {
    Post item;
    bool visible;
};
std::optional<Found> find(db::Connection& connection, std::string_view id_or_slug, core::Time now);

}  // namespace tradepost::posts
