#include "resources/sandbox/examination.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/route.h"
#include "core/crypto.h"
#include "core/present.h"
#include "http/error.h"
#include "json/parse.h"
#include "webhooks/announce.h"
#include "webhooks/deliveries.h"
#include "webhooks/webhooks.h"

namespace tradepost::sandbox {
namespace {

using Kind = api::TestFault::Kind;

struct StepRow {
    Step step;
    std::string_view name;
    Kind kind;
};
constexpr StepRow steps[] = {{Step::lost_answer, "LOST_ANSWER", Kind::lose_answer},
                             {Step::unavailable, "UNAVAILABLE", Kind::unavailable},
                             {Step::poll, "POLL", Kind::unavailable},
                             {Step::gone, "GONE", Kind::gone},
                             {Step::duplicate_webhook, "DUPLICATE", Kind::duplicate_webhook},
                             {Step::too_many, "TOO_MANY", Kind::too_many},
                             {Step::expired_token, "EXPIRED_TOKEN", Kind::expiring_token}};

const StepRow& row_of(Step step) {
    return *std::find_if(std::begin(steps), std::end(steps), [&](const auto& row) { return row.step == step; });
}

std::optional<Step> parse_step(const std::optional<std::string>& name) {
    for (const auto& row : steps)
        if (name == row.name) return row.step;
    return {};
}

bool fits(Step step, const Observation& request) {
    switch (step) {
        case Step::lost_answer:
            return request.changes && request.method == "POST";
        case Step::unavailable:
        case Step::duplicate_webhook:
            return request.changes;
        case Step::poll:
            return request.since && !request.route.ends_with("/deletions");
        case Step::gone:
            return request.since && request.route.ends_with("/deletions");
        default:
            return true;
    }
}

// What was made so far, and how much was kept.
struct Made {
    std::vector<std::pair<Step, core::Time>> faults;
    std::optional<core::Time> ends;  // of this token
    std::int64_t kept = 0;
};

Made made(db::Connection& connection, const core::Uuid& organisation_id, const core::Uuid& token_id) {
    Made made;
    for (const auto& row : connection.query(
             "SELECT fault, at, token_id, (SELECT COUNT(*) FROM examination_requests n FORCE INDEX (examination_requests_list) "
             "WHERE n.organisation_id = ?) FROM examination_requests FORCE INDEX (examination_requests_fault) WHERE "
             "organisation_id = ? AND fault IS NOT NULL UNION ALL SELECT NULL, NULL, NULL, COUNT(*) FROM examination_requests "
             "FORCE INDEX (examination_requests_list) WHERE organisation_id = ?",
             {organisation_id, organisation_id, organisation_id})) {
        made.kept = row.integer(3);
        const auto step = parse_step(row.opt_text(0));
        if (!step) continue;
        made.faults.emplace_back(*step, row.time(1));
        if (*step == Step::expired_token && row.uuid(2) == token_id) made.ends = row.time(1) + expires_within;
    }
    return made;
}

// The next fault that this request is to meet. A token expires when there is nothing else to see with it, or half of the time is over.
std::optional<Step> choose(const Made& made, const Observation& request, core::Time until) {
    for (const auto& [step, at] : made.faults)
        if (request.at < at + between_faults) return {};
    for (const auto step : all_steps) {
        const bool was =
            std::any_of(made.faults.begin(), made.faults.end(), [&](const auto& each) { return each.first == step; });
        if (was || !fits(step, request)) continue;
        if (step == Step::expired_token && made.faults.size() + 1 < std::size(all_steps) &&
            until - request.at > std::chrono::minutes(2))
            continue;
        return step;
    }
    return {};
}

Observation observation_of(const api::Call& call) {
    const auto& request = call.request;
    Observation seen;
    seen.at = call.services.clock.now();
    seen.id = core::Uuid::v7(seen.at);
    seen.user_id = call.caller().user_id;
    seen.token_id = core::present(call.caller().token).id;
    seen.request_id = call.id;
    seen.method = request.method;
    seen.route = call.pattern;
    if (!call.parameters.empty()) seen.subject = hash_of(call.parameters[0]);
    seen.content = hash_of(request.method + " " + request.target + "\n" + request.body);
    if (const auto key = request.header("idempotency-key")) seen.idempotency_key = hash_of(*key);
    seen.changes = request.method != "GET" && request.method != "HEAD";
    try {
        const http::Query query(request.raw_query());
        if (query.filter("dryRun") == "true") seen.changes = false;
        if (!query.filter("position")) seen.since = query.time(call.pattern.ends_with("/deletions") ? "since" : "updatedSince");
    } catch (const http::ApiError&) {  // the route says so
    }
    return seen;
}

// False when another request of the same moment met the fault.
bool insert(db::Connection& connection, const core::Uuid& organisation_id, const Observation& seen) try {
    std::optional<std::string_view> fault;
    if (seen.fault) fault = to_string(*seen.fault);
    const auto binary = [](const std::optional<std::string>& hash) {
        return hash ? db::Value(db::Binary{*hash}) : db::Value(nullptr);
    };
    connection.execute(
        "INSERT INTO examination_requests (id, organisation_id, at, user_id, token_id, request_id, method, route, subject, "
        "content, "
        "idempotency_key, since, fault) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        {seen.id, organisation_id, seen.at, seen.user_id, seen.token_id, seen.request_id, seen.method, seen.route,
         binary(seen.subject), db::Binary{seen.content}, binary(seen.idempotency_key), seen.since, fault});
    return true;
} catch (const db::Error& error) {
    if (!error.is_duplicate_key() || !seen.fault) throw;
    return false;
}

// Of messages that arrived; the payload names what they are about.
std::vector<Duplicate> read_duplicates(db::Connection& connection, const core::Uuid& organisation_id, core::Time from) {
    std::vector<Duplicate> found;
    for (const auto& webhook : webhooks::Webhooks(connection).of_organisation(organisation_id))
        for (const auto& row : connection.query(
                 "SELECT payload, status FROM outbox_messages FORCE INDEX (outbox_messages_queue) WHERE target = ? AND "
                 "state = 'delivered' AND kind = ? AND created_at >= ? LIMIT ?",
                 {webhooks::target_of(webhook.id), webhooks::twice_kind, from, webhooks::deliveries_kept})) {
            const auto data = json::parse(row.text(0)).at("data");
            const auto id = data.find("id");
            found.push_back({id == data.end() ? std::string() : hash_of(id->get<std::string>()), row.opt_integer(1)});
        }
    return found;
}

}  // namespace

