// WebP files as containers (RFC 9649, section 2).
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::uploads {

// The file with nothing but its picture: no EXIF, XMP, colour profile or unknown chunk. vips 8.14 leaves them in when it is told
// to strip. Empty for what is no WebP file of a single picture, or does not end where its chunks say.
std::optional<std::string> bare_webp(std::string_view file);

}  // namespace tradepost::uploads
