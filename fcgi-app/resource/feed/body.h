// The body of a feed, which nginx writes to a file like an upload.
#pragma once
#include <string>
#include <string_view>

#include "api/call.h"
#include "core/file_descriptor.h"
#include "core/uuid.h"
#include "db/connection.h"
#include "resource/feed/lines.h"

namespace tradepost::feeds {

inline constexpr const char* media_type = "application/x-ndjson";
inline constexpr std::uint64_t most_bytes = 50ull << 20;
inline constexpr std::size_t most_lines = 100'000;

// Borrows the call.
class Body {
public:
    // Throws 415 for another media type or content coding, 413 for more than most_bytes, 400 without any, and as files::throw_api_error().
    explicit Body(const api::Call& call);

    // Decompressed, of which there may be most_bytes too: see Gunzip for what reading them throws.
    Lines lines() const;

private:
    const std::string& text_;  // without nginx the request holds the body itself
    core::FileDescriptor file_;
    api::Coding coding_ = api::Coding::identity;
};

// What a feed's lines are, in a few bytes.

// Another one after every change: each raises `updated_at` of its row, or changes how the organisation is shown. `index`: of (organisation_id, updated_at, id) of `table`.
std::string digest(db::Connection& connection, std::string_view table, std::string_view index, const core::Uuid& organisation_id);

// The entity tag of the feed.
std::string tag_of(std::string_view digest);

}  // namespace tradepost::feeds
