// Uploads: files that organisations attach to their resources.
#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "fields/field.h"

namespace tradepost::uploads {

struct Upload {
    core::Uuid id, organisation_id;
    std::optional<core::Uuid> user_id;  // who created it
    std::string status = "PENDING";     // or READY; of an image that is fetched: FETCHING, then READY or FAILED
    std::string filename, content_type;
    std::optional<std::int64_t> sent_size;    // as announced, when the bytes come later
    std::optional<std::string> sent_hash;     // 32 bytes
    std::optional<std::string> content_hash;  // of the stored bytes
    std::int64_t size = 0;                    // of the stored bytes, or as announced; counts towards the quota
    std::optional<std::int64_t> width, height;
    std::int64_t attachments = 0;     // the number of references to it
    std::int64_t failed_decodes = 0;  // bodies that could not be decoded
    core::Time created_at;
    std::optional<std::string> source_url;   // of an image that is fetched
    std::optional<std::string> fetch_error;  // why it is FAILED

    bool ready() const { return status == "READY"; }  // its bytes have been received
    // Whether its ticket takes no body any more.
    bool spent() const { return ready() || failed_decodes >= 3; }
};

// Upload tickets: a ticket permits a PUT of the bytes of one upload without any other credential.
inline constexpr std::chrono::minutes ticket_lifetime{15};

// 64 characters for a URL. Bound to the upload's id, its time and the announced size and hash; signed with HMAC-SHA-256 (RFC 2104)
// by `key`, 32 bytes.
std::string make_ticket(std::string_view key, const Upload& upload);

// The id of the upload in a ticket, not verified; empty when this is no ticket.
std::optional<core::Uuid> ticket_upload_id(std::string_view ticket);

// Whether the ticket is for that upload and has not expired, compared in constant time. A ticket that was used is still valid here.
bool verify_ticket(std::string_view key, std::string_view ticket, const Upload& upload, core::Time now);

// The body of a request for a new upload.
struct NewUpload {
    std::string filename, content_type;
    std::optional<std::string> data;  // base64
    std::optional<std::int64_t> size;
    std::optional<std::string> sha256;  // 64 hexadecimal digits
};
std::span<const fields::Field<NewUpload>> new_upload_fields();

// Rules across fields. Empty when all hold.
std::optional<fields::Fault> fault(const NewUpload& upload);

bool is_image(std::string_view content_type);
bool is_document(std::string_view content_type);

// The absolute path under which nginx serves a stored file. Its name is the hash of its bytes (`content_hash`: 32 bytes, SHA-256), so
// the content of a path never changes.
std::string upload_url(std::string_view content_hash, std::string_view content_type);

// The same for the thumbnail beside it; empty when it is no image.
std::optional<std::string> thumbnail_url(std::string_view content_hash, std::string_view content_type);

// The path for clients: upload_url(), followed for files that browsers save (PDFs) by the name to save them under, which ends in
// .pdf.
std::string download_url(std::string_view content_hash, std::string_view content_type, std::string_view filename);

}  // namespace tradepost::uploads
