// A message to the outside, before and while it is delivered (README.md).
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/time.h"
#include "core/uuid.h"

namespace tradepost::outbox {

inline constexpr std::size_t longest_kind = 32, longest_target = 190;  // characters
inline constexpr std::size_t largest_payload = 1 << 20;                // bytes

// What a transaction sends.
struct Message {
    std::string kind;                                // a row of deliver/kinds.cpp
    std::string target;                              // messages of one target are delivered in order, one at a time: "webhook ID"
    std::string payload;                             // JSON that the kind's sender reads
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
    std::string result;              // for operators and logs of deliveries: one line, no secret; cut to 300 bytes
    std::optional<int> status = {};  // of HTTP or SMTP
    std::optional<std::chrono::seconds> pause = {};  // before a retry, as the receiver asked (wait_after())

    static Outcome delivered(std::string result, std::optional<int> status = {}) {
        return {Kind::delivered, std::move(result), status};
    }
    static Outcome retry(std::string why, std::optional<int> status = {}, std::optional<std::chrono::seconds> pause = {}) {
        return {Kind::retry, std::move(why), status, pause};
    }
    // No further attempt helps: an operator has to look at it.
    static Outcome dead(std::string why, std::optional<int> status = {}) { return {Kind::dead, std::move(why), status}; }
};

}  // namespace tradepost::outbox
