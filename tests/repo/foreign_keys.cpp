// What foreign keys do by themselves: nothing that a writer has to know of, since they change no totals, no times and no log.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>
#include <set>

#include "resources/tables.h"
#include "support/database.h"

using namespace tradepost;

namespace {

// Columns that a deletion may set to NULL behind the writers' backs: no list counts, polls or shows them, and few rows have the same value.
const std::set<std::string> may_become_null{
    "api_tokens.minted_by",    // shown beside the token; an organisation has 500 active tokens of integrations at most
    "invitations.invited_by",  // for the letter; an organisation has 100 invitations at most
};

// Tables whose rows may go with the row that they belong to: parts of it, which its writer counts and records, or what nobody counts, polls or
// follows. Of a user or an organisation there are few in each.
const std::set<std::string> may_go_with_their_parent{
    "api_tokens",   "email_changes",   "enquiry_digests",     "enquiry_search",
    "event_search", "feeds",           "idempotency_keys",    "invitations",
    "job_search",   "memberships",     "notification_tokens", "password_resets",
    "post_search",  "post_tags",       "recovery_codes",      "second_factors",
    "sessions",     "stock_documents", "stock_images",        "stock_search",
};

struct Fixture {
    test::MigratedDatabase database;
    db::Connection connection{database.config()};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(foreign_keys, Fixture)

BOOST_AUTO_TEST_CASE(none_changes_what_is_counted_polled_or_shown) {
    std::set<std::string> of_lists;
    for (const auto* table : resources::counted_tables()) of_lists.emplace(table->name());
    for (const auto& table : resources::tables()) of_lists.emplace(table.name);
    // Rows that are polled, or show when they changed.
    for (const auto& row :
         connection.query("SELECT table_name FROM information_schema.columns WHERE table_schema = DATABASE() AND "
                          "column_name IN ('updated_at', 'listed', 'polled_until')"))
        of_lists.insert(row.text(0));
    for (const auto* part : {"notification_tokens", "post_tags"}) of_lists.erase(part);  // no list's own rows

    std::size_t cascades = 0, nulls = 0;
    for (const auto& row : connection.query(
             "SELECT r.table_name, r.constraint_name, r.delete_rule, r.update_rule, k.column_name FROM "
             "information_schema.referential_constraints r JOIN information_schema.key_column_usage k ON k.constraint_schema = "
             "r.constraint_schema AND k.constraint_name = r.constraint_name AND k.table_name = r.table_name WHERE "
             "r.constraint_schema = DATABASE()")) {
        const auto& table = row.text(0);
        const auto& on_delete = row.text(2);
        BOOST_TEST_CONTEXT(row.text(1)) {
            BOOST_TEST((row.text(3) == "RESTRICT" || row.text(3) == "NO ACTION"), "ON UPDATE " << row.text(3));
            if (on_delete == "CASCADE") {
                ++cascades;
                BOOST_TEST(!of_lists.contains(table), "rows that lists count or polls show are removed by their writer");
                BOOST_TEST(may_go_with_their_parent.contains(table), "say why nobody misses them");
            } else if (on_delete == "SET NULL") {
                ++nulls;
                BOOST_TEST(may_become_null.contains(table + "." + row.text(4)), "a writer has to do that");
            } else {
                BOOST_TEST((on_delete == "RESTRICT" || on_delete == "NO ACTION"), "ON DELETE " << on_delete);
            }
        }
    }
    BOOST_TEST(cascades > 0u);
    BOOST_TEST(nulls == may_become_null.size());
}

BOOST_AUTO_TEST_SUITE_END()
