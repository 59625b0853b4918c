// Type and size of an image, read from its header before anything decodes it. No allocation depends on the content.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tradepost::files {

// Decoding takes 13 bytes of memory for each pixel at most, and ChildLimits::memory is 1 GiB. Telephones of "64 megapixels" have up to 64.4 million.
inline constexpr std::uint64_t max_pixels = 64 << 20;

struct ImageHeader {
    const char* content_type;
    std::uint32_t width, height;  // as stored, before any orientation is applied; never 0
    bool lossless;

    std::uint64_t pixels() const { return std::uint64_t(width) * height; }
};

// JPEG (ITU T.81, B.2), PNG (RFC 2083, 3.1 and 4.1.1) or WebP (RFC 9649, 2). `file` is the whole file; only headers are read.
// Empty when it is none of these, or ends within its header. If a WebP has two sizes, the larger numbers are returned.
std::optional<ImageHeader> read_image_header(std::string_view file);

}  // namespace tradepost::files
