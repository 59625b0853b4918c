// The body of a feed, which nginx writes to a file like an upload.
#pragma once
#include "api/call.h"
#include "core/file_descriptor.h"
#include "resources/feeds/lines.h"

namespace tradepost::feeds {

inline constexpr const char* media_type = "application/x-ndjson";
inline constexpr std::uint64_t most_bytes = 50ull << 20;
inline constexpr std::size_t most_lines = 100'000;

// Borrows the call.
class Body {
public:
    // Throws 415 for another media type, 413 for more than most_bytes, 400 without any, and as files::throw_api_error().
    explicit Body(const api::Call& call);

    Lines lines() const;

private:
    const std::string& text_;  // without nginx the request holds the body itself
    core::FileDescriptor file_;
};

}  // namespace tradepost::feeds
