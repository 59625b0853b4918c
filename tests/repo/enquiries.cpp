// Lists of enquiries: what their statements read of many rows.
#define BOOST_TEST_DYN_LINK
#include <boost/test/unit_test.hpp>

#include "db/statement.h"
#include "repo/bulk_writer.h"
#include "repo/enquiry_support.h"
#include "repo/recount.h"

using namespace tradepost;

namespace {

struct Fixture : test::Enquirers {
    static constexpr int each = 2000;  // to either organisation, every tenth of them by the sender
    repo::Enquiries enquiries{connection};

    Fixture() {
        repo::BulkInsert rows(
            connection, "enquiries (id, organisation_id, type, from_user_id, name, message, status, created_at, updated_at)");
        for (int n = 0; n < each; ++n)
            for (const auto& id : organisations) {
                const auto time = db::literal(start + core::seconds(n));
                rows.add(db::literal(core::Uuid::v7(start + core::seconds(n))) + ", " + db::literal(id) + ", 'GENERAL', " +
                         db::literal(n % 10 == 0 ? sender : member) + ", 'S', '?', '" + (n % 20 == 0 ? "READ" : "NEW") + "', " +
                         time + ", " + time);
            }
        rows.flush();
        repo::recount_totals(connection);
        connection.query("ANALYZE TABLE enquiries");
    }

    std::uint64_t rows_read() {
        std::uint64_t sum = 0;
        for (const auto& row : connection.query("SHOW SESSION STATUS LIKE 'Handler_read%'")) sum += std::stoull(row.text(1));
        return sum;
    }
    template <class Work>
    std::uint64_t reads_of(Work work) {
        connection.execute("FLUSH STATUS");
        const auto before = rows_read();
        work();
        return rows_read() - before;
    }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(enquiries, Fixture)

BOOST_AUTO_TEST_CASE(pages_read_what_they_show) {
    const repo::EnquiryFilter all{.organisation_ids = {organisations[0]}};
    BOOST_TEST(enquiries.count(all) == each);
    std::vector<domain::Enquiry> page;
    BOOST_TEST(reads_of([&] { page = enquiries.page(all, {40, 20}); }) < 250u);
    BOOST_TEST(page.size() == 20u);
    BOOST_TEST((page[0].created_at == start + core::seconds(each - 41)));
}

BOOST_AUTO_TEST_CASE(polls_read_what_was_changed) {
    const auto since = start + core::seconds(each - 10);
    const repo::EnquiryFilter filter{.organisation_ids = {organisations.begin(), organisations.end()},
                                     .updated_since = since,
                                     .updated_until = since + core::seconds(4)};
    std::int64_t total = 0;
    BOOST_TEST(reads_of([&] { total = enquiries.count(filter); }) < 100u);
    BOOST_TEST(total == 10);
    std::vector<domain::Enquiry> page;
    BOOST_TEST(reads_of([&] { page = enquiries.page(filter, {0, 20}); }) < 150u);
    BOOST_TEST(page.size() == 10u);
    BOOST_TEST((page[0].created_at == since + core::seconds(4)));
}

BOOST_AUTO_TEST_CASE(senders_read_their_own) {
    std::int64_t total = 0;
    BOOST_TEST(reads_of([&] { total = enquiries.count({.sender = sender}); }) < each / 5 + 100);
    BOOST_TEST(total == each / 5);
    BOOST_TEST(reads_of([&] { enquiries.page({.sender = sender}, {0, 20}); }) < 250u);
    BOOST_TEST(enquiries.count({.organisation_ids = {organisations[1]}, .sender = sender, .statuses = {"READ", "SPAM"}}) ==
               each / 20);
}

BOOST_AUTO_TEST_CASE(without_an_organisation_there_is_nothing) {
    BOOST_TEST(enquiries.count({}) == 0);
    BOOST_TEST(enquiries.page({}, {0, 20}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
