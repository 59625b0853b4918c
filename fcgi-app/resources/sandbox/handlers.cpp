// /api/v1/accounts/examination: the examination of a test organisation's programs.
#include "resources/accounts/handlers.h"

#include <algorithm>

#include "api/route.h"
#include "api/write.h"
#include "core/present.h"
#include "fields/json.h"
#include "http/error.h"
#include "identity/organisations/organisations.h"
#include "identity/tokens/integrations.h"
#include "json/writer.h"
#include "resources/sandbox/examination.h"

namespace tradepost::sandbox {
namespace {

struct Asked {
    std::optional<std::int64_t> minutes;
    std::optional<core::Uuid> integration_id;
};

std::span<const fields::Field<Asked>> asked_fields() {
    static const fields::Field<Asked> fields[] = {
        {"minutes", fields::rules::integer(1, 15), &Asked::minutes},
        {"integrationId", fields::rules::of(fields::Kind::id), &Asked::integration_id},
    };
    return fields;
}

constexpr std::int64_t usual_minutes = 5;

// GOOD: all that was seen is right. BAD: something is wrong. INCOMPLETE: nothing is wrong, and not all was seen.
std::string_view grade_of(const std::vector<Check>& checks) {
    const auto has = [&](Result result) {
        return std::any_of(checks.begin(), checks.end(), [&](const auto& check) { return check.result == result; });
    };
    return has(Result::failed) ? "BAD" : has(Result::not_seen) ? "INCOMPLETE" : "GOOD";
}

std::string render(const Examination& examination, core::Time now) {
    const auto checks = grade(examination);
    json::Writer writer;
    writer.begin_object().member("state", now < examination.until ? "RUNNING" : "FINISHED");
    writer.member("startedAt", examination.from).member("endsAt", examination.until);
    writer.member("requests", std::int64_t(examination.requests.size())).member("grade", grade_of(checks));
    writer.name("checks").begin_array();
    for (const auto& check : checks) {
        writer.begin_object().member("name", to_string(check.step)).member("result", to_string(check.result));
        writer.member("why", check.why).name("requestIds").begin_array();
        for (const auto& id : check.request_ids) writer.value(id);
        writer.end_array().end_object();
    }
    writer.end_array().end_object();
    return writer.take();
}

http::Response get_examination(api::Call& call) {
    accounts::check_admin(call);
    const auto found = Examinations(call.services.connection).find(accounts::own_role(call).first);
    if (!found) throw http::not_found();
    return http::data(render(*found, call.services.clock.now()));
}

http::Response begin_examination(api::Call& call) {
    const auto organisation = accounts::own_role(call).first;
    Asked asked;
    fields::refuse_unknown(call.body(), asked_fields());
    fields::read_fields(call.body(), asked_fields(), asked, fields::Reading::create);
    return api::change(call, [&](writes::WriteTransaction& transaction) {
        auto& connection = transaction.connection();
        accounts::lock_as_admin(call, transaction, organisation);
        if (!core::present(identity::Organisations(connection).find(organisation)).test)
            throw http::conflict("only test organisations are examined");
        const auto now = call.services.clock.now();
        Examinations examinations(connection);
        if (const auto last = examinations.find(organisation); last && now < last->until)
            throw http::conflict("an examination is running");
        if (asked.integration_id && !identity::Integrations(connection).lock(organisation, *asked.integration_id))
            throw http::invalid_field("integrationId", "must be that of an integration of the organisation");
        examinations.begin(organisation, asked.integration_id, now, std::chrono::minutes(asked.minutes.value_or(usual_minutes)));
        auto response = http::data(render(core::present(examinations.find(organisation)), now), 201);
        response.set("Location", "/api/v1/accounts/examination");
        return response;
    });
}

}  // namespace

std::span<const api::Route> routes() {
    using namespace api;
    // clang-format off
    static const Route table[] = {
        {"GET",  "/api/v1/accounts/examination", get_examination},
        {"POST", "/api/v1/accounts/examination", begin_examination, {.body = json_body, .parameters = organisation_parameter, .before_body = accounts::check_admin}},
    };
    // clang-format on
    return table;
}

}  // namespace tradepost::sandbox
