// Digests of lists: a tree of hashes over the ids and versions of the items, from which a client that keeps a copy sees that it is equal, or
// which parts differ. API rules, "Digests", has the definition.
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "core/time.h"
#include "db/connection.h"
#include "http/query.h"
#include "lists/selection.h"

namespace tradepost::lists {

// The last byte of the ids of one part; a digest has 256 parts.
using Part = std::optional<unsigned char>;

// The parameter `part`, two hexadecimal digits; empty when there is none. Throws 400 for anything else, and for `q` and `updatedSince`, which no
// digest has.
Part read_part(const Selection& selection, const http::Query& query);

struct Digest {
    Total total;
    std::string json;  // the response's body
};

// Of all items that the selection shows at one moment, or the items of one part. `index` has the scope, updated_at, id and all else that the
// list's own conditions compare. What takes longer than `limit` throws SearchUnavailable.
Digest digest_of(db::Connection& connection, const Selection& selection, std::string_view index, Part part, core::Time now,
                 std::chrono::milliseconds limit);

}  // namespace tradepost::lists
