#include "domain/upload.h"

#include "core/crypto.h"

namespace tradepost::domain {
namespace {

std::string_view extension(std::string_view content_type) {
    if (content_type == "image/jpeg") return ".jpg";
    if (content_type == "image/png") return ".png";
    if (content_type == "image/webp") return ".webp";
    if (content_type == "application/pdf") return ".pdf";
    return ".bin";
}

// Two digits a folder: no folder gets more entries than file systems are quick with.
std::string stem(std::string_view content_hash) {
    const auto name = core::to_hex(content_hash);
    return "/uploads/" + name.substr(0, 2) + "/" + name;
}

}  // namespace

bool is_image(std::string_view content_type) {
    return content_type.starts_with("image/");
}

std::string upload_url(std::string_view content_hash, std::string_view content_type) {
    return stem(content_hash).append(extension(content_type));
}

std::optional<std::string> thumbnail_url(std::string_view content_hash, std::string_view content_type) {
    if (!is_image(content_type)) return {};
    return stem(content_hash) + ".thumb.webp";
}

}  // namespace tradepost::domain
