// A webhook: an address of a dealer's software that is told what happens in an organisation.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "core/uuid.h"
#include "fields/field.h"

namespace tradepost::webhooks {

// What it may ask to be told of, as `events` names it.
inline constexpr std::string_view enquiry_created = "enquiry.created", stock_changed = "stock.changed",
                                  job_changed = "job.changed", event_changed = "event.changed", post_changed = "post.changed",
                                  upload_ready = "upload.ready", token_expiring = "token.expiring";
inline constexpr std::array event_names{enquiry_created, stock_changed, job_changed,   event_changed,
                                        post_changed,    upload_ready,  token_expiring};

// Types of messages that are not named there: those who ask for changes are told of deletions, and anybody of a test.
inline constexpr std::string_view stock_deleted = "stock.deleted", job_deleted = "job.deleted", event_deleted = "event.deleted",
                                  post_deleted = "post.deleted", test = "webhook.test";

inline constexpr std::int64_t most_of_organisation = 10;

// Why it was switched off by the service: it answered 410, or failed for as long as messages are tried.
inline constexpr std::string_view gone = "GONE", failing = "FAILING";

struct Webhook {
    core::Uuid id, organisation_id;
    std::string url;
    std::vector<std::string> events;
    bool active = true;
    std::optional<std::string> disabled_reason;
    std::optional<core::Time> failing_since;  // of the first failure since the last success
    core::Time created_at, updated_at;
};

std::span<const fields::Field<Webhook>> webhook_fields();

// The first rule that it breaks and that no field shows alone: what `events` may hold.
std::optional<fields::Fault> fault(const Webhook& webhook);

// The target of its messages in the outbox, and back; empty for another kind of target.
std::string target_of(const core::Uuid& id);
std::optional<core::Uuid> webhook_of(std::string_view target);

}  // namespace tradepost::webhooks
