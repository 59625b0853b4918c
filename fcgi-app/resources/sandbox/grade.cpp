// What an examination found: a function for each step.
#include <algorithm>
#include <map>

#include "api/test_fault.h"
#include "resources/sandbox/examination.h"

namespace tradepost::sandbox {
namespace {

using Requests = std::vector<const Observation*>;

// How often a program may try with a token that has expired before it notices.
constexpr std::size_t most_tries = 3;

struct Seen {
    const Examination& examination;
    const Observation& fault;
    Requests later;  // behind the request that met the fault

    bool is_repeat(const Observation& request) const { return request.content == fault.content; }
};

Check verdict(Step step, Result result, std::string why, const Requests& requests = {}) {
    Check check{step, result, std::move(why), {}};
    for (const auto* each : requests) check.request_ids.push_back(each->request_id);
    return check;
}

Check passed(const Seen& seen, std::string why, const Requests& more = {}) {
    auto requests = more;
    requests.insert(requests.begin(), &seen.fault);
    return verdict(*seen.fault.fault, Result::passed, std::move(why), requests);
}
Check failed(const Seen& seen, std::string why, const Requests& more = {}) {
    auto check = passed(seen, std::move(why), more);
    check.result = Result::failed;
    return check;
}
Check unknown(const Seen& seen, std::string why) {
    return verdict(*seen.fault.fault, Result::not_seen, std::move(why), {&seen.fault});
}

template <class Test>
const Observation* first(const Requests& requests, Test&& test) {
    const auto found = std::find_if(requests.begin(), requests.end(), [&](const auto* each) { return test(*each); });
    return found == requests.end() ? nullptr : *found;
}

Check too_many(const Seen& seen) {
    const auto* next = first(seen.later, [&](const auto& each) { return each.token_id == seen.fault.token_id; });
    if (!next) return unknown(seen, "No request followed the 429.");
    if (next->at < seen.fault.at + api::retry_after_too_many)
        return failed(seen, "The next request came before Retry-After was over.", {next});
    return passed(seen, "The next request came after Retry-After.", {next});
}

// The first repetition, and whether a POST has the same key.
Check repeated(const Seen& seen, const Observation& repeat) {
    if (seen.fault.method != "POST") return passed(seen, "The request was repeated.", {&repeat});
    if (!repeat.idempotency_key || repeat.idempotency_key != seen.fault.idempotency_key)
        return failed(seen, "The POST was repeated without the same Idempotency-Key.", {&repeat});
    return passed(seen, "The POST was repeated with the same Idempotency-Key.", {&repeat});
}

Check unavailable(const Seen& seen) {
    const auto* repeat = first(seen.later, [&](const auto& each) { return seen.is_repeat(each); });
    if (repeat) return repeated(seen, *repeat);
    if (seen.later.empty()) return unknown(seen, "No request followed the 503.");
    return failed(seen, "The request that got 503 was not repeated.", {seen.later.back()});
}

Check lost_answer(const Seen& seen) {
    if (const auto* repeat = first(seen.later, [&](const auto& each) { return seen.is_repeat(each); }))
        return repeated(seen, *repeat);
    if (seen.later.empty()) return unknown(seen, "No request followed the lost answer.");
    return passed(seen, "The POST was carried out once.", {seen.later.front()});
}

Check poll(const Seen& seen) {
    const auto* next = first(seen.later, [&](const auto& each) { return each.route == seen.fault.route && each.since; });
    if (!next) return unknown(seen, "No poll of this list followed the one that got 503.");
    if (next->since > seen.fault.since)
        return failed(seen, "The next poll began later than the one that failed, so it misses what changed between them.",
                      {next});
    return passed(seen, "The next poll began where the one that failed did.", {next});
}

Check gone(const Seen& seen) {
    const auto* again =
        first(seen.later, [&](const auto& each) { return each.route == seen.fault.route && each.since == seen.fault.since; });
    if (again) return failed(seen, "The same deletions were asked for again after 410.", {again});
    if (seen.later.empty()) return unknown(seen, "No request followed the 410.");
    return passed(seen, "The deletions that are gone were not asked for again.", {seen.later.front()});
}

// A token takes the place of another if it is the same user's, and no other program had it before.
Check expired_token(const Seen& seen) {
    const auto ends = seen.fault.at + expires_within;
    const auto is_new = [&](const Observation& request) {
        const auto& all = seen.examination.requests;
        return request.user_id == seen.fault.user_id &&
               std::none_of(all.data(), &seen.fault, [&](const auto& each) { return each.token_id == request.token_id; });
    };
    Requests tries;
    for (const auto* each : seen.later) {
        if (each->at >= ends + expired_for) break;
        if (each->token_id == seen.fault.token_id) {
            if (each->route == "/api/v1/me/tokens/rotate" && each->status == 201)
                return passed(seen, "The token was renewed before its end.", {each});
            if (each->at >= ends) tries.push_back(each);
        } else if (is_new(*each)) {
            return passed(seen, "Another token took the place of the one that expires.", {each});
        }
    }
    if (tries.empty()) return unknown(seen, "No request with this token followed its end.");
    if (tries.size() > most_tries)
        return failed(seen, "The expired token was sent " + std::to_string(tries.size()) + " times.", tries);
    return passed(seen, "The expired token was given up.", tries);
}

Check duplicate_webhook(const Seen& seen) {
    const auto& duplicates = seen.examination.duplicates;
    if (duplicates.empty()) return unknown(seen, "No webhook took the message that was to be sent twice.");
    for (const auto& each : duplicates)
        if (!each.status || *each.status / 100 != 2)
            return failed(seen, "The webhook refused a message that it had taken before.");
    std::map<std::string, const Observation*> writes;
    for (const auto* each : seen.later) {
        const bool reacts = each->method != "GET" && each->method != "HEAD" && each->subject &&
                            std::any_of(duplicates.begin(), duplicates.end(),
                                        [&](const auto& duplicate) { return duplicate.subject == *each->subject; });
        if (!reacts || (each->status && *each->status >= 400)) continue;
        const auto [before, is_first] = writes.emplace(each->content, each);
        if (!is_first && (!each->idempotency_key || each->idempotency_key != before->second->idempotency_key))
            return failed(seen, "The message that came twice was acted on twice.", {before->second, each});
    }
    return passed(seen, "Both copies of the message were taken, and none was acted on twice.");
}

}  // namespace

std::string_view to_string(Result result) {
    return result == Result::passed ? "PASSED" : result == Result::failed ? "FAILED" : "NOT_SEEN";
}

std::vector<Check> grade(const Examination& examination) {
    std::vector<Check> checks;
    for (const auto step : all_steps) {
        const auto& all = examination.requests;
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.fault == step; });
        if (found == all.end()) {
            checks.push_back(verdict(step, Result::not_seen, "No request fitted this fault."));
            continue;
        }
        Seen seen{examination, *found, {}};
        for (auto each = found + 1; each != all.end(); ++each) seen.later.push_back(&*each);
        static constexpr Check (*functions[])(const Seen&) = {lost_answer,       unavailable, poll,         gone,
                                                              duplicate_webhook, too_many,    expired_token};
        checks.push_back(functions[std::size_t(step)](seen));
    }
    return checks;
}

}  // namespace tradepost::sandbox
