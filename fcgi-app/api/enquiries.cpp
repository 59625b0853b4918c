#include "api/enquiries.h"

#include "api/list.h"
#include "api/polling.h"
#include "api/write.h"
#include "http/error.h"
#include "http/pagination.h"
#include "json/fields.h"

namespace tradepost::api {
namespace {

using repo::EnquiryTarget;

// Throws 400 for what no enquiry has. What a route does not take is ignored, so that what a GET showed can be sent.
void refuse_unknown(const json::Json& body) {
    json::refuse_unknown(
        body, domain::sent_fields(),
        {"id", "organisationId", "type", "stockId", "jobId", "fromUserId", "status", "note", "createdAt", "updatedAt"});
}

void write(json::Writer& writer, const domain::Enquiry& enquiry) {
    writer.begin_object().member("id", enquiry.id).member("organisationId", enquiry.organisation_id).member("type", enquiry.type);
    writer.member("stockId", enquiry.stock_id).member("jobId", enquiry.job_id).member("fromUserId", enquiry.from_user_id);
    json::write_fields(writer, domain::sent_fields(), enquiry, true);
    json::write_fields(writer, domain::worked_fields(), enquiry, true);
    writer.member("createdAt", enquiry.created_at).member("updatedAt", enquiry.updated_at).end_object();
}

std::string render(const domain::Enquiry& enquiry) {
    json::Writer writer;
    write(writer, enquiry);
    return writer.take();
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
void read_target(Call& call, domain::Enquiry& enquiry) {
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
    const auto found = call.services.changes.enquiries().find_target(call.principal->user_id, kind, id);
    if (!found || (found->expires_at && *found->expires_at <= call.services.clock.now())) throw http::not_found();
    enquiry.organisation_id = found->organisation_id;
    if (organisation_id && *organisation_id != enquiry.organisation_id)
        throw http::invalid_field("organisationId",
                                  std::string("must be that of the ") + (enquiry.stock_id ? "stock item" : "job"));
}

void check_type(const json::Json& body, const domain::Enquiry& enquiry) {
    const auto given = body.find("type");
    if (given == body.end()) return;
    if (given->is_null()) throw http::invalid_field("type", "must not be null");
    if (!given->is_string()) throw http::invalid_field("type", "must be a string");
    if (given->get_ref<const std::string&>() != enquiry.type)
        throw http::invalid_field("type", "must be " + enquiry.type + " with this target");
}

// `sent`: true or false.
bool read_sent(const http::Query& query) {
    const auto text = query.filter("sent");
    if (text && *text != "true" && *text != "false") throw http::invalid_query("sent is neither true nor false");
    return text == "true";
}

// All but whose they are.
repo::EnquiryFilter read_filter(const http::Query& query) {
    repo::EnquiryFilter filter;
    filter.statuses = codes(query, "status");
    filter.types = codes(query, "type");
    filter.stock_id = read_id(query, "stockId");
    filter.job_id = read_id(query, "jobId");
    filter.updated_since = read_updated_since(query);
    return filter;
}

}  // namespace

http::Response list_enquiries(Call& call) {
    const auto page = http::read_page(call.query);
    const bool sent = read_sent(call.query);
    auto filter = read_filter(call.query);
    const auto organisation_id = read_id(call.query, "organisationId");
    if (sent) {
        filter.sender = call.principal->user_id;
        if (organisation_id) filter.organisation_ids = {*organisation_id};
    } else {
        filter.organisation_ids = own_organisations(call, organisation_id);
    }
    auto& changes = call.services.changes;
    const auto& clock = call.services.clock;
    if (filter.updated_since)
        filter.updated_until = sent ? changes.sender_horizon(*filter.sender, organisation_id, clock)
                                    : changes.horizon(filter.organisation_ids, clock);

    const auto total = call.services.enquiries.count(filter);
    json::Writer items;
    items.begin_array();
    if (page.offset() < total)
        for (auto& enquiry : call.services.enquiries.page(filter, {page.offset(), page.limit})) {
            if (sent) enquiry.note.reset();
            write(items, enquiry);
        }
    items.end_array();
    return page_of_list(call, "enquiries", items.text(), page, total, filter.updated_until);
}

http::Response get_enquiry(Call& call) {
    const auto found = call.services.enquiries.find(call.principal->user_id, path_id(call));
    if (!found) throw http::not_found();
    return http::data(render(*found));
}

http::Response create_enquiry(Call& call) {
    return create(call, [&] {
        const auto& body = call.body();
        domain::Enquiry enquiry;
        read_target(call, enquiry);
        refuse_unknown(body);
        check_type(body, enquiry);
        json::read_fields(body, domain::sent_fields(), enquiry, json::Reading::create);
        enquiry.created_at = enquiry.updated_at = call.services.clock.now();
        enquiry.id = core::Uuid::v7(enquiry.created_at);
        enquiry.from_user_id = call.principal->user_id;
        auto writer = call.services.changes.enquiries();
        writer.insert(enquiry);
        writer.finish();
        return created("/api/v1/enquiries/" + enquiry.id.to_string(), render(enquiry));
    });
}

http::Response change_enquiry(Call& call) {
    const auto id = path_id(call);
    const auto& body = call.body();
    return change(call, [&] {
        owner_of(call, repo::Owned::enquiries, id);
        auto writer = call.services.changes.enquiries();
        const auto before = writer.find(id);
        if (!before) throw http::not_found();
        refuse_unknown(body);
        auto enquiry = *before;
        json::read_fields(body, domain::worked_fields(), enquiry, json::Reading::change);
        check_if_match(call, render(*before));
        if (domain::same_fields(domain::worked_fields(), enquiry, *before)) return current(render(*before));
        enquiry.updated_at = next_update(call, before->updated_at);
        writer.update(enquiry, *before);
        writer.finish();
        return current(render(enquiry));
    });
}

http::Response delete_enquiry(Call& call) {
    const auto id = path_id(call);
    return change(call, [&] {
        owner_of(call, repo::Owned::enquiries, id, true);
        auto writer = call.services.changes.enquiries();
        const auto found = writer.find(id);
        if (!found) throw http::not_found();
        check_if_match(call, render(*found));
        writer.remove(*found);
        writer.finish();
        return deleted(id);
    });
}

}  // namespace tradepost::api
