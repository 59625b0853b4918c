// Uploads: files that organisations attach to what they publish.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/uuid.h"
#include "domain/field.h"

namespace tradepost::domain {

struct Upload {
    core::Uuid id, organisation_id;
    std::optional<core::Uuid> user_id;  // who made it
    bool ready = false;                 // else its bytes are still to come
    std::string filename, content_type;
    std::optional<std::int64_t> sent_size;    // what the client announced, when the bytes come later
    std::optional<std::string> sent_hash;     // 32 bytes
    std::optional<std::string> content_hash;  // of the stored bytes
    std::int64_t size = 0;                    // of the stored bytes, or announced: what counts towards the quota
    std::optional<std::int64_t> width, height;
    std::int64_t attachments = 0;  // how many refer to it
    core::Time created_at;
};

// What a client says of a new one.
struct NewUpload {
    std::string filename, content_type;
    std::optional<std::string> data;  // base64
    std::optional<std::int64_t> size;
    std::optional<std::string> sha256;  // 64 hexadecimal digits
};
std::span<const Field<NewUpload>> new_upload_fields();

// Rules that one field alone does not show; empty when all is well.
std::optional<Fault> fault(const NewUpload& upload);

bool is_image(std::string_view content_type);

// Where nginx serves a stored file, as an absolute path: the name is made from the bytes (`content_hash`: 32 of them, SHA-256),
// so what is behind it never changes.
std::string upload_url(std::string_view content_hash, std::string_view content_type);

// The same for the small picture beside it; empty for what is no image.
std::optional<std::string> thumbnail_url(std::string_view content_hash, std::string_view content_type);

// What clients are told: upload_url(), and for what is saved and not shown (PDFs) the name to save it under behind it, ending in
// .pdf.
std::string download_url(std::string_view content_hash, std::string_view content_type, std::string_view filename);

}  // namespace tradepost::domain
