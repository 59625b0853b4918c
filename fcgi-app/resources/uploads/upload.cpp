#include "resources/uploads/upload.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base64.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "core/present.h"
#include "core/text.h"

namespace tradepost::uploads {

namespace {

constexpr std::size_t ticket_length = 64;

void append(std::string& to, std::uint64_t number) {
    for (int shift = 56; shift >= 0; shift -= 8) to += char(number >> shift);
}

}  // namespace

std::string make_ticket(std::string_view key, const Upload& upload) {
    std::string message = "upload ticket 1";
    message += upload.id.bytes();
    append(message, std::uint64_t(upload.created_at.time_since_epoch().count()));
    append(message, std::uint64_t(core::present(upload.sent_size)));
    message += core::present(upload.sent_hash);
    return core::to_base64url(std::string(upload.id.bytes()).append(core::hmac_sha256(key, message)));
}

std::optional<core::Uuid> ticket_upload_id(std::string_view ticket) {
    if (ticket.size() != ticket_length) return {};
    const auto bytes = core::from_base64url(ticket);
    if (!bytes) return {};
    return core::Uuid::from_bytes(std::string_view(*bytes).substr(0, 16));
}

bool verify_ticket(std::string_view key, std::string_view ticket, const Upload& upload, core::Time now) {
    if (!upload.sent_size || !upload.sent_hash || ticket.size() != ticket_length) return false;
    return core::equal_constant_time(make_ticket(key, upload), ticket) && now < upload.created_at + ticket_lifetime;
}

namespace {

constexpr std::string_view content_types[] = {"image/jpeg", "image/png", "image/webp", "application/pdf"};
constexpr std::string_view extensions[] = {".jpg", ".png", ".webp", ".pdf"};

// What programs call these types too, each with its registered name.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"image/jpg", "image/jpeg"},
    {"image/pjpeg", "image/jpeg"},
    {"image/x-citrix-jpeg", "image/jpeg"},
    {"image/x-png", "image/png"},
    {"image/x-citrix-png", "image/png"},
    {"image/x-webp", "image/webp"},
    {"application/x-pdf", "application/pdf"},
    {"application/acrobat", "application/pdf"},
    {"text/pdf", "application/pdf"},
};

std::string_view extension(std::string_view content_type) {
    const auto* const found = std::find(std::begin(content_types), std::end(content_types), content_type);
    return found == std::end(content_types) ? ".bin" : extensions[found - content_types];
}

// 256 folders by the first two digits, so that none has too many files.
std::string stem(std::string_view content_hash) {
    const auto name = core::to_hex(content_hash);
    return "/uploads/" + name.substr(0, 2) + "/" + name;
}

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
        {"filename", fields::rules::exact(255), &NewUpload::filename},
        {"contentType",
         {.kind = fields::Kind::choice, .presence = fields::Presence::required, .choices = content_types, .aliases = aliases},
         &NewUpload::content_type},
        {"data", fields::rules::exact(max_base64, fields::Presence::optional), &NewUpload::data},
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
