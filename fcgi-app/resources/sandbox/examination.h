// The examination of a test organisation's programs: what they met, what they did, and what is to be thought of it. Its state is in the
// database, since each request may have another worker.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/call.h"
#include "db/connection.h"

namespace tradepost::sandbox {

// The faults of an examination, in the order in which they are preferred: a request meets the first that fits it and was not made yet.
enum class Step { lost_answer, unavailable, poll, gone, duplicate_webhook, too_many, expired_token };
inline constexpr Step all_steps[] = {Step::lost_answer,       Step::unavailable, Step::poll,         Step::gone,
                                     Step::duplicate_webhook, Step::too_many,    Step::expired_token};
std::string_view to_string(Step step);  // LOST_ANSWER, …

// A request of one of the organisation's tokens.
struct Observation {
    core::Uuid id;
    core::Time at;
    core::Uuid user_id, token_id;
    std::string request_id, method, route;
    std::optional<std::string> subject;  // these are hashes
    std::string content;
    std::optional<std::string> idempotency_key;
    std::optional<core::Time> since;  // of a poll's first page, or of a list of deletions
    std::optional<Step> fault;
    std::optional<std::int64_t> status;  // of the answer that was made, also if it was lost
    bool changes = false;                // not kept: it writes, and is no dry run
};

// A webhook message that was sent twice.
struct Duplicate {
    std::string subject;                 // the hash of the id that it is about
    std::optional<std::int64_t> status;  // of the second answer
};

struct Examination {
    core::Time from, until;
    std::vector<Observation> requests;  // in their order
    std::vector<Duplicate> duplicates;
};

enum class Result { passed, failed, not_seen };
std::string_view to_string(Result result);

struct Check {
    Step step;
    Result result;
    std::string why;                       // a sentence
    std::vector<std::string> request_ids;  // of the request that met the fault, and of what decided
};

// One for each step.
std::vector<Check> grade(const Examination& examination);

// The pause between two faults, so that a reaction is told from the next one; the time before a token expires, and for which it has expired
// then; and how many requests of an examination are kept.
inline constexpr std::chrono::seconds between_faults{5}, expires_within{30}, expired_for{60};
inline constexpr std::int64_t most_observed = 2000;

// Borrows the connection. Calls throw db::Unavailable or db::Error.
class Examinations {
public:
    explicit Examinations(db::Connection& connection) : connection_(connection) {}

    // Inside a transaction that holds the organisation: begins one in place of the last, of all tokens or of this integration's.
    void begin(const core::Uuid& organisation_id, const std::optional<core::Uuid>& integration, core::Time now,
               std::chrono::minutes length);

    // The last one; empty when there is none.
    std::optional<Examination> find(const core::Uuid& organisation_id);

    // Keeps a request of the examined organisation, and decides what it meets. Sets `observation` and `fault` of the call.
    void observe(api::Call& call);
    // Keeps the status of its answer.
    void note_status(const core::Uuid& observation, int status);

private:
    db::Connection& connection_;
};

// The hash under which paths, bodies and keys are kept.
std::string hash_of(std::string_view text);

}  // namespace tradepost::sandbox
