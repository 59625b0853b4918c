#include "ctl/everything/tables.h"

namespace tradepost::ctl::everything {
namespace {

constexpr CarriedTable carried[] = {
    {"users"},
    {"organisations"},
    {"memberships"},
    {"invitations"},
    {.name = "second_factors", .byte_column = "secret"},
    {"recovery_codes"},
    {"api_tokens"},
    {"notification_tokens"},
    {"token_days"},
    {"program_failures"},
    {.name = "idempotency_keys", .where = "status IS NOT NULL"},  // without those of requests that run
    {.name = "audit_log", .may_have_rows = true},
    {"uploads"},
    {"jobs"},
    {"events"},
    {"posts"},
    {"stock_items"},
    {"stock_images"},
    {"stock_documents"},
    {"record_history"},
    {"deletions"},
    {"enquiries"},
    {"enquiry_digests"},
    {"webhooks"},
    {"webhook_secrets"},
    {"examination_requests"},
    // It signs links in letters, which do not expire. The other keys must be new: with the old ones a client's copy of a list could count as
    // current.
    {.name = "instance_keys", .where = "name = 'unsubscribe'"},
};

constexpr LeftOutTable left_out[] = {
    {"change_positions", "the new instance has a change log of its own"},
    {"change_readers", "the same"},
    {"changes", "the same"},
    {"collection_versions", "the versions of the new instance rise"},
    {"conflicts", "a row comes when it is needed"},
    {"email_changes", "a link in a letter that ends after an hour"},
    {"enquiry_search", "derived"},
    {"event_search", "derived"},
    {"facet_values", "derived"},
    {"feeds", "the next feed adds the row"},
    {"job_search", "derived"},
    {"leases", "about running processes"},
    {"letter_limits", "counts of a day"},
    {"list_counts", "derived"},
    {"outbox_bundles", "the old instance sends what waits"},
    {"outbox_messages", "the same"},
    {"outbox_positions", "the same"},
    {"outbox_targets", "the same"},
    {"password_resets", "a link in a letter that ends after half an hour"},
    {"post_search", "derived"},
    {"post_tags", "derived"},
    {"schema_migrations", "about the database"},
    {"search_documents", "about the search server"},
    {"search_indexes", "about the search server"},
    {"search_words", "derived"},
    {"sessions", "users sign in again"},
    {"stock_search", "derived"},
};

}  // namespace

std::span<const CarriedTable> carried_tables() {
    return carried;
}

std::span<const LeftOutTable> left_out_tables() {
    return left_out;
}

}  // namespace tradepost::ctl::everything
