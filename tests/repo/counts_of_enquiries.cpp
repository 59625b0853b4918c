// The counts that writers keep of enquiries, and totals and pages by them.
#include "identity/organisations/organisations.h"
#include "repo/counted.h"
#include "resources/enquiries/figures.h"
#include "resources/enquiries/list.h"
#include "resources/enquiries/writer.h"
#include "support/rolled_back.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct EnquiryFixture : CountedFixture {
    std::vector<enquiries::Enquiry> all;

    enquiries::Enquiry enquiry() {
        enquiries::Enquiry enquiry;
        enquiry.id = Uuid::v7(now);
        enquiry.organisation_id = organisations[std::size_t(below(10) == 0 ? 1 + below(2) : 0)];
        enquiry.type = pick({"STOCK", "JOB", "GENERAL"});
        if (below(3)) enquiry.from_user_id = users[std::size_t(below(10) == 0)];
        enquiry.name = enquiry.message = "E";
        enquiry.status = pick({"NEW", "READ"});
        enquiry.created_at = enquiry.updated_at = any_time();
        return enquiry;
    }
    void fill(int count) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            enquiries::EnquiryWriter writer(transaction);
            for (int i = 0; i < count; ++i) writer.insert(all.emplace_back(enquiry()));
        });
    }
    void check() {
        const auto check_where = [&](const lists::Selection& selection, const std::string& where) {
            check_list(connection, selection,
                       select("SELECT id FROM enquiries WHERE " + where + " ORDER BY created_at DESC, id DESC"), now);
        };
        const auto& received = enquiries::received_list();
        check_where(selected(received, "", organisations), "1");
        check_where(selected(received, "", {organisations[0]}), "organisation_id = " + one_of(organisations[0]));
        check_where(selected(received, "status=NEW", organisations), "status = 'NEW'");
        check_where(selected(received, "type=JOB&type=STOCK", organisations), "type IN ('JOB', 'STOCK')");
        check_where(selected(received, "status=NEW&status=%20&type=JOB", organisations), "status = 'NEW' AND type = 'JOB'");
        const std::string by = "from_user_id = " + one_of(users[0]);
        const auto sent = [&](const std::string& query) { return selected(enquiries::sent_list(), query, {users[0]}); };
        check_where(sent(""), by);
        check_where(sent("status=NEW"), by + " AND status = 'NEW'");
        check_where(sent("organisationId=" + organisations[0].to_string()),
                    by + " AND organisation_id = " + one_of(organisations[0]));
        check_where(sent("status=NEW&type=JOB"), by + " AND status = 'NEW' AND type = 'JOB'");
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_enquiries)

BOOST_FIXTURE_TEST_CASE(enquiries_are_counted_at_every_write, EnquiryFixture) {
    fill(200);
    check();
    for (int round = 0; round < 8; ++round) {
        writes::write(connection, [&](writes::WriteTransaction& transaction) {
            enquiries::EnquiryWriter writer(transaction);
            auto changed = all[std::size_t(round)];
            changed.status = "CLOSED";
            writer.update(changed, all[std::size_t(round)]);
            writer.remove(all[std::size_t(100 + round)]);
            writer.insert(enquiry());
        });
        rolled_back(connection,
                    [&](writes::WriteTransaction& transaction) { enquiries::EnquiryWriter(transaction).insert(enquiry()); });
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(enquiries_far_on_are_found_without_walking_there, EnquiryFixture) {
    fill(3000);
    check();
    const auto all_received = selected(enquiries::received_list(), "", organisations);
    const auto known = total(connection, all_received, now);
    BOOST_TEST(rows_read([&] { total(connection, all_received, now); }) < 40u);
    BOOST_TEST(rows_read([&] { read(connection, all_received, {known.rows - 20, 20}, now, &known); }) < 2000u);
}

// The overview's chart, however many enquiries there are.
BOOST_FIXTURE_TEST_CASE(what_was_sent_before_a_time_is_told_by_counts, EnquiryFixture) {
    fill(3000);
    std::vector<core::Time> times;
    for (std::size_t i = 0; i < 5; ++i)
        for (const auto& time : {any_time(), all[i].created_at, all[i].created_at + core::milliseconds(1)}) times.push_back(time);
    const auto check_all = [&] {
        const auto counts = enquiries::sent_before(connection, organisations[0], times);
        for (std::size_t i = 0; i < times.size(); ++i) {
            const auto expected = connection
                                      .query("SELECT COUNT(*) FROM enquiries WHERE organisation_id = ? AND created_at < ?",
                                             {organisations[0], times[i]})
                                      .at(0)
                                      .integer(0);
            BOOST_TEST(counts.at(i) == expected);
        }
    };
    check_all();
    same_without(check_all);
    BOOST_TEST(rows_read([&] { enquiries::sent_before(connection, organisations[0], std::span(times).first(1)); }) < 400u);
}

BOOST_AUTO_TEST_CASE(the_median_is_the_middle_one) {
    BOOST_TEST(!enquiries::median({}).has_value());
    BOOST_TEST(enquiries::median({7}).value() == 7);
    BOOST_TEST(enquiries::median({9, 1, 5}).value() == 5);
    BOOST_TEST(enquiries::median({9, 1, 5, 3}).value() == 3);
}

BOOST_AUTO_TEST_SUITE_END()
