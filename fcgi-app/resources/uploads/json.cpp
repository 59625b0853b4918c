#include "resources/uploads/json.h"

#include <algorithm>

#include "core/crypto.h"
#include "core/log.h"
#include "core/present.h"
#include "files/spool.h"
#include "http/error.h"
#include "limits/turns.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {
namespace {

// With the time of files::prepare() within http.deadline.
constexpr std::chrono::seconds longest_wait{8};

// Decoding a picture can take seconds: one organisation has one decoded at a time, and does not occupy the pool. Throws 503 when its turn
// does not come.
limits::Turns::Place await_turn(api::Call& call, const core::Uuid& organisation_id) {
    if (!call.services.turns) return {};
    auto taken = call.services.turns->take(turn_key(organisation_id), most_waiting);
    if (!taken.taken || !taken.place.work(1, longest_wait))
        throw http::service_unavailable("the organisation has other uploads prepared");
    return std::move(taken.place);
}

}  // namespace

std::string turn_key(const core::Uuid& organisation_id) {
    return "uploads of " + organisation_id.to_string();
}

const std::string& ticket_key(api::Call& call) {
    return call.services.keys.get("upload-tickets", call.services.clock.now());
}

namespace {

void write(json::Writer& writer, const Upload& upload, const std::optional<std::string>& upload_url) {
    // An image that is fetched has neither hash nor type before it is there.
    const auto& hash = upload.ready() ? upload.content_hash : upload.sent_hash;
    std::optional<std::string> url, thumbnail;
    if (upload.ready()) {
        url = download_url(core::present(hash), upload.content_type, upload.filename);
        thumbnail = thumbnail_url(core::present(hash), upload.content_type);
    }
    writer.begin_object().member("id", upload.id).member("organisationId", upload.organisation_id);
    writer.member("status", upload.status)
        .member("filename", upload.filename)
        .member("contentType", hash ? std::optional(upload.content_type) : std::nullopt);
    writer.member("size", upload.size)
        .member("width", upload.width)
        .member("height", upload.height)
        .member("sha256", hash ? std::optional(core::to_hex(*hash)) : std::nullopt);
    writer.member("url", url)
        .member("thumbnailUrl", thumbnail)
        .member("uploadUrl", upload_url)
        .member("sourceUrl", upload.source_url)
        .member("error", upload.fetch_error)
        .member("createdAt", upload.created_at)
        .end_object();
}

}  // namespace

void write(json::Writer& writer, const api::Call& call, const Upload& upload, std::string_view key) {
    const bool open = upload.sent_hash && !upload.spent() && call.principal && upload.user_id == call.principal->user_id &&
                      call.services.clock.now() < upload.created_at + ticket_lifetime;
    write(writer, upload, open ? std::optional("/upload/" + make_ticket(key, upload)) : std::nullopt);
}

std::string render(const Upload& upload) {
    json::Writer writer;
    write(writer, upload, std::nullopt);
    return writer.take();
}

std::string render(const api::Call& call, const Upload& upload, std::string_view key) {
    json::Writer writer;
    write(writer, call, upload, key);
    return writer.take();
}

files::Prepared prepare_body(api::Call& call, const Upload& announced) {
    const auto& path = call.request.body_file;
    try {
        // Without a body there is no file.
        if (path.empty()) throw http::invalid_field("body", "must not be empty");
        const auto body = files::open_incoming(path, call.services.store.incoming(), call.services.config.spool_socket());
        const auto size = std::int64_t(files::file_size(body));
        if (size == 0) throw http::invalid_field("body", "must not be empty");
        if (size != announced.sent_size) throw http::invalid_field("size", "must be the number of bytes in the body");
        const auto turn = await_turn(call, announced.organisation_id);
        return files::prepare_file(call.services.store, body, core::present(announced.sent_hash), announced.content_type, "body");
    } catch (const files::Undecodable&) {
        Uploads(call.services.connection).count_failed_decode(announced.id);
        throw;
    } catch (const std::system_error& error) {
        files::throw_api_error(error);
    }
}

files::Prepared prepare_data(api::Call& call, const core::Uuid& organisation_id, std::string_view bytes,
                             std::string_view content_type) {
    const auto turn = await_turn(call, organisation_id);
    return files::prepare(call.services.store, bytes, content_type, "data");
}

void remove_unreferenced_files(api::Call& call, std::string_view content_hash) {
    try {
        call.services.store.remove(content_hash,
                                   [&](const auto& hashes) { return Uploads(call.services.connection).referenced(hashes); });
    } catch (const std::exception& error) {
        core::log::warning("upload_file_kept", {{"why", error.what()}});
    }
}

}  // namespace tradepost::uploads
