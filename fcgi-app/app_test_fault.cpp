// Faults that a request meets on purpose, so that its program can be tested: API rules, "Test organisations".
#include "api/check.h"
#include "app_impl.h"
#include "core/log.h"
#include "core/present.h"
#include "http/error.h"
#include "resources/sandbox/examination.h"
#include "webhooks/announce.h"

namespace tradepost {
namespace {

using api::TestFault;
using Kind = TestFault::Kind;

constexpr std::string_view header = "x-test-fault";

// Of a request that a program sends for itself: not of one about examinations, and not of nginx's check before a body.
bool is_examined(const Call& call) {
    if (!call.principal || !call.principal->token) return false;
    return call.principal->sandbox.examined_until > call.services.clock.now() && !call.pattern.starts_with(api::check_prefix) &&
           call.pattern != "/api/v1/accounts/examination";
}

// What the header asks for. Throws 400 unless the token is of test organisations alone: nothing else is ever disturbed.
std::optional<TestFault> asked_fault(const Call& call) {
    const auto text = call.request.header(header);
    if (!text) return {};
    if (!call.principal || !call.principal->token || !call.principal->sandbox.only)
        throw http::invalid_field("X-Test-Fault", "needs a token of a test organisation");
    const auto fault = api::parse_test_fault(*text);
    if (!fault)
        throw http::invalid_field("X-Test-Fault", "must be 429, 503, lose-answer, slow=1 to " +
                                                      std::to_string(api::longest_slow.count()) +
                                                      ", expire-token, duplicate-webhook, late-webhook or reorder-webhooks");
    // The route itself follows the check and does the others.
    const bool refuses = fault->kind == Kind::too_many || fault->kind == Kind::unavailable || fault->kind == Kind::expire_token;
    if (call.pattern.starts_with(api::check_prefix) && !refuses) return {};
    return fault;
}

}  // namespace

// A request that waited for its share has met its fault before.
void App::Impl::make_fault(Call& call) {
    if (resumed) {
        call.fault = resumed->fault;
        call.observation = resumed->observation;
    } else {
        call.fault = asked_fault(call);
        if (!call.fault && is_examined(call)) sandbox::Examinations(connection).observe(call);
    }
    if (!call.fault) return;
    switch (call.fault->kind) {
        case Kind::too_many:
            throw http::too_many_requests(api::retry_after_too_many, "a fault for tests");
        case Kind::unavailable:
            throw http::busy("a fault for tests");
        case Kind::gone:
            throw http::ApiError(410, "Gone: start again from the list", "a fault for tests");
        case Kind::expire_token:
            if (!api::is_optional(call.route->rules.access)) throw http::unauthorized();
            call.principal.reset();
            call.ignored_token = identity::TokenFault::expired;
            return;
        case Kind::slow: {
            if (resumed || slept == &call.request) return;
            const auto caller = "user " + core::present(call.principal).user_id.to_string();
            if (!may_wait(caller)) throw http::too_many_requests(std::chrono::seconds(1), "too many slow requests wait");
            throw Sleeping{caller, std::chrono::steady_clock::now() + call.fault->wait};
        }
        case Kind::duplicate_webhook:
            return webhooks::disturb(webhooks::Disturbance::twice);
        case Kind::late_webhook:
            return webhooks::disturb(webhooks::Disturbance::late);
        case Kind::reorder_webhooks:
            return webhooks::disturb(webhooks::Disturbance::reordered);
        case Kind::lose_answer:
        case Kind::expiring_token:
            return;
    }
}

// Without a worker, which serves others meanwhile.
http::Response App::Impl::sleep(const http::Request& request, const Sleeping& sleeping) {
    http::Response response;
    response.resume = [this, &request, sleeping] {
        if (std::chrono::steady_clock::now() < sleeping.until) return sleep(request, sleeping);
        if (--waiting[sleeping.who] == 0) waiting.erase(sleeping.who);
        slept = &request;
        auto answered = handle(request, nullptr);
        slept = nullptr;
        return answered;
    };
    return response;
}

// The request is done, whatever its client sees.
void App::Impl::end_fault(Call& call, http::Response& response) {
    if (call.observation) try {
            sandbox::Examinations(connection).note_status(*call.observation, response.status);
        } catch (const db::Error& error) {
            core::log::warning("examination", {{"id", call.id}, {"why", error.what()}});
        }
    if (call.fault && call.fault->kind == Kind::expiring_token)
        response.set("X-Token-Expires-At", core::to_rfc3339(call.fault->ends));
    if (!call.fault || call.fault->kind != Kind::lose_answer || response.status >= 400) return;
    auto lost = failed(call, http::ApiError(504, "Gateway timeout", "a fault for tests: the answer is lost"));
    lost.after = std::move(response.after);
    response = std::move(lost);
}

}  // namespace tradepost
