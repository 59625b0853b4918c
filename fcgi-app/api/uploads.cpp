#include "api/uploads.h"

#include "api/upload_json.h"
#include "api/write.h"
#include "core/base64.h"
#include "core/crypto.h"
#include "domain/upload.h"
#include "http/error.h"
#include "json/fields.h"
#include "uploads/intake.h"
#include "uploads/ticket.h"

namespace tradepost::api {
namespace {

using domain::Upload;
using uploads::Prepared;

domain::NewUpload read(const json::Json& body) {
    json::refuse_unknown(body, domain::new_upload_fields(),
                         {"id", "organisationId", "status", "width", "height", "url", "thumbnailUrl", "uploadUrl", "createdAt"});
    domain::NewUpload sent;
    json::read_fields(body, domain::new_upload_fields(), sent, json::Reading::create);
    if (const auto fault = domain::fault(sent)) throw http::invalid_field(std::string(fault->field), fault->why);
    return sent;
}

std::string bytes_of_hex(const std::string& text) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) bytes += char(std::stoi(text.substr(i, 2), nullptr, 16));
    return bytes;
}

std::string decoded(const domain::NewUpload& sent) {
    auto bytes = core::from_base64(*sent.data);
    if (!bytes) throw http::invalid_field("data", "must be base64 of RFC 4648, section 4");
    if (bytes->empty()) throw http::invalid_field("data", "must not be empty");
    if (bytes->size() > uploads::max_json_bytes)
        throw http::invalid_field("data", "must be at most 8 MiB; larger files go the way of size and sha256");
    if (sent.size && std::uint64_t(*sent.size) != bytes->size())
        throw http::invalid_field("size", "must be the number of bytes in data");
    if (sent.sha256 && bytes_of_hex(*sent.sha256) != core::sha256(*bytes))
        throw http::invalid_field("sha256", "must be the hash of the bytes in data");
    return *bytes;
}

// What has become of the upload's bytes.
void settle(Upload& upload, const Prepared& prepared) {
    upload.ready = true;
    upload.content_hash = prepared.content_hash;
    upload.size = prepared.size;
    upload.width = prepared.width;
    upload.height = prepared.height;
}

// Inside a transaction that has locked the organisation exclusively: `more` bytes in place of `instead`.
void check_quota(Call& call, const core::Uuid& organisation_id, std::int64_t more, std::int64_t instead = 0) {
    const auto total = call.services.changes.uploads().bytes_of(organisation_id) - instead + more;
    if (std::uint64_t(total) > call.services.config.uploads.quota_bytes) throw http::conflict("upload quota reached");
}

// The files get their names before the row that refers to them is committed; `hold` must outlive that.
void publish(Call& call, const Upload& upload, const Prepared& prepared, uploads::Hold& hold) {
    auto& store = call.services.store;
    try {
        hold = store.hold(*upload.content_hash);
        if (prepared.thumbnail)
            store.publish(hold, *prepared.thumbnail, *domain::thumbnail_url(*upload.content_hash, upload.content_type));
        store.publish(hold, prepared.file, domain::upload_url(*upload.content_hash, upload.content_type));
    } catch (const std::system_error& error) {
        uploads::raise(error);
    }
}

// The upload for whose bytes a ticket asks, spent or not. Throws 404 when there is none, or the ticket is too old.
Upload asked_by_ticket(Call& call) {
    const auto& ticket = call.parameters[0];
    const auto id = uploads::ticket_names(ticket);
    auto asked = id ? call.services.uploads.find(*id) : std::nullopt;
    if (!asked || !uploads::ticket_opens(ticket_key(call), ticket, *asked, call.services.clock.now()) || !asked->user_id)
        throw http::not_found();
    return *asked;
}

bool may_have_been_made_by(const Upload& upload, const Call& call) {
    return upload.user_id == call.principal->user_id;
}

}  // namespace

http::Response create_upload(Call& call) {
    call.body();
    // Outside: a repeated transaction need not decode again, and what is held must outlive the commit.
    std::optional<Prepared> prepared;
    uploads::Hold hold;
    const auto key = ticket_key(call);
    return create(call, [&] {
        const auto organisation_id = expected_organisation(call);
        const auto sent = read(call.body());
        if (sent.data && !prepared) prepared = uploads::prepare(call.services.store, decoded(sent), sent.content_type, "data");

        if (call.services.changes.ownership().of_user(call.principal->user_id, organisation_id, repo::Hold::exclusive).empty())
            throw http::not_found();
        Upload upload;
        upload.created_at = call.services.clock.now();
        upload.id = core::Uuid::v7(upload.created_at);
        upload.organisation_id = organisation_id;
        upload.user_id = call.principal->user_id;
        upload.filename = sent.filename;
        upload.content_type = sent.content_type;
        if (prepared) {
            settle(upload, *prepared);
        } else {
            upload.sent_size = sent.size;
            upload.sent_hash = bytes_of_hex(*sent.sha256);
            upload.size = *sent.size;
        }
        check_quota(call, organisation_id, upload.size);
        if (prepared) publish(call, upload, *prepared, hold);
        call.services.changes.uploads().insert(upload);
        return created("/api/v1/uploads/" + upload.id.to_string(), render(call, upload, key));
    });
}

http::Response get_upload(Call& call) {
    const auto upload = call.services.uploads.find(path_id(call));
    if (!upload || !call.principal->roles.contains(upload->organisation_id)) throw http::not_found();
    return http::data(render(call, *upload, ticket_key(call)));
}

http::Response delete_upload(Call& call) {
    const auto id = path_id(call);
    const auto key = ticket_key(call);
    std::optional<std::string> content_hash;
    const auto response = change(call, [&] {
        const auto owner = owner_of(call, repo::Owned::uploads, id);
        auto rows = call.services.changes.uploads();
        const auto upload = rows.lock(id);
        if (!upload) throw http::not_found();
        if (owner.role != domain::Role::admin && !may_have_been_made_by(*upload, call)) throw http::forbidden();
        if (upload->attachments > 0) throw http::conflict("upload is attached");
        check_if_match(call, render(call, *upload, key));
        rows.remove(id);
        content_hash = upload->content_hash;
        return deleted(id);
    });
    if (content_hash) forget_file(call, *content_hash);
    return response;
}

http::Response check_ticket(Call& call) {
    try {
        asked_by_ticket(call);
    } catch (const http::ApiError& error) {
        // The one refusal that nginx's auth_request knows beside 401.
        if (error.status == 404) throw http::forbidden();
        throw;
    }
    return http::data("{}");
}

http::Response put_upload(Call& call) {
    const auto asked = asked_by_ticket(call);
    if (call.request.header("authorization")) {
        if (!call.principal) throw http::unauthorized();
        if (!may_have_been_made_by(asked, call)) throw http::forbidden();
    }
    if (asked.ready) throw http::conflict("ticket is spent");

    const auto prepared = prepare_body(call, asked);
    uploads::Hold hold;
    return change(call, [&] {
        if (call.services.changes.ownership().of_user(*asked.user_id, asked.organisation_id, repo::Hold::exclusive).empty())
            throw http::not_found();
        auto rows = call.services.changes.uploads();
        auto upload = rows.lock(asked.id);
        if (!upload) throw http::not_found();
        if (upload->ready) throw http::conflict("ticket is spent");
        const auto reserved = upload->size;
        settle(*upload, prepared);
        check_quota(call, upload->organisation_id, upload->size, reserved);
        publish(call, *upload, prepared, hold);
        rows.make_ready(*upload, call.services.clock.now());
        return current(render(call, *upload, ticket_key(call)));
    });
}

}  // namespace tradepost::api
