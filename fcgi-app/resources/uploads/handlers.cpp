#include "resources/uploads/handlers.h"

#include "api/write.h"
#include "core/base64.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "core/present.h"
#include "db/conflict.h"
#include "fields/json.h"
#include "files/intake.h"
#include "http/error.h"
#include "limits/limiter.h"
#include "resources/uploads/json.h"
#include "resources/uploads/publish.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/ticket.h"
#include "resources/uploads/upload.h"

namespace tradepost::uploads {
namespace {

using files::Prepared;

NewUpload read(const json::Json& body) {
    fields::refuse_unknown(
        body, new_upload_fields(),
        {"id", "organisationId", "status", "width", "height", "url", "thumbnailUrl", "uploadUrl", "createdAt"});
    NewUpload sent;
    fields::read_fields(body, new_upload_fields(), sent, fields::Reading::create);
    if (const auto found = fault(sent)) throw http::invalid_field(std::string(found->field), found->why);
    return sent;
}

std::string decoded(const NewUpload& sent) {
    auto bytes = core::from_base64(core::present(sent.data));
    if (!bytes) throw http::invalid_field("data", "must be base64 of RFC 4648, section 4");
    if (bytes->empty()) throw http::invalid_field("data", "must not be empty");
    if (bytes->size() > files::max_json_bytes)
        throw http::invalid_field("data", "must be at most 8 MiB; larger files go the way of size and sha256");
    if (sent.size && std::uint64_t(*sent.size) != bytes->size())
        throw http::invalid_field("size", "must be the number of bytes in data");
    if (sent.sha256 && core::from_hex(*sent.sha256) != core::sha256(*bytes))
        throw http::invalid_field("sha256", "must be the hash of the bytes in data");
    return *bytes;
}

void set_content(Upload& upload, const Prepared& prepared) {
    upload.ready = true;
    upload.content_hash = prepared.content_hash;
    upload.size = prepared.size;
    upload.width = prepared.width;
    upload.height = prepared.height;
}

// Exclusively, until the transaction ends. Throws 404 when the user is no member.
void lock_organisation(writes::WriteTransaction& transaction, const core::Uuid& user_id, const core::Uuid& organisation_id) {
    if (writes::Ownership(transaction.connection()).of_user(user_id, organisation_id, writes::Hold::exclusive).empty())
        throw http::not_found();
    db::conflict_on(transaction.connection(), std::span(&organisation_id, 1));
}

// Throws 409 when `added` bytes in place of `replaced` exceed the quota. After lock_organisation().
void check_quota(api::Call& call, Uploads& rows, const core::Uuid& organisation_id, std::int64_t added,
                 std::int64_t replaced = 0) {
    const auto total = rows.bytes_of(organisation_id) - replaced + added;
    if (std::uint64_t(total) > call.services.config.uploads.quota_bytes) throw http::conflict("upload quota reached");
}

// The upload of the ticket in the path, whether its bytes have been received or not. Throws 404 when there is none or the ticket has
// expired.
Upload find_by_ticket(api::Call& call) {
    const auto& ticket = call.parameters[0];
    const auto id = ticket_upload_id(ticket);
    const auto upload = id ? Uploads(call.services.connection).find(*id) : std::nullopt;
    if (!upload || !verify_ticket(ticket_key(call), ticket, *upload, call.services.clock.now()) || !upload->user_id)
        throw http::not_found();
    return *upload;
}

bool is_creator(const api::Call& call, const Upload& upload) {
    return upload.user_id == call.caller().user_id;
}

}  // namespace

http::Response create_upload(api::Call& call) {
    call.body();
    // Outside the transaction: repeating it must not decode again.
    std::optional<Prepared> prepared;
    const auto key = ticket_key(call);
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        const auto organisation_id = api::expected_organisation(call);
        const auto sent = read(call.body());
        if (sent.data && !prepared) prepared = prepare_data(call, organisation_id, decoded(sent), sent.content_type);

        lock_organisation(transaction, call.caller().user_id, organisation_id);
        Upload upload;
        upload.created_at = call.services.clock.now();
        upload.id = core::Uuid::v7(upload.created_at);
        upload.organisation_id = organisation_id;
        upload.user_id = call.caller().user_id;
        upload.filename = sent.filename;
        upload.content_type = sent.content_type;
        if (prepared) {
            set_content(upload, *prepared);
        } else {
            upload.sent_size = sent.size;
            upload.sent_hash = core::from_hex(core::present(sent.sha256));
            upload.size = core::present(sent.size);
        }
        Uploads rows(transaction.connection());
        check_quota(call, rows, organisation_id, upload.size);
        if (prepared) publish(call.services.store, transaction.connection(), upload.content_type, *prepared);
        rows.insert(upload);
        if (upload.ready) announce_ready(transaction.connection(), upload, upload.created_at);
        return api::created("/api/v1/uploads/" + upload.id.to_string(), render(call, upload, key));
    });
}

