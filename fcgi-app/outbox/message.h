// A message to the outside, before and while it is delivered (README.md).
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::outbox {

// What a transaction sends.
struct Message {
    std::string kind;     // a row of deliver/kinds.cpp; up to 32 characters
    std::string target;   // messages of one target are delivered in order, one at a time: "webhook ID"; up to 190 characters
    std::string payload;  // JSON that the kind's sender reads; up to 1 MiB
    std::optional<core::Uuid> organisation_id = {};  // whose share of the deliverers it takes
    std::optional<core::Time> not_before = {};       // by the database's clock; empty: now
};

// What a sender gets.
struct Delivery {
    core::Uuid id;
    std::string kind, target, payload;
    std::optional<core::Uuid> organisation_id;
    core::Time created_at;
    std::uint32_t attempts;    // that failed before
    std::chrono::seconds age;  // since it was due first
};

// What came of an attempt.
struct Outcome {
    enum class Kind { delivered, retry, dead };
    Kind kind;
    std::string result;              // for operators and logs of deliveries: one line, no secret; cut to 300 characters
    std::optional<int> status = {};  // of HTTP or SMTP
    std::optional<std::chrono::seconds> after = {};  // a retry, not before this time; empty: as the back-off says

    static Outcome delivered(std::string result, std::optional<int> status = {}) {
        return {Kind::delivered, std::move(result), status};
    }
    static Outcome retry(std::string why, std::optional<int> status = {}) { return {Kind::retry, std::move(why), status}; }
    // No further attempt helps: an operator has to look at it.
    static Outcome dead(std::string why, std::optional<int> status = {}) { return {Kind::dead, std::move(why), status}; }
};

}  // namespace tradepost::outbox
