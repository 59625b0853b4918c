// The preparation of uploaded files: their type is checked, and pictures are encoded again without metadata.
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/store.h"
#include "http/error.h"

namespace tradepost::files {

// Encodes pictures; from Debian's libvips-tools.
inline constexpr const char* vips_program = "/usr/bin/vips";

inline constexpr std::uint64_t max_sent_bytes = 50ull << 20;  // through a ticket
inline constexpr std::uint64_t max_json_bytes = 8ull << 20;

// Files that are ready to be published. They are complete on disk and removed with `work`.
struct Prepared {
    std::unique_ptr<Work> work;
    std::string file;
    std::optional<std::string> thumbnail;
    std::string content_hash;  // of the file, 32 bytes
    std::int64_t size = 0;     // of the file, bytes
    std::optional<std::int64_t> width, height;
};

inline constexpr const char* no_picture = "must be a picture that can be decoded";

// Bytes that look like a picture and cannot be decoded, or not within the time and memory for it.
class Undecodable : public http::ApiError {
public:
    explicit Undecodable(ApiError error) : ApiError(std::move(error)) {}
};

// Prepares `bytes` of the type `content_type`. Throws Undecodable, and other http::ApiErrors: 400 with `field` or contentType when they are of another type,
// damaged or too large; 503 when the disk is full or the time is over. Takes 20 seconds at most.
Prepared prepare(const Store& store, std::string_view bytes, std::string_view content_type, const std::string& field);

// The same for the open file `body`, of which it takes a copy, since another user may change it meanwhile. Throws 400 with sha256 when
// the SHA-256 of the copy is not `hash`.
Prepared prepare_file(const Store& store, const core::FileDescriptor& body, const std::string& hash,
                      std::string_view content_type, const std::string& field);

// Throws the ApiError for an error of Store or open_spooled(): 503 when the disk is full, tradepost-spool is away or a process
// cannot be confined; else 500.
[[noreturn]] void throw_api_error(const std::system_error& error);

}  // namespace tradepost::files
