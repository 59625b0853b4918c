// Handlers of uploads: /api/v1/uploads, and /upload/{ticket} for large files.
#include <algorithm>

#include "api/check.h"
#include "api/route.h"
#include "api/write.h"
#include "core/base64.h"
#include "core/crypto.h"
#include "core/hex.h"
#include "core/present.h"
#include "db/failure.h"
#include "fields/json.h"
#include "files/intake.h"
#include "http/error.h"
#include "http/pagination.h"
#include "limits/limiter.h"
#include "lists/selection.h"
#include "resources/uploads/attachments.h"
#include "resources/uploads/json.h"
#include "resources/uploads/rows.h"
#include "resources/uploads/upload.h"
#include "writes/room.h"

namespace tradepost::uploads {
namespace {

using files::Prepared;

NewUpload read(const json::Json& body) {
    fields::refuse_unknown(body, new_upload_fields(),
                           {"id", "organisationId", "status", "width", "height", "url", "thumbnailUrl", "uploadUrl", "sourceUrl",
                            "error", "createdAt"});
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
    upload.status = "READY";
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

http::Response create_upload(api::Call& call) {
    call.body();
    core::Uuid organisation_id;
    NewUpload sent;
    std::optional<Prepared> prepared;
    const auto key = ticket_key(call);
    const auto prepare = [&] {
        organisation_id = api::expected_organisation(call);
        sent = read(call.body());
        if (sent.data) prepared = prepare_data(call, organisation_id, decoded(sent), sent.content_type);
    };
    return api::create(call, prepare, [&](writes::WriteTransaction& transaction) {
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
        rows.insert(upload);
        for (const auto things : {writes::Things::uploads, writes::Things::pending_uploads})
            writes::check_room(transaction, call.services.config, things, organisation_id);
        if (prepared) publish(call.services.store, transaction.connection(), upload.content_type, *prepared);
        if (upload.ready()) announce_ready(transaction.connection(), upload, upload.created_at);
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
        api::check_preconditions(call, render(call, *upload, key));
        rows.remove(id);
        content_hash = upload->content_hash;
        return api::deleted(id);
    });
    if (content_hash) remove_unreferenced_files(call, *content_hash);
    return response;
}

// nginx asks before it reads the body, and tells method and length in headers of its own.
http::Response check_ticket(api::Call& call) {
    const auto& config = call.services.config;
    // A chunked body has no length, nor has a body of HTTP/2 whose client does not know it.
    const auto length = call.request.header("x-upload-length").value_or("");
    const bool has_body = (length != "" && length != "0") || call.request.header("transfer-encoding");
    const auto found = find_by_ticket(call);
    if (call.request.header("x-upload-method") != "PUT") {
        if (has_body) throw http::ApiError(405, "Method not allowed");
        return http::data("{}");
    }
    call.verdict = call.services.limiter.count("write", core::present(found.user_id).to_string(), config.rate_limits.write);
    if (!call.verdict->allowed) throw http::too_many_requests(std::chrono::seconds(call.verdict->reset));
    if (found.spent()) throw http::conflict("ticket is spent");
    const auto announced = core::present(found.sent_size);
    if (length == "0") throw http::invalid_field("body", "must not be empty");
    if (!length.empty() && length != std::to_string(announced))
        throw http::invalid_field("size", "must be the number of bytes in the body");
    api::check_turn(call, turn_key(found.organisation_id), most_waiting);
    // nginx stores as much of a body without a length as any ticket may have; the route compares the length.
    api::check_spool(call, length.empty() ? files::max_sent_bytes : std::uint64_t(announced));
    return http::data("{}");
}

// What the body says is not known yet: which of the caller's organisations it names, and whether it has `data`.
http::Response check_upload(api::Call& call) {
    constexpr std::size_t digits_of_large = 5;  // a body of less than 10 kB mostly asks for a ticket, which nobody waits for
    const auto& roles = call.caller().roles;
    if (roles.empty()) throw http::not_found();
    const auto length = call.request.header("x-upload-length").value_or("");
    if (roles.size() == 1 && (length.empty() || length.size() >= digits_of_large))
        api::check_turn(call, turn_key(roles.begin()->first), most_waiting);
    return http::data("{}");
}

// PUT /upload/{ticket}: the bytes, in a file that nginx wrote.
http::Response put_upload(api::Call& call) {
    const auto asked = find_by_ticket(call);
    if (call.request.header("authorization")) {
        if (!call.principal) throw http::unauthorized();
        if (!is_creator(call, asked)) throw http::forbidden();
    }
    if (asked.spent()) throw http::conflict("ticket is spent");
    api::content_coding(call.request);

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

// The engine of lists has no use for the rest: what an upload looks like depends on the caller.
const lists::List& list() {
    static const lists::Filter status{.parameter = "status", .compare = lists::Compare::code, .column = "status"};
    static const lists::List list{.collection = "uploads",
                                  .table = "uploads",
                                  .scope = "organisation_id",
                                  .order = {.column = "created_at", .index = "uploads_list"},
                                  .filters = std::span(&status, 1)};
    return list;
}

std::string render(api::Call& call, std::span<const Upload> uploads, http::Page page, std::int64_t total) {
    json::Writer writer;
    writer.begin_object().name("data").begin_object().name("uploads").begin_array();
    for (const auto& upload : uploads) write(writer, call, upload, ticket_key(call));
    writer.end_array().member("total", total).member("page", page.number).member("pages", page.pages(total));
    writer.end_object().end_object();
    return writer.take();
}

http::Response list_uploads(api::Call& call) {
    const auto named = lists::read_id(call.query, "organisationId");
    auto selection = lists::select(list(), call.query);
    const auto page = http::read_page(call.query);
    selection.owners = api::own_organisations(call, named);
    std::int64_t total = 0;
    std::vector<Upload> found;
    if (!selection.is_empty()) {
        Uploads rows(call.services.reads);
        // What is being fetched is none yet: uploads/fetching.h.
        std::vector<std::string> statuses{"PENDING", "READY"};
        if (!selection.chosen.empty())
            std::erase_if(statuses, [&](const auto& status) { return !std::ranges::count(selection.chosen[0].texts, status); });
        if (!statuses.empty()) total = rows.count(selection.owners, statuses);
        if (page.offset() < total) found = rows.page(selection.owners, statuses, {page.offset(), page.limit});
    }
    http::Response response;
    response.body = render(call, found, page, total);
    http::add_page_headers(response, call.services.config.http.base_url + "/api/v1/uploads", call.query, page, total);
    return response;
}

}  // namespace

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/uploads",        list_uploads,  {.needs = identity::Scope::uploads_write, .pool = Pool::uploads}},
        {"POST",   "/api/v1/uploads",        create_upload, {.needs = identity::Scope::uploads_write, .limit = RateClass::exempt, .cost = limits::Cost::bulk, .body = upload_body, .pool = Pool::uploads}},  // /check/uploads has counted it
        {"GET",    "/api/v1/uploads/{id}",   get_upload,    {.needs = identity::Scope::uploads_write}},
        {"DELETE", "/api/v1/uploads/{id}",   delete_upload, {.needs = identity::Scope::uploads_write, .is_tagged = true}},
        {"PUT",    "/upload/{ticket}",       put_upload,    {.access = Access::optional_token, .needs = identity::Scope::uploads_write, .limit = RateClass::exempt, .cost = limits::Cost::bulk, .pool = Pool::uploads}},  // /check/upload has counted it
        {"GET",    "/check/upload/{ticket}", check_ticket,  {.access = Access::open}},
        {"PUT",    "/check/uploads",         check_upload,  {.needs = identity::Scope::uploads_write, .cost = limits::Cost::cheap, .is_tagged = true}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::uploads
