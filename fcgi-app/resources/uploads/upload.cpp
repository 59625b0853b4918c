#include "resources/uploads/upload.h"

#include <algorithm>

#include "core/hex.h"
#include "core/text.h"

namespace tradepost::uploads {
namespace {

std::string_view extension(std::string_view content_type) {
    if (content_type == "image/jpeg") return ".jpg";
    if (content_type == "image/png") return ".png";
    if (content_type == "image/webp") return ".webp";
    if (content_type == "application/pdf") return ".pdf";
    return ".bin";
}

// 256 folders by the first two digits, so that none has too many files.
std::string stem(std::string_view content_hash) {
    const auto name = core::to_hex(content_hash);
    return "/uploads/" + name.substr(0, 2) + "/" + name;
}

constexpr std::string_view content_types[] = {"image/jpeg", "image/png", "image/webp", "application/pdf"};
constexpr std::int64_t max_sent_bytes = 50 << 20;
constexpr std::int64_t max_base64 = 12 << 20;  // the body's own limit

// All characters but the unreserved ones of RFC 3986 as %xx.
std::string escape(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
                           c == '_' || c == '~';
        if (plain)
            escaped += c;
        else
            escaped.append("%").append(core::to_hex(std::string_view(&c, 1)));
    }
    return escaped;
}

bool is_file_name(std::string_view name) {
    if (name == "." || name == "..") return false;
    return std::none_of(name.begin(), name.end(), [](unsigned char c) { return c < ' ' || c == 0x7f || c == '/' || c == '\\'; });
}

}  // namespace

std::span<const fields::Field<NewUpload>> new_upload_fields() {
    static const fields::Field<NewUpload> fields[] = {
        {"filename", fields::rules::required_text(255), &NewUpload::filename},
        {"contentType", fields::rules::choice(content_types, fields::Presence::required), &NewUpload::content_type},
        {"data", fields::rules::text(max_base64), &NewUpload::data},
        {"size", fields::rules::integer(1, max_sent_bytes), &NewUpload::size},
        {"sha256", fields::rules::text(64), &NewUpload::sha256},
    };
    return fields;
}

std::optional<fields::Fault> fault(const NewUpload& upload) {
    if (!is_file_name(upload.filename))
        return fields::Fault{"filename", "must be a file's name without a folder and control characters"};
    if (upload.sha256 && (upload.sha256->size() != 64 || !core::from_hex(*upload.sha256)))
        return fields::Fault{"sha256", "must be 64 hexadecimal digits"};
    if (upload.data) return {};
    if (!upload.size) return fields::Fault{"size", "is required without data"};
    if (!upload.sha256) return fields::Fault{"sha256", "is required without data"};
    return {};
}

bool is_image(std::string_view content_type) {
    return content_type.starts_with("image/");
}

bool is_document(std::string_view content_type) {
    return content_type == "application/pdf";
}

std::string upload_url(std::string_view content_hash, std::string_view content_type) {
    return stem(content_hash).append(extension(content_type));
}

std::optional<std::string> thumbnail_url(std::string_view content_hash, std::string_view content_type) {
    if (!is_image(content_type)) return {};
    return stem(content_hash) + ".thumb.webp";
}

std::string download_url(std::string_view content_hash, std::string_view content_type, std::string_view filename) {
    auto url = upload_url(content_hash, content_type);
    if (is_image(content_type)) return url;
    url.append("/").append(escape(filename));
    return core::lower_ascii(filename).ends_with(".pdf") ? url : url + ".pdf";
}

}  // namespace tradepost::uploads