http::Response get_upload(api::Call& call) {
    const auto upload = Uploads(call.services.connection).find(api::path_id(call));
    if (!upload || !call.caller().roles.contains(upload->organisation_id)) throw http::not_found();
    return http::data(render(call, *upload, ticket_key(call)));
}

http::Response delete_upload(api::Call& call) {
    const auto id = api::path_id(call);
    const auto key = ticket_key(call);
    std::optional<std::string> content_hash;
    const auto response = api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "uploads", id);
        Uploads rows(transaction.connection());
        const auto upload = rows.lock(id);
        if (!upload) throw http::not_found();
        if (owner.role != identity::Role::admin && !is_creator(call, *upload)) throw http::forbidden();
        if (upload->attachments > 0) throw http::conflict("upload is attached");
        api::check_if_match(call, render(call, *upload, key));
        rows.remove(id);
        content_hash = upload->content_hash;
        return api::deleted(id);
    });
    if (content_hash) remove_unreferenced_files(call, *content_hash);
    return response;
}

// nginx asks before it reads the body, and tells method and length in headers of its own. Its auth_request knows 200, 401 and 403 alone, so
// X-Refusal says which answer to give instead.
http::Response check_ticket(api::Call& call) {
    const auto& config = call.services.config;
    const auto length = call.request.header("x-upload-length").value_or("");
    const bool has_body = (length != "" && length != "0") || call.request.header("transfer-encoding");
    std::optional<Upload> found;
    try {
        found = find_by_ticket(call);
    } catch (const http::ApiError& error) {
        if (error.status == 404) throw http::forbidden();
        throw;
    }
    if (call.request.header("x-upload-method") != "PUT") {
        auto response = has_body ? http::failure(403, "Forbidden") : http::data("{}");
        if (has_body) response.set("X-Refusal", "method");
        return response;
    }
    const auto verdict =
        call.services.limiter.count("write", core::present(found->user_id).to_string(), config.rate_limits.write);
    const auto announced = core::present(found->sent_size);
    std::string refusal;
    if (!verdict.allowed)
        refusal = "limited";
    else if (found->spent())
        refusal = "spent";
    else if (!has_body)
        refusal = "empty";
    else if (length != std::to_string(announced))
        refusal = "length";
    else if (call.services.store.spooled_bytes() + std::uint64_t(announced) > config.uploads.spool_bytes)
        throw http::service_unavailable(call.services.store.incoming() + " holds uploads.spool_bytes already");
    auto response = refusal.empty() ? http::data("{}") : http::failure(403, "Forbidden");
    response.set("RateLimit-Limit", std::to_string(verdict.limit));
    response.set("RateLimit-Remaining", std::to_string(verdict.remaining));
    response.set("RateLimit-Reset", std::to_string(verdict.reset));
    if (!refusal.empty()) response.set("X-Refusal", refusal);
    return response;
}

http::Response put_upload(api::Call& call) {
    const auto asked = find_by_ticket(call);
    if (call.request.header("authorization")) {
        if (!call.principal) throw http::unauthorized();
        if (!is_creator(call, asked)) throw http::forbidden();
    }
    if (asked.spent()) throw http::conflict("ticket is spent");

    const auto prepared = prepare_body(call, asked);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        lock_organisation(transaction, *asked.user_id, asked.organisation_id);
        Uploads rows(transaction.connection());
        auto upload = rows.lock(asked.id);
        if (!upload) throw http::not_found();
        if (upload->spent()) throw http::conflict("ticket is spent");
        const auto reserved = upload->size;
        set_content(*upload, prepared);
        check_quota(call, rows, upload->organisation_id, upload->size, reserved);
        publish(call.services.store, transaction.connection(), upload->content_type, prepared);
        const auto now = call.services.clock.now();
        rows.make_ready(*upload, now);
        announce_ready(transaction.connection(), *upload, now);
        return api::current(render(call, *upload, ticket_key(call)));
    });
}

}  // namespace tradepost::uploads
