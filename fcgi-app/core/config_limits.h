// The settings of [limits]: how much one organisation or one user may have.
#pragma once
#include <cstdint>

namespace tradepost::core {

struct LimitsConfig {
    std::uint64_t organisation_members = 500;
    std::uint64_t organisation_stock = 200'000;
    std::uint64_t organisation_jobs = 200'000;
    std::uint64_t organisation_events = 20'000;
    std::uint64_t organisation_posts = 20'000;
    std::uint64_t organisation_enquiries = 1'000'000;  // received ones
    std::uint64_t organisation_uploads = 1'000'000;
    std::uint64_t organisation_pending_uploads = 1'000;
    std::uint64_t organisation_outbox = 10'000;       // messages to webhooks; beyond it older ones are merged
    std::uint64_t organisation_audit_rows = 200'000;  // beyond it prune removes the oldest
    std::uint64_t user_idempotency_bytes = 64 << 20;
};

// A key of the section, and what it sets.
struct LimitSetting {
    const char* key;
    std::uint64_t LimitsConfig::*value;
};

inline constexpr LimitSetting limit_settings[] = {
    {"organisation_members", &LimitsConfig::organisation_members},
    {"organisation_stock", &LimitsConfig::organisation_stock},
    {"organisation_jobs", &LimitsConfig::organisation_jobs},
    {"organisation_events", &LimitsConfig::organisation_events},
    {"organisation_posts", &LimitsConfig::organisation_posts},
    {"organisation_enquiries", &LimitsConfig::organisation_enquiries},
    {"organisation_uploads", &LimitsConfig::organisation_uploads},
    {"organisation_pending_uploads", &LimitsConfig::organisation_pending_uploads},
    {"organisation_outbox", &LimitsConfig::organisation_outbox},
    {"organisation_audit_rows", &LimitsConfig::organisation_audit_rows},
    {"user_idempotency_bytes", &LimitsConfig::user_idempotency_bytes},
};

}  // namespace tradepost::core
