#include "api/upload_json.h"

#include <algorithm>

#include "core/crypto.h"
#include "core/log.h"
#include "http/error.h"
#include "json/writer.h"
#include "uploads/ticket.h"

namespace tradepost::api {
namespace {

// Directly in the folder that nginx puts bodies into, and nowhere else.
void check_place(const std::string& path, const std::string& incoming) {
    const bool there = path.starts_with(incoming + "/");
    const auto name = there ? std::string_view(path).substr(incoming.size() + 1) : std::string_view();
    if (!there || name.find_first_not_of("0123456789") != std::string_view::npos)
        throw http::ApiError(500, "Internal server error",
                             "nginx's client_body_temp_path of /upload/ is not " + incoming + ": " + path);
}

}  // namespace

const std::string& ticket_key(Call& call) {
    auto& kept = call.services.upload_key;
    if (kept.empty()) kept = call.services.uploads.key("upload-tickets", call.services.clock.now());
    return kept;
}

std::string render(const Call& call, const domain::Upload& upload, std::string_view key) {
    const auto now = call.services.clock.now();
    const auto& hash = upload.ready ? upload.content_hash : upload.sent_hash;
    std::optional<std::string> url, thumbnail, upload_url;
    if (upload.ready) {
        url = domain::download_url(*hash, upload.content_type, upload.filename);
        thumbnail = domain::thumbnail_url(*hash, upload.content_type);
    } else if (call.principal && upload.user_id == call.principal->user_id && now < upload.created_at + uploads::ticket_lives) {
        upload_url = "/upload/" + uploads::make_ticket(key, upload);
    }
    json::Writer writer;
    writer.begin_object().member("id", upload.id).member("organisationId", upload.organisation_id);
    writer.member("status", upload.ready ? "READY" : "PENDING")
        .member("filename", upload.filename)
        .member("contentType", upload.content_type);
    writer.member("size", upload.size)
        .member("width", upload.width)
        .member("height", upload.height)
        .member("sha256", core::to_hex(*hash));
    writer.member("url", url)
        .member("thumbnailUrl", thumbnail)
        .member("uploadUrl", upload_url)
        .member("createdAt", upload.created_at)
        .end_object();
    return writer.take();
}

uploads::Prepared prepare_body(Call& call, const domain::Upload& announced) {
    const auto& path = call.request.body_file;
    try {
        // Without a Content-Length there is no file.
        if (!path.empty()) check_place(path, call.services.store.incoming());
        const auto size = path.empty() ? 0 : std::int64_t(uploads::file_size(path));
        if (size == 0) throw http::invalid_field("body", "must not be empty");
        if (size != announced.sent_size) throw http::invalid_field("size", "must be the number of bytes in the body");
        if (uploads::hash_file(path) != announced.sent_hash)
            throw http::invalid_field("sha256", "must be the hash of the bytes in the body");
    } catch (const std::system_error& error) {
        uploads::raise(error);
    }
    return uploads::prepare_file(call.services.store, path, *announced.sent_hash, announced.content_type, "body");
}

void forget_file(Call& call, std::string_view content_hash) {
    try {
        call.services.store.remove(content_hash, [&](const auto& hashes) { return call.services.uploads.referred(hashes); });
    } catch (const std::exception& error) {
        core::log::warning("upload_file_kept", {{"why", error.what()}});
    }
}

}  // namespace tradepost::api
