// The counts that writers keep of enquiries, and totals and pages by them.
#include "repo/counted.h"
#include "repo/enquiries.h"
#include "repo/enquiry_writer.h"
#include "repo/organisations.h"

using namespace tradepost;
using namespace tradepost::test;

namespace {

struct EnquiryFixture : CountedFixture {
    std::vector<domain::Enquiry> all;

    domain::Enquiry enquiry() {
        domain::Enquiry enquiry;
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
        db::in_transaction(connection, [&] {
            repo::EnquiryWriter writer(connection);
            for (int i = 0; i < count; ++i) writer.insert(all.emplace_back(enquiry()));
            writer.finish();
        });
    }
    void check() {
        repo::Enquiries enquiries(connection);
        const auto with = [&](auto set) {
            repo::EnquiryFilter filter{organisations};
            set(filter);
            return filter;
        };
        const std::string sent = "from_user_id = " + one_of(users[0]);
        const std::vector<std::pair<repo::EnquiryFilter, std::string>> samples{
            {with([](auto&) {}), "1"},
            {with([&](auto& f) { f.organisation_ids = {organisations[0]}; }), "organisation_id = " + one_of(organisations[0])},
            {with([](auto& f) { f.statuses = {"NEW"}; }), "status = 'NEW'"},
            {with([](auto& f) {
                 f.types = {"JOB", "STOCK"};
             }),
             "type IN ('JOB', 'STOCK')"},
            {with([](auto& f) {
                 f.statuses = {"NEW", ""}, f.types = {"JOB"};
             }),
             "status = 'NEW' AND type = 'JOB'"},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}; }), sent},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}, f.statuses = {"NEW"}; }),
             sent + " AND status = 'NEW'"},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {organisations[0]}; }),
             sent + " AND organisation_id = " + one_of(organisations[0])},
            {with([&](auto& f) { f.sender = users[0], f.organisation_ids = {}, f.statuses = {"NEW"}, f.types = {"JOB"}; }),
             sent + " AND status = 'NEW' AND type = 'JOB'"},
        };
        for (const auto& [filter, where] : samples) {
            const auto expected = select("SELECT id FROM enquiries WHERE " + where + " ORDER BY created_at DESC, id DESC");
            BOOST_TEST(enquiries.count(filter) == std::int64_t(expected.size()), where);
            for (const auto offset : offsets) check_page(enquiries.page(filter, {offset, 6}), expected, offset, 6);
        }
    }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(counts_of_enquiries)

BOOST_FIXTURE_TEST_CASE(enquiries_are_counted_at_every_write, EnquiryFixture) {
    fill(200);
    check();
    for (int round = 0; round < 8; ++round) {
        db::in_transaction(connection, [&] {
            repo::EnquiryWriter writer(connection);
            auto changed = all[std::size_t(round)];
            changed.status = "CLOSED";
            writer.update(changed, all[std::size_t(round)]);
            writer.remove(all[std::size_t(100 + round)]);
            writer.insert(enquiry());
            writer.finish();
        });
        db::Transaction undone(connection);
        repo::EnquiryWriter writer(connection);
        writer.insert(enquiry());
        writer.finish();
    }
    same_without([&] { check(); });
    counts_are_right();
}

BOOST_FIXTURE_TEST_CASE(enquiries_far_on_are_found_without_walking_there, EnquiryFixture) {
    fill(3000);
    check();
    repo::Enquiries enquiries(connection);
    const auto total = enquiries.count({organisations});
    BOOST_TEST(rows_read([&] { enquiries.count({organisations}); }) < 40u);
    BOOST_TEST(rows_read([&] { enquiries.page({organisations}, {total - 20, 20}); }) < 2000u);
}

BOOST_AUTO_TEST_SUITE_END()
