// Lists of enquiries: what their statements read of many rows.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "db/bulk_insert.h"
#include "db/statement.h"
#include "lists/totals.h"
#include "repo/enquiry_support.h"
#include "resources/enquiries/rows.h"
#include "support/recount.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    static constexpr int each = 2000;  // to either organisation, every tenth of them by the sender

    Fixture() {
        db::BulkInsert rows(connection,
                            "enquiries (id, organisation_id, type, from_user_id, name, message, status, created_at, updated_at)");
        for (int n = 0; n < each; ++n)
            for (const auto& id : organisations) {
                const auto time = db::literal(start + core::seconds(n));
                rows.add(db::literal(core::Uuid::v7(start + core::seconds(n))) + ", " + db::literal(id) + ", 'GENERAL', " +
                         db::literal(n % 10 == 0 ? sender : member) + ", 'S', '?', '" + (n % 20 == 0 ? "READ" : "NEW") + "', " +
                         time + ", " + time);
            }
        rows.flush();
        test::recount_all(connection);
        connection.query("ANALYZE TABLE enquiries");
    }

    std::uint64_t reads_of(const std::function<void()>& work) { return test::rows_read(connection, work); }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(enquiries_rows, Fixture)

BOOST_AUTO_TEST_CASE(pages_read_what_they_show) {
    const auto all = test::selected(enquiries::received_list(), "", {organisations[0]});
    const auto total = test::total(connection, all, start);
    BOOST_TEST(total.rows == each);
    lists::Page page;
    BOOST_TEST(reads_of([&] { page = test::read(connection, all, {40, 20}, start, &total); }) < 250u);
    BOOST_TEST(page.rows.size() == 20u);
    BOOST_CHECK(enquiries::read(page.rows.at(0)).created_at == start + core::seconds(each - 41));
}

BOOST_AUTO_TEST_CASE(polls_read_what_was_changed) {
    const auto since = start + core::seconds(each - 10);
    auto poll = received();
    poll.updated_since = since;
    poll.updated_until = since + core::seconds(4);
    std::int64_t total = 0;
    BOOST_TEST(reads_of([&] { total = lists::total_of(connection, poll, start).rows; }) < 100u);
    BOOST_TEST(total == 10);
    lists::Page page;
    BOOST_TEST(reads_of([&] { page = test::read(connection, poll, {0, 20}, start); }) < 250u);  // with the total
    BOOST_TEST(page.rows.size() == 10u);
    BOOST_CHECK(enquiries::read(page.rows.at(0)).created_at == since + core::seconds(4));
}

BOOST_AUTO_TEST_CASE(senders_read_their_own) {
    lists::Total total;
    BOOST_TEST(reads_of([&] { total = test::total(connection, sent(), start); }) < each / 5 + 100);
    BOOST_TEST(total.rows == each / 5);
    BOOST_TEST(reads_of([&] { test::read(connection, sent(), {0, 20}, start, &total); }) < 250u);
    const auto to_second = sent("organisationId=" + organisations[1].to_string() + "&status=READ&status=SPAM");
    BOOST_TEST(test::total(connection, to_second, start).rows == each / 20);
}

BOOST_AUTO_TEST_CASE(without_an_organisation_there_is_nothing) {
    auto nobody = received();
    nobody.owners.clear();
    BOOST_TEST(nobody.is_empty());
    // Even for whoever does not ask that first.
    const auto page = lists::newest_first(connection, nobody, {0, 20}, start, nullptr);
    BOOST_TEST(page.rows.empty());
    BOOST_TEST(page.total.rows == 0);
}

BOOST_AUTO_TEST_SUITE_END()
