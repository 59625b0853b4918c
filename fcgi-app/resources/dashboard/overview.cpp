// The overview: totals of the lists of one organisation, and what takes longest.
#include <array>

#include "api/route.h"
#include "api/write.h"
#include "http/error.h"
#include "json/writer.h"
#include "limits/turns.h"
#include "lists/totals.h"
#include "resources/enquiries/figures.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/rows.h"
#include "resources/jobs/lists.h"
#include "resources/stock/lists.h"
#include "writes/room.h"

namespace tradepost::dashboard {
namespace {

using Names = std::span<const std::string_view>;

constexpr std::string_view enquiry_statuses[] = {"NEW", "READ", "REPLIED", "CLOSED", "SPAM"};
constexpr std::string_view stock_statuses[] = {"DRAFT", "PUBLISHED", "ARCHIVED"};
constexpr std::string_view availabilities[] = {"DUE_IN", "IN_STOCK", "RESERVED", "SOLD"};
constexpr std::string_view job_statuses[] = {"DRAFT", "PUBLISHED", "CLOSED", "ARCHIVED"};
constexpr int weeks = 12;
constexpr std::chrono::days soon{14}, replies_of{90};

// The totals that GETs of the lists with these queries would tell, in the order in which they are asked for and read.
class ListTotals {
public:
    ListTotals(api::Call& call, const core::Uuid& organisation_id) : call_(call), organisation_id_(organisation_id) {}

    void ask(const lists::List& list, const std::string& query) {
        selections_.push_back(lists::select(list, http::Query(query)));
        selections_.back().owners = {organisation_id_};
    }
    void ask_each(const lists::List& list, const std::string& query, Names values) {
        for (const auto value : values) ask(list, query + std::string(value));
    }
    void read() { totals_ = lists::totals_of(call_.services.reads, selections_, call_.services.clock.now()); }

    std::int64_t next() { return totals_.at(next_++).rows; }
    void write_each(json::Writer& writer, std::string_view name, Names values) {
        writer.name(name).begin_object();
        for (const auto value : values) writer.member(value, next());
        writer.end_object();
    }

private:
    api::Call& call_;
    core::Uuid organisation_id_;
    std::vector<lists::Selection> selections_;
    std::vector<lists::Total> totals_;
    std::size_t next_ = 0;
};

// Empty until `recount` has filled in what an upgrade added.
std::optional<std::int64_t> without_images(api::Call& call, const core::Uuid& organisation_id) try {
    ListTotals totals(call, organisation_id);
    totals.ask(stock::member_list(), "status=PUBLISHED&hasImages=false");
    totals.read();
    return totals.next();
} catch (const http::ApiError& error) {
    if (error.status != 503) throw;
    return {};
}

// The Mondays with which the last weeks began, and the next one.
std::array<core::Time, weeks + 1> mondays(core::Time now) {
    const auto today = std::chrono::floor<std::chrono::days>(now);
    const auto monday = today - (std::chrono::weekday(today) - std::chrono::Monday);
    std::array<core::Time, weeks + 1> all;
    for (int i = 0; i <= weeks; ++i) all[std::size_t(i)] = core::Time(monday - std::chrono::weeks(weeks - 1 - i));
    return all;
}

void write_weeks(json::Writer& writer, api::Call& call, const core::Uuid& organisation_id) {
    const auto times = mondays(call.services.clock.now());
    const auto before = enquiries::sent_before(call.services.reads, organisation_id, times);
    writer.name("weeks").begin_array();
    for (std::size_t i = 0; i < weeks; ++i) {
        const auto day = core::to_rfc3339(times[i]).substr(0, 10);
        writer.begin_object().member("from", day).member("count", before[i + 1] - before[i]).end_object();
    }
    writer.end_array();
}

void write_enquiries(json::Writer& writer, api::Call& call, const core::Uuid& organisation_id, ListTotals& totals) {
    auto& reads = call.services.reads;
    const auto now = call.services.clock.now();
    writer.name("enquiries").begin_object();
    totals.write_each(writer, "byStatus", enquiry_statuses);
    writer.name("oldestUnanswered");
    const auto oldest = enquiries::find_oldest_unanswered(reads, organisation_id);
    const auto enquiry = oldest ? enquiries::find_for(reads, call.caller().user_id, *oldest) : std::nullopt;
    if (enquiry)
        enquiries::write(writer, *enquiry);
    else
        writer.null();
    write_weeks(writer, call, organisation_id);
    const auto times = enquiries::reply_times(reads, organisation_id, now - replies_of);
    writer.member("replies", std::int64_t(times.size())).member("medianReplySeconds", enquiries::median(times)).end_object();
}

// What waits for the organisation `organisationId`: totals of its lists, the oldest unanswered enquiry, how long replies took.
http::Response get_overview(api::Call& call) {
    const auto organisation_id = api::queried_organisation(call);
    const auto now = call.services.clock.now();
    const auto &received = enquiries::received_list(), &items = stock::member_list(), &jobs = jobs::member_list();
    ListTotals totals(call, organisation_id);
    totals.ask_each(received, "status=", enquiry_statuses);
    totals.ask_each(items, "status=", stock_statuses);
    totals.ask_each(items, "status=PUBLISHED&availability=", availabilities);
    totals.ask_each(jobs, "status=", job_statuses);
    totals.ask(jobs, "status=PUBLISHED&expiresFrom=" + core::to_rfc3339(now) + "&expiresTo=" + core::to_rfc3339(now + soon));
    totals.read();

    json::Writer writer;
    writer.begin_object().member("organisationId", organisation_id);
    write_enquiries(writer, call, organisation_id, totals);
    writer.name("stock").begin_object();
    totals.write_each(writer, "byStatus", stock_statuses);
    totals.write_each(writer, "byAvailability", availabilities);
    writer.member("withoutImages", without_images(call, organisation_id)).end_object();
    writer.name("jobs").begin_object();
    totals.write_each(writer, "byStatus", job_statuses);
    writer.member("endingSoon", totals.next()).end_object().end_object();
    return http::data(writer.text());
}

std::string_view text(writes::Beyond beyond) {
    switch (beyond) {
        case writes::Beyond::refused:
            return "REFUSED";
        case writes::Beyond::merged:
            return "MERGED";
        case writes::Beyond::removed:
            return "REMOVED";
    }
    throw std::logic_error("no such consequence of a limit");
}

// How much the organisation `organisationId` has of each kind, and its limits.
http::Response get_usage(api::Call& call) {
    const auto organisation_id = api::queried_organisation(call);
    const auto& services = call.services;
    // Some of the rows are counted one by one, so an organisation has one worker for this.
    limits::Turns::Taken turn;
    if (services.turns) turn = services.turns->take("usage of " + organisation_id.to_string(), 1);
    if (!turn.taken) throw http::busy("the organisation's usage is being counted");
    json::Writer writer;
    writer.begin_object().member("organisationId", organisation_id).name("usage").begin_array();
    for (const auto& usage : writes::usage_of(services.reads, services.config, organisation_id, services.clock.now()))
        writer.begin_object()
            .member("kind", usage.limit.code)
            .member("used", usage.used)
            .member("limit", std::int64_t(usage.most))
            .member("beyond", text(usage.limit.beyond))
            .end_object();
    writer.end_array().end_object();
    return http::data(writer.text());
}

}  // namespace

std::span<const api::Route> overview_routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET", "/dashboard/api/overview", get_overview, {.access = Access::session}},
        {"GET", "/dashboard/api/usage",    get_usage,    {.access = Access::session}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::dashboard
