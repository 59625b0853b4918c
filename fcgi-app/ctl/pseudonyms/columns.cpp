#include "ctl/pseudonyms/columns.h"

#include <algorithm>
#include <set>

#include "core/crypto.h"
#include "identity/people/users.h"

namespace tradepost::ctl {
namespace {

using Text = std::optional<std::string>;

template <std::string (Pseudonyms::*method)(std::string_view) const>
Text by(const Pseudonyms& pseudonyms, const std::string& value) {
    return (pseudonyms.*method)(value);
}
constexpr auto as_email = by<&Pseudonyms::email>, as_name = by<&Pseudonyms::name>, as_phone = by<&Pseudonyms::phone>,
               as_text = by<&Pseudonyms::text>, as_url = by<&Pseudonyms::url>, as_filename = by<&Pseudonyms::filename>,
               as_public_text = by<&Pseudonyms::without_contacts>;

Text as_email_key(const Pseudonyms& pseudonyms, const std::string& value) {
    return identity::email_key(pseudonyms.email(value));
}
Text as_secret(const Pseudonyms&, const std::string& value) {
    return core::random_bytes(value.size());
}
Text as_none(const Pseudonyms&, const std::string&) {
    return {};
}

// What an organisation shows of its stock, jobs, events and posts stays.
const DecidedTable all_tables[] = {
    {"change_positions", "id last pruned", {}},
    {"changes", "id position collection row_id organisation_id kind changed_at", {}},
    {"collection_versions", "collection shard version", {}},
    {"conflicts", "id writes", {}},
    {"deletions", "id collection row_id organisation_id reference deleted_at", {}},
    {"enquiries",
     "id organisation_id type stock_id job_id from_user_id status created_at updated_at target_title target_reference replied_at",
     {{"name", as_name}, {"email", as_email}, {"phone", as_phone}, {"message", as_text}, {"note", as_text}}},
    {"event_search", "event_id tokens", {}},
    {"events",
     "id organisation_id slug reference title category category_key starts_at ends_at over_at timezone venue_name address city "
     "city_key country is_online url image_url status listed published_at created_at updated_at",
     {{"summary", as_public_text}, {"description", as_public_text}}},
    {"facet_values", "id text", {}},
    {"feeds", "organisation_id list begun_at", {}},
    {"job_search", "job_id tokens", {}},
    {"jobs",
     "id organisation_id slug reference title category category_key department department_key contract_type working_hours "
     "workplace city city_key postal_code country salary_min salary_max salary_low salary_high salary_currency salary_period "
     "apply_url status listed published_at expires_at created_at updated_at",
     {{"summary", as_public_text}, {"description", as_public_text}, {"apply_email", as_email}}},
    {"list_counts", "list filter measure bucket shard n", {}},
    {"memberships", "user_id organisation_id role created_at enquiry_mail", {}},
    {"organisations",
     "id slug name website city postal_code country logo_upload_id logo_url published test created_at updated_at polled_until "
     "second_factor_required examined_from examined_until examined_user_id",
     {{"description", as_public_text}, {"phone", as_phone}, {"email", as_email}, {"address", as_text}}},
    {"outbox_positions", "id last", {}},
    {"post_search", "post_id tokens", {}},
    {"post_tags", "post_id tag_key listed published_at", {}},
    {"posts",
     "id organisation_id slug reference title image_url tags listed published_at created_at updated_at",
     {{"summary", as_public_text}, {"body", as_public_text}, {"author_name", as_name}}},
    {"schema_migrations", "number name checksum applied_at", {}},
    {"search_documents", "number list row_id", {}},
    {"search_words", "list scheme", {}},
    {"stock_documents", "stock_id position upload_id title", {}},
    {"stock_images", "stock_id position upload_id", {}},
    {"stock_items",
     "id organisation_id reference title category make model variant year item_condition price currency attributes status "
     "availability created_at updated_at category_key make_key model_key has_images price_up year_up",
     {{"description", as_public_text}}},
    {"stock_search", "stock_id tokens", {}},
    {"uploads",
     "id organisation_id user_id status content_type sent_size sent_hash content_hash size width height attachments created_at "
     "detached_at failed_decodes fetch_error",
     {{"filename", as_filename}, {"source_url", as_url}}},
    {"users",
     "id disabled_at created_at updated_at polled_until",
     {{"email", as_email}, {"email_key", as_email_key, true}, {"name", as_name}, {"password_hash", as_none}}},
    {"webhook_secrets", "webhook_id id expires_at", {{"secret", as_secret, true}}},
    {"webhooks",
     "id organisation_id events active disabled_reason created_at updated_at",
     {{"url", as_url}, {"failing_since", as_none}}},
};

// What gives access, what is to be sent, who did what when, and what belongs to the processes of the other instance.
constexpr std::string_view emptied[] = {
    "api_tokens",           "audit_log",        "change_readers",  "email_changes",  "enquiry_digests", "enquiry_search",
    "examination_requests", "idempotency_keys", "instance_keys",   "invitations",    "leases",          "letter_limits",
    "notification_tokens",  "outbox_bundles",   "outbox_messages", "outbox_targets", "password_resets", "program_failures",
    "record_history",       "recovery_codes",   "search_indexes",  "second_factors", "sessions",        "token_days",
};

}  // namespace

std::span<const DecidedTable> decided_tables() {
    return all_tables;
}

std::span<const std::string_view> emptied_tables() {
    return emptied;
}

std::vector<std::string> undecided(const std::vector<std::string>& columns) {
    std::set<std::string> decided;
    for (const auto& each : all_tables) {
        for (const auto& column : each.replaced) decided.insert(std::string(each.table) + "." + std::string(column.name));
        for (std::string_view left = each.kept; !left.empty();) {
            const auto column = left.substr(0, left.find(' '));
            decided.insert(std::string(each.table) + "." + std::string(column));
            left.remove_prefix(std::min(column.size() + 1, left.size()));
        }
    }
    std::vector<std::string> found;
    for (const auto& column : columns)
        if (!decided.contains(column) &&
            std::find(std::begin(emptied), std::end(emptied), column.substr(0, column.find('.'))) == std::end(emptied))
            found.push_back(column);
    return found;
}

}  // namespace tradepost::ctl
