// Removal of metadata from WebP files (RFC 9649, section 2).
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::files {

// The file with its picture alone: no EXIF, XMP, colour profile or unknown chunk. vips 8.14 keeps them in spite of its option
// `strip`. Empty when this is no WebP file of a single picture, or its size is not that of its chunks.
std::optional<std::string> strip_webp(std::string_view file);

}  // namespace tradepost::files
