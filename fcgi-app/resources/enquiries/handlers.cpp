// GET, POST /enquiries; GET, PATCH, DELETE /enquiries/{id}.
#include "api/route.h"
#include "api/write.h"
#include "fields/json.h"
#include "http/error.h"
#include "http/pagination.h"
#include "json/parse.h"
#include "lists/horizon.h"
#include "lists/lists.h"
#include "resources/enquiries/letters.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/push.h"
#include "resources/enquiries/rows.h"
#include "resources/enquiries/writer.h"
#include "writes/room.h"

namespace tradepost::enquiries {
namespace {

// Throws 400 for what no enquiry has. What a route does not take is ignored, so that what a GET showed can be sent.
void refuse_unknown(const json::Json& body) {
    fields::refuse_unknown(body, sent_fields(),
                           {"id", "organisationId", "type", "stockId", "jobId", "stock", "job", "fromUserId", "status", "note",
                            "createdAt", "updatedAt"});
}

// An id that the body may leave out, or have as null.
std::optional<core::Uuid> body_id(const json::Json& body, const std::string& name) {
    const auto found = body.find(name);
    if (found == body.end() || found->is_null()) return {};
    if (!found->is_string()) throw http::invalid_field(name, "must be a string");
    const auto id = core::Uuid::parse(found->get_ref<const std::string&>());
    if (!id) throw http::invalid_field(name, "must be a UUID");
    return id;
}

// Fills in recipient, type and target. Throws 400 for what does not name exactly one target, 404 for one that the caller cannot
// see.
EnquiryWriter::Found read_target(api::Call& call, EnquiryWriter& writer, Enquiry& enquiry) {
    const auto& body = call.body();
    enquiry.stock_id = body_id(body, "stockId");
    enquiry.job_id = body_id(body, "jobId");
    const auto organisation_id = body_id(body, "organisationId");
    if (enquiry.stock_id && enquiry.job_id) throw http::invalid_field("jobId", "must not stand beside stockId");
    if (!enquiry.stock_id && !enquiry.job_id && !organisation_id)
        throw http::invalid_field("organisationId", "is required without stockId or jobId");

    enquiry.type = enquiry.stock_id ? "STOCK" : enquiry.job_id ? "JOB" : "GENERAL";
    const auto kind = enquiry.stock_id ? EnquiryTarget::stock : enquiry.job_id ? EnquiryTarget::job : EnquiryTarget::organisation;
    const auto id = enquiry.stock_id ? *enquiry.stock_id : enquiry.job_id ? *enquiry.job_id : *organisation_id;
    const auto found = writer.find_target(call.caller().user_id, kind, id, call.caller().sandbox.only);
    if (!found || (found->expires_at && *found->expires_at <= call.services.clock.now())) throw http::not_found();
    enquiry.organisation_id = found->organisation_id;
    enquiry.target_title = found->title;
    enquiry.target_reference = found->reference;
    if (organisation_id && *organisation_id != enquiry.organisation_id)
        throw http::invalid_field("organisationId",
                                  std::string("must be that of the ") + (enquiry.stock_id ? "stock item" : "job"));
    return *found;
}

void check_type(const json::Json& body, const Enquiry& enquiry) {
    const auto given = body.find("type");
    if (given == body.end()) return;
    if (given->is_null()) throw http::invalid_field("type", "must not be null");
    if (!given->is_string()) throw http::invalid_field("type", "must be a string");
    if (given->get_ref<const std::string&>() != enquiry.type)
        throw http::invalid_field("type", "must be " + enquiry.type + " with this target");
}

http::Response list_enquiries(api::Call& call) {
    auto& lists = call.services.lists;
    if (call.query.is_second("sent", "false", "true"))
        return lists.answer(sent_list(), call.request, call.query, [&] { return std::vector{call.caller().user_id}; });
    const auto organisation_id = lists::read_id(call.query, "organisationId");
    return lists.answer(received_list(), call.request, call.query, [&] { return api::own_organisations(call, organisation_id); });
}

http::Response get_enquiry(api::Call& call) {
    const auto found = find_for(call.services.reads, call.caller().user_id, api::path_id(call));
    if (!found) throw http::not_found();
    return http::data(render(*found));
}

http::Response create_enquiry(api::Call& call) {
    return api::create(call, [&](writes::WriteTransaction& transaction) {
        const auto& body = call.body();
        EnquiryWriter writer(transaction);
        Enquiry enquiry;
        const auto target = read_target(call, writer, enquiry);
        refuse_unknown(body);
        check_type(body, enquiry);
        fields::read_fields(body, sent_fields(), enquiry, fields::Reading::create);
        enquiry.created_at = enquiry.updated_at = lists::after_polls(call.services.clock.now(), target.polled_until);
        enquiry.id = core::Uuid::v7(enquiry.created_at);
        enquiry.from_user_id = call.caller().user_id;
        writer.insert(enquiry);
        writes::check_room(transaction, call.services.config, writes::Things::enquiries, enquiry.organisation_id);
        push(call.services.config, transaction.connection(), enquiry);
        send_letters(call, transaction, enquiry);
        return api::created("/api/v1/enquiries/" + enquiry.id.to_string(), render(enquiry));
    });
}

http::Response change_enquiry(api::Call& call) {
    const auto id = api::path_id(call);
    const auto& body = call.body();
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        const auto owner = api::owner_of(call, transaction, "enquiries", id);
        EnquiryWriter writer(transaction);
        const auto found = writer.find(id);
        if (!found) throw http::not_found();
        const auto& before = found->enquiry;
        refuse_unknown(body);
        auto enquiry = before;
        fields::read_fields(body, worked_fields(), enquiry, fields::Reading::change);
        api::check_preconditions(call, render(before));
        if (fields::same_fields(worked_fields(), enquiry, before)) return api::current(render(before));
        enquiry.updated_at = lists::after_polls(api::next_update(call, owner, before.updated_at), found->polled_until);
        enquiry.replied_at = replied_at(enquiry, call.services.clock.now());
        writer.update(enquiry, before);
        return api::current(render(enquiry));
    });
}

http::Response delete_enquiry(api::Call& call) {
    const auto id = api::path_id(call);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        api::owner_of(call, transaction, "enquiries", id, true);
        EnquiryWriter writer(transaction);
        const auto found = writer.find(id);
        if (!found) throw http::not_found();
        api::check_preconditions(call, render(found->enquiry));
        writer.remove(found->enquiry);
        return api::deleted(id);
    });
}

}  // namespace

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",    "/api/v1/enquiries",      list_enquiries, {.needs = identity::Scope::enquiries_read, .cost = limits::Cost::search}},
        {"POST",   "/api/v1/enquiries",      create_enquiry, {.needs = identity::Scope::enquiries_write, .body = json_body}},
        {"GET",    "/api/v1/enquiries/{id}", get_enquiry,    {.needs = identity::Scope::enquiries_read}},
        {"PATCH",  "/api/v1/enquiries/{id}", change_enquiry, {.needs = identity::Scope::enquiries_write, .body = json_body, .is_tagged = true}},
        {"DELETE", "/api/v1/enquiries/{id}", delete_enquiry, {.needs = identity::Scope::enquiries_write, .is_tagged = true}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::enquiries