std::string_view to_string(Step step) {
    return row_of(step).name;
}

std::string hash_of(std::string_view text) {
    return core::fast_hash128(text);
}

void Examinations::begin(const core::Uuid& organisation_id, const std::optional<core::Uuid>& integration, core::Time now,
                         std::chrono::minutes length) {
    connection_.execute("DELETE FROM examination_requests WHERE organisation_id = ?", {organisation_id});
    connection_.execute("UPDATE organisations SET examined_from = ?, examined_until = ?, examined_user_id = ? WHERE id = ?",
                        {now, now + length, integration, organisation_id});
}

std::optional<Examination> Examinations::find(const core::Uuid& organisation_id) {
    const auto times =
        connection_.query("SELECT examined_from, examined_until FROM organisations WHERE id = ?", {organisation_id});
    if (times.empty() || times[0].is_null(0)) return {};
    Examination found{times[0].time(0), times[0].time(1), {}, {}};
    for (const auto& row : connection_.query(
             "SELECT id, at, user_id, token_id, request_id, method, route, subject, content, idempotency_key, since, fault, "
             "status FROM examination_requests FORCE INDEX (examination_requests_list) WHERE organisation_id = ? "
             "AND at >= ? ORDER BY at, id LIMIT ?",
             {organisation_id, found.from, most_observed}))
        found.requests.push_back({row.uuid(0), row.time(1), row.uuid(2), row.uuid(3), row.text(4), row.text(5), row.text(6),
                                  row.opt_text(7), row.text(8), row.opt_text(9), row.opt_time(10), parse_step(row.opt_text(11)),
                                  row.opt_integer(12)});
    found.duplicates = read_duplicates(connection_, organisation_id, found.from);
    return found;
}

void Examinations::observe(api::Call& call) {
    const auto& sandbox = call.caller().sandbox;
    auto seen = observation_of(call);
    const auto before = made(connection_, sandbox.examined, seen.token_id);
    if (before.ends && seen.at < *before.ends + expired_for)
        call.fault = api::TestFault{seen.at < *before.ends ? Kind::expiring_token : Kind::expire_token, {}, *before.ends};
    if (before.kept >= most_observed) return;
    if (!call.fault) seen.fault = choose(before, seen, sandbox.examined_until);
    if (!insert(connection_, sandbox.examined, seen)) {
        seen.fault.reset();
        insert(connection_, sandbox.examined, seen);
    }
    if (seen.fault) call.fault = api::TestFault{row_of(*seen.fault).kind, {}, seen.at + expires_within};
    call.observation = seen.id;
}

void Examinations::note_status(const core::Uuid& observation, int status) {
    connection_.execute("UPDATE examination_requests SET status = ? WHERE id = ?", {status, observation});
}

}  // namespace tradepost::sandbox
