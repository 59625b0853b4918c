// From bytes that somebody sent to files that may be served: what they are, how large, and made anew without metadata.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "uploads/store.h"

namespace tradepost::uploads {

// What makes pictures anew: of Debian's libvips-tools.
inline constexpr const char* vips_program = "/usr/bin/vips";

inline constexpr std::uint64_t max_sent_bytes = 50ull << 20;  // through a ticket
inline constexpr std::uint64_t max_json_bytes = 8ull << 20;

// Ready to be published. Its files are complete on disk and go with `work`.
struct Prepared {
    std::unique_ptr<Work> work;
    std::string file;
    std::optional<std::string> thumbnail;
    std::string content_hash;  // of the file, 32 bytes
    std::int64_t size = 0;     // of the file, bytes
    std::optional<std::int64_t> width, height;
};

// Takes `bytes`, or the file at `path` (which is moved away, and whose SHA-256 is `hash`), for what `content_type` says. Throws
// http::ApiError: 400 naming `field` or contentType when it is not that, is damaged or too large; 503 when the disk is full or
// there was no time. Takes 20 seconds at most.
Prepared prepare(const Store& store, std::string_view bytes, std::string_view content_type, const std::string& field);
Prepared prepare_file(const Store& store, const std::string& path, const std::string& hash, std::string_view content_type,
                      const std::string& field);

// The same error for what publishing and others of Store's calls throw: 503 when the disk is full, else 500.
[[noreturn]] void raise(const std::system_error& error);

}  // namespace tradepost::uploads
