// Uploads: files that organisations attach to what they publish.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace tradepost::domain {

bool is_image(std::string_view content_type);

// Where nginx serves a stored file, as an absolute path: the name is made from the bytes (`content_hash`: 32 of them, SHA-256),
// so what is behind it never changes.
std::string upload_url(std::string_view content_hash, std::string_view content_type);

// The same for the small picture beside it; empty for what is no image.
std::optional<std::string> thumbnail_url(std::string_view content_hash, std::string_view content_type);

}  // namespace tradepost::domain
