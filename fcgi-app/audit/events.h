// What the audit log records. Log, database, metrics and tradepostctl use the same names.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tradepost::audit {

enum class Event : std::uint8_t {
    sign_in,
    sign_in_failed,
    sign_out,
    session_ended,  // otherwise than by signing out
    password_changed,
    password_confirmed,
    password_refused,  // a wrong one of a user who is signed in
    token_minted,
    token_revoked,
    token_removed,  // by a mint beyond the limit of active ones
    user_added,
    user_disabled,
    user_enabled,
    name_changed,
    email_change_asked,      // the detail is the new address
    email_change_withdrawn,  // by the user
    email_changed,           // the detail is the old one
    membership_added,
    membership_removed,
    role_changed,
    second_factor_enabled,
    second_factor_disabled,
    second_factor_failed,
    recovery_code_used,
    recovery_codes_renewed,
    second_factor_required,      // of ADMINs of an organisation
    second_factor_not_required,  // any more
    webhook_created,
    webhook_changed,
    webhook_deleted,
    webhook_secret_rotated,
    webhook_disabled,  // by the service
    integration_added,
    integration_removed,  // with its tokens
    letter_sent,          // with a link that gives access; the detail says what it is
    imported,
    exported,
    person_erased,
    audit_pruned,          // by the limit of an organisation: its oldest events; the detail says how many
    organisation_removed,  // with everything that belonged to it; the detail is its slug
};

// In the order of Event.
inline constexpr std::array<std::string_view, 40> event_names{"sign_in",
                                                              "sign_in_failed",
                                                              "sign_out",
                                                              "session_ended",
                                                              "password_changed",
                                                              "password_confirmed",
                                                              "password_refused",
                                                              "token_minted",
                                                              "token_revoked",
                                                              "token_removed",
                                                              "user_added",
                                                              "user_disabled",
                                                              "user_enabled",
                                                              "name_changed",
                                                              "email_change_asked",
                                                              "email_change_withdrawn",
                                                              "email_changed",
                                                              "membership_added",
                                                              "membership_removed",
                                                              "role_changed",
                                                              "second_factor_enabled",
                                                              "second_factor_disabled",
                                                              "second_factor_failed",
                                                              "recovery_code_used",
                                                              "recovery_codes_renewed",
                                                              "second_factor_required",
                                                              "second_factor_not_required",
                                                              "webhook_created",
                                                              "webhook_changed",
                                                              "webhook_deleted",
                                                              "webhook_secret_rotated",
                                                              "webhook_disabled",
                                                              "integration_added",
                                                              "integration_removed",
                                                              "letter_sent",
                                                              "imported",
                                                              "exported",
                                                              "person_erased",
                                                              "audit_pruned",
                                                              "organisation_removed"};
static_assert(std::size_t(Event::organisation_removed) + 1 == event_names.size());

inline constexpr std::string_view to_string(Event event) {
    return event_names[std::size_t(event)];
}

inline bool is_event(std::string_view name) {
    return std::find(event_names.begin(), event_names.end(), name) != event_names.end();
}

// How often each was recorded by this process since its start.
using Totals = std::array<std::uint64_t, event_names.size()>;
Totals totals();

}  // namespace tradepost::audit
